"""Reductions to sums, products, extremes and truth: ``sum``, ``mean``, ``amax``, ``any``…"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from mindtorch.errors import cannot_cast
from mindtorch.ops.call import ops
from mindtorch.ops.dims import all_dims, contiguous, reduced_shape, scalar_name, with_ones, wrap_dim
from mindtorch.ops.half_products import product
from mindtorch.ops.meta import COMPLEX, UNSIGNED, not_implemented, refuse
from mindtorch.ops.row import Out, op
from mindtorch.ops.summation import fast_sum, sum_over
from mindtorch_storage.dtype import bool_, from_numpy, get_default_dtype, int64, uint8

__all__: list[str] = []


def restored(g: Any, shape: Sequence[int], dims: Any, keepdim: bool) -> Any:
    """*g*, the gradient of a reduction, with the reduced dims back (of size one)."""
    if keepdim or not len(shape):
        return g
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


def _np_sum_dtype(a: Any, dtype: Any) -> Any:
    if dtype is None:
        return int64.np if a.dtype.kind in "iub" else a.dtype
    # float16 and bfloat16 sums are accumulated in float32 and rounded once.
    return np.dtype(np.float32) if dtype.name in ("float16", "bfloat16") else dtype.np


def narrowed(a: Any, dtype: Any) -> Any:
    """*a* rounded to the half type that was asked for outright, before anything is added up."""
    if dtype is None or a.dtype.kind not in "fc":
        return a
    real = a.real if a.dtype.kind == "c" and not dtype.is_complex else a
    if dtype.name in ("float16", "bfloat16"):
        return real.astype(dtype.np).astype(np.float32)
    return real if real.dtype == dtype.np else real.astype(dtype.np)


def rounded(out: Any, dtype: Any) -> Any:
    """*out* in the dtype that was asked for outright."""
    return out if dtype is None or out.dtype == dtype.np else out.astype(dtype.np)


def _sum(self: Any, dtype: Any) -> Any:
    self = narrowed(self, dtype)
    out = sum_over(self, range(self.ndim), _np_sum_dtype(self, dtype))
    return rounded(out, dtype)


def _sum_dim(self: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    axes = sorted(all_dims(dim, self.ndim))
    self = narrowed(self, dtype)
    out = sum_over(self, axes, _np_sum_dtype(self, dtype))
    return rounded(keep(out, self.shape, axes, keepdim), dtype)


def _sum_dim_meta(self: Any, dim: Any, keepdim: bool, dtype: Any) -> Out:
    shape = self.shape
    axes = all_dims(dim, len(shape))
    return Out(reduced_shape(shape, axes, keepdim), sum_dtype(self, dtype))


op(
    "sum(Tensor self, *, ScalarType? dtype=None) -> Tensor",
    meta=lambda self, dtype: Out((), sum_dtype(self, dtype)),
    kernel=_sum,
    fast=fast_sum,
    out="out",
    grad={"self": lambda g, c: g.expand(c.self.shape)},
    samples="sum",
)
op(
    "sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None)"
    " -> Tensor",
    meta=_sum_dim_meta,
    kernel=_sum_dim,
    out="IntList_out",
    grad={"self": lambda g, c: restored(g, c.self.shape, c.dim, c.keepdim).expand(c.self.shape)},
    samples="sum_dim",
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


def _mean_dim(self: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    axes = sorted(all_dims(dim, self.ndim))
    total = sum_over(self, axes, _np_sum_dtype(self, dtype))
    count = 1
    for d in axes:
        count *= self.shape[d]
    total /= count
    return rounded(keep(total, self.shape, axes, keepdim), dtype)


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
    meta=lambda self, dtype: Out((), _mean_dtype(self, dtype)),
    kernel=lambda self, dtype: _mean_dim(self, None, False, dtype),
    out="dtype_out",
    grad={"self": lambda g, c: g.expand(c.self.shape) / c.self.numel()},
    samples="mean",
)


def _mean_out_meta(target: Any, self: Any, dim: Any, keepdim: bool, dtype: Any) -> Out:
    """The sum is taken in the dtype of ``out``, then divided in place."""
    out = _mean_dim_meta(self, dim, keepdim, dtype)
    if dtype is not None:
        return out
    to = target.dtype
    if not (to.is_floating_point or to.is_complex):
        raise cannot_cast(get_default_dtype(), to)
    return Out(out.shape, to)


op(
    "mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
    meta=_mean_dim_meta,
    kernel=_mean_dim,
    out="out",
    out_meta=_mean_out_meta,
    out_kernel=lambda target, self, dim, keepdim, dtype: _mean_dim(
        self, dim, keepdim, from_numpy(target.dtype)
    ),
    grad={"self": _mean_dim_grad},
    samples="mean_dim",
)


def _nansum_check(self: Any, dim: Any, keepdim: bool, dtype: Any) -> Out:
    if self.dtype.is_complex:
        raise RuntimeError("nansum on CPU does not support complex inputs")
    return _sum_dim_meta(self, dim, keepdim, dtype)


def _nansum(self: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    if self.dtype.kind == "f":
        self = np.where(np.isnan(self), self.dtype.type(0), self)
    return _sum_dim(self, dim, keepdim, dtype)


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
    meta=_nansum_check,
    kernel=_nansum,
    out=True,
    out_meta=_nansum_out_meta,
    out_kernel=lambda target, self, dim, keepdim, dtype: _nansum(
        self, dim, keepdim, from_numpy(target.dtype)
    ),
    grad={
        "self": lambda g, c: (
            restored(g, c.self.shape, c.dim, c.keepdim).expand(c.self.shape)
            * c.self.isnan().logical_not()
        )
    },
    samples="nansum",
)


def _nanmean_count(self: Any, dim: Any, keepdim: bool) -> Any:
    if not (self.is_floating_point() or self.is_complex()):
        raise RuntimeError(
            "nanmean(): expected input to have floating point or complex dtype but got "
            f"{scalar_name(self.dtype)}"
        )
    axes = all_dims(dim, self.dim())
    return self.isnan().logical_not().sum(axes, keepdim)


def _nanmean(self: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    count = _nanmean_count(self, dim, keepdim)
    return ops.nansum(self, dim, keepdim, dtype=dtype).div(count)


def _nanmean_onto(target: Any, self: Any, dim: Any, keepdim: bool, dtype: Any) -> None:
    count = _nanmean_count(self, dim, keepdim)
    ops.nansum(self, dim, keepdim, dtype=dtype, out=target).div_(count)


op(
    "nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None)"
    " -> Tensor",
    composite=_nanmean,
    out=True,
    out_kernel=_nanmean_onto,
    samples="mean_dim",
)


# -- products -----------------------------------------------------------------------------------


def _prod_over(a: Any, axes: Any, dtype: Any) -> Any:
    half = a.dtype if dtype is None else dtype.np
    if half.itemsize == 2 and half.kind in "fV":
        real = a.real if a.dtype.kind == "c" else a
        return product(real.astype(half, copy=False), axes)
    kind = _np_sum_dtype(a, dtype)
    a = narrowed(a, dtype)
    if kind.kind == "b":
        return np.asarray(np.logical_and.reduce(a, axes))
    if a.dtype.kind == "c" and kind.kind != "c":
        a = a.real
    return contiguous(np.asarray(np.multiply.reduce(a.astype(kind, copy=False), axes, kind)))


def _prod_dim(self: Any, dim: int, keepdim: bool, dtype: Any) -> Any:
    if not self.ndim:
        return rounded(_prod_over(self, None, dtype), dtype)
    d = wrap_dim(dim, self.ndim)
    out = _prod_over(self, d, dtype)
    return rounded(keep(out, self.shape, (d,), keepdim), dtype)


def _prod_dim_meta(self: Any, dim: int, keepdim: bool, dtype: Any) -> Out:
    shape = self.shape
    d = wrap_dim(dim, len(shape))
    return Out(reduced_shape(shape, (d,), keepdim), sum_dtype(self, dtype))


def _prod_of_others(x: Any, dim: int) -> Any:
    """For each element along *dim* the product of all the others, right also beside zeros."""
    n = x.size(dim)
    first = ops.ones_like(x.narrow(dim, 0, 1))
    before = ops.cat([first, x.narrow(dim, 0, n - 1)], dim).cumprod(dim)
    after = ops.cat([first, x.narrow(dim, 1, n - 1).flip((dim,))], dim).cumprod(dim).flip((dim,))
    return (before * after).conj()


def _prod_grad(g: Any, c: Any) -> Any:
    x = c.self if c.self.dtype == g.dtype else c.self.to(g.dtype)
    if x.dim() == 0:
        return g.clone()
    zeros = int((x == 0).sum().item())
    if zeros == 0:
        return g * (c.result / x).conj()
    if zeros > 1:
        return ops.zeros_like(x)
    return g * _prod_of_others(x.reshape((-1,)), 0).reshape(x.shape)


def _prod_dim_grad(g: Any, c: Any) -> Any:
    x = c.self if c.self.dtype == g.dtype else c.self.to(g.dtype)
    if x.dim() == 0:
        return g.clone()
    g = restored(g, x.shape, c.dim, c.keepdim)
    result = restored(c.result, x.shape, c.dim, c.keepdim)
    if not (x == 0).any().item():
        return g * (result / x).conj()
    return g * _prod_of_others(x, c.dim)


op(
    "prod(Tensor self, *, ScalarType? dtype=None) -> Tensor",
    meta=lambda self, dtype: Out((), sum_dtype(self, dtype)),
    kernel=lambda self, dtype: rounded(_prod_over(self, None, dtype), dtype),
    out="out",
    half=False,
    tags=("rounds",),
    grad={"self": _prod_grad},
    samples="sum",
)
op(
    "prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
    meta=_prod_dim_meta,
    kernel=_prod_dim,
    out="int_out",
    half=False,
    tags=("rounds",),
    grad={"self": _prod_dim_grad},
    samples="prod_dim",
)


# -- truth --------------------------------------------------------------------------------------


def _truth_dtype(self: Any) -> Any:
    # uint8 was torch's boolean once, and still gives uint8 here.
    return uint8 if self.dtype is uint8 else bool_


def _truth(ufunc: Any) -> Any:
    def kernel(self: Any, dim: Any = None, keepdim: bool = False) -> Any:
        axes = tuple(range(self.ndim)) if dim is None else dim
        if isinstance(axes, int):
            axes = (axes,)
        axes = tuple(sorted(wrap_dim(d, self.ndim) for d in axes)) if self.ndim else ()
        values = self if self.dtype.kind == "b" else self != 0
        out = contiguous(np.asarray(ufunc.reduce(values, axes)))
        out = keep(out, self.shape, axes, keepdim)
        if self.dtype.char == "B":
            return out.astype(np.uint8)
        return out.copy() if out is values else out

    return kernel


def _truth_meta(self: Any, dim: Any = None, keepdim: bool = False) -> Out:
    shape = self.shape
    n = len(shape)
    if dim is None or isinstance(dim, int):
        axes = tuple(range(n)) if dim is None else (wrap_dim(dim, n),)
    else:
        axes = all_dims(dim, n) if dim else ()
    return Out(reduced_shape(shape, axes, keepdim), _truth_dtype(self))


for _name, _ufunc in (("any", np.logical_or), ("all", np.logical_and)):
    _kernel = _truth(_ufunc)
    op(
        f"{_name}(Tensor self) -> Tensor",
        meta=_truth_meta,
        kernel=_kernel,
        out="all_out",
        half=False,
        samples="full",
    )
    op(
        f"{_name}.dim(Tensor self, int dim, bool keepdim=False) -> Tensor",
        meta=_truth_meta,
        kernel=_kernel,
        out="out",
        half=False,
        samples="one_dim",
    )
    op(
        f"{_name}.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor",
        meta=_truth_meta,
        kernel=_kernel,
        out="dims_out",
        half=False,
        samples="dims",
    )


def _count_nonzero(self: Any, dim: Any) -> Any:
    axes = all_dims(dim, self.ndim)
    out = np.count_nonzero(self, axis=axes) if axes else (self != 0)
    return np.array(out, np.int64, order="C")


def _count_meta(self: Any, dim: Any) -> Out:
    shape = self.shape
    if dim is None:
        refuse(self.dtype, {"nonzero_count_cpu": UNSIGNED}, self)
    return Out(reduced_shape(shape, all_dims(dim, len(shape)), False), int64)


op(
    "count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor",
    meta=_count_meta,
    kernel=_count_nonzero,
    half=False,
    samples="count_dims",
)
op(
    "count_nonzero(Tensor self, int? dim=None) -> Tensor",
    meta=_count_meta,
    kernel=_count_nonzero,
    half=False,
    samples="count",
)


# -- extremes -----------------------------------------------------------------------------------


def _need_elements(name: str, self: Any, dims: Any) -> tuple[int, ...]:
    """The wrapped dims of an extreme, which has no value over nothing."""
    shape = self.shape
    axes = all_dims(dims, len(shape))
    if 0 in shape:
        if dims is None or (not isinstance(dims, int) and not dims):
            raise RuntimeError(
                f"{name}(): Expected reduction dim to be specified for input.numel() == 0. "
                "Specify the reduction dim with the 'dim' argument."
            )
        for d in axes:
            if shape[d] == 0:
                raise IndexError(f"{name}(): Expected reduction dim {d} to have non-zero size.")
    return axes


def _extreme_meta(name: str, refused: str) -> Any:
    def meta(self: Any, dim: Any = (), keepdim: bool = False) -> Out:
        axes = _need_elements(name, self, dim)
        if self.numel():
            refuse(self.dtype, {refused: COMPLEX | UNSIGNED}, self)
        return Out(reduced_shape(self.shape, axes, keepdim), self.dtype)

    return meta


def _extreme(ufunc: Any) -> Any:
    def kernel(self: Any, dim: Any = (), keepdim: bool = False) -> Any:
        axes = all_dims(dim, self.ndim)
        if not axes:
            return self.copy("C")
        out = contiguous(np.asarray(ufunc.reduce(self, axes)))
        return keep(out, self.shape, axes, keepdim)

    return kernel


def shared_among_equals(
    g: Any, x: Any, result: Any, dims: Any, keepdim: bool, nan: bool = False
) -> Any:
    """The gradient of an extreme, divided among the elements that attain it.

    With *nan*, a NaN result is attained by the NaN elements (torch does so for the full form).
    """
    g = restored(g, x.shape, dims, keepdim)
    result = restored(result, x.shape, dims, keepdim)
    mask = result == x
    if nan and x.is_floating_point():
        mask = mask | (result.isnan() & x.isnan())
    axes = all_dims(dims, x.dim())
    return (g / mask.sum(axes, True)) * mask


for _name, _ufunc in (("max", np.maximum), ("min", np.minimum)):
    op(
        f"{_name}(Tensor self) -> Tensor",
        meta=_extreme_meta(_name, f"{_name}_all"),
        kernel=_extreme(_ufunc),
        half=False,
        out="unary_out",
        grad={"self": lambda g, c: shared_among_equals(g, c.self, c.result, None, False, True)},
        samples="extreme",
    )
    op(
        f"a{_name}(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor",
        meta=_extreme_meta(f"a{_name}", f"{_name}_values_cpu"),
        kernel=_extreme(_ufunc),
        out=True,
        grad={"self": lambda g, c: shared_among_equals(g, c.self, c.result, c.dim, c.keepdim)},
        samples="amax",
    )


def _aminmax_meta(self: Any, dim: int | None, keepdim: bool) -> tuple[Out, Out]:
    shape = self.shape
    axes = all_dims(dim, len(shape))
    if dim is None:
        if 0 in shape:
            raise RuntimeError(
                "aminmax(): cannot compute aminmax over an empty dimension as the operation has "
                "no identity."
            )
    elif shape and shape[axes[0]] == 0:
        raise IndexError(f"aminmax: Expected reduction dim {axes[0]} to have non-zero size.")
    if dim is not None and self.dtype.is_complex and self.device.type != "meta":
        raise RuntimeError(f"aminmax not implemented for {self.dtype.scalar_type}")
    if shape or dim is None:
        refuse(self.dtype, {"aminmax_cpu": COMPLEX | UNSIGNED}, self)
    one = Out(reduced_shape(shape, axes, keepdim), self.dtype)
    return one, one


_min, _max = _extreme(np.minimum), _extreme(np.maximum)


def _aminmax_grad(g: Any, c: Any) -> Any:
    parts = [
        shared_among_equals(one, c.self, result, c.dim, c.keepdim)
        for one, result in ((g[0], c.result0), (g[1], c.result1))
        if one is not None
    ]
    return parts[0] if len(parts) == 1 else parts[0] + parts[1]


op(
    "aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)",
    meta=_aminmax_meta,
    kernel=lambda self, dim, keepdim: (_min(self, dim, keepdim), _max(self, dim, keepdim)),
    out=True,
    grad={"self": _aminmax_grad},
    samples="aminmax",
)


# -- where the extremes are ---------------------------------------------------------------------


def _arg_meta(name: str) -> Any:
    def meta(self: Any, dim: int | None, keepdim: bool) -> Out:
        shape = self.shape
        if self.dtype.is_complex:
            raise RuntimeError(f"{name}(): does not support complex input")
        if self.dtype is bool_:
            raise RuntimeError(f"{name}(): does not support bool input")
        axes = all_dims(dim, len(shape))
        if dim is not None:
            if shape and shape[axes[0]] == 0:
                raise IndexError(
                    f"{name}(): Expected reduction dim {axes[0]} to have non-zero size."
                )
        elif 0 in shape:
            raise IndexError(
                f"{name}(): Expected reduction dim to be specified for input.numel() == 0."
            )
        refuse(self.dtype, {f"{name}_cpu": UNSIGNED}, self)
        return Out(reduced_shape(shape, axes, keepdim), int64)

    return meta


def _arg(function: Any) -> Any:
    def kernel(self: Any, dim: int | None, keepdim: bool) -> Any:
        if not self.ndim:
            return np.zeros((), np.int64)
        if not self.size:
            return np.zeros(
                reduced_shape(self.shape, (wrap_dim(dim or 0, self.ndim),), keepdim), np.int64
            )
        out = contiguous(np.asarray(function(self, axis=dim)))
        axes = all_dims(dim, self.ndim)
        return keep(out, self.shape, axes, keepdim)

    return kernel


def _with_index_meta(name: str) -> Any:
    def meta(self: Any, dim: int, keepdim: bool) -> tuple[Out, Out]:
        shape = self.shape
        d = wrap_dim(dim, len(shape))
        if shape and shape[d] == 0:
            raise IndexError(f"{name}(): Expected reduction dim {d} to have non-zero size.")
        if self.dtype.is_complex:
            raise RuntimeError(f"{name}(): does not support complex input")
        out = reduced_shape(shape, (d,), keepdim)
        return Out(out, self.dtype), Out(out, int64)

    return meta


def _with_index(function: Any) -> Any:
    def kernel(self: Any, dim: int, keepdim: bool) -> tuple[Any, Any]:
        if not self.ndim:
            return self.copy(), np.zeros((), np.int64)
        d = wrap_dim(dim, self.ndim)
        if not self.size:
            shape = reduced_shape(self.shape, (d,), keepdim)
            return np.empty(shape, self.dtype), np.empty(shape, np.int64)
        where = contiguous(function(self, axis=d, keepdims=True))
        values = contiguous(np.take_along_axis(self, where, d))
        if keepdim:
            return values, where
        shape = reduced_shape(self.shape, (d,), False)
        return values.reshape(shape), where.reshape(shape)

    return kernel


def selected_grad(g: Any, dim: int, indices: Any, shape: Sequence[int], keepdim: bool) -> Any:
    """Gradient of an op that picks one element per row: put it where the element was."""
    if not keepdim and len(shape):
        g, indices = g.unsqueeze(dim), indices.unsqueeze(dim)
    return g.new_zeros(shape).scatter(dim, indices, g)


op(
    "value_selecting_reduction_backward(Tensor grad, int dim, Tensor indices, SymInt[] sizes, "
    "bool keepdim) -> Tensor",
    composite=lambda g, dim, indices, sizes, keepdim: selected_grad(
        g, dim, indices, sizes, keepdim
    ),
    variants="",
)


for _name, _arg_function in (("max", np.argmax), ("min", np.argmin)):
    op(
        f"{_name}.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
        meta=_with_index_meta(_name),
        kernel=_with_index(_arg_function),
        half=False,
        out=f"dim_{_name}",
        grad={"self": lambda g, c: selected_grad(g[0], c.dim, c.result1, c.self.shape, c.keepdim)},
        samples="max_dim",
    )
    op(
        f"arg{_name}(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
        meta=_arg_meta(f"arg{_name}"),
        kernel=_arg(_arg_function),
        out=True,
        samples="argmax",
    )

op(
    "max.other(Tensor self, Tensor other) -> Tensor",
    composite=lambda self, other: ops.maximum(self, other),
    out="out",
    out_kernel=lambda target, *args: ops.maximum(*args, out=target),
    samples="binary_real",
)
op(
    "min.other(Tensor self, Tensor other) -> Tensor",
    composite=lambda self, other: ops.minimum(self, other),
    out="out",
    out_kernel=lambda target, *args: ops.minimum(*args, out=target),
    samples="binary_real",
)
