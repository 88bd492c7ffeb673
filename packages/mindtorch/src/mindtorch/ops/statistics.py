"""Reductions that need more than one pass: variance, norms, log-sum-exp, median, mode."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from mindtorch.errors import in_place_shape
from mindtorch.ops.call import ops
from mindtorch.ops.dims import all_dims, contiguous, reduced_shape, scalar_name, wrap_dim
from mindtorch.ops.meta import BOOL, COMPLEX, UNSIGNED, refuse
from mindtorch.ops.reduction import keep, restored, rounded, selected_grad
from mindtorch.ops.row import Out, op
from mindtorch.ops.scalars import checked
from mindtorch.ops.summation import sum_over
from mindtorch.warning import warn, warn_resized
from mindtorch_storage.dtype import float64, get_default_dtype, int64

__all__: list[str] = []


# -- variance -----------------------------------------------------------------------------------


def _moments(self: Any, dim: Any, correction: Any, keepdim: bool) -> tuple[Any, Any]:
    """Variance and mean. Two passes, and what the rounded mean leaves is taken off again."""
    axes = sorted(all_dims(dim, self.ndim))
    count = 1
    for d in axes:
        count *= self.shape[d]
    correction = 1 if correction is None else correction
    mean = sum_over(self, axes)
    mean = mean / count if count else np.full_like(mean, np.nan)
    mean = np.asarray(mean, self.dtype)
    off = self - keep(mean, self.shape, axes, True)
    rest = sum_over(off, axes)
    if self.dtype.kind == "c":
        square = off.real * off.real + off.imag * off.imag
        total = sum_over(square, axes)
        total = total - (rest.real * rest.real + rest.imag * rest.imag) / max(count, 1)
    else:
        total = sum_over(off * off, axes)
        total = total - rest * rest / max(count, 1)
    free = max(count - correction, 0)
    real = np.dtype(
        "f" if self.dtype.char == "F" else "d" if self.dtype.char == "D" else self.dtype
    )
    total = np.maximum(total, 0) if count else total
    var = np.asarray(total / real.type(free) if free else total / real.type(0), real)
    mean = mean + np.where(np.isfinite(rest), rest / max(count, 1), 0).astype(self.dtype)
    if self.dtype.kind == "f" and not np.isfinite(mean).all():
        mean = np.where(_spoiled(self, axes, mean), self.dtype.type(np.nan), mean)
    shape = self.shape
    return keep(var, shape, axes, keepdim), keep(np.asarray(mean), shape, axes, keepdim)


def _spoiled(a: Any, axes: Sequence[int], mean: Any) -> Any:
    """Where an infinite mean is NaN in torch: its running mean loses an infinity as soon as
    another element follows, because the next difference is infinite too."""
    rest = [d for d in range(a.ndim) if d not in axes]
    rows = a.transpose(*rest, *axes).reshape(*mean.shape, -1)
    return np.isinf(mean) & np.isinf(rows[..., :-1]).any(-1)


def _moments_shape(self: Any, dim: Any, keepdim: bool, who: str) -> tuple[tuple[int, ...], Any]:
    if not (self.dtype.is_floating_point or self.dtype.is_complex):
        raise RuntimeError(f"{who} only support floating point and complex dtypes")
    shape = self.shape
    out = reduced_shape(shape, all_dims(dim, len(shape)), keepdim)
    return out, self.dtype.to_real() if self.dtype.is_complex else self.dtype


def _var_meta(self: Any, dim: Any, correction: Any, keepdim: bool) -> Out:
    checked(correction or 0, float64)
    return Out(*_moments_shape(self, dim, keepdim, "std and var"))


def _pair_meta(name: str) -> Any:
    def meta(self: Any, dim: Any, correction: Any, keepdim: bool) -> tuple[Out, Out]:
        checked(correction or 0, float64)
        shape, real = _moments_shape(self, dim, keepdim, name)
        return Out(shape, real), Out(shape, self.dtype)

    return meta


def _count(shape: Sequence[int], dim: Any) -> int:
    n = 1
    for d in all_dims(dim, len(shape)):
        n *= shape[d]
    return n


def _check_degrees(name: str, shape: Sequence[int], dim: Any, correction: Any) -> None:
    """Warn where fewer numbers are left than parameters are estimated.

    Source: torch aten/src/ATen/native/ReduceOps.cpp, warn_invalid_degrees_of_freedom.
    """
    axes = all_dims(dim, len(shape))
    kept = math.prod([n for d, n in enumerate(shape) if d not in axes])
    if (_count(shape, axes) if kept else 0) <= (1 if correction is None else correction):
        warn(
            f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than the "
            "reduction factor (input numel divided by output numel)."
        )


def _warning_meta(name: str, meta: Any, real: bool = True) -> Any:
    """*meta*, which warns too: for complex numbers twice, since torch takes each part by itself."""

    def call(self: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
        out = meta(self, dim, correction, keepdim)
        if self.device.type != "meta":
            for _ in range(2 if self.dtype.is_complex else int(real)):
                _check_degrees(name, self.shape, dim, correction)
        return out

    return call


def _out_meta(name: str, meta: Any) -> Any:
    quiet = _warning_meta(name, meta, real=False)
    return lambda target, *args: quiet(*args)


def _warning_kernel(name: str, kernel: Any) -> Any:
    """*kernel* for ``out=``: torch warns of real numbers when that has its shape."""

    def call(target: Any, self: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
        if self.dtype.kind != "c":
            _check_degrees(name, self.shape, dim, correction)
        return kernel(self, dim, correction, keepdim)

    return call


def _var_back(g: Any, x: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    axes = all_dims(dim, x.dim())
    free = _count(x.shape, dim) - (1 if correction is None else correction)
    g = restored(g, x.shape, dim, keepdim)
    if free <= 0 and (dim is None or not x.dim()):  # no gradient goes to x from here
        return g * ops.where(x == x.mean(axes, True), math.nan, math.inf)
    centred = x - x.mean(axes, True)
    if free <= 0:  # NaN or inf, as in torch
        return g * ((2.0 / free if free else math.inf) * centred)
    return (2.0 / free * g) * centred


def _var_of_std(g: Any, std: Any) -> Any:
    return (g / (std * 2)).masked_fill(std == 0, 0)


def _mean_back(g: Any, shape: Sequence[int], dim: Any, keepdim: bool) -> Any:
    return restored(g, shape, dim, keepdim).expand(shape) / _count(shape, dim)


def _sum_of(parts: list[Any]) -> Any:
    return parts[0] if len(parts) == 1 else parts[0] + parts[1]


def _var_mean_grad(g: Any, c: Any) -> Any:
    parts = []
    if g[0] is not None:
        parts.append(_var_back(g[0], c.self, c.dim, c.correction, c.keepdim))
    if g[1] is not None:
        parts.append(_mean_back(g[1], c.self.shape, c.dim, c.keepdim))
    return _sum_of(parts)


def _std_mean_grad(g: Any, c: Any) -> Any:
    parts = []
    if g[0] is not None:
        back = _var_of_std(g[0], c.result0)
        parts.append(_var_back(back, c.self, c.dim, c.correction, c.keepdim))
    if g[1] is not None:
        parts.append(_mean_back(g[1], c.self.shape, c.dim, c.keepdim))
    return _sum_of(parts)


def _var_grad(g: Any, c: Any) -> Any:
    return _var_back(g, c.self, c.dim, c.correction, c.keepdim)


def _std_grad(g: Any, c: Any) -> Any:
    return _var_back(_var_of_std(g, c.result), c.self, c.dim, c.correction, c.keepdim)


def _std_mean(self: Any, dim: Any, correction: Any, keepdim: bool) -> tuple[Any, Any]:
    var, mean = _moments(self, dim, correction, keepdim)
    return np.asarray(np.sqrt(var)), mean


for _name, _kernel, _meta, _grad, _result in (
    (
        "var",
        lambda *args: _moments(*args)[0],
        _var_meta,
        _var_grad,
        "Tensor",
    ),
    (
        "std",
        lambda *args: _std_mean(*args)[0],
        _var_meta,
        _std_grad,
        "Tensor",
    ),
    ("var_mean", _moments, _pair_meta("var_mean"), _var_mean_grad, "(Tensor, Tensor)"),
    ("std_mean", _std_mean, _pair_meta("std_mean"), _std_mean_grad, "(Tensor, Tensor)"),
):
    _where = "function" if "mean" in _name else "function, method"

    def _unbiased(self: Any, unbiased: bool, _name: str = _name) -> Any:
        return getattr(ops, _name)(self, dim=None, correction=1 if unbiased else 0)

    def _unbiased_dim(
        self: Any, dim: Any, unbiased: bool, keepdim: bool, _name: str = _name
    ) -> Any:
        function = getattr(ops, _name)
        return function(self, dim=dim, correction=1 if unbiased else 0, keepdim=keepdim)

    def _unbiased_dim_onto(
        target: Any, self: Any, dim: Any, unbiased: bool, keepdim: bool, _name: str = _name
    ) -> None:
        function = getattr(ops, _name)
        function(self, dim=dim, correction=1 if unbiased else 0, keepdim=keepdim, out=target)

    op(
        f"{_name}(Tensor self, bool unbiased=True) -> {_result}",
        composite=_unbiased,
        variants=_where,
        samples="var",
    )
    op(
        f"{_name}.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False)"
        f" -> {_result}",
        composite=_unbiased_dim,
        variants=_where,
        out="out" if "mean" not in _name else "",
        out_kernel=None if "mean" in _name else _unbiased_dim_onto,
        samples="var_dim",
    )
    op(
        f"{_name}.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, "
        f"bool keepdim=False) -> {_result}",
        meta=_warning_meta(_name, _meta),
        kernel=_kernel,
        variants=_where,
        out_meta=_out_meta(_name, _meta),
        out_kernel=_warning_kernel(_name, _kernel),
        out="correction_out",
        grad={"self": _grad},
        samples="var_correction",
    )


# -- norms --------------------------------------------------------------------------------------


def _norm_over(a: Any, p: Any, axes: Sequence[int]) -> Any:
    if not axes and p != 0:
        return np.abs(a)
    if p == math.inf or p == -math.inf:
        ufunc = np.maximum if p > 0 else np.minimum
        return contiguous(np.asarray(ufunc.reduce(np.abs(a), tuple(axes))))
    if p == 0:
        real = np.abs(a).dtype
        return sum_over((a != 0).astype(real), axes)
    if p == 2:
        if a.dtype.kind == "c":
            square = a.real * a.real + a.imag * a.imag
            return np.asarray(np.sqrt(sum_over(square, axes)))
        return np.asarray(np.sqrt(sum_over(a * a, axes)))
    if p == 1:
        return sum_over(np.abs(a), axes)
    return np.asarray(np.power(sum_over(np.power(np.abs(a), p), axes), 1.0 / p))


def _vector_norm(self: Any, p: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    axes = sorted(all_dims(dim, self.ndim))
    a = self
    if dtype is not None and dtype.name not in ("float16", "bfloat16"):
        a = a.astype(dtype.np, copy=False)
    out = contiguous(np.asarray(_norm_over(a, p, axes)))
    if out.dtype == np.float64 and a.dtype.char in "fF":
        out = out.astype(np.float32)
    out = keep(out, self.shape, axes, keepdim)
    return rounded(out, dtype) if dtype is not None and not dtype.is_complex else out


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
        _check_norm_dtype(own, dtype)
    shape = self.shape
    axes = all_dims(dim, len(shape))
    if 0 in shape and (p < 0 or p == math.inf):
        word = _number(p)
        if dim is None or not (isinstance(dim, int) or len(dim)):
            raise RuntimeError(
                f"linalg.vector_norm cannot compute the {word} norm on an empty tensor because "
                "the operation does not have an identity"
            )
        for d in axes:
            if shape[d] == 0:
                raise RuntimeError(
                    f"linalg.vector_norm cannot compute the {word} norm on the dimension {d}"
                    "because this dimension is empty and the operation does not have an identity"
                )
    kind = own if dtype is None else dtype
    if kind.is_complex:
        kind = kind.to_real()
    return Out(reduced_shape(shape, axes, keepdim), kind)


def _check_norm_dtype(own: Any, dtype: Any) -> None:
    who = "linalg.vector_norm"
    if not (dtype.is_floating_point or dtype.is_complex):
        raise RuntimeError(
            f"{who}: dtype should be floating point or complex, but got {scalar_name(dtype)}"
        )
    if own.is_complex != dtype.is_complex:
        kind = "complex" if own.is_complex else "real"
        raise RuntimeError(
            f"{who}: dtype should be {kind} for {kind} inputs, but got {scalar_name(dtype)}"
        )
    from mindtorch_storage.promotion import promote_types

    if promote_types(own, dtype) is not dtype:
        raise RuntimeError(
            f"{who}: the dtype of the input ({scalar_name(own)}) should be convertible without "
            f"narrowing to the specified dtype ({scalar_name(dtype)})"
        )


def _number(p: Any) -> str:
    return "inf" if p == math.inf else "-inf" if p == -math.inf else f"{p:g}"


def norm_grad(g: Any, x: Any, p: Any, norm: Any, dim: Any, keepdim: bool) -> Any:
    """Gradient of a p-norm; where the norm has a corner, the subgradient that torch takes."""
    if p == 0.0:
        return None
    if x.dim():
        g = restored(g, x.shape, dim, keepdim)
        norm = restored(norm, x.shape, dim, keepdim)
    if p == 1.0:
        return x.sgn() * g
    if p == 2.0:
        return g * (x / norm).masked_fill(norm == 0, 0)
    if p in (math.inf, -math.inf):
        size = x.abs()
        mask = (size == norm) | (size.isnan() & norm.isnan())
        axes = all_dims(dim, x.dim())
        count = mask.sum(axes, True) if x.dim() else mask.sum()
        return x.sgn() * ((g / count) * mask)
    if p < 1.0:
        scaled = (x.sgn() * x.abs().pow(p - 1.0)).masked_fill(x == 0, 0)
        return scaled * g * norm.pow(1.0 - p)
    if p < 2.0:
        scaled = x.sgn() * x.abs().pow(p - 1.0)
        return scaled * (g / norm.pow(p - 1.0)).masked_fill(norm == 0, 0)
    scaled = x * x.abs().pow(p - 2.0)
    return scaled * (g / norm.pow(p - 1.0)).masked_fill(norm == 0, 0)


op(
    "linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, "
    "ScalarType? dtype=None) -> Tensor",
    meta=_vector_norm_meta,
    kernel=_vector_norm,
    variants="",
    out=True,
    grad={"self": lambda g, c: norm_grad(g, c.self, c.ord, c.result, c.dim, c.keepdim)},
    samples="vector_norm",
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


def _norm(self: Any, p: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    return _vector_norm(self, 2 if p is None else p, dim, keepdim, dtype)


op(
    "norm.Scalar(Tensor self, Scalar p=2) -> Tensor",
    meta=lambda self, p: _norm_meta(self, p, (), False, None),
    kernel=lambda self, p: _norm(self, p, (), False, None),
    grad={"self": lambda g, c: norm_grad(g, c.self, c.p, c.result, (), False)},
    samples="norm",
)
op(
    "norm.ScalarOpt_dtype(Tensor self, Scalar? p, *, ScalarType dtype) -> Tensor",
    meta=lambda self, p, dtype: _norm_meta(self, p, (), False, dtype),
    kernel=lambda self, p, dtype: _norm(self, p, (), False, dtype),
    grad={
        "self": lambda g, c: norm_grad(
            g, c.self.to(g.dtype), 2 if c.p is None else c.p, c.result, (), False
        )
    },
    samples="norm_dtype",
)
op(
    "norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor",
    meta=lambda self, p, dim, keepdim: _norm_meta(self, p, dim, keepdim, None),
    kernel=lambda self, p, dim, keepdim: _norm(self, p, dim, keepdim, None),
    out="out",
    grad={
        "self": lambda g, c: norm_grad(
            g, c.self, 2 if c.p is None else c.p, c.result, c.dim, c.keepdim
        )
    },
    samples="norm_dim",
)
op(
    "norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, "
    "ScalarType dtype) -> Tensor",
    meta=_norm_meta,
    kernel=_norm,
    out="dtype_out",
    grad={
        "self": lambda g, c: norm_grad(
            g, c.self.to(g.dtype), 2 if c.p is None else c.p, c.result, c.dim, c.keepdim
        )
    },
    samples="norm_dim_dtype",
)


# -- log of a sum of exponentials ---------------------------------------------------------------


def _logsumexp(self: Any, dim: Any, keepdim: bool, real_sum: bool = False) -> Any:
    """With *real_sum* (a real ``out``) the imaginary part of the sum is dropped before its log."""
    if self.dtype.kind in "iub":
        self = self.astype(get_default_dtype().np)
    elif self.dtype.itemsize == 2:
        return _logsumexp_half(self, dim, keepdim)
    axes = sorted(all_dims(dim, self.ndim))
    if not axes:
        if self.dtype.kind != "c":
            return self.copy("C")
        total = np.exp(self)
        return np.asarray(np.log(total.real if real_sum else total))
    real = self.real if self.dtype.kind == "c" else self
    top = np.asarray(np.maximum.reduce(real, tuple(axes), keepdims=True, initial=-np.inf))
    top = np.where(np.isinf(top), real.dtype.type(0), top)
    total = sum_over(np.exp(self - top), axes)
    total = total.real if real_sum else total
    out = np.asarray(np.log(total)) + top.reshape(total.shape)
    dtype = real.dtype if real_sum else self.dtype
    return keep(contiguous(np.asarray(out, dtype)), self.shape, axes, keepdim)


def _logsumexp_half(self: Any, dim: Any, keepdim: bool) -> Any:
    """torch rounds each step to float16 or bfloat16."""

    def step(x: Any) -> Any:
        return np.asarray(x).astype(self.dtype).astype(np.float32)

    axes = sorted(all_dims(dim, self.ndim))
    if not axes:
        return self.copy("C")
    wide = self.astype(np.float32)
    top = np.asarray(np.maximum.reduce(wide, tuple(axes), keepdims=True, initial=-np.inf))
    top = np.where(np.isinf(top), np.float32(0), top)
    total = step(sum_over(step(np.exp(step(wide - top))), axes))
    out = step(step(np.log(total)) + top.reshape(total.shape))
    return keep(contiguous(np.asarray(out, self.dtype)), self.shape, axes, keepdim)


def _logsumexp_meta(self: Any, dim: Any, keepdim: bool) -> Out:
    own = self.dtype
    kind = own if own.is_floating_point or own.is_complex else get_default_dtype()
    shape = self.shape
    if shape and not keepdim and not isinstance(dim, int) and not len(dim):
        raise in_place_shape((), (1,) * len(shape))  # torch adds the maxima, which kept their dims
    return Out(reduced_shape(shape, all_dims(dim, len(shape)), keepdim), kind)


def _logsumexp_onto(target: Any, self: Any, dim: Any, keepdim: bool) -> Out:
    to = target.dtype
    if not (to.is_floating_point or to.is_complex):
        raise RuntimeError(
            "logsumexp(): Expected floating point type for result tensor, but got: "
            f"{scalar_name(to)}"
        )
    return Out(_logsumexp_meta(self, dim, keepdim).shape, to)


def _logsumexp_grad(g: Any, c: Any) -> Any:
    x = c.self
    g = restored(g, x.shape, c.dim, c.keepdim)
    result = restored(c.result, x.shape, c.dim, c.keepdim)
    return g * (x - result).exp().conj()


op(
    "logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
    meta=_logsumexp_meta,
    kernel=_logsumexp,
    half=False,
    tags=("rounds",),
    out=True,
    out_meta=_logsumexp_onto,
    out_kernel=lambda target, self, dim, keepdim: _logsumexp(
        self, dim, keepdim, target.dtype.kind != "c"
    ),
    grad={"self": _logsumexp_grad},
    samples="logsumexp",
)


# -- the middle, the most frequent --------------------------------------------------------------


def _middle(a: Any, axis: int, nan: bool) -> Any:
    """Where the lower median of each row is; NaN first in line unless *nan* passes over it."""
    order = np.argsort(a, axis=axis, kind="stable")
    n = a.shape[axis]
    if a.dtype.kind != "f":
        return np.take(order, [(n - 1) // 2], axis)
    missing = np.isnan(a).sum(axis, keepdims=True)
    if nan:
        place = np.maximum(n - missing - 1, 0) // 2
    else:
        # numpy sorts NaN to the end; a row that has one gives the first of them.
        place = np.where(missing > 0, n - missing, (n - 1) // 2)
    return np.take_along_axis(order, place, axis)


def _median(nan: bool) -> Any:
    def kernel(self: Any) -> Any:
        if not self.size:
            empty = np.nan if self.dtype.kind == "f" else np.iinfo(self.dtype).min
            return np.array(empty, self.dtype)
        flat = self.reshape(-1)
        return flat[_middle(flat, 0, nan)].reshape(())

    return kernel


def _median_dim(nan: bool) -> Any:
    def kernel(self: Any, dim: int, keepdim: bool) -> tuple[Any, Any]:
        if not self.ndim:
            return self.copy(), np.zeros((), np.int64)
        d = wrap_dim(dim, self.ndim)
        shape = reduced_shape(self.shape, (d,), keepdim)
        if not self.size:
            return np.empty(shape, self.dtype), np.empty(shape, np.int64)
        where = _middle(self, d, nan)
        values = np.take_along_axis(self, where, d)
        return contiguous(values.reshape(shape)), contiguous(where.reshape(shape))

    return kernel


def _median_meta(self: Any) -> Out:
    refuse(self.dtype, {"median_cpu": COMPLEX | UNSIGNED | BOOL}, self)
    return Out((), self.dtype)


def _median_dim_meta(name: str) -> Any:
    def meta(self: Any, dim: int, keepdim: bool) -> tuple[Out, Out]:
        shape = self.shape
        d = wrap_dim(dim, len(shape))
        if shape and shape[d] == 0:
            raise IndexError(f"{name}(): Expected reduction dim {d} to have non-zero size.")
        refuse(self.dtype, {"median_out": COMPLEX | UNSIGNED | BOOL}, self)
        out = reduced_shape(shape, (d,), keepdim)
        return Out(out, self.dtype), Out(out, int64)

    return meta


def _median_dim_onto(target: Any, self: Any, dim: int, keepdim: bool) -> tuple[Out, Out]:
    """Source: torch aten/src/ATen/native/Sorting.cpp, median_with_indices_impl."""
    values, indices = target
    if indices.dtype is not int64:
        found = "CPUBoolType" if indices.dtype.name == "bool" else indices.type()
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have scalar type Long; but got "
            f"{found} instead (while checking arguments for median)"
        )
    if values.dtype is not self.dtype:
        raise RuntimeError(
            "Expected tensor for 'values' to have the same type as tensor for argument #2 'self'; "
            f"but type {values.type()} does not equal {self.type()} (while checking arguments for "
            "median)"
        )
    return _median_dim_meta("median")(self, dim, keepdim)  # type: ignore[no-any-return]


def _median_grad(g: Any, c: Any) -> Any:
    x, result = c.self, c.result
    mask = (x == result) | (x.isnan() & result.isnan())
    return (g / mask.sum()) * mask


for _name, _nan in (("median", False), ("nanmedian", True)):
    op(
        f"{_name}(Tensor self) -> Tensor",
        meta=_median_meta,
        kernel=_median(_nan),
        grad={"self": _median_grad},
        samples="median",
    )
    op(
        f"{_name}.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
        meta=_median_dim_meta("median"),
        kernel=_median_dim(_nan),
        out="dim_values",
        out_meta=_median_dim_onto,
        grad={"self": lambda g, c: selected_grad(g[0], c.dim, c.result1, c.self.shape, c.keepdim)},
        samples="median_dim",
    )


def _mode(self: Any, dim: int, keepdim: bool) -> tuple[Any, Any]:
    if not self.ndim:
        return self.copy(), np.zeros((), np.int64)
    d = wrap_dim(dim, self.ndim)
    shape = reduced_shape(self.shape, (d,), keepdim)
    if not self.size:
        return np.empty(shape, self.dtype), np.empty(shape, np.int64)
    rows = np.moveaxis(self, d, -1)
    n = rows.shape[-1]
    order = np.argsort(rows, axis=-1, kind="stable")
    sorted_rows = np.take_along_axis(rows, order, -1)
    starts = np.ones(rows.shape, bool)
    starts[..., 1:] = sorted_rows[..., 1:] != sorted_rows[..., :-1]
    # Length of the run of equal values up to each place; the longest run's first maximum wins.
    places = np.arange(n)
    run = places - np.maximum.accumulate(np.where(starts, places, 0), axis=-1)
    best = run.argmax(-1)[..., None]
    where = np.take_along_axis(order, best, -1)[..., 0]
    values = np.take_along_axis(sorted_rows, best, -1)[..., 0]
    return contiguous(values.reshape(shape)), contiguous(where.reshape(shape))


def resizing(meta: Any, *, always: bool) -> Any:
    """The ``out_meta`` of an op that works with the reduced dim in place and drops it afterwards.

    :param always: the targets get that dim whatever they are; else only where they lack just one.
    """

    def out_meta(targets: Any, self: Any, *args: Any) -> tuple[Out, Out]:
        outs = meta(self, *args)
        dim, keepdim = args[-2:]
        shape = tuple(self.shape)
        if always and not shape:
            return outs  # type: ignore[no-any-return]
        d = wrap_dim(dim, len(shape))
        kept = reduced_shape(shape, (d,), True)
        for t in targets:
            have = tuple(t.shape)
            if not keepdim and (always or len(have) == len(shape) - 1):
                have = (*have[:d], 1, *have[d:])
            if have != kept and t.numel():
                warn_resized(have, kept)
        return outs  # type: ignore[no-any-return]

    return out_meta


def _mode_meta(self: Any, dim: int, keepdim: bool) -> tuple[Out, Out]:
    shape = self.shape
    d = wrap_dim(dim, len(shape))
    if shape and shape[d] == 0:
        raise IndexError(f"mode(): Expected reduction dim {d} to have non-zero size.")
    if shape:
        refuse(self.dtype, {"mode_cpu": COMPLEX | UNSIGNED}, self)
    out = reduced_shape(shape, (d,), keepdim)
    return Out(out, self.dtype), Out(out, int64)


op(
    "mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)",
    meta=_mode_meta,
    kernel=_mode,
    out="values",
    out_meta=resizing(_mode_meta, always=True),
    grad={"self": lambda g, c: selected_grad(g[0], c.dim, c.result1, c.self.shape, c.keepdim)},
    samples="mode",
)
