"""``torch.ao.nn.intrinsic.quantized.dynamic.modules.linear_relu``: Linear with a ReLU behind it."""

from __future__ import annotations

from typing import Any

from mindtorch.core.unavailable import offer_listed

from ......._ops import ops
from .......aten import torch
from .....quantized.dynamic.modules.linear import Linear

__all__ = ["LinearReLU"]


class LinearReLU(Linear):
    """A linear layer of floats with a quantized weight, of whose outputs the positive are kept."""

    def forward(self, x: Any) -> Any:
        """What is positive of the product of *x* with the weight, plus the bias."""
        packed, dtype = self._packed_params._packed_params, self._packed_params.dtype
        if dtype == torch.qint8:
            found = ops.quantized.linear_relu_dynamic(x, packed, reduce_range=True)
        elif dtype == torch.float16:
            found = ops.quantized.linear_relu_dynamic_fp16(x, packed)
        else:
            raise RuntimeError("Unsupported dtype on dynamic quantized linear relu!")
        return found.to(x.dtype)

    def _get_name(self) -> str:
        return "DynamicQuantizedLinearReLU"

    @classmethod
    def from_reference(cls, ref_qlinear_relu: Any) -> Any:
        """The layer that does what one that rounds floats does with a ReLU."""
        return super().from_reference(ref_qlinear_relu[0])


offer_listed(globals())
