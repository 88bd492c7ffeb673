"""Variance and standard deviation, with and without the mean."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from mindtorch_storage.dtype import float64
from mindtorch_storage.promotion import can_cast

from mindtorch.aten.reduction import restored
from mindtorch.aten.scalars import checked
from mindtorch.aten.summation import sums
from mindtorch.call.elementwise_meta import COMPLEX, refuse_array
from mindtorch.call.forms import Corrected, OutForm
from mindtorch.call.row import Out, op
from mindtorch.core.dims import all_dims, reduced_shape
from mindtorch.core.operators import of, ops
from mindtorch.core.warning import warn, warn_resized
from mindtorch.tensor.resizing import resize_out

from .tangent_rules import zero_at_zero

__all__: list[str] = []

_REAL: Final = {"F": np.dtype(np.float32), "D": np.dtype(np.float64)}


#: Below this many terms a product with a vector is as exact as a sum by blocks.
_FEW: Final = 1024


def _quotients(
    like: Any, axes: Sequence[int], kept: tuple[int, ...], divisor: Any
) -> Callable[[Any], Any]:
    """What divides the sums over *axes* of arrays like *like* by *divisor*, which is no tensor."""
    n, dtype = math.prod([like.shape[d] for d in axes]), like.dtype
    if like.ndim == 2 and len(axes) == 1 and n <= _FEW and dtype.char in "fd" and divisor:
        shares = np.full((1, n), 1 / divisor, dtype)
        column = shares.T
        return (lambda a: a.dot(column)) if axes[0] else shares.dot
    total, number, divide = sums(like, axes, kept), np.array(divisor, dtype), np.divide

    def quotients(a: Any) -> Any:
        found = total(a)
        return divide(found, number, found)

    return quotients


def _moments(root: bool, pair: bool) -> Callable[..., Callable[..., Any]]:
    """``prepare`` of the variance, or of its *root*; with the mean, where a *pair* is wanted.

    Two passes, and what the rounded mean leaves is taken off again.
    """

    def prepare(self: Any, dim: Any, correction: Any, keepdim: bool) -> Callable[..., Any]:
        sizes = self.shape or (1,)
        axes = sorted(all_dims(dim, self.ndim)) if self.ndim else [0]
        kept = reduced_shape(sizes, axes, True)
        shape = kept if keepdim and self.ndim else reduced_shape(self.shape, axes, False)
        count = math.prod([sizes[d] for d in axes])
        if axes[0] == len(sizes) - len(axes):  # all others are rows
            sizes, axes = (math.prod(sizes[: axes[0]]), count), [1]
            kept = (sizes[0], 1)
        elif axes[-1] == len(axes) - 1:  # all others are columns
            sizes, axes = (count, math.prod(sizes[len(axes) :])), [0]
            kept = (1, sizes[1])
        free = max(count - (1 if correction is None else correction), 0) if count else 0
        dtype, is_complex = self.dtype, self.dtype.kind == "c"
        total, mean_of = (_quotients(np.empty(sizes, dtype), axes, kept, n) for n in (1, count))
        of_squares = _quotients(np.empty(sizes, _REAL.get(dtype.char, dtype)), axes, kept, free)
        number, zeros = np.array(count, dtype), np.zeros(math.prod(kept), dtype)
        sqrt, subtract, multiply, divide = np.sqrt, np.subtract, np.multiply, np.divide
        numbers, seen = zeros.size, sizes if sizes != self.shape else None

        def kernel(self: Any, *_: Any) -> Any:
            if seen:
                self = self.reshape(seen)
            mean = total(self)
            divide(mean, number, mean)  # of equal numbers it is that number itself
            off = subtract(self, mean)
            rest = mean_of(off)
            subtract(off, rest, off)
            if is_complex:
                var = of_squares(off.real * off.real + off.imag * off.imag)
            else:
                var = of_squares(multiply(off, off, off))
            if root:
                sqrt(var, var)
            var = var.reshape(shape)
            if not pair:
                return var
            if rest.reshape(numbers).dot(zeros) == 0:  # all are finite
                mean += rest
            else:
                mean += np.where(np.isfinite(rest), rest, 0)
                if not is_complex:
                    mean[_spoiled(self, axes, mean)] = np.nan
            return var, mean.reshape(shape)

        return kernel

    return prepare


def _spoiled(a: Any, axes: Sequence[int], mean: Any) -> Any:
    """Where an infinite mean is NaN in torch: its running mean loses an infinity as soon as
    another element follows, because the next difference is infinite too."""
    rest = [d for d in range(a.ndim) if d not in axes]
    count = math.prod([a.shape[d] for d in axes])
    rows = a.transpose(*rest, *axes).reshape(*mean.shape, count)
    return np.isinf(mean) & np.isinf(rows[..., :-1]).any(-1)


def _moments_shape(self: Any, dim: Any, keepdim: bool, who: str) -> tuple[tuple[int, ...], Any]:
    whole = not (self.dtype.is_floating_point or self.dtype.is_complex)
    if whole and (self.device.type != "meta" or "mean" in who):
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


def _degrees(name: str, meta: Any) -> Any:
    """The warnings of a call: for complex numbers two, since torch takes each part by itself.

    What *meta* refuses, it refuses first.
    """

    def warns(self: Any, dim: Any, correction: Any, keepdim: bool) -> None:
        shape = self._a_.shape
        if dim is None or len(dim) == 1 and -len(shape) <= dim[0] < len(shape):
            count = self._a_.size if dim is None else shape[dim[0]]
            if self._a_.size and count > (1 if correction is None else correction):
                return
        meta(self, dim, correction, keepdim)
        for _ in range(2 if self.dtype.is_complex else 1):
            _check_degrees(name, self.shape, dim, correction)

    return warns


def _out_meta(name: str, meta: Any) -> Any:
    def call(target: Any, *args: Any) -> Any:
        out = meta(*args)
        self = args[0]
        if target.device != self.device:
            return out  # refused, and so is a dtype that takes no floats: of real numbers late
        fits = can_cast(out.dtype, target.dtype)
        if not self.dtype.is_complex:
            if not fits:
                resize_out(target, out)
        elif fits and self.device.type != "meta":
            _degrees(name, meta)(*args)
            if target.dtype.is_complex and target.numel() and tuple(target.shape) != out.shape:
                warn_resized(target.shape, out.shape)  # the real part is one more target
        return out

    return call


def _warning_kernel(name: str, prepare: Any) -> Any:
    """The kernel of *prepare* for ``out=``: torch warns of real numbers when that has its shape."""

    def call(target: Any, self: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
        if self.dtype.kind != "c":
            _check_degrees(name, self.shape, dim, correction)
            if target.size > 1 and self.size:  # a single number comes from a kernel of its own
                refuse_array(target, {"std_cpu": COMPLEX})
        args = self, dim, correction, keepdim
        return prepare(*args)(*args)

    return call


def _var_back(g: Any, x: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    """Source: torch csrc/autograd/FunctionsManual.cpp, var_backward."""
    correction = 1 if correction is None else correction
    if dim is None or not x.dim():
        free = x.numel() - correction
        if free <= 0:  # no gradient goes to x from here
            return g * ops.where(x == x.mean(), math.nan, math.inf)
        centred = x - x.mean()
        return (2.0 / free * g) * centred
    if x.dim() > 1:
        g = restored(g, x.shape, dim, keepdim)
    # An empty list of dims means all, but counts as one element here.
    free = (_count(x.shape, dim) if isinstance(dim, int) or len(dim) else 1) - correction
    centred = x - of("mean.dim")(x, dim, True)
    return ((2.0 / free if free else math.inf) * g) * centred


def _var_of_std(g: Any, std: Any) -> Any:
    return (g / (std * 2)).masked_fill_(std == 0, 0)


def _mean_back(g: Any, shape: Sequence[int], dim: Any, keepdim: bool) -> Any:
    if dim is None:
        return g.expand(shape) / _count(shape, dim)
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


for _name, _prepare, _meta, _grad, _result, _says in (
    (
        "var",
        _moments(False, False),
        _var_meta,
        _var_grad,
        "Tensor",
        """Return the variance, over all dimensions or the given ones.
        By default the sum of squares is divided by n - 1; floating-point and complex dtypes
        only.

        >>> torch.var(torch.tensor([1., 2., 3.]))
        tensor(1.)
        >>> torch.var(torch.tensor([1., 2., 3.]), correction=0)
        tensor(0.6667)
        """,
    ),
    (
        "std",
        _moments(True, False),
        _var_meta,
        _std_grad,
        "Tensor",
        """Return the standard deviation, over all dimensions or the given ones.
        By default the sum of squares is divided by n - 1; floating-point and complex dtypes
        only.

        >>> torch.std(torch.tensor([1., 2., 3.]))
        tensor(1.)
        """,
    ),
    (
        "var_mean",
        _moments(False, True),
        _pair_meta("var_mean"),
        _var_mean_grad,
        "(Tensor, Tensor)",
        "Return the variance and the mean, over all dimensions or the given ones.",
    ),
    (
        "std_mean",
        _moments(True, True),
        _pair_meta("std_mean"),
        _std_mean_grad,
        "(Tensor, Tensor)",
        "Return the standard deviation and the mean, over all dimensions or the given ones.",
    ),
):
    _where = "function" if "mean" in _name else "function, method"

    def _unbiased(self: Any, unbiased: bool, _name: str = _name) -> Any:
        return of(f"{_name}.correction")(self, None, 1 if unbiased else 0, False)

    def _unbiased_dim(
        self: Any, dim: Any, unbiased: bool, keepdim: bool, _name: str = _name
    ) -> Any:
        return of(f"{_name}.correction")(self, dim, 1 if unbiased else 0, keepdim)

    def _unbiased_dim_onto(
        target: Any, self: Any, dim: Any, unbiased: bool, keepdim: bool, _name: str = _name
    ) -> None:
        function = getattr(ops, _name)
        function(self, dim=dim, correction=1 if unbiased else 0, keepdim=keepdim, out=target)

    op(
        f"{_name}(Tensor self, bool unbiased=True) -> {_result}",
        says=_says,
        composite=_unbiased,
        variants=_where,
        samples="var",
    )
    op(
        f"{_name}.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False)"
        f" -> {_result}",
        composite=_unbiased_dim,
        variants=_where,
        out=False if "mean" in _name else OutForm(dtype="cast", direct=True),
        out_kernel=None if "mean" in _name else _unbiased_dim_onto,
        samples="var_dim",
    )
    op(
        f"{_name}.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, "
        f"bool keepdim=False) -> {_result}",
        meta=_meta,
        prepare=_prepare,
        variants=_where,
        out_meta=None if "mean" in _name else _out_meta(_name, _meta),
        warns=_degrees(_name, _meta),
        out_kernel=None if "mean" in _name else _warning_kernel(_name, _prepare),
        out=OutForm("correction_out", function=False)
        if "mean" in _name
        else OutForm("correction_out", dtype="cast", direct=True, overlap="unchecked"),
        grad={"self": _grad},
        tangent=Corrected(zero_at_zero) if "std" in _name else None,
        samples="var_correction",
    )
