"""Losses from elementwise distances: mean squared, absolute, smooth and Huber."""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch.errors import cannot_cast
from mindtorch.ops.call import ops
from mindtorch.ops.meta import (
    BOOL,
    COMPLEX,
    INTEGRAL,
    broadcast_shapes,
    common_dtype,
    out_like,
    refuse,
)
from mindtorch.ops.reduction_mode import (
    MEAN,
    NONE,
    SUM,
    mean_scale,
    reduce,
    reduced,
    unknown_reduction,
)
from mindtorch.ops.row import Out, op
from mindtorch.warning import warn_resized
from mindtorch_storage import can_cast

__all__: list[str] = []

_NOT_FLOATS = INTEGRAL | BOOL | COMPLEX


def _pair_meta(kernel: str, line: int, check: Any = None) -> Any:
    def meta(self: Any, target: Any, reduction: int, *rest: Any) -> Out:
        if check is not None:
            check(*rest)
        if reduction not in (NONE, MEAN, SUM):
            raise unknown_reduction(line)
        dtype = common_dtype(self, target)
        out = out_like(dtype, self, target)
        refuse(dtype, {kernel: _NOT_FLOATS}, self)
        return out if reduction == NONE else Out((), dtype)

    return meta


def _onto(meta: Any, casts: bool) -> Any:
    """``out_meta``: the target first has the shape of the distances, whatever the reduction.

    :param casts: distances of another dtype are cast, which gives the target that shape twice.
    """

    def out_meta(given: Any, self: Any, target: Any, *rest: Any) -> Out:
        out: Out = meta(self, target, *rest)
        shape = broadcast_shapes(tuple(self.shape), tuple(target.shape))
        if given.numel() and tuple(given.shape) != shape:
            for _ in range(2 if casts and given.dtype is not out.dtype else 1):
                warn_resized(given.shape, shape)
        return out

    return out_meta


_mse_meta = _pair_meta("mse_cpu", 97)


def _difference(self: Any, target: Any) -> Any:
    out = np.subtract(self, target)
    return np.asarray(out)


def _mse(self: Any, target: Any, reduction: int) -> Any:
    d = _difference(self, target)
    return reduced(np.asarray(d * d), reduction)


def _mse_backward(grad_output: Any, self: Any, target: Any, reduction: int) -> Any:
    out = _difference(self, target)
    scale = 2 / self.size if reduction == MEAN and self.size else 2
    out = out * out.dtype.type(scale)
    return np.asarray(out * grad_output)


def _mse_grad(g: Any, c: Any) -> Any:
    return ops.mse_loss_backward(g, c.self, c.target, c.reduction)


def _mse_target_grad(g: Any, c: Any) -> Any:
    return ops.mse_loss_backward(g, c.target, c.self, c.reduction)


op(
    "mse_loss(Tensor self, Tensor target, int reduction=1) -> Tensor",
    meta=_mse_meta,
    kernel=_mse,
    module="nn",
    variants="function",
    out=True,
    out_meta=_onto(_mse_meta, casts=True),
    grad={"self": _mse_grad, "target": _mse_target_grad},
    samples="pair_loss",
)


def _mse_backward_meta(grad_output: Any, self: Any, target: Any, reduction: int) -> Out:
    return out_like(common_dtype(self, target, grad_output), grad_output, self, target)


def _mse_twice(g: Any, c: Any) -> Any:
    scaled = mean_scale(g * c.grad_output, c.reduction, c.self.shape)
    return scaled * 2


def _mse_twice_target(g: Any, c: Any) -> Any:
    scaled = mean_scale(g * c.grad_output, c.reduction, c.self.shape)
    return scaled * -2


op(
    "mse_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor",
    meta=_mse_backward_meta,
    kernel=_mse_backward,
    variants="",
    grad={
        "grad_output": lambda g, c: mean_scale(
            g * (c.self - c.target) * 2, c.reduction, c.self.shape
        ),
        "self": _mse_twice,
        "target": _mse_twice_target,
    },
    samples="mse_backward",
)


op(
    "l1_loss(Tensor self, Tensor target, int reduction=1) -> Tensor",
    composite=lambda self, target, reduction: reduce((self - target).abs(), reduction),
    module="nn",
    variants="function",
    samples="pair_loss",
)


def _check_beta(beta: float) -> None:
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")


_smooth_l1_meta = _pair_meta("smooth_l1_cpu", 86, _check_beta)


def _smooth_l1(self: Any, target: Any, reduction: int, beta: float) -> Any:
    z = np.abs(_difference(self, target))
    kind = z.dtype.type
    out = np.where(z < beta, kind(0.5) * z * z / kind(beta or 1), z - kind(0.5 * beta))
    return reduced(np.asarray(out, z.dtype), reduction)


def _smooth_l1_slope(d: Any, beta: float) -> Any:
    return ops.where(d.abs() < beta, d / (beta or 1), d.sign())


def _smooth_l1_grad(g: Any, c: Any) -> Any:
    slope = _smooth_l1_slope(c.self - c.target, c.beta)
    return mean_scale(g * slope, c.reduction, c.self.shape)


def _smooth_l1_target_grad(g: Any, c: Any) -> Any:
    slope = _smooth_l1_slope(c.self - c.target, c.beta)
    return -mean_scale(g * slope, c.reduction, c.target.shape)


op(
    "smooth_l1_loss(Tensor self, Tensor target, int reduction=1, float beta=1.) -> Tensor",
    meta=_smooth_l1_meta,
    kernel=_smooth_l1,
    module="nn",
    variants="function",
    out=True,
    out_meta=_onto(_smooth_l1_meta, casts=True),
    grad={"self": _smooth_l1_grad, "target": _smooth_l1_target_grad},
    samples="smooth_l1",
)


def _huber_meta(self: Any, target: Any, reduction: int, delta: float) -> Out:
    """Written to a tensor like *self*, so that its dtype decides."""
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    common = common_dtype(self, target)
    out = out_like(self.dtype, self, target)
    if not can_cast(common, self.dtype):
        raise cannot_cast(common, self.dtype)
    refuse(self.dtype, {"huber_cpu": _NOT_FLOATS}, self)
    return Out((), self.dtype) if reduction in (MEAN, SUM) else out


def _huber(self: Any, target: Any, reduction: int, delta: float) -> Any:
    z = np.abs(_difference(self, target))
    kind = z.dtype.type
    out = np.where(z < delta, kind(0.5) * z * z, kind(delta) * (z - kind(0.5 * delta)))
    return reduced(np.asarray(out, z.dtype), reduction)


def _huber_grad(g: Any, c: Any) -> Any:
    slope = (c.self - c.target).clamp(-c.delta, c.delta)
    return mean_scale(g * slope, c.reduction, c.self.shape)


def _huber_target_grad(g: Any, c: Any) -> Any:
    slope = (c.self - c.target).clamp(-c.delta, c.delta)
    return -mean_scale(g * slope, c.reduction, c.target.shape)


op(
    "huber_loss(Tensor self, Tensor target, int reduction=1, float delta=1.) -> Tensor",
    meta=_huber_meta,
    kernel=_huber,
    module="nn",
    variants="function",
    out=True,
    out_meta=_onto(_huber_meta, casts=False),
    grad={"self": _huber_grad, "target": _huber_target_grad},
    samples="huber",
)
