"""Entropies: ``binary_cross_entropy``, the same of logits, and ``kl_div``."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan
from typing import Any

import numpy as np
from mindtorch_storage import can_cast

from mindtorch.aten.reduction_mode import reducer
from mindtorch.aten.reflected import differentiated, less, watched
from mindtorch.call.elementwise_meta import (
    BOOL,
    COMPLEX,
    INTEGRAL,
    UNSIGNED,
    broadcast_on_meta,
    broadcast_shapes,
    common_dtype,
    empty_like_out,
    not_implemented,
    out_like,
    refuse,
    warn_outgrown,
)
from mindtorch.call.forms import OutForm
from mindtorch.call.row import Out, op
from mindtorch.core.dims import numel_of, scalar_name
from mindtorch.core.errors import cannot_cast, in_place_shape
from mindtorch.core.meta_errors import copy_across_devices
from mindtorch.core.operators import ops
from mindtorch.core.warning import warn_resized
from mindtorch.tensor.resizing import reshaped

from ..core.reduction import MEAN, NONE, SUM, mean_scale, reduce
from . import tangent_rules

__all__ = ["in_place"]

#: torch's EPSILON of the kernel, which is a float (1e-12f), and that of the formulas above it.
_LEAST_OF_KERNEL = 9.999999960041972e-13
_LEAST = 1e-12


def in_place(target: Any, other: Any) -> Any:
    """What ``target.mul_(other)`` checks: shape first, then dtype. *target* is what it gives."""
    shape = broadcast_shapes(tuple(target.shape), tuple(other.shape))
    if shape != tuple(target.shape):
        raise in_place_shape(tuple(target.shape), shape)
    common = common_dtype(target, other)
    if not can_cast(common, target.dtype):
        raise cannot_cast(common, target.dtype)
    return target


def _product(a: Any, b: Any) -> Out:
    """Shape and dtype of ``a * b``."""
    return Out(broadcast_shapes(tuple(a.shape), tuple(b.shape)), common_dtype(a, b))


def _squeezed(shape: Any) -> tuple[int, ...]:
    return tuple([n for n in shape if n != 1])


def _bce_on_meta(self: Any, target: Any, weight: Any) -> Out:
    """torch's decomposition, where all operands broadcast and are promoted."""
    broadcast_on_meta(target.shape, self.shape)
    out = out_like(common_dtype(target, self), target, self)
    if weight is None:
        return out
    shape = broadcast_on_meta(out.shape, weight.shape)
    kept = out.strides if shape == tuple(out.shape) else None
    return Out(shape, common_dtype(out, weight), kept)


def _bce_meta(self: Any, target: Any, weight: Any, reduction: int) -> Out:
    if self.device.type == "meta":
        out = _bce_on_meta(self, target, weight)
        return Out((), out.dtype) if reduction in (MEAN, SUM) else out
    broadcast_shapes(_squeezed(self.shape), _squeezed(target.shape))
    if target.dtype is not self.dtype:
        raise RuntimeError(
            f"Found dtype {scalar_name(target.dtype)} but expected {scalar_name(self.dtype)}"
        )
    refuse(self.dtype, {"binary_cross_entropy": INTEGRAL | BOOL | COMPLEX}, self)
    out = out_like(self.dtype, self)
    if weight is not None:
        in_place(out, weight)
    return Out((), self.dtype) if reduction in (MEAN, SUM) else out


def _prepare_bce(self: Any, target: Any, weight: Any, reduction: int) -> Callable[..., Any]:
    """As in torch, sizes of one are taken out, and the result has the shape of *self*.

    Source: torch aten/src/ATen/native/Loss.cpp, binary_cross_entropy_out_cpu.
    """
    shape, size, dtype = self.shape, self.size, self.dtype
    squeezed = shape != target.shape
    one, low = np.array(1, dtype), np.array(-100, dtype)
    like = np.empty(shape, dtype)
    reduce, empty = reducer(like, reduction), np.empty
    negative, log, log1p, larger = np.negative, np.log, np.log1p, np.maximum
    subtract, multiply = np.subtract, np.multiply
    many = broadcast_shapes(_squeezed(shape), _squeezed(target.shape)) if squeezed else shape

    def kernel(self: Any, target: Any, weight: Any, reduction: int) -> Any:
        x, y = (self.squeeze(), target.squeeze()) if squeezed else (self, target)
        out, near = negative(x, empty(x.shape, dtype)), log(x, empty(x.shape, dtype))
        larger(log1p(out, out), low, out=out)
        larger(near, low, out=near)
        if isnan(near.reshape(size).dot(out.reshape(size))):  # one of them is, of other numbers
            raise RuntimeError("all elements of input should be between 0 and 1")
        out = multiply(out, y - one, empty(many, dtype))
        subtract(out, near * y, out)
        if squeezed:
            out = out.reshape(-1)[:size].reshape(shape)
        if weight is not None:
            out = multiply(out, weight, empty(shape, dtype))
        return reduce(out)

    return kernel


def _warn_squeezed(self: Any, *others: Any) -> None:
    """torch writes to what it squeezed of a tensor like *self*."""
    shape = self._a_.shape
    if all([t._a_.shape == shape for t in others]):
        return
    warn_outgrown(_squeezed(self.shape), *[_squeezed(t.shape) for t in others])


def _bce_onto(out: Any, self: Any, target: Any, weight: Any, reduction: int) -> None:
    """Give *out*'s memory the losses; what they come to is then read off in *out*'s own shape.

    Source: torch aten/src/ATen/native/Loss.cpp, binary_cross_entropy_out_cpu, which resizes a
    squeezed view of its result.
    """
    if out.is_meta:
        raise copy_across_devices(self.device, out.device)
    if out.dtype is not self.dtype:
        found, wanted = scalar_name(out.dtype), scalar_name(self.dtype)
        raise RuntimeError(f"Found dtype {found} but expected {wanted}")
    losses = ops.binary_cross_entropy(self.squeeze(), target.squeeze(), None, NONE)
    thin = out.squeeze()
    if thin.shape != losses.shape:
        if thin.numel():
            warn_resized(thin.shape, losses.shape)
        reshaped(thin, tuple(losses.shape))
    thin.copy_(losses)
    if weight is not None:
        out.mul_(weight)
    if reduction in (MEAN, SUM):
        whole = out.mean() if reduction == MEAN else out.sum()
        reshaped(out, ()).copy_(whole)


def _scaled(out: Any, weight: Any, reduction: int, shape: Any) -> Any:
    return mean_scale(out if weight is None else out * weight, reduction, shape)


def _scaled_here(out: Any, weight: Any, reduction: int, shape: Any) -> Any:
    """The same, in place where operators are seen: *out* is nobody else's."""
    if weight is not None:
        out = out * weight
    if reduction != MEAN:
        return out
    count = numel_of(shape)
    return out.div_(count) if watched(out) else out / count


def _bce_grad(g: Any, c: Any) -> Any:
    return ops.binary_cross_entropy_backward(g, c.self, c.target, c.weight, c.reduction)


def _bce_target_grad(g: Any, c: Any) -> Any:
    slope = ops.logit(c.self).neg_() * g
    return _scaled_here(slope, c.weight, c.reduction, c.target.shape)


op(
    "binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=1)"
    " -> Tensor",
    says="Return the cross entropy between probabilities and targets of two classes.",
    meta=_bce_meta,
    prepare=_prepare_bce,
    module="nn",
    variants="function",
    out=OutForm(dtype="same", overlap="first"),
    out_kernel=_bce_onto,
    kinds={"out": "tensors"},
    warns=lambda self, target, weight, reduction: _warn_squeezed(self, target),
    grad={"self": _bce_grad, "target": _bce_target_grad},
    samples="bce",
    tags=("devices: target, self, weight",),
    tangent=tangent_rules.of_binary_cross_entropy,
    autocast=("float32", "banned"),
)


def _bce_backward_meta(
    grad_output: Any, self: Any, target: Any, weight: Any, reduction: int
) -> Out:
    return out_like(self.dtype, self)


def _prepare_bce_backward(
    grad_output: Any, self: Any, target: Any, weight: Any, reduction: int
) -> Callable[..., Any]:
    dtype = self.dtype
    low, one, count = (np.array(v, dtype) for v in (_LEAST_OF_KERNEL, 1, self.size))
    larger, multiply = np.maximum, np.multiply

    def kernel(grad_output: Any, self: Any, target: Any, weight: Any, reduction: int) -> Any:
        bottom = np.asarray(one - self)
        multiply(bottom, self, bottom)
        larger(bottom, low, out=bottom)
        out = (self - target) * grad_output / bottom
        if weight is not None:
            out = out * weight
        return out / count if reduction == MEAN else out

    return kernel


def _bce_twice(g: Any, c: Any) -> Any:
    """Source: torch csrc/autograd/FunctionsManual.cpp, as the two that follow."""
    x, target = c.self, c.target
    near = x + _LEAST
    far = (less(1, x) + _LEAST).pow(2)
    bottom = near.pow(2) * far
    middle = 2 * x * target
    out = (x * x - middle + target) / bottom * c.grad_output * g
    return _scaled(out, c.weight, c.reduction, x.shape)


def _bce_twice_target(g: Any, c: Any) -> Any:
    out = -g * c.grad_output
    if c.weight is not None:
        out = out * c.weight
    bottom = (less(1, c.self) * c.self).clamp_min_(_LEAST)
    return _scaled_here(out / bottom, None, c.reduction, c.target.shape)


def _bce_twice_output(g: Any, c: Any) -> Any:
    x = c.self
    far = less(1, x) + _LEAST
    bottom = (x + _LEAST) * far
    out = (x - c.target) / bottom * g
    return _scaled(out, c.weight, c.reduction, x.shape)


op(
    "binary_cross_entropy_backward(Tensor grad_output, Tensor self, Tensor target, "
    "Tensor? weight=None, int reduction=1) -> Tensor",
    meta=_bce_backward_meta,
    prepare=_prepare_bce_backward,
    warns=lambda grad_output, self, target, *rest: _warn_squeezed(self, grad_output, target),
    variants="",
    grad={
        "grad_output": _bce_twice_output,
        "self": _bce_twice,
        "target": _bce_twice_target,
    },
)


# -- of logits ----------------------------------------------------------------------------------


def _no_subtraction(dtype: Any, tensors: str) -> None:
    """What ``tensor - 1`` and ``1 - tensor`` refuse."""
    if dtype.name == "bool":
        hint = (
            "Use the `^` or `logical_xor()` operator instead."
            if tensors == "two bool tensors"
            else "If you are trying to invert a mask, use the `~` or `logical_not()` operator "
            "instead."
        )
        raise RuntimeError(
            f"Subtraction, the `-` operator, with {tensors} is not supported. {hint}"
        )
    if dtype.name in UNSIGNED:
        raise not_implemented("add_stub", dtype)


def _logits_meta(self: Any, target: Any, weight: Any, pos_weight: Any, reduction: int) -> Out:
    """Step by step as torch computes it, most steps in place.

    Source: torch aten/src/ATen/native/Loss.cpp, binary_cross_entropy_with_logits.
    """
    refuse(self.dtype, {"log_sigmoid_cpu": INTEGRAL | BOOL | COMPLEX}, self)
    logs = self
    if pos_weight is not None:
        _no_subtraction(pos_weight.dtype, "a bool tensor")
        logs = in_place(self, _product(pos_weight, target))
    _no_subtraction(target.dtype, "two bool tensors")
    in_place(in_place(target, self), logs)
    if weight is not None:
        in_place(target, weight)
    if reduction in (MEAN, SUM):
        return Out((), target.dtype)
    return empty_like_out(target)


def _prepare_logits(
    self: Any, target: Any, weight: Any, pos_weight: Any, reduction: int
) -> Callable[..., Any]:
    """Every step is rounded to the dtype of what it writes, half types too."""
    own, kind, shape = self.dtype, target.dtype, target.shape
    narrow, one = kind.itemsize == 2, np.array(1, kind)
    wide = own.itemsize == 2  # computed in float32 and rounded once
    working = np.dtype(np.float32) if wide else own
    summed = np.float32 if narrow and reduction in (MEAN, SUM) else None
    reduce = reducer(np.empty(shape, summed or kind), reduction)
    zero = np.zeros((), working)
    empty, sizes = np.empty, self.shape
    absolute, negative, exp, log1p = np.abs, np.negative, np.exp, np.log1p
    smaller, subtract, multiply = np.minimum, np.subtract, np.multiply

    def kernel(self: Any, target: Any, weight: Any, pos_weight: Any, reduction: int) -> Any:
        x = self.astype(working) if wide else self
        logs, far = smaller(x, zero, out=empty(sizes, working)), absolute(x, empty(sizes, working))
        subtract(logs, log1p(exp(negative(far, far), far), far), logs)
        if wide:
            logs = logs.astype(own)
        if pos_weight is not None:
            factor = (pos_weight - pos_weight.dtype.type(1)) * target
            logs = multiply(logs, factor + factor.dtype.type(1), out=logs, casting="unsafe")
        out = subtract(one, target, empty(shape, kind))
        multiply(out, self, out=out, casting="unsafe")
        subtract(out, logs, out=out, casting="unsafe")
        if weight is not None:
            multiply(out, weight, out=out, casting="unsafe")
        return reduce(out if summed is None else out.astype(summed))

    return kernel


def _logits_grad(g: Any, c: Any) -> Any:
    x, target = c.self, c.target
    if c.pos_weight is None:
        out = x.sigmoid()
        # Where torch writes in place it refuses a target that is larger.
        apart = differentiated(g, x, target)
        out = out - target if apart or watched(x, target) else out.sub_(target)
        out = out * g if apart or watched(g) else out.mul_(g)
    else:
        t = c.pos_weight * target
        out = ((t + 1 - target) * x.sigmoid() - t) * g
    return _scaled_here(out, c.weight, c.reduction, x.shape)


def _logits_target_grad(g: Any, c: Any) -> Any:
    x = c.self
    if c.pos_weight is None:
        out = -x * g
    else:
        logs = ops.log_sigmoid
        far = logs(-x)
        out = (far - logs(x) * c.pos_weight) * g
    return _scaled_here(out, c.weight, c.reduction, c.target.shape)


op(
    "binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, "
    "Tensor? pos_weight=None, int reduction=1) -> Tensor",
    says="Return the cross entropy between the sigmoid of the input and targets of two classes.",
    meta=_logits_meta,
    prepare=_prepare_logits,
    half=False,
    variants="function",
    grad={"self": _logits_grad, "target": _logits_target_grad},
    samples="logits",
    tags=("devices: pos_weight, target, self, weight", "rounds"),
    autocast="float32",
)


def _kl_div(self: Any, target: Any, reduction: int, log_target: bool) -> Any:
    if self.is_complex() or target.is_complex():
        raise RuntimeError("kl_div: Complex inputs not supported.")
    if not (self.is_floating_point() and target.is_floating_point()):
        raise RuntimeError("kl_div: Integral inputs not supported.")
    if log_target:
        difference = target - self
        out = target.exp() * difference
    else:
        product = target * self
        out = ops.xlogy(target, target) - product
    return reduce(out, reduction)


op(
    "kl_div(Tensor self, Tensor target, int reduction=1, *, bool log_target=False) -> Tensor",
    says="Return the Kullback-Leibler divergence between log-probabilities and a "
    "target distribution.",
    composite=_kl_div,
    variants="function",
    samples="kl_div",
    tags=("devices: target, self", "loops: functional"),
    autocast="float32",
)
