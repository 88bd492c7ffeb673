"""``torch.ao.nn.intrinsic.quantized.modules.bn_relu``: quantized batch norms and a ReLU."""

from __future__ import annotations

from typing import Any

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

    @classmethod
    def from_reference(cls, bn_relu: Any, output_scale: Any, output_zero_point: Any) -> Any:
        """The quantized norm with a ReLU of one of floats."""
        return super().from_reference(bn_relu[0], output_scale, output_zero_point)


class BNReLU3d(BatchNorm3d):
    """A batch norm of quantized volumes and a ReLU."""

    _KIND_ = "_relu"
    _FLOAT_MODULE = fused.BNReLU3d

    def _get_name(self) -> str:
        return "QuantizedBNReLU3d"

    @classmethod
    def from_reference(cls, bn_relu: Any, output_scale: Any, output_zero_point: Any) -> Any:
        """The quantized norm with a ReLU of one of floats."""
        return super().from_reference(bn_relu[0], output_scale, output_zero_point)


offer_listed(globals())
