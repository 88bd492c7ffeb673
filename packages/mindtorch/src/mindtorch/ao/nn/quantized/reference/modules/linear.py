"""``torch.ao.nn.quantized.reference.modules.linear``: a linear layer with a rounded weight."""

from __future__ import annotations

from typing import Any

from ...... import nn
from .utils import ReferenceQuantizedModule

__all__ = ["Linear"]


class Linear(nn.Linear, ReferenceQuantizedModule):
    """A linear layer of floats that computes what the quantized one would."""

    _IS_REFERENCE = True

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias_: bool = True,
        device: Any = None,
        dtype: Any = None,
        weight_qparams: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(in_features, out_features, bias_, device, dtype)
        self._init_weight_qparams(weight_qparams, device)

    def _get_name(self) -> str:
        return "QuantizedLinear(Reference)"

    def forward(self, x: Any) -> Any:
        """The product of *x* with the rounded weight, plus the bias."""
        return nn.functional.linear(x, self.get_weight(), self.bias)

    @classmethod
    def from_float(cls, float_linear: Any, weight_qparams: dict[str, Any]) -> Linear:
        """The layer with the parameters of *float_linear*, and how its weight is rounded."""
        made = Linear(
            float_linear.in_features,
            float_linear.out_features,
            float_linear.bias is not None,
            device=float_linear.weight.device,
            dtype=float_linear.weight.dtype,
            weight_qparams=weight_qparams,
        )
        made.weight = nn.Parameter(float_linear.weight.detach())
        if float_linear.bias is not None:
            made.bias = nn.Parameter(float_linear.bias.detach())
        return made
