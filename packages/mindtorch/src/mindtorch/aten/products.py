"""Products of elements."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, Final

import numpy as np

from mindtorch.aten.reduction import narrowed, np_sum_dtype, restored, rounded, sum_dtype
from mindtorch.aten.reflected import differentiated, watched
from mindtorch.call.forms import OutForm
from mindtorch.call.row import Out, op
from mindtorch.core.dims import contiguous, reduced_shape, wrap_dim
from mindtorch.core.operators import conj, of, ops

from . import tangent_rules

__all__ = ["product_gradient"]


def _prepare_prod(self: Any, dim: int | None, keepdim: bool, dtype: Any) -> Callable[..., Any]:
    kind = np_sum_dtype(self, dtype)
    axes = tuple(range(self.ndim)) if dim is None or not self.ndim else (wrap_dim(dim, self.ndim),)
    shape = reduced_shape(self.shape, axes, keepdim)
    reduce = np.logical_and.reduce if kind.kind == "b" else np.multiply.reduce
    result, empty, whole = kind if kind.kind != "b" else np.dtype(bool), np.empty, not shape
    real = kind.kind not in "cb"
    order = _of_rows(self, axes, result)
    if order is not None:
        rows = (-1, prod([self.shape[d] for d in axes]))
        return lambda self, *_: _in_lanes(self.transpose(order).reshape(rows)).reshape(shape)

    def kernel(self: Any, *_: Any) -> Any:
        a = narrowed(self, dtype)
        if real and a.dtype.kind == "c":
            a = a.real
        if whole:
            return rounded(reduce(a, None, result, empty((), result)), dtype)
        return rounded(contiguous(reduce(a, axes, result)).reshape(shape), dtype)

    return kernel


#: From so many elements on, several steps are faster than one factor after the other.
_MANY: Final = 1 << 14
#: Bytes of the vectors that torch multiplies four of side by side.
_VECTOR: Final = 32


def _of_rows(x: Any, axes: tuple[int, ...], dtype: Any) -> list[int] | None:
    """The order of dims that makes rows of many numbers, which torch multiplies in vectors."""
    n = prod([x.shape[d] for d in axes])
    if x.dtype != dtype or dtype.char not in "fd" or x.size < _MANY:
        return None
    if n * x.itemsize < 4 * _VECTOR:
        return None
    reduced = sorted(axes, key=lambda d: -x.strides[d])
    order = [*[d for d in range(x.ndim) if d not in axes], *reduced]
    return order if x.transpose(order).flags.c_contiguous else None


def _in_lanes(rows: Any) -> Any:
    """The product of each row, in torch's order and faster than one factor after the other.

    Each place of four vectors is multiplied by itself, then the vectors, the places of the one
    that is left from the first on, and what did not fill four vectors.
    """
    count, n = rows.shape
    lanes = _VECTOR // rows.itemsize
    steps = n // (4 * lanes)
    parts = rows[:, : steps * 4 * lanes].reshape(count, steps, 4 * lanes)
    each, multiply = np.multiply.reduce(parts, 1), np.multiply
    four = each.reshape(count, 4, lanes)
    one = multiply(four[:, 0] * four[:, 1], four[:, 2] * four[:, 3])
    return multiply.reduce(np.concatenate((one, rows[:, steps * 4 * lanes :]), 1), 1)


def _prod_dim_meta(self: Any, dim: int, keepdim: bool, dtype: Any) -> Out:
    shape = self.shape
    d = wrap_dim(dim, len(shape))
    return Out(reduced_shape(shape, (d,), keepdim), sum_dtype(self, dtype))


def _prod_of_others(x: Any, dim: int) -> Any:
    """For each element along *dim* the product of all the others, right also beside zeros."""
    n = x.size(dim)
    sizes = list(x.shape)
    sizes[dim] = 1
    first = of("ones")(sizes, x.dtype, x.layout, x.device, None)
    before = ops.cat([first, x.narrow(dim, 0, n - 1)], dim).cumprod(dim)
    after = ops.cat([first, x.narrow(dim, 1, n - 1).flip((dim,))], dim).cumprod(dim).flip((dim,))
    return conj(before * after)


def product_gradient(g: Any, x: Any, dim: int) -> Any:
    """The gradient beside zeros, and where somebody sees operators: no number decides then.

    Source: torch csrc/autograd/FunctionsManual.cpp, prod_backward, prod_safe_zeros_backward.
    """
    if not x.numel():
        return g.expand(x.shape)
    return g if x.size(dim) == 1 else g * _prod_of_others(x, dim)


def _prod_grad(g: Any, c: Any) -> Any:
    if watched(g):
        c.result  # noqa: B018  (torch's node reads it before anything else)
    x = c.self if c.self.dtype == g.dtype else c.self.to(g.dtype)
    result = c.result  # in any case, so that a change of it is seen
    if x.dim() == 0:
        return g if watched(g) else g.clone()
    zeros = 1 if watched(g, x) else int((x == 0).sum().item())
    if zeros == 0:
        return g * conj(result / x)
    if zeros > 1 and not differentiated(g, x):
        return ops.zeros_like(x)
    return product_gradient(g, x.contiguous().view((-1,)), 0).view(x.shape)


def _prod_dim_grad(g: Any, c: Any) -> Any:
    result = c.result
    x = c.self if c.self.dtype == g.dtype else c.self.to(g.dtype)
    if x.dim() == 0:
        return g if watched(g) else g.clone()
    dim = wrap_dim(c.dim, x.dim())
    g = restored(g, x.shape, dim, c.keepdim)
    result = restored(result, x.shape, dim, c.keepdim)
    if watched(g, x):
        return product_gradient(g, x, dim)
    if not (x == 0).any().item():
        return g * conj(result / x)
    return g * _prod_of_others(x, dim)


op(
    "prod(Tensor self, *, ScalarType? dtype=None) -> Tensor",
    says="""Return the product of the elements, over all dimensions or one.
    Integers and bool are multiplied as int64.

    >>> torch.prod(torch.tensor([[1, 2], [3, 4]]), dim=1)
    tensor([ 2, 12])
    """,
    meta=lambda self, dtype: Out((), sum_dtype(self, dtype)),
    prepare=lambda self, dtype: _prepare_prod(self, None, False, dtype),
    out=OutForm(function=False, meta="any"),
    half=False,
    tags=("rounds",),
    grad={"self": _prod_grad},
    samples="sum",
    tangent=tangent_rules.of_product("prod"),
    batch=("reduced_by", "prod.dim_int"),
    reduces=np.multiply,
    autocast=("float32", "float32 result"),
)
op(
    "prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
    meta=_prod_dim_meta,
    prepare=_prepare_prod,
    out=OutForm("int_out", dtype="any", declared=""),
    half=False,
    tags=("rounds",),
    grad={"self": _prod_dim_grad},
    samples="prod_dim",
    tangent=tangent_rules.of_product("prod.dim_int"),
    reduces=np.multiply,
    node=1,
    autocast=("float32", "float32 result"),
)
