"""``addr``, ``vander``, ``frobenius_norm``, ``nuclear_norm``, and plain copies.

Source: torch aten/src/ATen/native/LinearAlgebra.cpp, NarrowCopy in TensorShape.cpp.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage import promote_types
from mindtorch_storage.layout import wrap_dim

from ..call.elementwise_meta import (
    BOOL,
    COMPLEX,
    FLOATING,
    INTEGRAL,
    UNSIGNED,
    cast_onto,
    common_dtype,
    refuse,
)
from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.errors import c_type_name
from ..core.operators import conj, of, ops
from ..core.warning import warn_once
from .factory import Sized
from .options import OPTIONS, check_size, dtype_or_default, unfilled

__all__: list[str] = []

_MULTIPLIED = FLOATING | COMPLEX - {"complex32"} | INTEGRAL - UNSIGNED | BOOL

# -- addr -----------------------------------------------------------------------------------------


def _check_expands(own: tuple[int, ...], shape: tuple[int, int]) -> None:
    if len(own) > 2:
        raise RuntimeError(
            f"expand(torch.FloatTensor{{{list(own)}}}, size={list(shape)}): the number of sizes "
            f"provided (2) must be greater or equal to the number of dimensions in the tensor "
            f"({len(own)})"
        )
    for d in range(-1, -len(own) - 1, -1):
        if own[d] not in (1, shape[d]):
            raise RuntimeError(
                f"The expanded size of the tensor ({shape[d]}) must match the existing size "
                f"({own[d]}) at non-singleton dimension {2 + d}.  Target sizes: {list(shape)}.  "
                f"Tensor sizes: {list(own)}"
            )


def _addr_meta(self: Any, vec1: Any, vec2: Any, beta: Any, alpha: Any) -> Out:
    if vec1.dim() != 1 or vec2.dim() != 1:
        which, t = ("vec1", vec1) if vec1.dim() != 1 else ("vec2", vec2)
        raise RuntimeError(f"addr: Expected 1-D argument {which}, but got {t.dim()}-D")
    shape = (vec1.shape[0], vec2.shape[0])
    _check_expands(tuple(self.shape), shape)
    common = common_dtype(self, vec1, vec2)
    refuse(common, {"addr_cpu": frozenset({common.name}) - _MULTIPLIED}, self)
    for number, name in ((beta, "beta"), (alpha, "alpha")):
        if isinstance(number, bool) and common.name != "bool":
            raise RuntimeError(f"Boolean {name} only supported for Boolean results.")
        if isinstance(number, float) and not (common.is_floating_point or common.is_complex):
            raise RuntimeError(
                f"For integral input tensors, argument {name} must not be a floating point number."
            )
        if isinstance(number, complex) and not common.is_complex:
            if not common.is_floating_point:
                raise RuntimeError(
                    f"For integral input tensors, argument {name} must not be a floating point "
                    "number."
                )
            raise RuntimeError(
                f"value cannot be converted to type {c_type_name(common)} without overflow"
            )
    return Out(shape, common)


def _addr_onto(target: Any, self: Any, vec1: Any, vec2: Any, beta: Any, alpha: Any) -> Out:
    if target is self and self.dim() != 2:
        raise RuntimeError(f"2D tensor expected, got {self.dim()}D tensor for input")
    return cast_onto(target, _addr_meta(self, vec1, vec2, beta, alpha))


def _prepare_addr(self: Any, vec1: Any, vec2: Any, beta: Any, alpha: Any) -> Callable[..., Any]:
    dtype = common_dtype(*[Sized(a) for a in (self, vec1, vec2)]).np
    casts = [a.dtype != dtype for a in (self, vec1, vec2)]
    any_cast, multiply, add, column = any(casts), np.multiply, np.add, (vec1.size, 1)
    if dtype.kind == "b":
        factor, keeps = bool(alpha), bool(beta)

        def of_bools(self: Any, vec1: Any, vec2: Any, *_: Any) -> Any:
            outer = vec1.reshape(column) & vec2 & factor
            return outer | self if keeps else outer

        return of_bools
    first = None if alpha == 1 else np.array(alpha, dtype)
    second = None if beta == 1 else np.array(beta, dtype)

    def kernel(self: Any, vec1: Any, vec2: Any, *_: Any) -> Any:
        if any_cast:
            self, vec1, vec2 = (a.astype(dtype) for a in (self, vec1, vec2))
        if first is not None:
            vec1 = multiply(vec1, first)
        out = multiply(vec1.reshape(column), vec2)
        if not beta:
            return out
        return add(out, self if second is None else multiply(self, second), out)

    return kernel


def _times(t: Any, number: Any) -> Any:
    return t if number == 1 else t * conj(number)


op(
    "addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    says="Return beta * input + alpha * outer(vec1, vec2).",
    meta=_addr_meta,
    out_meta=_addr_onto,
    prepare=_prepare_addr,
    half=False,
    grad={
        "self": lambda g, c: _times(g, c.beta),
        "vec1": lambda g, c: _times(g.mv(conj(c.vec2)), c.alpha),
        "vec2": lambda g, c: _times(g.t().mv(conj(c.vec1)), c.alpha),
    },
    inplace=True,
    out=OutForm(overlap="first"),
    samples="addr",
    tags=("rounds", "einsum: m,n->mn"),
    autocast=("", "lower precision"),
)

# -- composites -----------------------------------------------------------------------------------


def _vander(x: Any, N: int | None, increasing: bool) -> Any:
    if x.dim() != 1:
        raise RuntimeError("x must be a one-dimensional tensor.")
    count = x.size(0) if N is None else N
    if count < 0:
        raise RuntimeError("N must be non-negative.")
    kind = x.dtype
    common = promote_types(kind, ops.int64)
    x = x if common is kind else x.to(common)
    powers = ops.ones((x.size(0), min(count, 1)), dtype=x.dtype, device=x.device)
    if count > 1:
        rest = x.unsqueeze(-1).expand((x.size(0), count - 1))
        powers = ops.constant_pad_nd(rest.cumprod(-1), (1, 0), 1)
    return powers if increasing else powers.flip((-1,))


op(
    "vander(Tensor x, int? N=None, bool increasing=False) -> Tensor",
    says="""Return the Vandermonde matrix of a vector: its powers in columns.

    >>> torch.vander(torch.tensor([1, 2, 3]))
    tensor([[1, 1, 1],
            [4, 2, 1],
            [9, 3, 1]])
    """,
    composite=_vander,
    variants="function",
    samples="vander_powers",
    tags=("loops: functional",),
)


def _frobenius(self: Any, dim: Any, keepdim: bool) -> Any:
    if len(dim) > 2:
        raise RuntimeError(f"Expected at most 2 dimensions, but got {len(dim)} dimensions instead.")
    warn_once(
        "at::frobenius_norm is deprecated and it is just left for JIT compatibility. It will be "
        "removed in a future PyTorch release. Please use `linalg.vector_norm(A, 2., dim, keepdim)` "
        "instead"
    )
    return of("norm.ScalarOpt_dim")(self, 2.0, tuple(dim), keepdim)


op(
    "frobenius_norm.dim(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
    says="Return the root of the sum of squares over the given dimensions.",
    composite=_frobenius,
    variants="function",
    samples="frobenius_norm",
    autocast=("", "float32"),
)


def _nuclear(self: Any, keepdim: bool) -> Any:
    return _nuclear_dim(self, (-2, -1), keepdim)


def _nuclear_dim(self: Any, dim: Any, keepdim: bool, **out: Any) -> Any:
    warn_once(
        "at::nuclear_norm is deprecated and it is just left for JIT compatibility. It will be "
        "removed in a future PyTorch release. Please use `linalg.matrix_norm(A, 'nuc', dim, "
        "keepdim)` instead"
    )
    return ops.linalg_matrix_norm(self, "nuc", tuple(dim), keepdim, **out)


op(
    "nuclear_norm(Tensor self, bool keepdim=False) -> Tensor",
    says="Return the sum of the singular values of matrices.",
    composite=_nuclear,
    variants="function",
    out=True,
    out_kernel=lambda target, self, keepdim: _nuclear_dim(self, (-2, -1), keepdim, out=target),
    samples="nuclear_norm",
    autocast=("", "float32"),
)
op(
    "nuclear_norm.dim(Tensor self, int[2] dim, bool keepdim=False) -> Tensor",
    composite=_nuclear_dim,
    variants="function",
    out="dim_out",
    out_kernel=lambda target, *args: _nuclear_dim(*args, out=target),
    samples="nuclear_norm_dim",
    autocast=("", "float32"),
)

# -- copies and memory ----------------------------------------------------------------------------


def _narrowed(self: Any, dim: int, start: int, length: int) -> tuple[int, int, tuple[int, ...]]:
    shape = list(self.shape)
    if not shape:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if dim >= len(shape):
        raise RuntimeError(
            "Expected dim < static_cast<int64_t>(self_sizes.size()) to be true, but got false.  "
            "(Could this error message be improved?  If so, please report an enhancement request "
            "to PyTorch.)"
        )
    d = wrap_dim(dim, len(shape))
    size = shape[d]
    if length < 0:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({size}).")
    if not -size <= start <= size:
        raise IndexError(
            f"start out of range (expected to be in range of [{-size}, {size}], but got {start})"
        )
    begin = start + size if start < 0 else start
    if begin > size - length:
        raise RuntimeError(f"start ({begin}) + length ({length}) exceeds dimension size ({size}).")
    shape[d] = length
    return d, begin, tuple(shape)


def _prepare_narrow_copy(self: Any, dim: int, start: int, length: int) -> Callable[..., Any]:
    d, begin, _ = _narrowed(self, dim, start, length)
    part = (slice(None),) * d + (slice(begin, begin + length),)
    return lambda self, *_: self[part].copy()


op(
    "narrow_copy(Tensor self, int dim, SymInt start, SymInt length) -> Tensor",
    says="Return a copy of length elements along a dimension, beginning at start.",
    meta=lambda self, *rest: Out(_narrowed(self, *rest)[2], self.dtype),
    prepare=_prepare_narrow_copy,
    half=False,
    grad={
        "self": lambda g, c: ops.slice_backward(
            g,
            tuple(c.self.shape),
            c.dim,
            c.start % max(c.self.size(c.dim), 1) if c.start < 0 else c.start,
            (c.start + c.self.size(c.dim) if c.start < 0 else c.start) + c.length,
            1,
        )
    },
    samples="narrow_copy",
)


def _permuted_meta(size: Any, physical_layout: Any, dtype: Any, *rest: Any) -> Out:
    found = dtype_or_default(dtype)
    n = len(size)
    if len(physical_layout) != n:
        raise RuntimeError(
            "Number of dimensions in size does not match the length of the physical_layout; i.e. "
            f"len(size) = {n} is not equal to len(physical_layout) = {len(physical_layout)}"
        )
    seen: set[int] = set()
    for i, d in enumerate(physical_layout):
        if not 0 <= d < n:
            raise RuntimeError(
                f"Dimension out of range (expected to be between 0 and {n - 1}, but got {d} at "
                f"index {i}).  NB: negative dims not currently supported; file an issue if you "
                "want it."
            )
        if d in seen:
            raise RuntimeError("Duplicate dim not allowed")
        seen.add(d)
    check_size([size[d] for d in physical_layout], found.itemsize)
    shape = tuple(size)
    strides = [0] * n
    step = 1
    for d in reversed(physical_layout):
        strides[d] = step
        step *= max(shape[d], 1)
    return Out(shape, found, tuple(strides))


op(
    f"empty_permuted(SymInt[] size, int[] physical_layout, *, {OPTIONS}) -> Tensor",
    says="Return a tensor of uninitialised memory whose dimensions lie in memory in a given order.",
    meta=_permuted_meta,
    prepare=lambda *args: unfilled(_permuted_meta(*args)),
    half=False,
    variants="function",
    samples="sizes_permuted",
    tags=("new_memory",),
)
