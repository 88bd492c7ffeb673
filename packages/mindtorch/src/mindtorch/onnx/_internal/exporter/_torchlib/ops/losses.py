"""Losses; most of them come as the operators that they are made of."""

from __future__ import annotations

from typing import Any

from ..._building import INT64, Builder, Value
from ..._errors import DispatchError
from ..._registration import translates

_REDUCTIONS = ("none", "mean", "sum")


@translates("cross_entropy_loss")
def cross_entropy_loss(
    g: Builder,
    self: Value,
    target: Value,
    weight: Value | None = None,
    reduction: int = 1,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
) -> Value:
    classes = 0 if self.rank == 1 else 1
    if target.dtype.is_floating_point and target.shape == self.shape:
        return _of_chances(g, self, target, weight, reduction, label_smoothing, classes)
    scores, labels = self, g.cast(target, INT64)
    if classes == 0:
        scores, labels = g.unsqueeze(scores, 0), g.unsqueeze(labels, 0)
        scores.shape, labels.shape = (1, *(self.shape or ())), (1,)
    if label_smoothing:
        found = _smoothed(g, scores, labels, weight, reduction, ignore_index, label_smoothing)
        return g.axes("Squeeze", found, [0]) if classes == 0 and reduction == 0 else found
    found = g.op(
        "SoftmaxCrossEntropyLoss",
        scores,
        labels,
        weight,
        ignore_index=ignore_index,
        reduction=_REDUCTIONS[reduction],
    )
    return g.axes("Squeeze", found, [0]) if classes == 0 and reduction == 0 else found


def _smoothed(
    g: Builder,
    scores: Value,
    labels: Value,
    weight: Value | None,
    reduction: int,
    ignored: int,
    smoothing: float,
) -> Value:
    """The loss where a part of each label is shared among all classes."""
    rank, dtype = scores.rank, scores.dtype
    if rank > 2 and g.version < 13:
        raise DispatchError("classes that stand in the middle, in an old version")
    logs = g.op("LogSoftmax", scores, axis=1)
    counted = g.op("Not", g.op("Equal", labels, ignored))
    known = g.where(counted, labels, 0, INT64)
    own = g.axes("Squeeze", g.op("GatherElements", logs, g.unsqueeze(known, 1), axis=1), [1])
    share: Any = g.cast(counted, dtype)
    if weight is not None:
        share = g.op("Mul", share, g.op("Gather", weight, known, axis=0))
        logs = g.op("Mul", logs, g.reshape(weight, [-1] + [1] * (rank - 2)))
    label = g.op("Neg", g.op("Mul", own, share))
    every = g.op("Neg", g.op("ReduceSum", logs, g.ints([1]), keepdims=0))
    every = g.where(counted, every, 0, dtype)
    part = smoothing / scores.sizes[1]
    each = g.op("Add", g.op("Mul", label, 1 - smoothing), g.op("Mul", every, part))
    if reduction == 0:
        return each
    dims = g.ints(range(rank - 1))
    total = g.op("ReduceSum", each, dims, keepdims=0)
    if reduction == 2:
        return total
    return g.op("Div", total, g.op("ReduceSum", share, dims, keepdims=0))


def _of_chances(
    g: Builder,
    self: Value,
    target: Value,
    weight: Value | None,
    reduction: int,
    smoothing: float,
    classes: int,
) -> Value:
    """The loss where targets are how likely each class is."""
    if smoothing:
        share = smoothing / self.sizes[classes]
        target = g.op("Add", g.op("Mul", target, 1 - smoothing), share)
    if self.rank > 2 and g.version < 13:
        raise DispatchError("classes that stand in the middle, in an old version")
    product = g.op("Mul", g.op("LogSoftmax", self, axis=classes), target)
    if weight is not None:
        sizes = [-1] + [1] * (self.rank - classes - 1)
        product = g.op("Mul", product, g.reshape(weight, sizes))
    each = g.op("Neg", g.op("ReduceSum", product, g.ints([classes]), keepdims=0))
    rest = list(range(self.rank - 1))
    if reduction == 0 or not rest:
        return each
    total = g.op("ReduceSum", each, g.ints(rest), keepdims=0)
    if reduction == 2:
        return total
    count = 1
    for i, size in enumerate(self.shape or ()):
        count *= 1 if i == classes else size
    return g.op("Div", total, count)
