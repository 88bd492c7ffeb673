"""``torch.ao.nn.intrinsic.quantized.modules.bn_relu``: quantized batch norms and a ReLU."""

from __future__ import annotations

from mindtorch.core.unavailable import offer_listed

from ....quantized.modules.batchnorm import BatchNorm2d, BatchNorm3d
from ...modules import fused

__all__ = ["BNReLU2d", "BNReLU3d"]


class BNReLU2d(BatchNorm2d):
    """A batch norm of quantized images and a ReLU."""

    _KIND_ = "_relu"
    _FLOAT_MODULE = fused.BNReLU2d

    def _get_name(self) -> str:
        return "QuantizedBNReLU2d"


class BNReLU3d(BatchNorm3d):
    """A batch norm of quantized volumes and a ReLU."""

    _KIND_ = "_relu"
    _FLOAT_MODULE = fused.BNReLU3d

    def _get_name(self) -> str:
        return "QuantizedBNReLU3d"


offer_listed(globals())
