"""``multilabel_margin_loss``: a hinge loss of several right classes.

Source: torch aten/src/ATen/native/LossMultiLabelMargin.cpp.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import DType, from_numpy

from mindtorch.aten.class_margin_loss import LACKS, check_input, rows_of, spread
from mindtorch.aten.derivatives import not_implemented_for
from mindtorch.aten.index_bounds import bounds
from mindtorch.aten.reduction_mode import reducer
from mindtorch.call.elementwise_meta import COMPLEX, UNSIGNED, refuse
from mindtorch.call.row import Out, op
from mindtorch.core.dims import scalar_name
from mindtorch.core.operators import ops

from ..call.forms import SCALAR_TYPE, OutForm
from ..core.reduction import MEAN, NONE, SUM

__all__: list[str] = []


def _several_check(self: Any, target: Any) -> None:
    check_input(self)
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
    # torch's meta function has one loss for a single sample, too.
    each = reduction == NONE and (target.dim() > 1 or self.is_meta)
    loss = Out((rows_of(self.shape)[0],) if each else (), self.dtype)
    return loss, Out(tuple(target.shape), self.dtype)


#: So many targets are looked at one by one, as Python's numbers.
_FEW = 64


def _labels(shape: Any) -> Callable[[Any], tuple[Any, Any, Any]]:
    """What finds of each sample the labels before the first -1, and which classes they are.

    They come as places in flat memory of *shape*: of the labels, of the classes that they name;
    and a mask of these.
    """
    count, classes = rows_of(shape)
    zeros, size = np.zeros, count * classes

    def of_few(target: Any) -> tuple[Any, Any, Any]:
        places, named = [], []
        for start, row in zip(range(0, size, classes), target.tolist(), strict=True):
            for place, label in enumerate(row):
                if label < 0:
                    break
                places.append(start + place)
                named.append(start + label)
        mask = zeros(size, bool)
        mask[named] = True
        return places, named, mask.reshape(count, classes)

    def of_many(target: Any) -> tuple[Any, Any, Any]:
        given = np.logical_and.accumulate(target >= 0, 1)
        sample, place = np.nonzero(given)
        named = sample * classes + target[sample, place]
        mask = zeros(size, bool)
        mask[named] = True
        return sample * classes + place, named, mask.reshape(count, classes)

    return of_few if size <= _FEW else of_many


def _prepare_pairs(self: Any) -> Callable[[Any, Any, Any, Any], Any]:
    """What finds for each label (a row) how far every class is above it, less the margin.

    Nothing where that is a right class itself, or far enough below.
    """
    (count, classes), dtype = rows_of(self.shape), self.dtype
    one, zero, take = np.array(1, dtype), np.zeros((), dtype), np.ndarray.take
    rows = np.arange(count * classes) // classes
    larger, subtract = np.fmax, np.subtract

    def pairs(x: Any, places: Any, named: Any, mask: Any) -> Any:
        own = rows.take(places)
        right = take(x, named)
        z = subtract(take(x, own, 0), subtract(right, one, right)[:, None])
        larger(z, zero, out=z)  # NaN is not above, either
        z[take(mask, own, 0)] = zero
        return z

    return pairs


def _several_refusal(self: Any, target: Any, reduction: int) -> None:
    refuse(target.dtype, {"min_all": COMPLEX | UNSIGNED})
    if self.device.type != "cpu":  # else the numbers of the target are looked at first
        _several_dtypes(self.dtype, target.dtype)


def _several_dtypes(dtype: DType, target: DType) -> None:
    refuse(dtype, {"multilabel_margin_loss_forward_out_frame": LACKS})
    if target.name != "int64":
        raise RuntimeError(f"expected scalar type Long but found {scalar_name(target)}")


def _prepare_several(self: Any, target: Any, reduction: int) -> Callable[..., Any]:
    (count, classes), dtype = rows_of(self.shape), self.dtype
    labels, pairs, shape = _labels(self.shape), _prepare_pairs(self), target.shape
    reduce = reducer(np.empty(count, dtype), reduction if reduction in (NONE, MEAN) else SUM)
    result = (count,) if reduction == NONE and target.ndim > 1 else ()
    find_bounds = bounds(target.size)
    rows, divide = np.arange(target.size) // classes, np.divide
    per_class = np.array(classes, dtype)
    ones, sum_into, zeros = np.ones(classes, dtype), np.add.at, np.zeros
    types = from_numpy(dtype), from_numpy(target.dtype)

    def kernel(self: Any, target: Any, reduction: int) -> tuple[Any, Any]:
        t = target.reshape(count, classes)
        lowest, highest = find_bounds(t)
        if lowest < -1 or highest >= classes:
            raise RuntimeError("argument #2 'target' is out of range")
        _several_dtypes(*types)
        places, named, mask = labels(t)
        each = zeros(count, dtype)
        if len(places):
            z = pairs(self.reshape(count, classes), places, named, mask)
            sum_into(each, rows.take(places), z.dot(ones))
        divide(each, per_class, each)
        return reduce(each).reshape(result), mask.astype(dtype).reshape(shape)

    return kernel


def _several_backward_meta(
    grad_output: Any, self: Any, target: Any, reduction: int, is_target: Any
) -> Out:
    _several_check(self, target)
    refuse(self.dtype, {"multilabel_margin_loss_backward_out_frame": LACKS}, self)
    return Out(tuple(self.shape), self.dtype)


def _prepare_several_backward(
    grad_output: Any, self: Any, target: Any, reduction: int, is_target: Any
) -> Callable[..., Any]:
    (count, classes), dtype, shape = rows_of(self.shape), self.dtype, self.shape
    labels, pairs = _labels(shape), _prepare_pairs(self)
    share = 1 / (count * classes if reduction == MEAN else classes) if count else 1
    share, zero, ones = np.array(share, dtype), np.zeros((), dtype), np.ones(classes, dtype)
    rows, zeros = np.arange(count * classes) // classes, np.zeros
    add, subtract, multiply = np.add.at, np.subtract.at, np.multiply

    def kernel(grad_output: Any, self: Any, target: Any, reduction: int, is_target: Any) -> Any:
        places, named, _ = labels(target.reshape(count, classes))
        slope = zeros((count, classes), dtype)
        if len(places):
            mask = is_target.reshape(count, classes) != zero
            z = pairs(self.reshape(count, classes), places, named, mask)
            kept = (z > zero).astype(dtype)
            add(slope, rows.take(places), kept)
            subtract(slope.reshape(-1), named, kept.dot(ones))
            multiply(slope, share, slope)
        return spread(grad_output, slope, reduction, shape)

    return kernel


op(
    "multilabel_margin_loss_forward(Tensor self, Tensor target, int reduction)"
    " -> (Tensor output, Tensor is_target)",
    says="Return the hinge loss of several right classes, and which classes are right.",
    meta=_several_meta,
    prepare=_prepare_several,
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
    prepare=_prepare_several_backward,
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
    tags=("loops: functional",),
)
