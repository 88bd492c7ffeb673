"""Losses with a margin between classes: soft, and of one class; the loss of counts.

Source: torch aten/src/ATen/native/Loss.cpp, LossMultiMargin.cpp.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import float32, get_default_dtype, int32

from mindtorch.aten.binary_entropy import in_place
from mindtorch.aten.centred_rows import operand
from mindtorch.aten.derivatives import not_implemented_for
from mindtorch.aten.index_bounds import bounds
from mindtorch.aten.reduction_mode import reducer
from mindtorch.aten.scalars import checked
from mindtorch.aten.summation import sums
from mindtorch.call.elementwise_meta import (
    BOOL,
    COMPLEX,
    INTEGRAL,
    UNSIGNED,
    broadcast_shapes,
    out_like,
    refuse,
)
from mindtorch.call.forms import SCALAR_TYPE, OutForm
from mindtorch.call.row import Out, op
from mindtorch.core.dims import scalar_name
from mindtorch.core.errors import cannot_cast
from mindtorch.core.operators import of, ops
from mindtorch.core.warning import warn_resized

from ..core.reduction import MEAN, NONE, SUM, reduce

__all__ = ["LACKS", "check_input", "rows_of", "spread"]

LACKS = INTEGRAL | BOOL | COMPLEX | {"float16", "bfloat16"}

# -- soft ---------------------------------------------------------------------------------------


def _soft_meta(self: Any, target: Any, reduction: int) -> Out:
    """Step by step as torch computes it, in place of the negated input."""
    if self.dtype.name == "bool":
        raise RuntimeError(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to "
            "invert a mask, use the `~` or `logical_not()` operator instead."
        )
    refuse(self.dtype, {"neg_cpu": UNSIGNED}, self)
    in_place(self, target)
    if not (self.dtype.is_floating_point or self.dtype.is_complex):
        raise cannot_cast(get_default_dtype(), self.dtype)
    return out_like(self.dtype, self) if reduction == NONE else Out((), self.dtype)


def _soft_onto(given: Any, self: Any, target: Any, reduction: int) -> Out:
    """The target first has the shape of the losses, whatever the reduction."""
    out = _soft_meta(self, target, reduction)
    shape = tuple(self.shape)
    fits = given.dtype is out.dtype and given.device == self.device  # else refused first
    if fits and given.numel() and tuple(given.shape) != shape:
        warn_resized(given.shape, shape)
    return out


def _prepare_soft(self: Any, target: Any, reduction: int) -> Callable[..., Any]:
    shape, dtype, empty = self.shape, self.dtype, np.empty
    reduce = reducer(self, MEAN if reduction == MEAN else reduction and SUM)
    negative, multiply, exp, log1p = np.negative, np.multiply, np.exp, np.log1p

    def kernel(self: Any, target: Any, reduction: int) -> Any:
        out = negative(self, empty(shape, dtype))
        multiply(out, target, out=out, casting="unsafe")
        return reduce(log1p(exp(out, out), out))

    return kernel


def _soft_backward_meta(grad_output: Any, self: Any, target: Any, reduction: int) -> Out:
    shape = broadcast_shapes(tuple(self.shape), tuple(target.shape), tuple(grad_output.shape))
    return Out(shape, self.dtype)


def _prepare_soft_backward(
    grad_output: Any, self: Any, target: Any, reduction: int
) -> Callable[..., Any]:
    dtype = self.dtype
    norm = np.array(-(1 / self.size if reduction == MEAN and self.size else 1), dtype)
    one, negative, exp = np.array(1, dtype), np.negative, np.exp

    def kernel(grad_output: Any, self: Any, target: Any, reduction: int) -> Any:
        z = exp(negative(target) * self)
        out = np.asarray(target * z * norm / (z + one) * grad_output, order="C")
        return out.astype(dtype, copy=False)

    return kernel


def _soft_output_grad(g: Any, c: Any) -> Any:
    if c.reduction == NONE:
        return ops.soft_margin_loss_backward(g, c.self, c.target, c.reduction)
    one = of("ones_like")(c.grad_output)
    each = ops.soft_margin_loss_backward(one, c.self, c.target, c.reduction)
    return ops.sum(each * g)


def _soft_twice(g: Any, c: Any) -> Any:
    g = g * c.grad_output
    x, target = c.self, c.target
    z = (x * -target).exp()
    more = z + 1
    bottom = more * more
    out = g * (target * target) * z / bottom
    return out.div_(x.numel()) if c.reduction == MEAN else out


op(
    "soft_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor",
    says="Return log(1 + exp(-target * input)), the logistic loss of two classes.",
    meta=_soft_meta,
    prepare=_prepare_soft,
    half=False,
    module="nn",
    variants="function",
    out=OutForm(dtype="same", quiet=True, overlap="first"),
    out_meta=_soft_onto,
    grad={"self": lambda g, c: ops.soft_margin_loss_backward(g, c.self, c.target, c.reduction)},
    samples="soft_margin_loss",
    tags=("rounds", "loops: functional", "real_only"),
    autocast="float32",
)
op(
    "soft_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction)"
    " -> Tensor",
    meta=_soft_backward_meta,
    prepare=_prepare_soft_backward,
    half=False,
    variants="",
    out="grad_input",
    grad={"grad_output": _soft_output_grad, "self": _soft_twice},
    samples="soft_margin_backward",
    tags=("rounds",),
    tangent="not implemented",
)

# -- of one class -------------------------------------------------------------------------------


def rows_of(shape: Any) -> tuple[int, int]:
    """How many samples of how many classes."""
    if len(shape) <= 1:
        return 1, shape[0] if shape else 1
    return shape[0], shape[1]


def check_input(self: Any) -> None:
    shape = tuple(self.shape)
    if not ((len(shape) == 2 and shape[1]) or (len(shape) == 1 and shape[0]) or not shape):
        raise RuntimeError(
            "Expected non-empty vector or matrix with optional 0-dim batch size, but got: "
            f"{list(shape)}"
        )


def _expect_long(target: Any) -> None:
    if target.dtype.name != "int64":
        raise RuntimeError(f"expected scalar type Long but found {scalar_name(target.dtype)}")


def _multi_check(self: Any, target: Any, p: Any, weight: Any) -> None:
    if int(checked(p, int32)) not in (1, 2):
        raise RuntimeError("only p == 1 and p == 2 supported")
    check_input(self)
    count, classes = rows_of(self.shape)
    if target.dim() > 1 or target.numel() != count:
        raise RuntimeError(
            "multi_margin_loss: target tensor should be 1-D with size equal to the number of "
            f"input samples (batch size). Expected target size [{count}], but got "
            f"{list(target.shape)}. Input has shape {list(self.shape)}."
        )
    if weight is not None and (weight.dim() > 1 or weight.numel() != classes):
        raise RuntimeError(
            f"inconsistent weight size, expected {classes} but got {list(weight.shape)}"
        )


def _multi_meta(self: Any, target: Any, p: Any, margin: Any, weight: Any, reduction: int) -> Out:
    _multi_check(self, target, p, weight)
    checked(margin, float32)
    refuse(self.dtype, {"multi_margin_loss_cpu_kernel": LACKS}, self)
    _expect_long(target)
    _same_type(self, weight)
    each = reduction == NONE and target.dim() > 0
    return Out((rows_of(self.shape)[0],) if each else (), self.dtype)


def _same_type(self: Any, weight: Any) -> None:
    if weight is not None and weight.dtype is not self.dtype:
        raise RuntimeError(
            f"expected scalar type {scalar_name(self.dtype)} but found {scalar_name(weight.dtype)}"
        )


def _excess(self: Any, p: int, margin: Any) -> Callable[[Any, Any], tuple[Any, Any, Any]]:
    """By how much each class comes too near to the right one; where the right ones lie."""
    count, classes = rows_of(self.shape)
    start, dtype = np.arange(0, count * classes, classes), self.dtype
    limit, zero = np.array(margin, dtype), np.zeros((), dtype)
    find_bounds, rows = bounds(count), (count, classes)
    add, subtract, larger, by_row = np.add, np.subtract, np.fmax, operand(rows, (count, 1))

    def excess(self: Any, target: Any) -> tuple[Any, Any, Any]:
        right = target.ravel()
        if count:
            lowest, highest = find_bounds(right)
            if lowest < 0 or highest >= classes:
                raise RuntimeError("target out of range")
        x, at = self.ravel(), add(right, start)
        own = x[at]
        z = subtract(x.reshape(rows), by_row(subtract(own, limit, own)))
        larger(z, zero, out=z)  # NaN is not above, either
        z.ravel()[at] = zero
        return z, right, at

    return excess


def _prepare_multi(
    self: Any, target: Any, p: Any, margin: Any, weight: Any, reduction: int
) -> Callable[..., Any]:
    p, (count, classes), dtype = int(p), rows_of(self.shape), self.dtype
    excess, multiply, divide = _excess(self, p, margin), np.multiply, np.divide
    total = sums(np.empty((count, classes), dtype), (1,), (count,))
    reduce = reducer(np.empty(count, dtype), reduction if reduction in (NONE, MEAN) else SUM)
    per_class = np.array(classes, dtype)
    shape = (count,) if reduction == NONE and target.ndim else ()
    at_once = weight is None and reduction != NONE
    reduce_all = reducer(np.empty((count, classes), dtype), MEAN if reduction == MEAN else SUM)

    def kernel(self: Any, target: Any, p_: Any, margin: Any, weight: Any, _: int) -> Any:
        z, right, _ = excess(self, target)
        if p == 2:
            multiply(z, z, z)
        if at_once:
            whole = reduce_all(z)
            return whole if reduction == MEAN else divide(whole, per_class, whole)
        each = total(z)
        divide(each, per_class, each)
        if weight is not None:
            multiply(each, weight.reshape(-1).take(right), each)
        return reduce(each).reshape(shape)

    return kernel


def spread(g: Any, slope: Any, reduction: int, shape: Any) -> Any:
    """*slope* by the gradient of the loss, one number or one per sample."""
    if reduction != NONE or not g.ndim:
        return (slope * g).reshape(shape)
    return (slope * g.reshape(-1, 1)).reshape(shape)


def _multi_backward_meta(
    grad_output: Any, self: Any, target: Any, p: Any, margin: Any, weight: Any, reduction: int
) -> Out:
    _multi_check(self, target, p, weight)
    refuse(self.dtype, {"multi_margin_loss_backward_cpu_kernel": LACKS}, self)
    return Out(tuple(self.shape), self.dtype)


def _prepare_multi_backward(
    grad_output: Any, self: Any, target: Any, p: Any, margin: Any, weight: Any, reduction: int
) -> Callable[..., Any]:
    p, (count, classes), dtype, shape = int(p), rows_of(self.shape), self.dtype, self.shape
    excess, multiply, greater = _excess(self, p, margin), np.multiply, np.greater
    total = sums(np.empty((count, classes), dtype), (1,), (count,))
    share = 1 / (count * classes if reduction == MEAN else classes) if count else 1
    share, zero = np.array(p * share, dtype), np.zeros((), dtype)

    def kernel(
        grad_output: Any, self: Any, target: Any, p_: Any, margin: Any, weight: Any, _: int
    ) -> Any:
        slope, right, at = excess(self, target)
        slope = multiply(slope if p == 2 else greater(slope, zero), share)
        if weight is not None:
            multiply(slope, weight.reshape(-1).take(right)[:, None], slope)
        slope.reshape(-1)[at] = -total(slope)
        return spread(grad_output, slope, reduction, shape)

    return kernel


op(
    "multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, "
    "Tensor? weight=None, int reduction=1) -> Tensor",
    says="Return the hinge loss between scores of classes and the right class.",
    meta=_multi_meta,
    prepare=_prepare_multi,
    module="nn",
    variants="function",
    out=OutForm(text=SCALAR_TYPE, quiet=True, overlap="unchecked"),
    grad={
        "self": lambda g, c: ops.multi_margin_loss_backward(
            g, c.self, c.target, c.p, c.margin, c.weight, c.reduction
        )
    },
    samples="multi_margin_loss",
    tangent="not implemented",
    autocast="float32",
    tags=("loops: functional",),
)
op(
    "multi_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, Scalar p, "
    "Scalar margin, Tensor? weight=None, int reduction=1) -> Tensor",
    meta=_multi_backward_meta,
    prepare=_prepare_multi_backward,
    variants="",
    out="grad_input",
    grad=not_implemented_for("multi_margin_loss_backward", "grad_output", "self", "weight"),
    samples="multi_margin_backward",
)


def _poisson(
    input: Any, target: Any, log_input: bool, full: bool, eps: float, reduction: int
) -> Any:
    if log_input:
        product = target * input
        loss = ops.exp(input) - product
    else:
        loss = input - target * ops.log(input + eps)
    if full:
        times = of("mul.Scalar")
        half = times(ops.log(times(target, 2 * math.pi)), 0.5)
        stirling = target * ops.log(target) - target + half
        loss = loss.add_(stirling.masked_fill(target <= 1, 0))
    return reduce(loss, reduction)


op(
    "poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, "
    "int reduction) -> Tensor",
    says="Return the negative log-likelihood of counts under a Poisson distribution.",
    composite=_poisson,
    variants="function",
    samples="poisson_nll_loss",
    autocast="float32",
)
