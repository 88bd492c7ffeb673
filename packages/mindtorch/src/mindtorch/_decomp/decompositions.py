"""``torch._decomp.decompositions``: operators written in those that a backend must know.

Which operators come out, and in which order, follows torch's own functions. Arithmetic in half
precision is done in float32 and rounded at the end.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from math import pi
from typing import Any

from mindtorch_storage import DType, bfloat16, float16, float32

from .._ops import ops
from ..core.constants import preserve_format, strided
from ..tensor import Tensor

__all__ = ["core_operators"]

aten = ops.aten
Function = Callable[..., Any]
_TABLE: dict[Any, Function] = {}


def core_operators() -> dict[Any, Function]:
    """A table of the operators that are written in others here."""
    return dict(_TABLE)


def _for(*operators: Any) -> Callable[[Function], Function]:
    def register(function: Function) -> Function:
        for operator in operators:
            _TABLE[operator] = function
        return function

    return register


def _in_float32(function: Function) -> Function:
    """*function* with half precision cast to float32 before and back behind."""

    @functools.wraps(function)
    def computed(*args: Any, **kwargs: Any) -> Any:
        dtypes = {a.dtype for a in args if isinstance(a, Tensor)}
        narrow = dtypes & {float16, bfloat16}
        if not narrow:
            return function(*args, **kwargs)
        wide = [_cast(a, float32) if isinstance(a, Tensor) else a for a in args]
        result = function(*wide, **kwargs)
        return _cast(result, narrow.pop()) if len(dtypes) == 1 else result

    return computed


def _cast(value: Tensor, dtype: DType) -> Any:
    return value if value.dtype == dtype else aten._to_copy.default(value, dtype=dtype)


def _options(like: Tensor, dtype: DType | None = None) -> dict[str, Any]:
    return {
        "dtype": like.dtype if dtype is None else dtype,
        "layout": strided,
        "device": like.device,
        "pin_memory": False,
    }


def _number(value: Any, like: Tensor) -> Any:
    """A number as a tensor of *like*'s dtype."""
    return aten.scalar_tensor.default(value, dtype=like.dtype, layout=strided, device=like.device)


def _steps(start: Any, end: Any, like: Tensor) -> Any:
    return aten.arange.start_step(start, end, layout=strided, device=like.device, pin_memory=False)


# Shapes -------------------------------------------------------------------------------------------


@_for(aten.t.default)
def _t(self: Tensor) -> Any:
    return _transpose(self, 0, 1) if self.dim() == 2 else aten.alias.default(self)


@_for(aten.transpose.int)
def _transpose(self: Tensor, dim0: int, dim1: int) -> Any:
    dims = list(range(self.dim()))
    if not dims or dims[dim0] == dims[dim1]:
        return aten.alias.default(self)
    dims[dim0], dims[dim1] = dims[dim1], dims[dim0]
    return aten.permute.default(self, dims)


@_for(aten.squeeze.default, aten.squeeze.dim)
def _squeeze(self: Tensor, dim: int | None = None) -> Any:
    return aten.squeeze.dims(self, list(range(self.dim())) if dim is None else [dim])


@_for(aten.unsafe_split.Tensor, aten.split.Tensor)
def _split(self: Tensor, split_size: int, dim: int = 0) -> Any:
    size = self.shape[dim]
    sizes = [min(split_size, size - at) for at in range(0, size, split_size)] if size else [0]
    return aten.split_with_sizes.default(self, sizes, dim)


@_for(aten.unsafe_split_with_sizes.default)
def _unsafe_split_with_sizes(self: Tensor, split_sizes: Sequence[int], dim: int = 0) -> Any:
    return aten.split_with_sizes.default(self, list(split_sizes), dim)


@_for(aten._unsafe_view.default)
def _unsafe_view(self: Tensor, size: Sequence[int]) -> Any:
    return aten.view.default(self, list(size))


@_for(aten.unbind.int)
def _unbind(self: Tensor, dim: int = 0) -> Any:
    parts = [aten.slice.Tensor(self, dim, i, i + 1) for i in range(self.shape[dim])]
    return [aten.squeeze.dims(part, [dim]) for part in parts]


@_for(aten.stack.default)
def _stack(tensors: Sequence[Tensor], dim: int = 0) -> Any:
    shape = list(tensors[0].shape)
    place = dim % (len(shape) + 1)
    if place == len(shape):
        return aten.cat.default([aten.unsqueeze.default(t, place) for t in tensors], dim)
    joined = aten.cat.default(list(tensors), place)
    return aten.view.default(joined, [*shape[:place], len(tensors), *shape[place:]])


@_for(aten.detach.default)
def _detach(self: Tensor) -> Any:
    return aten.alias.default(self)


@_for(aten.select_scatter.default)
def _select_scatter(self: Tensor, src: Tensor, dim: int, index: int) -> Any:
    dim %= self.dim()
    shape = [1] * self.dim()
    shape[dim] = -1
    place = aten.view.default(_steps(0, self.shape[dim], self), shape)
    there = aten.eq.Scalar(place, index % self.shape[dim])
    wide = aten.expand.default(aten.unsqueeze.default(src, dim), list(self.shape))
    return aten.where.self(there, wide, self)


@_for(aten.roll.default)
def _roll(self: Tensor, shifts: Any, dims: Any = ()) -> Any:
    if len(shifts) != 1 or len(dims) != 1 or not self.numel():
        return NotImplemented
    size = self.shape[dims[0]]
    moved = _steps(0, size, self) + (size - shifts[0]) % size
    return aten.index_select.default(self, dims[0], aten.fmod.Scalar(moved, size))


def _put(self: Tensor, dim: int, index: Tensor, source: Tensor, adds: bool) -> Any:
    if not self.dim():
        return NotImplemented
    indices = [None] * (dim % self.dim()) + [index]
    if adds:
        return aten.index_put.default(self, indices, source, True)
    return aten.index_put.default(self, indices, source)


@_for(aten.index_add.default)
def _index_add(self: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Any = 1) -> Any:
    return _put(self, dim, index, source if alpha == 1 else source * alpha, True)


@_for(aten.index_copy.default)
def _index_copy(self: Tensor, dim: int, index: Tensor, source: Tensor) -> Any:
    return _put(self, dim, index, source, False)


# Filled tensors -----------------------------------------------------------------------------------


def _filled(number: int, size: Sequence[int], **options: Any) -> Any:
    like = aten.empty.memory_format([], **options)
    return aten.full.default(list(size), number, **_options(like))


def _filled_like(number: int, self: Tensor, **options: Any) -> Any:
    given = {key: value for key, value in options.items() if value is not None}
    given = {"memory_format": preserve_format, **given, "pin_memory": False}
    return aten.full_like.default(self, number, **given)


def _new(number: Any, self: Tensor, size: Sequence[int], **options: Any) -> Any:
    given = {key: value for key, value in options.items() if value is not None}
    return aten.full.default(list(size), number, **{**_options(self), **given})


for _number_filled, _name in ((0, "zeros"), (1, "ones")):
    _TABLE[getattr(aten, _name).default] = functools.partial(_filled, _number_filled)
    _TABLE[getattr(aten, f"{_name}_like").default] = functools.partial(_filled_like, _number_filled)
    _TABLE[getattr(aten, f"new_{_name}").default] = functools.partial(_new, _number_filled)


@_for(aten.new_empty.default)
def _new_empty(self: Tensor, size: Sequence[int], **options: Any) -> Any:
    given = {key: value for key, value in options.items() if value is not None}
    return aten.empty.memory_format(list(size), **{**_options(self), **given})


@_for(aten.new_full.default)
def _new_full(self: Tensor, size: Sequence[int], fill_value: Any, **options: Any) -> Any:
    return _new(fill_value, self, size, **options)


@_for(aten.arange.default)
def _arange(end: Any, **options: Any) -> Any:
    return _arange_from(0, end, **options)


@_for(aten.arange.start)
def _arange_from(start: Any, end: Any, **options: Any) -> Any:
    like = aten.empty.memory_format([], **{k: v for k, v in options.items() if k != "dtype"})
    kept = {key: value for key, value in _options(like).items() if key != "dtype"}
    if options.get("dtype") is not None:
        kept = {"dtype": options["dtype"], **kept}
    return aten.arange.start_step(start, end, **kept)


@_for(aten.fill.Scalar)
def _fill(self: Tensor, value: Any) -> Any:
    return aten.full_like.default(self, value, pin_memory=False)


@_for(aten.masked_fill.Scalar)
def _masked_fill(self: Tensor, mask: Tensor, value: Any) -> Any:
    return aten.where.self(mask, _number(value, self), self)


@_for(aten.masked_fill.Tensor)
def _masked_fill_tensor(self: Tensor, mask: Tensor, value: Tensor) -> Any:
    return aten.where.self(mask, _cast(value, self.dtype), self)


def _triangle(keeps: Any, self: Tensor, diagonal: int) -> Any:
    columns = aten.unsqueeze.default(_steps(0, self.shape[-1], self), -2)
    rows = aten.unsqueeze.default(_steps(0, self.shape[-2], self), -1)
    kept = keeps(aten.sub.Tensor(columns, rows), diagonal)
    return aten.where.self(kept, self, _number(0, self))


@_for(aten.tril.default)
def _tril(self: Tensor, diagonal: int = 0) -> Any:
    return _triangle(aten.le.Scalar, self, diagonal)


@_for(aten.triu.default)
def _triu(self: Tensor, diagonal: int = 0) -> Any:
    return _triangle(aten.ge.Scalar, self, diagonal)


# Arithmetic ---------------------------------------------------------------------------------------


@_for(aten.clamp_min.default, aten.clamp_min.Tensor)
def _clamp_min(self: Tensor, low: Any) -> Any:
    return aten.clamp(self, low)


@_for(aten.clamp_max.default, aten.clamp_max.Tensor)
def _clamp_max(self: Tensor, high: Any) -> Any:
    return aten.clamp(self, None, high)


@_for(aten.rsub.Tensor, aten.rsub.Scalar)
def _rsub(self: Tensor, other: Any, alpha: Any = 1) -> Any:
    if alpha == 1:
        return aten.sub.Tensor(other, self)
    return aten.sub.Tensor(other, self, alpha=alpha)


@_for(aten.addcmul.default)
@_in_float32
def _addcmul(self: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Any:
    return self + value * tensor1 * tensor2


@_for(aten.addcdiv.default)
@_in_float32
def _addcdiv(self: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Any:
    return self + value * tensor1 / tensor2


@_for(aten.frac.default)
@_in_float32
def _frac(self: Tensor) -> Any:
    return aten.sub.Tensor(self, aten.trunc.default(self))


@_for(aten.lerp.Tensor)
@_in_float32
def _lerp(self: Tensor, end: Tensor, weight: Tensor) -> Any:
    is_far = aten.ge.Scalar(aten.abs.default(weight), 0.5)
    factor = aten.where.self(is_far, weight - 1, weight)
    base = aten.where.self(is_far, end, self)
    return factor * (end - self) + base


@_for(aten.lerp.Scalar)
@_in_float32
def _lerp_by_number(self: Tensor, end: Tensor, weight: Any) -> Any:
    return _lerp(self, end, aten.full.default([], weight, **_options(self)))


@_for(aten.sgn.default)
def _sgn(self: Tensor) -> Any:
    return NotImplemented if self.is_complex() else aten.sign.default(self)


@_for(aten.deg2rad.default)
@_in_float32
def _deg2rad(self: Tensor) -> Any:
    return self * (pi / 180)


@_for(aten.rad2deg.default)
@_in_float32
def _rad2deg(self: Tensor) -> Any:
    return self * (180 / pi)


@_for(aten.xlogy.Tensor)
@_in_float32
def _xlogy(self: Tensor, other: Tensor) -> Any:
    is_zero = aten.eq.Scalar(self, 0)
    product = self * aten.log.default(other)
    product = aten.where.self(is_zero, _number(0, product), product)
    return aten.where.self(aten.isnan.default(other), _number(float("nan"), product), product)


@_for(aten.floor_divide.default)
def _floor_divide(self: Tensor, other: Any) -> Any:
    return aten.div.Tensor_mode(self, other, rounding_mode="floor")


# Reductions ---------------------------------------------------------------------------------------


@_for(aten.sum.default)
def _sum(self: Tensor, *, dtype: DType | None = None) -> Any:
    return aten.sum.dim_IntList(self, [], dtype=dtype)


@_for(aten.all.default)
def _all(self: Tensor) -> Any:
    return aten.logical_not.default(aten.any.dims(aten.logical_not.default(self)))


@_for(aten.all.dim)
def _all_along(self: Tensor, dim: int, keepdim: bool = False) -> Any:
    return aten.logical_not.default(aten.any.dim(aten.logical_not.default(self), dim, keepdim))


@_for(aten.aminmax.default)
def _aminmax(self: Tensor, *, dim: int | None = None, keepdim: bool = False) -> Any:
    if dim is None and not keepdim:
        return aten.amin.default(self), aten.amax.default(self)
    dims = [] if dim is None else [dim]
    return aten.amin.default(self, dims, keepdim), aten.amax.default(self, dims, keepdim)


@_for(aten.std.correction)
def _std(self: Tensor, dim: Any = None, *, correction: Any = None, keepdim: bool = False) -> Any:
    if self.is_complex() or self.dtype in (float16, bfloat16):
        return NotImplemented
    correction = 1.0 if correction is None else float(correction)
    found = aten.var.correction(self, dim, correction=correction, keepdim=keepdim)
    return aten.sqrt.default(found)


@_for(aten.mv.default)
@_in_float32
def _mv(self: Tensor, vec: Tensor) -> Any:
    return aten.sum.dim_IntList(self * vec, [1])


@_for(aten.dot.default)
@_in_float32
def _dot(self: Tensor, tensor: Tensor) -> Any:
    if self.is_complex():
        return NotImplemented
    return _sum(self * tensor)


@_for(aten.logsumexp.default)
@_in_float32
def _logsumexp(self: Tensor, dim: Sequence[int], keepdim: bool = False) -> Any:
    if not self.is_floating_point() or not self.numel():
        return NotImplemented
    dims = list(dim)
    highest = aten.amax.default(self, dims, True)
    endless = aten.eq.Scalar(aten.abs.default(highest), float("inf"))
    highest = aten.where.self(endless, _number(0.0, highest), highest)
    added = highest if keepdim else aten.squeeze.dims(highest, dims)
    total = aten.sum.dim_IntList(aten.exp.default(self - highest), dims, keepdim)
    return aten.log.default(total) + added


# Activations --------------------------------------------------------------------------------------


@_for(aten.silu.default)
@_in_float32
def _silu(self: Tensor) -> Any:
    return self * aten.sigmoid.default(self)


def _between_0_and_6(self: Tensor) -> Any:
    return aten.clamp.default(aten.clamp.default(self + 3, 0), None, 6)


@_for(aten.hardswish.default)
@_in_float32
def _hardswish(self: Tensor) -> Any:
    return self * _between_0_and_6(self) / 6


@_for(aten.hardsigmoid.default)
@_in_float32
def _hardsigmoid(self: Tensor) -> Any:
    return _between_0_and_6(self) / 6


@_for(aten.celu.default)
@_in_float32
def _celu(self: Tensor, alpha: Any = 1.0) -> Any:
    scaled = self if alpha == 1 else self / alpha
    below = aten.expm1.default(scaled)
    below = below if alpha == 1 else below * alpha
    return aten.where.self(aten.gt.Scalar(self, 0), self, below)


@_for(aten.softplus.default)
@_in_float32
def _softplus(self: Tensor, beta: Any = None, threshold: Any = 20) -> Any:
    scaled = self if beta is None else self * beta
    soft = aten.log1p.default(aten.exp.default(scaled))
    soft = soft if beta is None else soft / beta
    return aten.where.self(aten.gt.Scalar(scaled, threshold), self, soft)


@_for(aten.mish.default)
@_in_float32
def _mish(self: Tensor) -> Any:
    soft = aten.log1p.default(aten.exp.default(self))
    soft = aten.where.self(aten.gt.Scalar(self, 20), self, soft)
    return self * aten.tanh.default(soft)


@_for(aten.glu.default)
@_in_float32
def _glu(self: Tensor, dim: int = -1) -> Any:
    dim %= self.dim()
    half = self.shape[dim] // 2
    first = aten.slice.Tensor(self, dim, 0, half)
    second = aten.slice.Tensor(self, dim, half, 2 * half)
    return first * aten.sigmoid.default(second)


@_for(aten._prelu_kernel.default)
def _prelu(self: Tensor, weight: Tensor) -> Any:
    return aten.where.self(aten.gt.Scalar(self, 0), self, weight * self)


@_for(aten.threshold.default)
def _threshold(self: Tensor, threshold: Any, value: Any) -> Any:
    return aten.where.self(aten.le.Scalar(self, threshold), _number(value, self), self)


@_for(aten.hardshrink.default)
def _hardshrink(self: Tensor, lambd: Any = 0.5) -> Any:
    small = aten.le.Scalar(aten.abs.default(self), lambd)
    return aten.where.self(small, _number(0, self), self)


@_for(aten.softshrink.default)
def _softshrink(self: Tensor, lambd: Any = 0.5) -> Any:
    large = aten.gt.Scalar(aten.abs.default(self), lambd)
    moved = self - aten.sign.default(self) * lambd
    return aten.where.self(large, moved, self * 0)


def _log_sigmoid(self: Tensor) -> Any:
    least = aten.minimum.default(aten.full.default([], 0, **_options(self)), self)
    small = aten.exp.default(aten.neg.default(aten.abs.default(self)))
    return least - aten.log1p.default(small)


@_for(aten.log_sigmoid_forward.default)
def _log_sigmoid_forward(self: Tensor) -> Any:
    if self.dtype in (float16, bfloat16):
        return NotImplemented
    return _log_sigmoid(self), aten.empty.memory_format([0], **_options(self))


# Losses -------------------------------------------------------------------------------------------


def _reduced(losses: Any, reduction: int) -> Any:
    if reduction == 0:
        return losses
    return aten.mean.default(losses) if reduction == 1 else _sum(losses)


@_for(aten.mse_loss.default)
@_in_float32
def _mse_loss(self: Tensor, target: Tensor, reduction: int = 1) -> Any:
    return _reduced((self - target) ** 2, reduction)


@_for(aten.smooth_l1_loss.default)
@_in_float32
def _smooth_l1_loss(self: Tensor, target: Tensor, reduction: int = 1, beta: Any = 1.0) -> Any:
    far = aten.abs.default(self - target)
    is_near = aten.lt.Scalar(far, beta)
    losses = aten.where.self(is_near, far**2 * 0.5 / beta, far - 0.5 * beta)
    return _reduced(losses, reduction)


@_for(aten.huber_loss.default)
@_in_float32
def _huber_loss(self: Tensor, target: Tensor, reduction: int = 1, delta: Any = 1.0) -> Any:
    far = aten.abs.default(self - target)
    is_near = aten.lt.Scalar(far, delta)
    losses = aten.where.self(is_near, far * 0.5 * far, (far - 0.5 * delta) * delta)
    return _reduced(losses, reduction)


@_for(aten.soft_margin_loss.default)
@_in_float32
def _soft_margin_loss(self: Tensor, target: Tensor, reduction: int = 1) -> Any:
    losses = aten.log1p.default(aten.exp.default(aten.neg.default(self) * target))
    return _reduced(losses, reduction)


@_for(aten.binary_cross_entropy.default)
@_in_float32
def _binary_cross_entropy(
    self: Tensor, target: Tensor, weight: Tensor | None = None, reduction: int = 1
) -> Any:
    options = _options(self)
    factor = target - 1
    other = aten.log1p.default(aten.neg.default(self))
    other = factor * aten.maximum.default(other, aten.full.default([], -100, **options))
    own = aten.log.default(self)
    own = target * aten.maximum.default(own, aten.full.default([], -100, **options))
    losses = other - own
    return _reduced(losses if weight is None else losses * weight, reduction)


@_for(aten.binary_cross_entropy_with_logits.default)
@_in_float32
def _binary_cross_entropy_with_logits(
    self: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    pos_weight: Tensor | None = None,
    reduction: int = 1,
) -> Any:
    first = (1 - target) * self
    if pos_weight is None:
        losses = first - _log_sigmoid(self)
    else:
        losses = first - ((pos_weight - 1) * target + 1) * _log_sigmoid(self)
    return _reduced(losses if weight is None else losses * weight, reduction)


@_for(aten.nll_loss_forward.default)
def _nll_loss_forward(
    self: Tensor, target: Tensor, weight: Tensor | None, reduction: int, ignore_index: int
) -> Any:
    if weight is not None or self.dtype in (float16, bfloat16):
        return NotImplemented
    along = 0 if self.dim() < 2 else 1
    counted = aten.ne.Scalar(target, ignore_index)
    place = aten.unsqueeze.default(aten.where.self(counted, target, _number(0, target)), along)
    picked = aten.squeeze.dims(aten.gather.default(self, along, place), [along])
    losses = aten.neg.default(picked)
    counted = aten.ne.Scalar(target, ignore_index)
    losses = aten.where.self(counted, losses, _number(0, losses))
    total = aten.full.default([], 0.0, **_options(self))
    if reduction == 0 and self.dim() > 1:
        return losses, total
    if reduction == 1:
        count = aten.sum.dim_IntList(aten.ne.Scalar(target, ignore_index), [])
        total = aten._to_copy.default(count, dtype=self.dtype, device=self.device)
        return _sum(losses) / total, total
    return _sum(losses), total
