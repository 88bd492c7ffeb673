"""``torch.ao.nn.quantized.modules.dropout``: what stands for a dropout in a quantized model."""

from __future__ import annotations

from typing import Any

from mindtorch.core.unavailable import offer_listed

from ..... import nn

__all__ = ["Dropout"]


class Dropout(nn.Dropout):
    """A layer that passes quantized tensors on, in training as well."""

    def forward(self, input: Any) -> Any:
        """*input*."""
        return input

    def _get_name(self) -> str:
        return "QuantizedDropout"

    @classmethod
    def from_float(cls, mod: Any, use_precomputed_fake_quant: bool = False) -> Dropout:
        """The layer in the place of a dropout of floats."""
        return cls(mod.p, mod.inplace)

    @classmethod
    def from_reference(cls, mod: Any, scale: float, zero_point: int) -> Dropout:
        """The layer in the place of a dropout of floats."""
        return cls(mod.p, mod.inplace)


offer_listed(globals())
