"""``torch.ao.nn.intrinsic.quantized.modules.linear_relu``: a quantized Linear and a ReLU."""

from __future__ import annotations

from typing import Any

from mindtorch.core.unavailable import offer_listed

from ......_ops import ops
from ....quantized.modules.linear import Linear
from ...modules import fused

__all__ = ["LinearReLU"]


class LinearReLU(Linear):
    """A quantized linear layer, of whose outputs the positive are kept."""

    _FLOAT_MODULE = fused.LinearReLU

    def forward(self, x: Any) -> Any:
        """What is positive of the quantized product of *x* with the weight, plus the bias."""
        packed = self._packed_params._packed_params
        return ops.quantized.linear_relu(x, packed, self.scale, self.zero_point)

    def _get_name(self) -> str:
        return "QuantizedLinearReLU"


offer_listed(globals())
