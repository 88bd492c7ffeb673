"""``cross_entropy_loss``: of class numbers or probabilities, with labels smoothed or not."""

from __future__ import annotations

import math
from typing import Any

from mindtorch.aten.likelihood import nll_loss_nd
from mindtorch.call.row import op
from mindtorch.core.dims import scalar_name
from mindtorch.core.operators import of, ops

from ..core.reduction import MEAN, NONE, SUM

__all__: list[str] = []


def _weight_along_classes(weight: Any, like: Any, class_dim: int) -> Any:
    shape = [1] * like.dim()
    shape[class_dim] = weight.shape[0]
    return weight.view(shape)


def _of_probabilities(
    self: Any, target: Any, weight: Any, reduction: int, label_smoothing: float
) -> Any:
    class_dim = 0 if self.dim() == 1 else 1
    if self.dim() == 0:
        raise IndexError("Dimension specified as 1 but tensor has no dimensions")
    classes = self.shape[class_dim]
    if weight is not None and (weight.dim() != 1 or weight.numel() != classes):
        raise RuntimeError(
            f"cross_entropy: weight tensor should be defined either for all {classes} classes or "
            f"no classes but got weight tensor of shape: {list(weight.shape)}"
        )
    logs = ops.log_softmax(self, class_dim)
    if label_smoothing > 0:
        target = target * (1 - label_smoothing) + label_smoothing / classes
    product = logs * target
    if weight is not None:
        product = product * _weight_along_classes(weight, product, class_dim)
    if reduction == MEAN:
        if not logs.numel():
            return -product.sum().fill_(math.nan)
        return of("div.Scalar")(-product.sum(), logs.numel() // classes)
    if reduction == SUM:
        return -product.sum()
    if reduction != NONE:
        raise _bad_reduction(reduction)
    return -product.sum((class_dim,))


def _bad_reduction(reduction: int) -> RuntimeError:
    return RuntimeError(f"Invalid reduction type encountered in cross_entropy: {reduction}")


def _smoothed(
    self: Any, target: Any, weight: Any, reduction: int, ignore_index: int, smoothing: float
) -> Any:
    class_dim = 0 if self.dim() == 1 else 1
    logs = ops.log_softmax(self, class_dim)
    nll = ops.nll_loss_nd(logs, target, weight, reduction, ignore_index)
    if weight is not None:
        smooth = -(logs * _weight_along_classes(weight, logs, class_dim)).sum((class_dim,))
    else:
        smooth = -logs.sum((class_dim,))
    ignored = target == ignore_index
    smooth = smooth.masked_fill_(ignored, 0.0)
    if reduction == MEAN:
        kept = ignored.logical_not()
        if weight is not None:
            weights = weight.gather(0, target.masked_fill(ignored, 0).reshape((-1,)))
            weights = weights.masked_fill(ignored.reshape((-1,)), 0)
            smooth = smooth.sum() / weights.sum()
        else:
            smooth = smooth.sum() / kept.sum()
    elif reduction == SUM:
        smooth = smooth.sum()
    elif reduction != NONE:
        raise _bad_reduction(reduction)
    smooth = of("mul.Scalar")(smooth, smoothing / self.shape[class_dim])
    return of("mul.Scalar")(nll, 1 - smoothing) + smooth


def _cross_entropy(
    self: Any, target: Any, weight: Any, reduction: int, ignore_index: int, label_smoothing: float
) -> Any:
    if self.shape == target.shape:
        if not target.is_floating_point():
            raise RuntimeError(
                "Expected floating point type for target with class probabilities, "
                f"got {scalar_name(target.dtype)}"
            )
        if ignore_index >= 0:
            raise RuntimeError("ignore_index is not supported for floating point target")
        if label_smoothing > 1.0:
            raise _bad_smoothing(label_smoothing)
        return _of_probabilities(self, target, weight, reduction, label_smoothing)
    if label_smoothing > 0.0:
        if label_smoothing > 1.0:
            raise _bad_smoothing(label_smoothing)
        return _smoothed(self, target, weight, reduction, ignore_index, label_smoothing)
    logs = ops._log_softmax(self, 0 if self.dim() == 1 else 1, False)
    return nll_loss_nd(logs, target, weight, reduction, ignore_index)


def _bad_smoothing(value: float) -> RuntimeError:
    return RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {value:g}")


op(
    "cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, "
    "SymInt ignore_index=-100, float label_smoothing=0.) -> Tensor",
    says="Return the cross entropy between scores and classes, or probabilities of classes.",
    composite=_cross_entropy,
    module="nn",
    variants="function",
    samples="cross_entropy",
    tags=("devices: target, self, weight",),
    autocast=("float32", ""),
)
