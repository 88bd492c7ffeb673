"""``torch.autograd.anomaly_mode``."""

from mindtorch_autograd import detect_anomaly, set_detect_anomaly

__all__ = ["detect_anomaly", "set_detect_anomaly"]
