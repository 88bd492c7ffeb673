"""``torch.ao.nn.intrinsic.qat.modules.linear_relu``: a linear layer and ReLU, rounded."""

from __future__ import annotations

from typing import Any

from ...... import nn
from ....qat.modules.linear import Linear
from ...modules import fused

__all__ = ["LinearReLU"]


class LinearReLU(Linear, fused._FusedModule):
    """A linear layer whose weight is rounded, and ReLU."""

    _FLOAT_MODULE = fused.LinearReLU

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, qconfig: Any = None
    ) -> None:
        Linear.__init__(self, in_features, out_features, bias, qconfig)

    def forward(self, input: Any) -> Any:
        """What is positive of the layer with its weight rounded."""
        return nn.functional.relu(Linear.forward(self, input))

    def to_float(self) -> Any:
        """The layers of floats with these parameters."""
        return fused.LinearReLU(super().to_float(), nn.ReLU())
