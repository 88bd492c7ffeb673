"""Rows of the samplers of ``rejection``: poisson, binomial, gamma and Dirichlet numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

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
from .random_sampling import generator_or_default
from .randomness import SEEDED, Array
from .reflected import zeros_of
from .summation import sum_over

__all__: list[str] = []

_HALVES = frozenset({"float16", "bfloat16"})
_NO_FLOATS = INTEGRAL | BOOL | COMPLEX | UNSIGNED


def _meta(kernel: str, refused: frozenset[str]) -> Callable[..., Out]:
    def meta(self: Any, generator: Any) -> Out:
        refuse(self.dtype, {kernel: refused}, self)
        return Out(tuple(self.shape), self.dtype)

    return meta


def _prepare_poisson(self: Array, generator: Any) -> Callable[..., Array]:
    shape, dtype = self.shape, self.dtype
    # The halves have them by way of float32, as in C++.
    first = dtype if dtype.itemsize > 2 else np.dtype(np.float32)

    def kernel(self: Array, generator: Any) -> Array:
        with rejection.Uniforms(generator_or_default(generator)) as uniforms:
            found = rejection.poissons(self.reshape(-1).tolist(), uniforms)
        return np.array(found, first).astype(dtype, copy=False).reshape(shape)

    return kernel


def _prepare_standard_gamma(self: Array, generator: Any) -> Callable[..., Array]:
    shape, dtype, single = self.shape, self.dtype, self.dtype == np.float32
    least, fmax = np.array(np.finfo(dtype).tiny, dtype), np.fmax

    def kernel(self: Array, generator: Any) -> Array:
        alphas = self.reshape(-1).astype(np.float64)
        found = rejection.gammas(alphas, generator_or_default(generator), single=single)
        # C++'s std::max keeps its first argument where the other is nan.
        return fmax(np.array(found, dtype), least).reshape(shape)

    return kernel


def _prepare_dirichlet(self: Array, generator: Any) -> Callable[..., Array]:
    shape, dtype, kind = self.shape, self.dtype, self.dtype.type
    least, most = np.array(np.finfo(kind).tiny, dtype), np.nextafter(kind(1), kind(0))
    dims, fmax, fmin = (len(shape) - 1,), np.fmax, np.fmin

    def kernel(self: Array, generator: Any) -> Array:
        alphas = self.reshape(-1).astype(np.float64)
        found = rejection.gammas(alphas, generator_or_default(generator), single=False)
        numbers = total = np.array(found).reshape(shape)
        if shape:
            total = sum_over(numbers, dims)[..., None]
        return fmin(fmax((numbers / total).astype(dtype), least), most)

    return kernel


def _zeros(g: Any, c: Any) -> Any:
    return zeros_of(g, c.self.shape)


def _standard_gamma_grad(g: Any, c: Any) -> Any:
    return g * ops._standard_gamma_grad(c.self, c.result)


for _schema, _kernel, _refused, _prepare, _grad, _tags, _says in (
    (
        "poisson",
        "poisson_cpu",
        _NO_FLOATS,
        _prepare_poisson,
        {"self": _zeros},
        SEEDED,
        "Draw from Poisson distributions whose rates are the elements.",
    ),
    (
        "_standard_gamma",
        "gamma_cpu",
        _NO_FLOATS | _HALVES,
        _prepare_standard_gamma,
        {"self": _standard_gamma_grad},
        SEEDED,
        "Draw from gamma distributions of scale one whose shapes are the elements.",
    ),
    (
        "_sample_dirichlet",
        "dirichlet",
        _NO_FLOATS | _HALVES,
        _prepare_dirichlet,
        not_implemented_for("_sample_dirichlet", "self"),
        (*SEEDED, "not_on_meta"),
        "Draw from Dirichlet distributions whose concentrations are the last dimension.",
    ),
):
    op(
        f"{_schema}(Tensor self, Generator? generator=None) -> Tensor",
        says=_says,
        meta=_meta(_kernel, _refused),
        prepare=_prepare,
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


def _prepare_binomial(count: Array, prob: Array, generator: Any) -> Callable[..., Array]:
    shape, dtype = np.broadcast_shapes(count.shape, prob.shape), count.dtype

    def kernel(count: Array, prob: Array, generator: Any) -> Array:
        if count.shape != shape:
            count = np.broadcast_to(count, shape)
        if prob.shape != shape:
            prob = np.broadcast_to(prob, shape)
        counts, chances = count.reshape(-1).tolist(), prob.reshape(-1).tolist()
        with rejection.Uniforms(generator_or_default(generator)) as uniforms:
            found = rejection.binomials(counts, chances, uniforms)
        return np.array(found, dtype).reshape(shape)

    return kernel


op(
    "binomial(Tensor count, Tensor prob, Generator? generator=None) -> Tensor",
    says="Draw from binomial distributions with the given counts and probabilities.",
    meta=_binomial_meta,
    prepare=_prepare_binomial,
    grad=not_implemented_for("binomial", "count", "prob"),
    half=False,
    variants="function",
    random=True,
    out=OutForm(function=False),
    samples="binomial",
    warns=lambda count, prob, generator: warn_outgrown(count.shape, prob.shape),
    tags=(*SEEDED, "not_on_meta"),
)
