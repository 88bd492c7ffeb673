"""Running sums, products and extremes along one dim, and the trace."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import int64

from mindtorch.aten.reduction import narrowed, sum_dtype
from mindtorch.aten.reflected import recording, watched, zeros_of
from mindtorch.aten.summation import sums
from mindtorch.call.elementwise_meta import (
    BOOL,
    COMPLEX,
    INTEGRAL,
    UNSIGNED,
    not_implemented,
    refuse,
)
from mindtorch.call.forms import SAME_TYPE, InplaceForm, OutForm
from mindtorch.call.row import Out, op
from mindtorch.core.dims import contiguous, wrap_dim
from mindtorch.core.operators import conj, of, ops

from . import tangent_rules

__all__ = ["cummaxmin_backward", "cumprod_backward", "trace_backward"]


_NOT_RUN = BOOL | {"complex32"}


def _running_meta(name: str) -> Any:
    def meta(self: Any, dim: int, dtype: Any) -> Out:
        shape = tuple(self.shape)
        wrap_dim(dim, len(shape))
        found = sum_dtype(self, dtype)
        if shape and 0 not in shape:
            refuse(found, {f"{name}_out_cpu": _NOT_RUN}, self)
        return Out(shape, found)

    return meta


def _running_onto(name: str) -> Any:
    """In place and with ``out=`` the dtype is the target's, if none is asked for."""
    meta = _running_meta(name)

    def out_meta(target: Any, self: Any, dim: int, dtype: Any) -> Out:
        return meta(self, dim, target.dtype if dtype is None else dtype)

    return out_meta


def _running(ufunc: Any) -> Any:
    name = "cumsum_out_cpu" if ufunc is np.add else "cumprod_out_cpu"

    def prepare(self: Any, dim: int, dtype: Any) -> Any:
        if dtype is not None:
            if dtype.name == "bool" and self.ndim and self.size:
                raise not_implemented(name, dtype)
            result = dtype.np
        else:
            result = np.dtype(np.int64) if self.dtype.kind in "iub" else self.dtype
        # torch's CPU kernels keep the running value in double.
        wide = {"f": np.float64, "F": np.complex128}.get(result.char)
        if wide is None:
            wide = result if result.kind in "iub" or result.itemsize >= 8 else np.dtype("d")
        if not self.ndim:
            return lambda self, *_: narrowed(self, dtype).astype(result)
        first: Any = None
        if result.kind == "b":
            wide, first = np.dtype(np.int64), np.dtype(bool)
        elif result.kind in "iu":
            first = result
        d = wrap_dim(dim, self.ndim)
        if result.char in "fF" and self.dtype == result and self.size > _BLOCK:
            across = math.prod(self.shape[d + 1 :])
            if across == 1:
                return lambda self, *_: _along_rows(ufunc, self, self.shape[d], wide)
            if across >= _WIDE:
                return lambda self, *_: _row_by_row(ufunc, self, d, wide)

        def kernel(self: Any, *_: Any) -> Any:
            values = narrowed(self, dtype)
            if first is not None:
                values = values.astype(first, copy=False)
            out = ufunc.accumulate(values, d, wide)
            if ufunc is np.add and out.dtype.kind in "fc":
                out += 0.0  # which torch begins with: no sum is -0.0
            return contiguous(out.astype(result, copy=False))

        return kernel

    return prepare


#: About so many numbers of the wider dtype stay in a cache.
_BLOCK = 16384
#: Rows of so many numbers are worth a call each.
_WIDE = 512


def _along_rows(ufunc: Any, values: Any, n: int, wide: Any) -> Any:
    """*ufunc* accumulated along the last axis, of *n*, in the dtype *wide*: a block at a time."""
    out = np.empty(values.shape, values.dtype)
    given, made = values.reshape(-1, n), out.reshape(-1, n)
    step, accumulate = max(_BLOCK // n, 1), ufunc.accumulate
    for row in range(0, len(given), step):
        so_far: Any = ufunc.identity  # with which torch begins: no sum is -0.0
        for column in range(0, n, _BLOCK):
            place = slice(row, row + step), slice(column, column + _BLOCK)
            part = given[place].astype(wide)
            first = part[:, 0]
            ufunc(so_far, first, first)
            accumulate(part, 1, None, part)
            so_far = part[:, -1].copy()
            made[place] = part
    return out


def _row_by_row(ufunc: Any, values: Any, d: int, wide: Any) -> Any:
    """The same along axis *d*, of wide rows."""
    shape = values.shape
    out = np.empty(shape, values.dtype)
    rows = math.prod(shape[:d]), shape[d], math.prod(shape[d + 1 :])
    for given, made in zip(values.reshape(rows), out.reshape(rows), strict=True):
        so_far = np.full(rows[2], ufunc.identity, wide)
        for i in range(rows[1]):
            ufunc(so_far, given[i], so_far)
            made[i] = so_far
    return out


def _cumsum_back(g: Any, dim: int) -> Any:
    """Sum of this and all later elements along *dim*."""
    if g.numel() <= 1 or g.size(dim) == 1:
        return g
    return g.flip((dim,)).cumsum(dim).flip((dim,))


def cumprod_backward(g: Any, x: Any, dim: int, result: Any) -> Any:
    """The gradient of ``cumprod`` of *x* along *dim*, which is *result*."""
    if x.numel() <= 1:
        return g
    d = wrap_dim(dim, x.dim())
    if x.size(d) == 1:
        return g
    product = conj(result) * g
    is_zero = x == 0
    unseen = watched(g, x) or x.is_meta
    if not unseen and not is_zero.any().item():
        return _cumsum_back(product, d) / conj(x)
    if unseen or not recording():
        return _cumprod_grad_by_masks(g, x, d, result, product, is_zero)
    # Masks lose what is differentiated again: for each place, products that leave it out.
    n = x.size(d)
    parts = []
    ones = ops.ones_like(x.narrow(d, 0, 1))
    before = ones
    for k in range(n):
        rest = x.narrow(d, k + 1, n - k - 1)
        after = ops.cat([ones, rest], d).cumprod(d)
        parts.append((g.narrow(d, k, n - k) * (before * after).conj()).sum(d))
        before = before * x.narrow(d, k, 1)
    return ops.stack(parts, d)


def _cumprod_grad_by_masks(g: Any, x: Any, d: int, result: Any, product: Any, is_zero: Any) -> Any:
    """The same in one pass beside zeros, by operators that do not depend on the numbers.

    Source: torch csrc/autograd/FunctionsManual.cpp, cumprod_backward.
    """
    x = conj(x)
    grad = zeros_of(g, tuple(x.shape))
    zeros_so_far = is_zero.cumsum(d)
    before = of("eq.Scalar")(zeros_so_far, 0)
    kept = of("masked_fill.Scalar")(product, before.bitwise_not(), 0.0)
    grad = ops.where(before, _cumsum_back(kept, d) / x, grad)
    between = of("eq.Scalar")(zeros_so_far, 1)
    first = of("max.dim")(between, d, True)[1]
    at_first = of("zeros_like")(between)
    at_first = of("scatter_.value")(at_first, d, first, 1).logical_and_(between)
    between = between.bitwise_and_(at_first.bitwise_not())
    rest = of("masked_fill.Scalar")(x, between.bitwise_not(), 1.0).cumprod(d)
    share = of("masked_fill.Scalar")(g, of("ne.Scalar")(zeros_so_far, 1), 0.0)
    earlier = result.gather(d, of("sub.Scalar")(first, 1).relu_())
    earlier = of("masked_fill_.Scalar")(conj(earlier), of("eq.Scalar")(first, 0), 1.0)
    at_zero = (share * rest).sum((d,), True) * earlier
    return ops.where(at_first, at_zero, grad)


op(
    "cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
    says="""Return the running sum along a dimension.
    Integers and bool become int64.

    >>> torch.cumsum(torch.tensor([1, 2, 3]), dim=0)
    tensor([1, 3, 6])
    """,
    meta=_running_meta("cumsum"),
    out_meta=_running_onto("cumsum"),
    prepare=_running(np.add),
    inplace=InplaceForm(own_dtype=True),
    out=OutForm(dtype="any", declared="", overlap="whole"),
    grad={"self": lambda g, c: _cumsum_back(g, c.dim)},
    samples="cumsum",
    tangent="linear",
    autocast=("", "float32 result"),
    tags=("loops: inplace",),
)
op(
    "cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
    says="""Return the running product along a dimension.
    Integers and bool become int64.

    >>> torch.cumprod(torch.tensor([1, 2, 3]), dim=0)
    tensor([1, 2, 6])
    """,
    meta=_running_meta("cumprod"),
    out_meta=_running_onto("cumprod"),
    prepare=_running(np.multiply),
    inplace=InplaceForm(own_dtype=True),
    out=OutForm(dtype="any", declared="", overlap="whole"),
    grad={"self": lambda g, c: cumprod_backward(g, c.self, c.dim, c.result)},
    samples="cumprod",
    autocast=("", "float32 result"),
    tags=("loops: inplace",),
)


def _extreme_meta(name: str) -> Any:
    def meta(self: Any, dim: int) -> tuple[Out, Out]:
        shape = tuple(self.shape)
        if not shape and dim not in (-1, 0):
            raise IndexError(
                f"{name[:6]}(): Expected reduction dim -1 or 0 for scalar but got {dim}"
            )
        if shape and 0 not in shape:  # of nothing no dim is looked at
            wrap_dim(dim, len(shape))
            refuse(self.dtype, {name: COMPLEX | UNSIGNED}, self)
        return Out(shape, self.dtype), Out(shape, int64)

    return meta


def _running_extreme(ufunc: Any) -> Any:
    def prepare(self: Any, dim: int) -> Callable[..., tuple[Any, Any]]:
        if not self.ndim:
            return lambda self, dim: (self.copy(), np.zeros((), np.int64))
        if not self.size:
            return lambda self, dim: (self.copy(), np.empty(self.shape, np.int64))
        d, shape = wrap_dim(dim, self.ndim), [1] * self.ndim
        shape[d] = -1
        places, floating = np.arange(self.shape[d]).reshape(shape), self.dtype.kind == "f"
        accumulate, last, multiply = ufunc.accumulate, np.maximum.accumulate, np.multiply
        isnan, equal, either = np.isnan, np.equal, np.logical_or

        def kernel(self: Any, dim: int) -> tuple[Any, Any]:
            best = accumulate(self, d)
            # The last place so far that equals the running extreme (NaN stays where it came in).
            hit = equal(self, best)
            if floating:
                either(hit, isnan(self), hit)
            return contiguous(best), contiguous(last(multiply(hit, places), d))

        return kernel

    return prepare


def cummaxmin_backward(g: Any, x: Any, indices: Any, dim: int) -> Any:
    """The gradient of running extremes of *x*, which are at *indices*.

    Source: torch aten/src/ATen/native/ReduceOps.cpp, cummaxmin_backward.
    """
    if x.numel() == 0:
        return x
    return zeros_of(g, tuple(x.shape)).scatter_add(dim, indices, g)


for _name, _ufunc, _says in (
    (
        "cummax",
        np.maximum,
        """Return the running maximum along a dimension and where it was found.

    >>> torch.cummax(torch.tensor([1, 3, 2]), dim=0)
    torch.return_types.cummax(
    values=tensor([1, 3, 3]),
    indices=tensor([0, 1, 1]))
    """,
    ),
    ("cummin", np.minimum, "Return the running minimum along a dimension and where it was found."),
):
    op(
        f"{_name}(Tensor self, int dim) -> (Tensor values, Tensor indices)",
        says=_says,
        meta=_extreme_meta(f"{_name}_cpu"),
        prepare=_running_extreme(_ufunc),
        out=OutForm(text=SAME_TYPE, overlap="unchecked"),
        tags=("real_only",),
        grad={"self": lambda g, c: cummaxmin_backward(g[0], c.self, c.result1, c.dim)},
        samples="cummax",
    )


def _logcumsumexp_meta(self: Any, dim: int) -> Out:
    wrap_dim(dim, len(self.shape))
    refuse(self.dtype, {"logcumsumexp_out_cpu": INTEGRAL | BOOL}, self)
    return Out(tuple(self.shape), self.dtype)


def _log_add_exp(x: Any, y: Any) -> Any:
    """Complex ``log(exp(x) + exp(y))``, whose angle is the larger one's and a part of a turn.

    Source: torch aten/src/ATen/native/cpu/LogAddExp.h, _log_add_exp_helper.
    """
    swaps = (x.real < y.real) & ~np.isnan(x) | np.isnan(y)
    low, high = np.where(swaps, x, y), np.where(swaps, y, x)
    with np.errstate(all="ignore"):
        both = np.isinf(low.real) & (low.real == high.real)
        added = np.log1p(np.exp(low - high)) + high
        alike = np.where(low.real < 0, low, np.log(np.exp(low) + np.exp(high)))
        return np.where(both, alike, added)


def _prepare_logcumsumexp(self: Any, dim: int) -> Callable[..., Any]:
    if not self.ndim:
        return lambda self, dim: self.copy()
    dtype, accumulate = self.dtype, np.logaddexp.accumulate
    wide = np.dtype(np.complex128 if dtype.kind == "c" else np.float64)
    if dtype.kind != "c":
        return lambda self, dim: accumulate(self, dim, wide).astype(dtype)

    def kernel(self: Any, dim: int) -> Any:
        out = np.moveaxis(self.astype(wide), dim, 0).copy()
        for i in range(1, len(out)):
            out[i] = _log_add_exp(out[i], out[i - 1])
        return np.moveaxis(out, 0, dim).astype(dtype)

    return kernel


def _logcumsumexp_grad(g: Any, c: Any) -> Any:
    x, result = c.self, c.result
    if x.numel() == 0 or x.dim() == 0:
        return g

    def back(t: Any) -> Any:
        return (t - result).flip((c.dim,)).logcumsumexp(c.dim).flip((c.dim,)) + x

    if g.is_complex():
        return back(g.conj().log()).exp().conj()
    # The least finite number: with minus infinity second derivatives would be NaN.
    least = float(ops.finfo(g.dtype).min)
    least = of("scalar_tensor")(least, g.dtype, g.layout, g.device, None)
    size = g.abs().log()
    plus, minus = ops.where(g > 0, size, least), ops.where(g < 0, size, least)
    return back(plus).exp() - back(minus).exp()


op(
    "logcumsumexp(Tensor self, int dim) -> Tensor",
    says="Return the logarithm of the running sum of exponentials along a dimension.",
    meta=_logcumsumexp_meta,
    prepare=_prepare_logcumsumexp,
    out=OutForm(text=SAME_TYPE, overlap="whole"),
    grad={"self": _logcumsumexp_grad},
    samples="logcumsumexp",
    tangent=tangent_rules.of_logcumsumexp,
)


def _trace_meta(self: Any) -> Out:
    refuse(self.dtype, {"trace": BOOL | UNSIGNED}, self)
    if len(self.shape) != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {len(self.shape)}")
    return Out((), sum_dtype(self, None))


def _prepare_trace(self: Any) -> Callable[..., Any]:
    kind = np.dtype(np.int64) if self.dtype.kind in "iu" else self.dtype
    total = sums(np.empty(min(self.shape), self.dtype), (0,), (), kind)
    return lambda self: total(self.diagonal())


def trace_backward(g: Any, sizes: Any) -> Any:
    """The gradient of the trace of a matrix of *sizes*."""
    if len(sizes) != 2:
        raise RuntimeError("expected matrix input")
    rows, columns = sizes
    whole = zeros_of(g, (rows * columns,))
    step = columns + 1
    places = of("arange.start_step")(
        0, min(rows, columns) * step, step, int64, g.layout, g.device, None
    )
    return whole.index_fill(0, places, g).view((rows, columns))


op(
    "trace(Tensor self) -> Tensor",
    says="""Return the sum of the diagonal of a matrix.
    Other shapes are refused.

    >>> torch.trace(torch.tensor([[1, 2], [3, 4]]))
    tensor(5)
    """,
    meta=_trace_meta,
    prepare=_prepare_trace,
    out=OutForm(function=False),
    grad={"self": lambda g, c: trace_backward(g, c.self.shape)},
    samples="trace",
    tangent="linear",
    batch="whole_loop",
    autocast=("float32", ""),
    tags=("needs_whole",),
)
