"""``torch.autograd.anomaly_mode``."""

from mindtorch_autograd import detect_anomaly, set_detect_anomaly

from ..core.module_names import living_in

__all__ = ["detect_anomaly", "set_detect_anomaly"]

living_in(__name__, detect_anomaly, set_detect_anomaly)
