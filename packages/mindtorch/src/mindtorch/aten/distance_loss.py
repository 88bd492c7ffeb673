"""Losses from elementwise distances: mean squared, absolute, smooth and Huber."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage import can_cast

from mindtorch.aten.reduction_mode import reducer, unknown_reduction
from mindtorch.aten.reflected import zeros_of
from mindtorch.call.elementwise_meta import (
    BOOL,
    COMPLEX,
    INTEGRAL,
    broadcast_shapes,
    common_dtype,
    out_like,
    refuse,
    warn_outgrown,
)
from mindtorch.call.forms import OutForm
from mindtorch.call.row import Out, op
from mindtorch.core.dims import scalar_name
from mindtorch.core.errors import cannot_cast
from mindtorch.core.operators import of, ops
from mindtorch.core.warning import warn_resized

from ..core.reduction import MEAN, NONE, SUM, reduce
from . import tangent_rules

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
        # What does not fit is refused first.
        fits = can_cast(out.dtype, given.dtype) and given.device == self.device
        if fits and given.numel() and tuple(given.shape) != shape:
            for _ in range(2 if casts and given.dtype is not out.dtype else 1):
                warn_resized(given.shape, shape)
        return out

    return out_meta


_mse_meta = _pair_meta("mse_cpu", 97)


def _apart(self: Any, target: Any) -> Any:
    """An array like the differences of both."""
    return np.empty(broadcast_shapes(self.shape, target.shape), np.result_type(self, target))


def _difference(self: Any, target: Any) -> Callable[[Any, Any], Any]:
    """What subtracts arrays like these, into new contiguous memory."""
    like, subtract, empty = _apart(self, target), np.subtract, np.empty
    shape, dtype = like.shape, like.dtype
    dense = self.flags.c_contiguous and target.flags.c_contiguous
    if dense and shape and self.shape == target.shape:
        return subtract
    return lambda self, target: subtract(self, target, empty(shape, dtype))


def _scalar(like: Any, value: float) -> Any:
    """A number that computes with arrays like *like* as fast as they with each other."""
    return np.array(value, like.dtype)


def _prepare_mse(self: Any, target: Any, reduction: int) -> Callable[..., Any]:
    like = _apart(self, target)
    reduce, multiply = reducer(like, reduction), np.multiply
    difference = _difference(self, target)

    def kernel(self: Any, target: Any, reduction: int) -> Any:
        d = difference(self, target)
        return reduce(multiply(d, d, d))

    return kernel


def _slope(
    self: Any, target: Any, grad_output: Any, reduction: int, scale: float, edge: float | None
) -> Callable[..., Any]:
    """What gives *scale* times the difference, kept between edges, times the gradient."""
    d = _apart(self, target)
    shape = broadcast_shapes(d.shape, grad_output.shape)
    mean = reduction == MEAN and self.size
    factor = _scalar(d, scale / self.size if mean else scale)
    difference, multiply, empty = _difference(self, target), np.multiply, np.empty
    smaller, larger, own = np.minimum, np.maximum, self.dtype
    low, high = (None, None) if edge is None else (_scalar(d, -edge), _scalar(d, edge))
    into = np.result_type(d, grad_output)
    fits = shape == d.shape and into == d.dtype

    def kernel(grad_output: Any, self: Any, target: Any, *_: Any) -> Any:
        out = difference(self, target)
        if edge is not None:
            smaller(larger(out, low, out=out), high, out=out)
        multiply(out, factor, out)
        out = multiply(out, grad_output, out if fits else empty(shape, into))
        return out if into == own else out.astype(own)

    return kernel


def _prepare_mse_backward(
    grad_output: Any, self: Any, target: Any, reduction: int
) -> Callable[..., Any]:
    return _slope(self, target, grad_output, reduction, 2, None)


def _mse_grad(g: Any, c: Any) -> Any:
    return ops.mse_loss_backward(g, c.self, c.target, c.reduction)


def _mse_target_grad(g: Any, c: Any) -> Any:
    return ops.mse_loss_backward(g, c.target, c.self, c.reduction)


op(
    "mse_loss(Tensor self, Tensor target, int reduction=1) -> Tensor",
    says="Return the squared differences between input and target, by default their mean."
    " Shapes broadcast.",
    meta=_mse_meta,
    prepare=_prepare_mse,
    module="nn",
    variants="function",
    out=OutForm(dtype="cast", quiet=True, overlap="first"),
    out_meta=_onto(_mse_meta, casts=True),
    grad={"self": _mse_grad, "target": _mse_target_grad},
    samples="pair_loss",
    tangent=tangent_rules.of_pair_loss("mse_loss_backward"),
    autocast="float32",
)


def _onto_self(kernel: str, strict: bool = False) -> dict[str, Any]:
    """The metas of a gradient that is written to zeros like *self*: its dtype decides.

    Where the others are larger the zeros are resized, with a warning; a target given is not.

    :param strict: no other dtype is cast to it.
    """

    def meta(grad_output: Any, self: Any, target: Any, reduction: int, *rest: Any) -> Out:
        shape = broadcast_shapes(tuple(self.shape), tuple(target.shape), tuple(grad_output.shape))
        common = common_dtype(self, target, grad_output)
        if strict:
            for other in (grad_output, target):
                if other.dtype is not self.dtype and self.device.type != "meta":
                    found, wanted = scalar_name(other.dtype), scalar_name(self.dtype)
                    raise RuntimeError(f"Found dtype {found} but expected {wanted}")
        elif not can_cast(common, self.dtype):
            raise cannot_cast(common, self.dtype)
        refuse(common, {kernel: _NOT_FLOATS if strict else COMPLEX | BOOL}, self)
        if shape == tuple(self.shape):
            return Out(shape, self.dtype)
        strides = out_like(common, self, target, grad_output).strides
        return Out(shape, self.dtype, strides)

    def warns(grad_output: Any, self: Any, target: Any, *rest: Any) -> None:
        warn_outgrown(self.shape, target.shape, grad_output.shape)

    return {"meta": meta, "out_meta": lambda target, *args: meta(*args), "warns": warns}


def _scaled(out: Any, reduction: int, like: Any) -> Any:
    """*out*, which is nobody else's, divided by the number of elements where a mean was taken."""
    return out.div_(like.numel()) if reduction == MEAN else out


def _mse_slope(g: Any, c: Any) -> Any:
    return _scaled(g * c.grad_output * 2, c.reduction, c.self)


def _mse_target_slope(g: Any, c: Any) -> Any:
    return -_scaled(g * c.grad_output * 2, c.reduction, c.target)


op(
    "mse_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor",
    **_onto_self("mse_backward_cpu_out"),
    prepare=_prepare_mse_backward,
    variants="",
    grad={
        "grad_output": lambda g, c: ops.mse_loss_backward(g, c.self, c.target, c.reduction),
        "self": _mse_slope,
        "target": _mse_target_slope,
    },
    out="grad_input",
    samples="mse_backward",
)


op(
    "l1_loss(Tensor self, Tensor target, int reduction=1) -> Tensor",
    says="Return the absolute differences between input and target, by default their mean.",
    composite=lambda self, target, reduction: reduce((self - target).abs(), reduction),
    module="nn",
    variants="function",
    samples="pair_loss",
    autocast="float32",
)


def _check_beta(beta: float) -> None:
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")


_smooth_l1_meta = _pair_meta("smooth_l1_cpu", 86, _check_beta)


def _rounded_off(
    self: Any, target: Any, edge: float, divisor: float, reduction: int
) -> Callable[..., Any]:
    """A loss of differences *z* that is quadratic up to *edge*: ``m (z - m / 2) / divisor``.

    There *m* is the lesser of *z* and the edge.
    """
    like = _apart(self, target)
    reduce, difference = reducer(like, reduction), _difference(self, target)
    subtract, multiply, absolute, smaller = np.subtract, np.multiply, np.abs, np.minimum
    half, limit = _scalar(like, 0.5), _scalar(like, edge)
    divide, by = np.divide, None if divisor == 1 else _scalar(like, divisor)

    def kernel(self: Any, target: Any, *_: Any) -> Any:
        z = difference(self, target)
        near = smaller(absolute(z, z), limit)
        subtract(z, multiply(near, half), z)
        multiply(z, near, z)
        if by is not None:
            divide(z, by, z)
        return reduce(z)

    return kernel


def _prepare_smooth_l1(self: Any, target: Any, reduction: int, beta: float) -> Callable[..., Any]:
    if beta:
        return _rounded_off(self, target, beta, beta, reduction)
    reduce = reducer(_apart(self, target), reduction)
    return lambda self, target, *_: reduce(np.asarray(np.abs(self - target)))


def _smooth_l1_grad(g: Any, c: Any) -> Any:
    return ops.smooth_l1_loss_backward(g, c.self, c.target, c.reduction, c.beta)


def _smooth_l1_target_grad(g: Any, c: Any) -> Any:
    return ops.smooth_l1_loss_backward(g, c.target, c.self, c.reduction, c.beta)


op(
    "smooth_l1_loss(Tensor self, Tensor target, int reduction=1, float beta=1.) -> Tensor",
    says="Return a loss that is quadratic below beta and linear above it.",
    meta=_smooth_l1_meta,
    prepare=_prepare_smooth_l1,
    module="nn",
    variants="function",
    out=OutForm(dtype="cast", quiet=True, overlap="first"),
    out_meta=_onto(_smooth_l1_meta, casts=True),
    grad={"self": _smooth_l1_grad, "target": _smooth_l1_target_grad},
    samples="smooth_l1",
    tangent=tangent_rules.of_pair_loss("smooth_l1_loss_backward"),
    autocast="float32",
)


def _prepare_smooth_l1_backward(
    grad_output: Any, self: Any, target: Any, reduction: int, beta: float
) -> Callable[..., Any]:
    if beta:
        return _slope(self, target, grad_output, reduction, 1 / beta, beta)
    mean = reduction == MEAN and self.size
    share, own = _scalar(_apart(self, target), 1 / self.size if mean else 1), self.dtype

    def kernel(grad_output: Any, self: Any, target: Any, *_: Any) -> Any:
        d = self - target
        g = share * grad_output
        out = np.where(d <= 0, -g, np.where(d >= 0, g, d))  # d is NaN where it is neither
        return out.astype(own, copy=False)

    return kernel


def _smooth_l1_slope(g: Any, x: Any, target: Any, reduction: int, beta: float) -> Any:
    if not beta:
        return zeros_of(x)
    near = ((x - target).abs() < beta).to(g.dtype)
    return _scaled(g * near / beta, reduction, x)


op(
    "smooth_l1_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, "
    "float beta) -> Tensor",
    **_onto_self("smooth_l1_backward_cpu_out"),
    prepare=_prepare_smooth_l1_backward,
    variants="",
    grad={
        "grad_output": lambda g, c: ops.smooth_l1_loss_backward(
            g, c.self, c.target, c.reduction, c.beta
        ),
        "self": lambda g, c: _smooth_l1_slope(
            g * c.grad_output, c.self, c.target, c.reduction, c.beta
        ),
        "target": lambda g, c: (
            -_smooth_l1_slope(g * c.grad_output, c.self, c.target, c.reduction, c.beta)
        ),
    },
    out=OutForm("grad_input", meta="any"),
    samples="smooth_l1_backward",
    tags=("zero_tangents",),
)


def _huber_meta(self: Any, target: Any, reduction: int, delta: float) -> Out:
    """Written to a tensor like *self*, so that its dtype decides."""
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    common = common_dtype(self, target)
    out = out_like(self.dtype, self, target)
    if not can_cast(common, self.dtype):
        raise cannot_cast(common, self.dtype)
    refuse(common, {"huber_cpu": _NOT_FLOATS}, self)
    return Out((), self.dtype) if reduction in (MEAN, SUM) else out


def _prepare_huber(self: Any, target: Any, reduction: int, delta: float) -> Callable[..., Any]:
    return _rounded_off(self, target, delta, 1, reduction)


def _huber_grad(g: Any, c: Any) -> Any:
    return ops.huber_loss_backward(g, c.self, c.target, c.reduction, c.delta)


def _huber_target_grad(g: Any, c: Any) -> Any:
    return ops.huber_loss_backward(g, c.target, c.self, c.reduction, c.delta)


op(
    "huber_loss(Tensor self, Tensor target, int reduction=1, float delta=1.) -> Tensor",
    says="Return a loss that is quadratic below delta and grows by delta above it.",
    meta=_huber_meta,
    prepare=_prepare_huber,
    module="nn",
    variants="function",
    out=OutForm(dtype="cast", quiet=True, overlap="first"),
    out_meta=_onto(_huber_meta, casts=False),
    warns=lambda self, target, *rest: warn_outgrown(self.shape, target.shape),
    grad={"self": _huber_grad, "target": _huber_target_grad},
    samples="huber",
    tangent=tangent_rules.of_pair_loss("huber_loss_backward"),
    autocast="float32",
)


def _prepare_huber_backward(
    grad_output: Any, self: Any, target: Any, reduction: int, delta: float
) -> Callable[..., Any]:
    return _slope(self, target, grad_output, reduction, 1, delta)


def _huber_slope(g: Any, x: Any, target: Any, reduction: int, delta: float) -> Any:
    near = (x - target).abs() < delta
    return _scaled(g * near, reduction, x)


def _huber_output_grad(g: Any, c: Any) -> Any:
    if c.reduction == NONE:
        return ops.huber_loss_backward(g, c.self, c.target, c.reduction, c.delta)
    one = of("ones_like")(c.grad_output)
    each = ops.huber_loss_backward(one, c.self, c.target, c.reduction, c.delta)
    return ops.sum(each * g)


op(
    "huber_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, "
    "float delta) -> Tensor",
    **_onto_self("huber_backward_cpu_out", strict=True),
    prepare=_prepare_huber_backward,
    variants="",
    grad={
        "grad_output": _huber_output_grad,
        "self": lambda g, c: _huber_slope(
            g * c.grad_output, c.self, c.target, c.reduction, c.delta
        ),
        "target": lambda g, c: (
            -_huber_slope(g * c.grad_output, c.self, c.target, c.reduction, c.delta)
        ),
    },
    out=OutForm(names=("grad_input",), meta="any"),
    samples="huber_backward",
    tangent="not implemented",
)
