"""Losses; most of them come as the operators that they are made of."""

from __future__ import annotations

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
    if label_smoothing:
        raise DispatchError("labels that are smoothed")
    scores, labels = self, g.cast(target, INT64)
    if classes == 0:
        scores, labels = g.unsqueeze(scores, 0), g.unsqueeze(labels, 0)
    found = g.op(
        "SoftmaxCrossEntropyLoss",
        scores,
        labels,
        weight,
        ignore_index=ignore_index,
        reduction=_REDUCTIONS[reduction],
    )
    return g.axes("Squeeze", found, [0]) if classes == 0 and reduction == 0 else found


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
        share = smoothing / self.shape[classes]  # type: ignore[index]
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
