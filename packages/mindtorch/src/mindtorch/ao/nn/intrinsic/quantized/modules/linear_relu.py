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

    @classmethod
    def from_reference(  # torch's name of the parameter
        cls, ref_linear_relu: Any, output_scale: float, output_zero_point: int
    ) -> Any:
        """The layer that does what one that rounds floats does with a ReLU."""
        return super().from_reference(ref_linear_relu[0], output_scale, output_zero_point)


offer_listed(globals())
