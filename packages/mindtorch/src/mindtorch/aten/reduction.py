"""Sums and means, and what every reduction needs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from mindtorch_storage.dtype import bool_, from_numpy, get_default_dtype, int64

from mindtorch.aten.summation import MANY, sums
from mindtorch.call.elementwise_meta import not_implemented
from mindtorch.call.forms import OutForm
from mindtorch.call.row import Out, op
from mindtorch.core.dims import all_dims, reduced_shape, scalar_name, with_ones
from mindtorch.core.errors import cannot_cast
from mindtorch.core.operators import of, ops
from mindtorch.core.warning import warn_discarded
from mindtorch.tensor.resizing import resize_out

__all__: list[str] = []


def restored(g: Any, shape: Sequence[int], dims: Any, keepdim: bool) -> Any:
    """*g*, the gradient of a reduction, with the reduced dims back (of size one)."""
    if keepdim or not len(shape):
        return g
    if type(dims) is not int and dims is not None:
        if not len(dims):
            return g  # all were reduced, and one number broadcasts
        if len(dims) == 1:
            return g.unsqueeze(dims[0])
    return with_ones(g, all_dims(dims, len(shape)))


def keep(out: Any, shape: Sequence[int], axes: Sequence[int], keepdim: bool) -> Any:
    """A reduced ndarray with its dims of size one where they are wanted."""
    return out.reshape(reduced_shape(shape, axes, True)) if keepdim else out


# -- sums ---------------------------------------------------------------------------------------


def sum_dtype(self: Any, dtype: Any) -> Any:
    """The dtype of a sum or product: integers are added up in int64."""
    if dtype is not None:
        return dtype
    own = self.dtype
    return own if own.is_floating_point or own.is_complex else int64


def np_sum_dtype(a: Any, dtype: Any) -> Any:
    if dtype is None:
        return int64.np if a.dtype.kind in "iub" else a.dtype
    # float16 and bfloat16 sums are accumulated in float32 and rounded once.
    return np.dtype(np.float32) if dtype.name in ("float16", "bfloat16") else dtype.np


def narrowed(a: Any, dtype: Any) -> Any:
    """*a* rounded to the dtype that was asked for outright, before anything is added up.

    Integers are rounded by what adds them up, but to half types, which are added up in float32.
    """
    if dtype is None:
        return a
    half = dtype.name in ("float16", "bfloat16")
    if a.dtype.kind not in "fc" and not half:
        return a
    real = a.real if a.dtype.kind == "c" and not dtype.is_complex else a
    if half:
        return real.astype(dtype.np).astype(np.float32)
    return real if real.dtype == dtype.np else real.astype(dtype.np)


def rounded(out: Any, dtype: Any) -> Any:
    """*out* in the dtype that was asked for outright."""
    return out if dtype is None or out.dtype == dtype.np else out.astype(dtype.np)


def _sum_dim(self: Any, dim: Any, keepdim: bool, dtype: Any) -> Callable[..., Any]:
    axes = sorted(all_dims(dim, self.ndim))
    like = narrowed(self, dtype)
    total = sums(like, axes, reduced_shape(self.shape, axes, keepdim), np_sum_dtype(like, dtype))
    if dtype is None:
        return total
    return lambda self, *_: rounded(total(narrowed(self, dtype)), dtype)


def _sum(self: Any, dtype: Any) -> Callable[..., Any]:
    return _sum_dim(self, None, False, dtype)


def _sum_dim_meta(self: Any, dim: Any, keepdim: bool, dtype: Any) -> Out:
    shape = self.shape
    axes = all_dims(dim, len(shape))
    return Out(reduced_shape(shape, axes, keepdim), sum_dtype(self, dtype))


op(
    "sum(Tensor self, *, ScalarType? dtype=None) -> Tensor",
    says="""Return the sum of the elements, over all dimensions or the given ones.
    Integers and bool are summed as int64.

    >>> torch.sum(torch.tensor([[1, 2], [3, 4]]))
    tensor(10)
    >>> torch.sum(torch.tensor([[1, 2], [3, 4]]), dim=1, keepdim=True)
    tensor([[3],
            [7]])
    """,
    meta=lambda self, dtype: Out((), sum_dtype(self, dtype)),
    prepare=_sum,
    out=OutForm(function=False, meta="any"),
    grad={"self": lambda g, c: g.expand(c.self.shape)},
    samples="sum",
    tangent="linear",
    batch=("reduced_by", "sum.dim_IntList"),
    reduces=np.add,
    autocast=("", "float32 result"),
)
op(
    "sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None)"
    " -> Tensor",
    meta=_sum_dim_meta,
    prepare=_sum_dim,
    out=OutForm("IntList_out", dtype="any", declared=""),
    grad={"self": lambda g, c: restored(g, c.self.shape, c.dim, c.keepdim).expand(c.self.shape)},
    samples="sum_dim",
    tangent="linear",
    reduces=np.add,
    node=1,
    autocast=("", "float32 result"),
)


def _mean_dtype(self: Any, dtype: Any) -> Any:
    wanted = dtype or self.dtype
    if not (wanted.is_floating_point or wanted.is_complex):
        what = "Input" if dtype is None else "Optional"
        raise RuntimeError(
            f"mean(): could not infer output dtype. {what} dtype must be either a floating "
            f"point or complex dtype. Got: {scalar_name(wanted)}"
        )
    return wanted


def _mean_dim(self: Any, dim: Any, keepdim: bool, dtype: Any) -> Callable[..., Any]:
    axes = sorted(all_dims(dim, self.ndim))
    wanted = np_sum_dtype(self, dtype)
    total = sums(self, axes, reduced_shape(self.shape, axes, keepdim), wanted)
    count, divide = np.array(math.prod([self.shape[d] for d in axes]), wanted), np.divide

    def kernel(self: Any, *_: Any) -> Any:
        out = total(self)
        return rounded(divide(out, count, out), dtype)

    return kernel


def _mean_dim_meta(self: Any, dim: Any, keepdim: bool, dtype: Any) -> Out:
    kind = _mean_dtype(self, dtype)
    shape = self.shape
    return Out(reduced_shape(shape, all_dims(dim, len(shape)), keepdim), kind)


def _mean_dim_grad(g: Any, c: Any) -> Any:
    shape = c.self.shape
    count = 1
    for d in all_dims(c.dim, len(shape)):
        count *= shape[d] if len(shape) else 1
    return restored(g, shape, c.dim, c.keepdim).expand(shape) / count


op(
    "mean(Tensor self, *, ScalarType? dtype=None) -> Tensor",
    says="""Return the mean of the elements, over all dimensions or the given ones.
    Integers are refused unless dtype is a floating-point or complex one.

    >>> torch.mean(torch.tensor([[1., 2.], [3., 4.]]), dim=0)
    tensor([2., 3.])
    """,
    meta=lambda self, dtype: Out((), _mean_dtype(self, dtype)),
    prepare=lambda self, dtype: _mean_dim(self, None, False, dtype),
    out=OutForm(
        "dtype_out",
        dtype="cast",
        text="cast: mean.dtype_out(): input types can't be cast to the desired output type {out}",
        direct=True,
        declared="",
    ),
    grad={"self": lambda g, c: g.expand(c.self.shape) / c.self.numel()},
    samples="mean",
    tangent="linear",
    batch=("reduced_by", "mean.dim"),
)


def _mean_out_meta(target: Any, self: Any, dim: Any, keepdim: bool, dtype: Any) -> Out:
    """The sum is taken in the dtype of ``out``, then divided in place."""
    out = _mean_dim_meta(self, dim, keepdim, dtype)
    if dtype is not None:
        return out
    to = target.dtype
    if not (to.is_floating_point or to.is_complex):
        if target.device == self.device:  # the sum is written; its division is what is refused
            resize_out(target, Out(out.shape, to))
            if self.dtype.is_complex and to is not bool_ and self.numel():
                warn_discarded()
        raise cannot_cast(get_default_dtype(), to)
    return Out(out.shape, to)


op(
    "mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
    meta=_mean_dim_meta,
    prepare=_mean_dim,
    out=OutForm(dtype="cast", direct=True, declared=""),
    out_meta=_mean_out_meta,
    out_kernel=lambda target, self, dim, keepdim, dtype: _mean_dim(
        self, dim, keepdim, from_numpy(target.dtype)
    )(self),
    grad={"self": _mean_dim_grad},
    samples="mean_dim",
    tangent="linear",
    node=1,
)


def _nansum_check(self: Any, dim: Any, keepdim: bool, dtype: Any) -> Out:
    if self.dtype.is_complex:
        raise RuntimeError("nansum on CPU does not support complex inputs")
    return _sum_dim_meta(self, dim, keepdim, dtype)


def _nansum(self: Any, dim: Any, keepdim: bool, dtype: Any) -> Callable[..., Any]:
    total = _sum_dim(self, dim, keepdim, dtype)
    if self.dtype.kind != "f":
        return total
    if dtype is not None and dtype.is_complex and self.size:
        raise not_implemented("nansum_cpu", dtype)
    nothing, isnan, put, few = np.zeros((), self.dtype), np.isnan, np.copyto, self.size <= MANY

    def kernel(self: Any, *_: Any) -> Any:
        missing = isnan(self)
        if not few and not missing.any():
            return total(np.ascontiguousarray(self))
        self = self.copy()
        put(self, nothing, where=missing)
        return total(self)

    return kernel


def _nansum_grad(g: Any, c: Any) -> Any:
    x = c.self
    g = g.to(x.dtype)
    there = x.isnan().logical_not()
    if c.dim is not None:
        g = restored(g, x.shape, c.dim, c.keepdim)
    return g.expand(x.shape) * there


def _nansum_out_meta(target: Any, self: Any, dim: Any, keepdim: bool, dtype: Any) -> Out:
    """Summed in the dtype of ``out``; where NaN may occur that must be able to hold one."""
    out = _nansum_check(self, dim, keepdim, dtype)
    if dtype is not None:
        return out
    if self.numel() and self.dtype.is_floating_point and not target.dtype.is_floating_point:
        raise not_implemented("nansum_cpu", target.dtype)
    return Out(out.shape, target.dtype)


op(
    "nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None)"
    " -> Tensor",
    says="""Return the sum of the elements, counting NaN as zero.

    >>> torch.nansum(torch.tensor([1.0, float('nan'), 2.0]))
    tensor(3.)
    """,
    meta=_nansum_check,
    prepare=_nansum,
    out=OutForm(
        dtype="cast",
        direct=True,
        declared="nansum: provided dtype must match dtype of result. Got {out} and {dtype}.",
        overlap="unchecked",
    ),
    out_meta=_nansum_out_meta,
    out_kernel=lambda target, self, dim, keepdim, dtype: _nansum(
        self, dim, keepdim, from_numpy(target.dtype)
    )(self),
    grad={"self": _nansum_grad},
    samples="nansum",
    tags=("joins: sum",),
)


def _nanmean_count(self: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    if not (self.is_floating_point() or self.is_complex()):
        raise RuntimeError(
            "nanmean(): expected input to have floating point or complex dtype but got "
            f"{scalar_name(self.dtype)}"
        )
    if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
        raise RuntimeError(
            "nanmean(): could not infer output dtype. Optional dtype must be either a floating "
            f"point or complex dtype. Got: {scalar_name(dtype)}"
        )
    own = self.detach()
    return of("ne.Tensor")(own, own).logical_not_().sum(dim, keepdim)


def _nanmean(self: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    count = _nanmean_count(self, dim, keepdim, dtype)
    return ops.nansum(self, dim, keepdim, dtype=dtype).div(count)


def _nanmean_onto(target: Any, self: Any, dim: Any, keepdim: bool, dtype: Any) -> None:
    count = _nanmean_count(self, dim, keepdim, dtype)
    ops.nansum(self, dim, keepdim, dtype=dtype, out=target).div_(count)


op(
    "nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None)"
    " -> Tensor",
    says="Return the mean of the elements that are not NaN.",
    composite=_nanmean,
    out=OutForm(dtype="cast", direct=True, gradient="nansum"),
    out_kernel=_nanmean_onto,
    samples="mean_dim",
)
