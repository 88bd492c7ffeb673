"""Tensors from sizes and numbers alone, or from the sizes of others."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from ..._building import FLOAT32, INT64, Builder, Value
from ..._errors import DispatchError
from ..._registration import translates
from .shapes import are_numbers

#: Up to this many elements are written down.
_WRITTEN = 1024


def filled(g: Builder, value: Any, sizes: Sequence[Any]) -> Value:
    """A tensor of *sizes*, each element *value*, of the result's dtype."""
    if isinstance(value, Value):
        return g.expand(g.cast(value, g.out.dtype), sizes)
    if are_numbers(sizes) and prod(sizes) <= _WRITTEN:
        return g.const(np.full(sizes, value), g.out.dtype)
    return g.expand(g.const(value, g.out.dtype), sizes)


@translates("full")
def full(g: Builder, size: Sequence[Any], fill_value: Any, **_: Any) -> Value:
    return filled(g, fill_value, size)


@translates("zeros _efficientzerotensor empty.memory_format")
def zeros(g: Builder, size: Sequence[Any], **_: Any) -> Value:
    return filled(g, 0, size)


@translates("empty_strided empty_permuted")
def empty_strided(g: Builder, size: Sequence[Any], stride: Any, **_: Any) -> Value:
    return filled(g, 0, size)


@translates("ones")
def ones(g: Builder, size: Sequence[Any], **_: Any) -> Value:
    return filled(g, 1, size)


@translates("scalar_tensor")
def scalar_tensor(g: Builder, s: Any, **_: Any) -> Value:
    return g.value(s, g.out.dtype)


def _sizes(g: Builder, like: Value) -> list[Any]:
    return [g.size(like, i) for i in range(like.rank)]


@translates("zeros_like empty_like")
def zeros_like(g: Builder, self: Value, **_: Any) -> Value:
    return filled(g, 0, _sizes(g, self))


@translates("ones_like")
def ones_like(g: Builder, self: Value, **_: Any) -> Value:
    return filled(g, 1, _sizes(g, self))


@translates("full_like")
def full_like(g: Builder, self: Value, fill_value: Any, **_: Any) -> Value:
    return filled(g, fill_value, _sizes(g, self))


@translates("new_zeros new_empty")
def new_zeros(g: Builder, self: Value, size: Sequence[Any], **_: Any) -> Value:
    return filled(g, 0, size)


@translates("new_empty_strided")
def new_empty_strided(g: Builder, self: Value, size: Sequence[Any], stride: Any, **_: Any) -> Value:
    return filled(g, 0, size)


@translates("new_ones")
def new_ones(g: Builder, self: Value, size: Sequence[Any], **_: Any) -> Value:
    return filled(g, 1, size)


@translates("new_full")
def new_full(g: Builder, self: Value, size: Sequence[Any], fill_value: Any, **_: Any) -> Value:
    return filled(g, fill_value, size)


@translates("eye eye.m")
def eye(g: Builder, n: int, m: int | None = None, **_: Any) -> Value:
    return g.const(np.eye(n, n if m is None else m), g.out.dtype)


# Ranges -------------------------------------------------------------------------------------------


@translates("arange")
def arange(g: Builder, end: Any, **_: Any) -> Value:
    return arange_step(g, 0, end)


@translates("arange.start")
def arange_start(g: Builder, start: Any, end: Any, **_: Any) -> Value:
    return arange_step(g, start, end)


@translates("arange.start_step")
def arange_step(g: Builder, start: Any, end: Any, step: Any = 1, **_: Any) -> Value:
    dtype = g.out.dtype
    if not any(isinstance(v, Value) for v in (start, end, step)):
        count = g.out.shape[0]
        return g.const(np.asarray(start) + np.arange(count) * np.asarray(step), dtype)
    whole = not dtype.is_floating_point
    inner = INT64 if whole else FLOAT32
    bounds = [g.reshape(g.value(v, inner), []) for v in (start, end, step)]
    return g.cast(g.op("Range", *bounds), dtype)


@translates("linspace")
def linspace(g: Builder, start: Any, end: Any, steps: int, **_: Any) -> Value:
    return g.const(_spaced(start, end, steps, g.out.dtype), g.out.dtype)


@translates("logspace")
def logspace(g: Builder, start: Any, end: Any, steps: int, base: float = 10.0, **_: Any) -> Value:
    return g.const(np.power(float(base), _spaced(start, end, steps, g.out.dtype)), g.out.dtype)


def _spaced(start: Any, end: Any, steps: int, dtype: Any) -> Any:
    if isinstance(start, Value) or isinstance(end, Value):
        raise DispatchError("bounds that are tensors")
    return np.linspace(start, end, steps)


@translates("tril_indices")
def tril_indices(g: Builder, row: int, col: int, offset: int = 0, **_: Any) -> Value:
    return g.const(np.stack(np.tril_indices(row, offset, col)), g.out.dtype)


@translates("triu_indices")
def triu_indices(g: Builder, row: int, col: int, offset: int = 0, **_: Any) -> Value:
    return g.const(np.stack(np.triu_indices(row, offset, col)), g.out.dtype)


# Random numbers -----------------------------------------------------------------------------------


@translates("rand")
def rand(g: Builder, size: Sequence[Any], **_: Any) -> Value:
    return _random(g, "RandomUniform", size)


@translates("randn")
def randn(g: Builder, size: Sequence[Any], **_: Any) -> Value:
    return _random(g, "RandomNormal", size)


@translates("rand_like")
def rand_like(g: Builder, self: Value, **_: Any) -> Value:
    return _random(g, "RandomUniform", _sizes(g, self))


@translates("randn_like")
def randn_like(g: Builder, self: Value, **_: Any) -> Value:
    return _random(g, "RandomNormal", _sizes(g, self))


def _random(g: Builder, kind: str, sizes: Sequence[Any], **bounds: float) -> Value:
    like = g.expand(g.const(0, g.out.dtype), sizes)
    return g.op(f"{kind}Like", like, dtype=like.dtype, **bounds)


@translates("uniform")
def uniform(
    g: Builder, self: Value, from_: float = 0.0, to: float = 1.0, generator: Any = None
) -> Value:
    return _random(g, "RandomUniform", _sizes(g, self), low=float(from_), high=float(to))


@translates("normal_functional")
def normal(
    g: Builder, self: Value, mean: float = 0.0, std: float = 1.0, generator: Any = None
) -> Value:
    return _random(g, "RandomNormal", _sizes(g, self), mean=float(mean), scale=float(std))


@translates("exponential")
def exponential(g: Builder, self: Value, lambd: float = 1.0, generator: Any = None) -> Value:
    drawn = _random(g, "RandomUniform", _sizes(g, self), low=1e-12, high=1.0)
    return g.op("Div", g.op("Neg", g.op("Log", drawn)), float(lambd))


@translates("bernoulli")
def bernoulli(g: Builder, self: Value, generator: Any = None) -> Value:
    return g.op("Bernoulli", self, dtype=g.out.dtype)


@translates("bernoulli.p")
def bernoulli_of(g: Builder, self: Value, p: float = 0.5, generator: Any = None) -> Value:
    chances = g.expand(g.const(p, self.dtype), _sizes(g, self))
    return g.op("Bernoulli", chances, dtype=g.out.dtype)


@translates("randint.low")
def randint(g: Builder, low: Any, high: Any, size: Sequence[Any], **_: Any) -> Value:
    spread = g.expand(g.const(0, FLOAT32), size)
    drawn = g.op("RandomUniformLike", spread, low=float(low), high=float(high), dtype=FLOAT32)
    return g.cast(g.op("Floor", drawn), g.out.dtype)


@translates("randint")
def randint_high(g: Builder, high: Any, size: Sequence[Any], **_: Any) -> Value:
    return randint(g, 0, high, size)


# Windows ------------------------------------------------------------------------------------------


def _window(g: Builder, length: int, periodic: bool, terms: Sequence[float]) -> Value:
    """A sum of cosines: *terms* are how much there is of each, with signs that change."""
    if length <= 1:
        return g.const(np.ones(length), g.out.dtype)
    angle = 2 * np.pi * np.arange(length) / (length if periodic else length - 1)
    wave = sum((-1) ** i * a * np.cos(i * angle) for i, a in enumerate(terms))
    return g.const(wave, g.out.dtype)


@translates("hann_window hann_window.periodic")
def hann_window(g: Builder, length: int, periodic: bool = True, **_: Any) -> Value:
    return _window(g, length, periodic, (0.5, 0.5))


@translates("hamming_window hamming_window.periodic hamming_window.periodic_alpha")
@translates("hamming_window.periodic_alpha_beta")
def hamming_window(
    g: Builder,
    length: int,
    periodic: bool = True,
    alpha: float = 0.54,
    beta: float = 0.46,
    **_: Any,
) -> Value:
    return _window(g, length, periodic, (alpha, beta))


@translates("blackman_window blackman_window.periodic")
def blackman_window(g: Builder, length: int, periodic: bool = True, **_: Any) -> Value:
    return _window(g, length, periodic, (0.42, 0.5, 0.08))


@translates("bartlett_window bartlett_window.periodic")
def bartlett_window(g: Builder, length: int, periodic: bool = True, **_: Any) -> Value:
    if length <= 1:
        return g.const(np.ones(length), g.out.dtype)
    place = 2 * np.arange(length) / (length if periodic else length - 1)
    return g.const(np.where(place <= 1, place, 2 - place), g.out.dtype)
