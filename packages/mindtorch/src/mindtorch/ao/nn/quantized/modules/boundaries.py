"""Where numbers become quantized and floats again; torch has these in the package above."""

from __future__ import annotations

from typing import Any

from ..... import nn
from .....aten import torch

__all__ = ["DeQuantize", "Quantize"]


class Quantize(nn.Module):
    """A layer that quantizes floats by one *scale* and *zero_point* to *dtype*.

    :param factory_kwargs: ``device`` and ``dtype`` of the buffers that hold these.
    """

    scale: Any
    zero_point: Any

    def __init__(
        self, scale: float, zero_point: int, dtype: Any, factory_kwargs: Any = None
    ) -> None:
        options = nn.factory_kwargs(factory_kwargs)
        super().__init__()
        self.register_buffer("scale", torch.tensor([scale], **options))
        options.pop("dtype", None)
        self.register_buffer("zero_point", torch.tensor([zero_point], dtype=torch.long, **options))
        self.dtype = dtype

    def forward(self, X: Any) -> Any:
        """*X*, quantized."""
        return torch.quantize_per_tensor(X, float(self.scale), int(self.zero_point), self.dtype)

    @staticmethod
    def from_float(mod: Any, use_precomputed_fake_quant: bool = False) -> Quantize:
        """The layer in the place of a stub that was observed.

        Raises AssertionError for one that was not.
        """
        if not hasattr(mod, "activation_post_process"):
            raise AssertionError(
                f"Module {type(mod).__name__} must have activation_post_process attribute"
            )
        observer = mod.activation_post_process
        scale, zero_point = observer.calculate_qparams()
        return Quantize(scale.float().item(), zero_point.long().item(), observer.dtype)

    def extra_repr(self) -> str:
        """Scale, zero point and dtype."""
        return f"scale={self.scale}, zero_point={self.zero_point}, dtype={self.dtype}"


class DeQuantize(nn.Module):
    """A layer that gives the floats that a quantized tensor stands for."""

    def forward(self, Xq: Any) -> Any:
        """The float32 numbers of *Xq*."""
        return Xq.dequantize()

    @staticmethod
    def from_float(mod: Any, use_precomputed_fake_quant: bool = False) -> DeQuantize:
        """The layer in the place of a stub."""
        return DeQuantize()
