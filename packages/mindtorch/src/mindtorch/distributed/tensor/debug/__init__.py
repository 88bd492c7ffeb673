"""``torch.distributed.tensor.debug``: what distributed tensors exchange."""

from mindtorch.core.unavailable import offer_listed

from ._comm_mode import CommDebugMode

__all__ = ["CommDebugMode", "visualize_sharding"]
offer_listed(globals())
