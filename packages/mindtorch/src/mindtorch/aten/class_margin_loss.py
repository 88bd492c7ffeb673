"""Losses with a margin between classes: soft, of one class, and of several.

Source: torch aten/src/ATen/native/Loss.cpp, LossMultiMargin.cpp, LossMultiLabelMargin.cpp.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from mindtorch_storage.dtype import DType, float32, from_numpy, get_default_dtype, int32

from mindtorch.aten.binary_entropy import in_place
from mindtorch.aten.derivatives import not_implemented_for
from mindtorch.aten.reduction_mode import reduced
from mindtorch.aten.scalars import checked
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

__all__: list[str] = []

_LACKS = INTEGRAL | BOOL | COMPLEX | {"float16", "bfloat16"}

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


def _soft(self: Any, target: Any, reduction: int) -> Any:
    out = np.negative(self)
    out = np.multiply(out, target, out=np.empty_like(out), casting="unsafe")
    out = np.log1p(np.exp(out))
    return (
        np.asarray(out) if reduction == NONE else reduced(out, MEAN if reduction == MEAN else SUM)
    )


def _soft_backward_meta(grad_output: Any, self: Any, target: Any, reduction: int) -> Out:
    shape = broadcast_shapes(tuple(self.shape), tuple(target.shape), tuple(grad_output.shape))
    return Out(shape, self.dtype)


def _soft_backward(grad_output: Any, self: Any, target: Any, reduction: int) -> Any:
    norm = 1 / self.size if reduction == MEAN and self.size else 1
    z = np.exp(-target * self)
    out = target * z * self.dtype.type(-norm)
    z += self.dtype.type(1)
    out = np.asarray(out / z * grad_output, order="C")
    return out.astype(self.dtype, copy=False)


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
    kernel=_soft,
    half=False,
    module="nn",
    variants="function",
    out=OutForm(dtype="same", quiet=True),
    out_meta=_soft_onto,
    grad={"self": lambda g, c: ops.soft_margin_loss_backward(g, c.self, c.target, c.reduction)},
    samples="soft_margin_loss",
    tags=("rounds",),
    autocast="float32",
)
op(
    "soft_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction)"
    " -> Tensor",
    meta=_soft_backward_meta,
    kernel=_soft_backward,
    half=False,
    variants="",
    out="grad_input",
    grad={"grad_output": _soft_output_grad, "self": _soft_twice},
    samples="soft_margin_backward",
    tags=("rounds",),
    tangent="not implemented",
)

# -- of one class -------------------------------------------------------------------------------


def _rows(shape: Any) -> tuple[int, int]:
    """How many samples of how many classes."""
    if len(shape) <= 1:
        return 1, shape[0] if shape else 1
    return shape[0], shape[1]


def _check_input(self: Any) -> None:
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
    _check_input(self)
    count, classes = _rows(self.shape)
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
    refuse(self.dtype, {"multi_margin_loss_cpu_kernel": _LACKS}, self)
    _expect_long(target)
    _same_type(self, weight)
    each = reduction == NONE and target.dim() > 0
    return Out((_rows(self.shape)[0],) if each else (), self.dtype)


def _same_type(self: Any, weight: Any) -> None:
    if weight is not None and weight.dtype is not self.dtype:
        raise RuntimeError(
            f"expected scalar type {scalar_name(self.dtype)} but found {scalar_name(weight.dtype)}"
        )


def _excess(self: Any, target: Any, margin: Any) -> tuple[Any, Any, Any]:
    """By how much each class comes too near to the right one; its numbers; the input's rows."""
    count, classes = _rows(self.shape)
    x, right = self.reshape(count, classes), target.reshape(count)
    if count and ((right < 0) | (right >= classes)).any():
        raise RuntimeError("target out of range")
    own = np.take_along_axis(x, right[:, None], 1)
    z = np.maximum(x.dtype.type(margin) - own + x, 0)
    z[np.arange(count), right] = 0
    return z, right, x


def _multi(self: Any, target: Any, p: Any, margin: Any, weight: Any, reduction: int) -> Any:
    p = int(p)
    z, right, x = _excess(self, target, margin)
    losses = (
        (z if p == 1 else z * z)
        if weight is None
        else ((z if p == 1 else z * z) * weight.reshape(-1)[right][:, None])
    )
    each = losses.sum(1) / x.dtype.type(x.shape[1])
    if reduction == NONE:
        return each.reshape(each.shape if target.ndim else ())
    total = np.asarray(each.sum(dtype=x.dtype))
    return np.asarray(total / x.dtype.type(len(x))) if reduction == MEAN else total


def _spread(g: Any, slope: Any, reduction: int, shape: Any) -> Any:
    """*slope* by the gradient of the loss, one number or one per sample."""
    if reduction != NONE or not g.ndim:
        return (slope * g).reshape(shape)
    return (slope * g.reshape(-1, 1)).reshape(shape)


def _multi_backward_meta(
    grad_output: Any, self: Any, target: Any, p: Any, margin: Any, weight: Any, reduction: int
) -> Out:
    _multi_check(self, target, p, weight)
    refuse(self.dtype, {"multi_margin_loss_backward_cpu_kernel": _LACKS}, self)
    return Out(tuple(self.shape), self.dtype)


def _multi_backward(
    grad_output: Any, self: Any, target: Any, p: Any, margin: Any, weight: Any, reduction: int
) -> Any:
    p = int(p)
    z, right, x = _excess(self, target, margin)
    count, classes = x.shape
    share = x.dtype.type(1 / (count * classes if reduction == MEAN else classes)) if count else 1
    slope = np.where(z > 0, share, 0) if p == 1 else 2 * share * z
    if weight is not None:
        slope = slope * weight.reshape(-1)[right][:, None]
    slope = slope.astype(x.dtype, copy=False)
    slope[np.arange(count), right] = -slope.sum(1)
    return _spread(grad_output, slope, reduction, self.shape)


op(
    "multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, "
    "Tensor? weight=None, int reduction=1) -> Tensor",
    says="Return the hinge loss between scores of classes and the right class.",
    meta=_multi_meta,
    kernel=_multi,
    module="nn",
    variants="function",
    out=OutForm(text=SCALAR_TYPE, quiet=True),
    grad={
        "self": lambda g, c: ops.multi_margin_loss_backward(
            g, c.self, c.target, c.p, c.margin, c.weight, c.reduction
        )
    },
    samples="multi_margin_loss",
    tangent="not implemented",
    autocast="float32",
)
op(
    "multi_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, Scalar p, "
    "Scalar margin, Tensor? weight=None, int reduction=1) -> Tensor",
    meta=_multi_backward_meta,
    kernel=_multi_backward,
    variants="",
    out="grad_input",
    grad=not_implemented_for("multi_margin_loss_backward", "grad_output", "self", "weight"),
    samples="multi_margin_backward",
)

# -- of several classes -------------------------------------------------------------------------


def _several_check(self: Any, target: Any) -> None:
    _check_input(self)
    shape, other = tuple(self.shape), tuple(target.shape)
    if len(shape) <= 1:
        fits = len(other) <= 1 and math.prod(other) == math.prod(shape)
    else:
        fits = shape == other
    if not fits:
        raise RuntimeError(
            f"inconsistent target size: {list(other)} for input of size: {list(shape)}"
        )


def _several_meta(self: Any, target: Any, reduction: int) -> tuple[Out, Out]:
    _several_check(self, target)
    each = reduction == NONE and target.dim() > 1
    loss = Out((_rows(self.shape)[0],) if each else (), self.dtype)
    return loss, Out(tuple(target.shape), self.dtype)


def _labels(target: Any, shape: Any) -> tuple[Any, Any]:
    """Per sample the labels before the first -1, and which classes they are."""
    count, classes = _rows(shape)
    rows = target.reshape(count, classes)
    given = np.logical_and.accumulate(rows >= 0, 1)
    mask = np.zeros((count, classes), bool)
    sample, place = np.nonzero(given)
    mask[sample, rows[sample, place]] = True
    return given, mask


def _pairs(x: Any, target: Any, given: Any, mask: Any) -> tuple[Any, Any]:
    """For each label (axis 1) how far every other class (axis 2) is above it, less the margin."""
    rows = np.where(given, target.reshape(x.shape), 0)
    own = np.take_along_axis(x, rows, 1)
    z = x.dtype.type(1) - own[:, :, None] + x[:, None, :]
    kept = given[:, :, None] & ~mask[:, None, :] & (z > 0)
    return np.where(kept, z, 0), kept


def _several_refusal(self: Any, target: Any, reduction: int) -> None:
    refuse(target.dtype, {"min_all": COMPLEX | UNSIGNED})
    if self.device.type != "cpu":  # else the numbers of the target are looked at first
        _several_dtypes(self.dtype, target.dtype)


def _several_dtypes(dtype: DType, target: DType) -> None:
    refuse(dtype, {"multilabel_margin_loss_forward_out_frame": _LACKS})
    if target.name != "int64":
        raise RuntimeError(f"expected scalar type Long but found {scalar_name(target)}")


def _several(self: Any, target: Any, reduction: int) -> tuple[Any, Any]:
    if target.size and (target.min() < -1 or target.max() >= _rows(self.shape)[1]):
        raise RuntimeError("argument #2 'target' is out of range")
    _several_dtypes(from_numpy(self.dtype), from_numpy(target.dtype))
    given, mask = _labels(target, self.shape)
    x = self.reshape(_rows(self.shape))
    z, _ = _pairs(x, target, given, mask)
    is_target = mask.astype(x.dtype).reshape(target.shape)
    each = z.sum((1, 2), dtype=x.dtype) / x.dtype.type(x.shape[1])
    if reduction == NONE:
        return each.reshape(each.shape if target.ndim > 1 else ()), is_target
    total = np.asarray(each.sum(dtype=x.dtype))
    if reduction == MEAN:
        total = np.asarray(total / x.dtype.type(len(x)))
    return total, is_target


def _several_backward_meta(
    grad_output: Any, self: Any, target: Any, reduction: int, is_target: Any
) -> Out:
    _several_check(self, target)
    refuse(self.dtype, {"multilabel_margin_loss_backward_out_frame": _LACKS}, self)
    return Out(tuple(self.shape), self.dtype)


def _several_backward(
    grad_output: Any, self: Any, target: Any, reduction: int, is_target: Any
) -> Any:
    given, _ = _labels(target, self.shape)
    x = self.reshape(_rows(self.shape))
    count, classes = x.shape
    _, kept = _pairs(x, target, given, is_target.reshape(x.shape) != 0)
    share = x.dtype.type(1 / (count * classes if reduction == MEAN else classes)) if count else 1
    slope = kept.sum(1).astype(x.dtype) * share
    sample, place = np.nonzero(given)
    own = kept.sum(2)[sample, place].astype(x.dtype) * share
    np.subtract.at(slope, (sample, target.reshape(x.shape)[sample, place]), own)
    return _spread(grad_output, slope, reduction, self.shape)


op(
    "multilabel_margin_loss_forward(Tensor self, Tensor target, int reduction)"
    " -> (Tensor output, Tensor is_target)",
    says="Return the hinge loss of several right classes, and which classes are right.",
    meta=_several_meta,
    kernel=_several,
    refuses=_several_refusal,
    module="nn",
    variants="",
    out="output",
    grad={
        "self": lambda g, c: ops.multilabel_margin_loss_backward(
            g[0], c.self, c.target, c.reduction, c.result1
        )
    },
    half=False,
    samples="multilabel_margin_forward",
    tags=("one_gradient", "rounds", "devices: target, self"),
    tangent="not implemented",
    autocast=("float32", ""),
)
op(
    "multilabel_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, "
    "int reduction, Tensor is_target) -> Tensor",
    meta=_several_backward_meta,
    kernel=_several_backward,
    variants="",
    out="grad_input",
    grad=not_implemented_for("multilabel_margin_loss_backward", "grad_output", "self", "is_target"),
    samples="multilabel_margin_backward",
)
op(
    "multilabel_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor",
    says="Return the hinge loss between scores of classes and several right classes.",
    composite=lambda self, target, reduction: ops.multilabel_margin_loss_forward(
        self, target, reduction
    )[0],
    module="nn",
    variants="function",
    out=OutForm(text=SCALAR_TYPE, quiet=True, gradient="multilabel_margin_loss_forward"),
    samples="multilabel_margin_loss",
    autocast="float32",
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
