"""Kernels of quantized tensors that reduce: extremes, means, deviations."""

from __future__ import annotations

from typing import Any

from ...core.operators import of
from ...tensor.construction import wrap
from ...tensor.quantizer import PerTensor, quantizer_of
from .kernels import (
    dequantized,
    of_one_scale,
    over_steps,
    quantized,
    requantized,
    steps_tensor,
)

__all__: list[str] = []


def _uniform(self: Any, kind: str) -> PerTensor:
    quantizer = quantizer_of(self)
    if not isinstance(quantizer, PerTensor):
        raise RuntimeError(
            f"{kind} operator for quantized tensors only works for per tensor quantized tensors. "
            "Please open an issue on https://github.com/pytorch/pytorch/issues if you need per "
            "channel quantized tensor support."
        )
    return quantizer


for _kind in ("max", "min"):

    @quantized(_kind, forms=False)
    def _extreme(self: Any, kind: str = _kind) -> Any:
        quantizer = _uniform(self, kind.capitalize())
        return over_steps(of(kind)(steps_tensor(self)), quantizer)

    @quantized(f"{_kind}.dim", forms=False)
    def _extreme_along(self: Any, dim: int, keepdim: bool, kind: str = _kind) -> Any:
        quantizer = _uniform(self, kind.capitalize())
        values, indices = of(f"{kind}.dim")(steps_tensor(self), dim, keepdim)
        return over_steps(values, quantizer), indices


def _mean(self: Any, dtype: Any, name: str, *args: Any) -> Any:
    quantizer = of_one_scale(self)
    if dtype not in (None, self.dtype):
        raise RuntimeError(f"ScalarType {dtype.scalar_type} is not supported in new_qtensor.")
    return requantized(self, of(name)(wrap(dequantized(self)), *args)._a_, quantizer)


@quantized("mean", forms=False)
def _mean_of_all(self: Any, dtype: Any) -> Any:
    return _mean(self, dtype, "mean")


@quantized("mean.dim", forms=False)
def _mean_along(self: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    return _mean(self, dtype, "mean.dim", dim, keepdim)


@quantized("std.correction", forms=False)
def _deviation(self: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    quantizer = of_one_scale(self)
    numbers = wrap(dequantized(self))
    found = of("std.correction")(numbers, dim, correction=correction, keepdim=keepdim)
    return requantized(self, found._a_, quantizer)
