"""Norms of vectors."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from mindtorch_storage.promotion import promote_types

from mindtorch.aten.reduction import restored
from mindtorch.aten.summation import sums
from mindtorch.call.forms import OutForm
from mindtorch.call.row import Out, op
from mindtorch.core.dims import all_dims, contiguous, reduced_shape, scalar_name
from mindtorch.core.operators import of

__all__ = ["norm_grad", "prepare_vector_norm", "vector_norm"]


def _powers(p: Any, dtype: np.dtype[Any]) -> tuple[Any, Any]:
    """What is added up for a norm that is a sum, and what is taken of the sum; None: nothing."""
    absolute, is_complex = np.abs, dtype.kind == "c"
    real = np.zeros((), dtype).real.dtype
    if p == 0:
        return (lambda a: (a != 0).astype(real)), None
    if p == 1:
        return absolute, None
    if p == 2:
        square = (lambda a: a.real * a.real + a.imag * a.imag) if is_complex else np.square
        return square, np.sqrt
    power, root, order = np.power, np.array(1.0 / p, real), real.type(p)
    return (lambda a: power(absolute(a), order)), lambda s: power(s, root)


def prepare_vector_norm(
    self: Any, p: Any, dim: Any, keepdim: bool, dtype: Any
) -> Callable[..., Any]:
    """What takes the norms of arrays like *self*."""
    axes = tuple(sorted(all_dims(dim, self.ndim)))
    shape = reduced_shape(self.shape, axes, keepdim)
    cast = None
    if dtype is not None and dtype.name not in ("float16", "bfloat16"):
        cast = dtype.np if dtype.np != self.dtype else None
    own = self.dtype if cast is None else cast
    real = np.zeros((), own).real.dtype
    last = None if dtype is None or dtype.is_complex or dtype.np == real else dtype.np
    before, after, reduce, total = np.abs, None, np.add.reduce, None
    if p in (math.inf, -math.inf):
        reduce = (np.maximum if p > 0 else np.minimum).reduce
    elif axes or p == 0:
        before, after = _powers(p, own)
        if axes and self.size >= 512:  # below as torch: differences of norms show the order of sums
            total = sums(np.empty(self.shape, real), axes, shape)
    plain = axes and self.flags.c_contiguous

    def kernel(self: Any, *_: Any) -> Any:
        a = before(self if cast is None else self.astype(cast))
        if total is not None:
            a = total(a)
        elif axes:
            a = reduce(a, axes, None, None, True)
        if after is not None:
            a = after(a)
        a = (a if plain else contiguous(np.asarray(a))).reshape(shape)
        return a if last is None else a.astype(last)

    return kernel


def vector_norm(self: Any, p: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    """The norms of *self*, of which no other array like it is to come."""
    return prepare_vector_norm(self, p, dim, keepdim, dtype)(self)


def _vector_norm_meta(self: Any, p: Any, dim: Any, keepdim: bool, dtype: Any) -> Out:
    own = self.dtype
    if not (own.is_floating_point or own.is_complex):
        raise RuntimeError(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. "
            f"Got {scalar_name(own)}"
        )
    if isinstance(p, complex):
        raise RuntimeError(
            "linalg.vector_norm: Expected a non-complex scalar as the order of norm."
        )
    if dtype is not None:
        check_norm_dtype(own, dtype, "linalg.vector_norm")
    shape = self.shape
    axes = all_dims(dim, len(shape))
    if 0 in shape and (p < 0 or p == math.inf):
        word = _number(p)
        if dim is None or not (isinstance(dim, int) or len(dim)):
            raise RuntimeError(
                f"linalg.vector_norm cannot compute the {word} norm on an empty tensor because "
                "the operation does not have an identity"
            )
        for d in (dim,) if isinstance(dim, int) else dim:
            if shape[d] == 0:
                raise RuntimeError(
                    f"linalg.vector_norm cannot compute the {word} norm on the dimension {d}"
                    "because this dimension is empty and the operation does not have an identity"
                )
    kind = own if dtype is None else dtype
    if kind.is_complex:
        kind = kind.to_real()
    return Out(reduced_shape(shape, axes, keepdim), kind)


def check_norm_dtype(own: Any, dtype: Any, who: str) -> None:
    """Refuse, in the words of *who*, a *dtype* that a norm of *own* elements may not have."""
    if not (dtype.is_floating_point or dtype.is_complex):
        raise RuntimeError(
            f"{who}: dtype should be floating point or complex, but got {scalar_name(dtype)}"
        )
    if own.is_complex != dtype.is_complex:
        kind = "complex" if own.is_complex else "real"
        raise RuntimeError(
            f"{who}: dtype should be {kind} for {kind} inputs, but got {scalar_name(dtype)}"
        )
    if promote_types(own, dtype) is not dtype:
        raise RuntimeError(
            f"{who}: the dtype of the input ({scalar_name(own)}) should be convertible without "
            f"narrowing to the specified dtype ({scalar_name(dtype)})"
        )


def _number(p: Any) -> str:
    return "inf" if p == math.inf else "-inf" if p == -math.inf else f"{p:g}"


def norm_grad(g: Any, x: Any, p: Any, norm: Any, dim: Any, keepdim: bool) -> Any:
    """Gradient of a p-norm; where the norm has a corner, the subgradient that torch takes."""
    if x.dim() and dim is not None:
        g = restored(g, x.shape, dim, keepdim)
        norm = restored(norm, x.shape, dim, keepdim)
    if p == 0.0:
        return None
    if p == 1.0:
        return x.sgn() * g
    if p == 2.0:
        return g * (x / norm).masked_fill_(norm == 0, 0)
    if p in (math.inf, -math.inf):
        size = x.abs()
        mask = (size == norm).logical_or(size.isnan())
        part = (g / of("sum.dim_IntList")(mask, _dims(dim), True)) * mask
        return x.sgn() * part
    if p < 1.0:
        steep = x.abs().pow_(p - 1.0).masked_fill_(x == 0, 0)
        scaled = x.sgn() * steep
        far = norm.pow(1.0 - p)
        return scaled * g * far
    if p < 2.0:
        steep = x.abs().pow_(p - 1.0)
        scaled = x.sgn() * steep
    else:
        scaled = x * x.abs().pow_(p - 2.0)
    return scaled * (g / norm.pow(p - 1.0)).masked_fill_(norm == 0, 0)


def _wide_norm_grad(g: Any, x: Any, p: Any, norm: Any, dim: Any, keepdim: bool) -> Any:
    """For a norm that was taken in the dtype of its gradient."""
    return norm_grad(g, x.to(g.dtype), 2 if p is None else p, norm, dim, keepdim)


def _dims(dim: Any) -> Sequence[int]:
    """The dims as a list, empty for all."""
    return (dim,) if isinstance(dim, int) else dim or ()


op(
    "linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, "
    "ScalarType? dtype=None) -> Tensor",
    says="Return the norm of a vector: of the given dimensions, or of the flattened tensor.",
    meta=_vector_norm_meta,
    prepare=prepare_vector_norm,
    module="linalg",
    variants="function",
    out=OutForm(meta="exact", overlap="unchecked"),
    grad={"self": lambda g, c: norm_grad(g, c.self, c.ord, c.result, c.dim, c.keepdim)},
    samples="vector_norm",
    autocast=("", "float32 result"),
)


def _norm_meta(self: Any, p: Any, dim: Any, keepdim: bool, dtype: Any) -> Out:
    kind = self.dtype if dtype is None else dtype
    if not (kind.is_floating_point or kind.is_complex):
        what = "input dtype" if dtype is None else "the desired output dtype"
        raise RuntimeError(
            f"norm(): {what} should be either floating point or complex. "
            f"Got {scalar_name(kind)} instead."
        )
    return _vector_norm_meta(self, 2 if p is None else p, dim, keepdim, dtype)


def _prepare_norm(self: Any, p: Any, dim: Any, keepdim: bool, dtype: Any) -> Callable[..., Any]:
    return prepare_vector_norm(self, 2 if p is None else p, dim, keepdim, dtype)


op(
    "norm.Scalar(Tensor self, Scalar p=2) -> Tensor",
    says="Return the norm of the elements, over all dimensions or the given ones.",
    meta=lambda self, p: _norm_meta(self, p, (), False, None),
    prepare=lambda self, p: _prepare_norm(self, p, (), False, None),
    grad={"self": lambda g, c: norm_grad(g, c.self, c.p, c.result, None, True)},
    samples="norm",
    autocast=("", "float32 result"),
)
op(
    "norm.ScalarOpt_dtype(Tensor self, Scalar? p, *, ScalarType dtype) -> Tensor",
    meta=lambda self, p, dtype: _norm_meta(self, p, (), False, dtype),
    prepare=lambda self, p, dtype: _prepare_norm(self, p, (), False, dtype),
    grad={"self": lambda g, c: _wide_norm_grad(g, c.self, c.p, c.result, None, True)},
    samples="norm_dtype",
    node=2,
)
op(
    "norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor",
    meta=lambda self, p, dim, keepdim: _norm_meta(self, p, dim, keepdim, None),
    prepare=lambda self, p, dim, keepdim: _prepare_norm(self, p, dim, keepdim, None),
    out=OutForm(meta="exact", overlap="unchecked"),
    grad={
        "self": lambda g, c: norm_grad(
            g, c.self, 2 if c.p is None else c.p, c.result, c.dim, c.keepdim
        )
    },
    samples="norm_dim",
    node=1,
    autocast=("", "float32 result"),
)
op(
    "norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, "
    "ScalarType dtype) -> Tensor",
    meta=_norm_meta,
    prepare=_prepare_norm,
    out=OutForm("dtype_out", meta="exact", overlap="unchecked"),
    grad={"self": lambda g, c: _wide_norm_grad(g, c.self, c.p, c.result, c.dim, c.keepdim)},
    samples="norm_dim_dtype",
    node=3,
)
