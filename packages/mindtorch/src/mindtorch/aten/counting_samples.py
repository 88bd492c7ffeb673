"""Rows of the samplers of ``rejection``: poisson, binomial, gamma and Dirichlet numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import from_numpy

from ..call.elementwise_meta import (
    BOOL,
    COMPLEX,
    INTEGRAL,
    UNSIGNED,
    broadcast_shapes,
    refuse,
    warn_outgrown,
)
from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.operators import ops
from . import rejection
from .derivatives import not_implemented_for
from .drawing import generator_or_default
from .number_first import zeros_of
from .randomness import SEEDED, Array
from .summation import sum_over

__all__: list[str] = []

_HALVES = frozenset({"float16", "bfloat16"})
_NO_FLOATS = INTEGRAL | BOOL | COMPLEX | UNSIGNED


def _meta(kernel: str, refused: frozenset[str]) -> Callable[..., Out]:
    def meta(self: Any, generator: Any) -> Out:
        if self.numel() or kernel == "dirichlet":
            refuse(self.dtype, {kernel: refused}, self)
        return Out(tuple(self.shape), self.dtype)

    return meta


def _filled(x: Array, one: Callable[[float], float]) -> Array:
    """*one* of every element, in order, as doubles."""
    wide = x.astype(np.float64).ravel().tolist()
    return np.fromiter(map(one, wide), np.float64, x.size).reshape(x.shape)


def _narrowed(numbers: Array, dtype: Any) -> Array:
    if dtype.itemsize == 2:  # as C++ does: by way of float32
        numbers = numbers.astype(np.float32)
    return numbers.astype(dtype)


def _poisson(self: Array, generator: Any) -> Array:
    gen = generator_or_default(generator)
    with gen.lock:
        uniform = gen._doubles().__next__
        return _narrowed(_filled(self, lambda rate: rejection.poisson(rate, uniform)), self.dtype)


def _gammas(alpha: Array, generator: Any, narrow: Callable[[float], float] = float) -> Array:
    gen = generator_or_default(generator)
    with gen.lock:
        uniform = gen._doubles().__next__
        normal = rejection.normals(gen, uniform)
        return _filled(alpha, lambda a: rejection.gamma(a, uniform, normal, narrow))


def _standard_gamma(self: Array, generator: Any) -> Array:
    narrow = rejection.as_single if self.dtype == np.float32 else float
    found = _narrowed(_gammas(self, generator, narrow), self.dtype)
    # C++'s std::max keeps its first argument where the other is nan.
    return np.fmax(found, np.finfo(self.dtype).tiny)


def _dirichlet(self: Array, generator: Any) -> Array:
    numbers = _gammas(self, generator)
    total = numbers
    if numbers.ndim:
        total = sum_over(numbers, (numbers.ndim - 1,))[..., None]
    found = (numbers / total).astype(self.dtype)
    kind = self.dtype.type
    return np.fmin(np.fmax(found, np.finfo(kind).tiny), np.nextafter(kind(1), kind(0)))


def _zeros(g: Any, c: Any) -> Any:
    return zeros_of(g, c.self.shape)


def _standard_gamma_grad(g: Any, c: Any) -> Any:
    return g * ops._standard_gamma_grad(c.self, c.result)


for _schema, _kernel, _refused, _draw, _grad, _tags, _says in (
    (
        "poisson",
        "poisson_cpu",
        _NO_FLOATS,
        _poisson,
        {"self": _zeros},
        SEEDED,
        "Draw from Poisson distributions whose rates are the elements.",
    ),
    (
        "_standard_gamma",
        "gamma_cpu",
        _NO_FLOATS | _HALVES,
        _standard_gamma,
        {"self": _standard_gamma_grad},
        SEEDED,
        "Draw from gamma distributions of scale one whose shapes are the elements.",
    ),
    (
        "_sample_dirichlet",
        "dirichlet",
        _NO_FLOATS | _HALVES,
        _dirichlet,
        not_implemented_for("_sample_dirichlet", "self"),
        (*SEEDED, "not_on_meta"),
        "Draw from Dirichlet distributions whose concentrations are the last dimension.",
    ),
):
    op(
        f"{_schema}(Tensor self, Generator? generator=None) -> Tensor",
        says=_says,
        meta=_meta(_kernel, _refused),
        kernel=_draw,
        grad=_grad,
        tangent="not implemented" if _schema == "_standard_gamma" else None,
        half=False,
        variants="function",
        random=True,
        out=OutForm(function=False),
        samples=_schema.removeprefix("_"),
        tags=_tags,
    )


def _binomial_meta(count: Any, prob: Any, generator: Any) -> Out:
    for name, x in (("count", count), ("prob", prob)):
        if not x.dtype.is_floating_point:
            raise ValueError(
                f"binomial only supports floating-point dtypes for {name}, "
                f"got: {x.dtype.scalar_type}"
            )
    shape = broadcast_shapes(tuple(count.shape), tuple(prob.shape))
    if prob.dtype is not count.dtype:
        raise RuntimeError(
            f"Found dtype {prob.dtype.scalar_type} but expected {count.dtype.scalar_type}"
        )
    refuse(count.dtype, {"binomial_cpu": _HALVES}, count)
    return Out(shape, count.dtype)


def _binomial(count: Array, prob: Array, generator: Any) -> Array:
    gen = generator_or_default(generator)
    counts, chances = np.broadcast_arrays(count, prob)
    with gen.lock:
        uniform = gen._doubles().__next__
        pairs = zip(counts.ravel().tolist(), chances.ravel().tolist(), strict=True)
        found = [rejection.binomial(n, p, uniform) for n, p in pairs]
    return np.array(found, np.float64).reshape(counts.shape).astype(from_numpy(count.dtype).np)


op(
    "binomial(Tensor count, Tensor prob, Generator? generator=None) -> Tensor",
    says="Draw from binomial distributions with the given counts and probabilities.",
    meta=_binomial_meta,
    kernel=_binomial,
    grad=not_implemented_for("binomial", "count", "prob"),
    half=False,
    variants="function",
    random=True,
    out=OutForm(function=False),
    samples="binomial",
    warns=lambda count, prob, generator: warn_outgrown(count.shape, prob.shape),
    tags=(*SEEDED, "not_on_meta"),
)
