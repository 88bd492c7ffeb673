"""Samples of losses."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from . import Call, Maker, call
from .arguments import targets

Calls = Iterator[Call]


_REDUCTIONS = (0, 1, 2)


def pair_loss(make: Maker) -> Calls:
    for reduction in _REDUCTIONS:
        yield call(make(3, 4), make(3, 4), reduction)
        yield call(make(4, 3).t(), make(4), reduction)
    yield call(make(), make(), 2)
    yield call(make(0), make(0), 0)


def bad_pair_loss(make: Maker) -> Calls:
    yield call(make(2, 3), make(5))


def mse_backward(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(3, 4), make(3, 4), make(3, 4), 0)
        yield call(make(), make(3, 4), make(3, 4), 1)
        yield call(make(), make(3, 4), make(3, 4), 2)


def gradient_pairs(make: Maker) -> Calls:
    """A gradient and what it is the gradient of, on both sides of where slopes change."""
    yield call(make(3, 4), make(3, 4, low=-6, high=6))
    yield call(make(4, 3).t(), make(4, low=-6, high=6))
    if make.kind == "float":
        edges = [-3.0, 3.0, 0.0, -0.0, math.nan, math.inf, -math.inf]
        yield call(make(7), make(values=edges, grad=False))


def log_sigmoid_backward(make: Maker) -> Calls:
    if make.kind == "float":
        for x in (make(3, 4), make(4, 3).t()):
            yield call(make(3, 4), x, (-x.detach().abs()).exp())


def bad_log_sigmoid_backward(make: Maker) -> Calls:
    yield call(make(2, 3), make(5), make(5))
    yield call(make(2, 3), make(2, 3, dtype="float64"), make(2, 3, dtype="float64"))


def logit_backward(make: Maker) -> Calls:
    for eps in (None, 0.1):
        yield call(make(3, 4), make(3, 4, low=-0.5, high=1.5), eps)


def smooth_l1_backward(make: Maker) -> Calls:
    for grads in _loss_gradients(make):
        yield call(*grads, 0.5)
        yield call(*grads, 3.0)
    if make.kind == "float":
        yield call(make(3, 4), make(3, 4), make(3, 4), 0, 0.0)


def bad_smooth_l1_backward(make: Maker) -> Calls:
    yield call(make(2, 3), make(2, 3), make(5), 0, 1.0)


def _loss_gradients(make: Maker) -> Iterator[tuple[Any, ...]]:
    """Gradient, input, target and reduction."""
    if make.kind == "float":
        yield make(3, 4), make(3, 4), make(3, 4), 0
        yield make(), make(3, 4), make(3, 4), 1
        yield make(), make(4, 3).t(), make(4), 2


def huber_backward(make: Maker) -> Calls:
    for grads in _loss_gradients(make):
        yield call(*grads, 0.5)
        yield call(*grads, 3.0)


def bad_huber_backward(make: Maker) -> Calls:
    yield call(make(2, 3), make(2, 3), make(5), 0, 1.0)
    yield call(make(2, 3), make(2, 3, dtype="float64"), make(2, 3, dtype="float64"), 0, 1.0)


def smooth_l1(make: Maker) -> Calls:
    for reduction in _REDUCTIONS:
        yield call(make(3, 4), make(3, 4), reduction)
        yield call(make(3, 4), make(3, 4), reduction, 0.5)
    yield call(make(3, 4), make(3, 4), 1, 0.0)


def bad_smooth_l1(make: Maker) -> Calls:
    yield call(make(2, 3), make(5))
    yield call(make(2, 3), make(2, 3), 1, -1.0)


def huber(make: Maker) -> Calls:
    for reduction in _REDUCTIONS:
        yield call(make(3, 4), make(3, 4), reduction)
        yield call(make(3, 4), make(3, 4), reduction, 0.5)


def bad_huber(make: Maker) -> Calls:
    yield call(make(2, 3), make(5))
    yield call(make(2, 3), make(2, 3), 1, 0.0)


def bce(make: Maker) -> Calls:
    def p(*shape: int) -> Any:
        return make(*shape, low=0, high=1)

    for reduction in _REDUCTIONS:
        yield call(p(3, 4), p(3, 4), None, reduction)
        yield call(p(3, 4), p(3, 4), make(4, grad=False), reduction)
    yield call(make(values=[0.0, 1.0, 0.0]), make(values=[0.0, 0.0, 1.0]), None, 1)


def bad_bce(make: Maker) -> Calls:
    yield call(make(values=[2.0]), make(values=[1.0]))
    yield call(make(2, 3), make(2, 3, dtype="complex64"))


def logits(make: Maker) -> Calls:
    if make.kind == "float":
        for reduction in _REDUCTIONS:
            yield call(make(3, 4), make(3, 4), None, None, reduction)
            yield call(make(3, 4), make(3, 4), make(4, grad=False), make(4, grad=False), reduction)
        yield call(make(values=[100.0, -100.0]), make(values=[0.0, 1.0]), None, None, 1)


def bad_logits(make: Maker) -> Calls:
    yield call(make(2, 3), make(5))
    yield call(make(2, 3), make(2, 3), make(5))


def kl_div(make: Maker) -> Calls:
    for reduction in _REDUCTIONS:
        yield call(make(3, 4), make(3, 4, low=0.1), reduction)
        yield call(make(3, 4), make(3, 4), reduction, log_target=True)


def bad_kl_div(make: Maker) -> Calls:
    yield call(make(3, dtype="int64"), make(3, dtype="int64"))
    yield call(make(2, 3), make(5))


def nll_forward(make: Maker) -> Calls:
    if make.kind == "float":
        for reduction in _REDUCTIONS:
            yield call(make(3, 4), targets(make, 0, 3, 1), None, reduction, -100)
            yield call(make(3, 4), targets(make, 0, 3, 1), make(4, grad=False), reduction, 3)
        yield call(make(4), make(values=2, dtype="int64"), None, 1, -100)
        yield call(make(3, 4), make(values=[0, 3, 1], dtype="uint8"), None, 1, -100)


def bad_nll_forward(make: Maker) -> Calls:
    x = make(2, 3)
    yield call(make(1, 2, 3), targets(make, 0), None, 1, -100)
    yield call(x, targets(make, 0), None, 1, -100)
    yield call(make(), make(values=0, dtype="int64"), None, 1, -100)


def nll2d_forward(make: Maker) -> Calls:
    if make.kind == "float":
        t = make(2, 2, 2, low=0, high=2, dtype="int64")
        for reduction in _REDUCTIONS:
            yield call(make(2, 3, 2, 2), t, None, reduction, -100)
            yield call(make(2, 3, 2, 2), t, make(3, grad=False), reduction, 1)


def nll_loss(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(3, 4), targets(make, 0, 3, 1), None, 1)


def nll_loss2d(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(2, 3, 2, 2), make(2, 2, 2, low=0, high=2, dtype="int64"), None, 1)


def nll_loss_nd(make: Maker) -> Calls:
    if make.kind == "float":
        for reduction in _REDUCTIONS:
            yield call(make(3, 4), targets(make, 0, 3, 1), None, reduction)
            yield call(make(2, 3, 5), make(2, 5, low=0, high=2, dtype="int64"), None, reduction)
            yield call(
                make(2, 3, 2, 2), make(2, 2, 2, low=0, high=2, dtype="int64"), None, reduction
            )
        yield call(make(4), make(values=2, dtype="int64"), None, 1)


def bad_nll_loss_nd(make: Maker) -> Calls:
    x, im, seq = make(2, 3), make(2, 3, 8, 8), make(2, 3, 8)
    yield call(x, targets(make, 0))
    yield call(x, targets(make, 0, 3))
    yield call(x, targets(make, 0, -1))
    yield call(x, make(2, dtype="float32", grad=False))
    yield call(x, make(2, 3, dtype="int64"))
    yield call(x, targets(make, 0, 1), make(5))
    yield call(make(), make(values=0, dtype="int64"))
    yield call(x, make(values=[0, 1], dtype="int32"))
    yield call(make(3), targets(make, 0, 1))
    yield call(im, make(2, 8, 7, low=0, dtype="int64"))
    yield call(im, make(2, 8, low=0, dtype="int64"))
    yield call(im, make(1, 8, 8, low=0, dtype="int64"))
    yield call(seq, make(2, 7, low=0, dtype="int64"))
    yield call(im, make(2, 8, 8, low=9, high=9, dtype="int64"))


def cross_entropy(make: Maker) -> Calls:
    if make.kind == "float":
        t = targets(make, 0, 3, 1)
        for reduction in _REDUCTIONS:
            yield call(make(3, 4), t, None, reduction)
            yield call(make(3, 4), make(3, 4, low=0), None, reduction)
            yield call(make(3, 4), t, None, reduction, -100, 0.1)
            yield call(make(3, 4), t, make(4, low=0.5, grad=False), reduction, 3, 0.1)
            yield call(
                make(3, 4), make(3, 4, low=0), make(4, low=0.5, grad=False), reduction, -100, 0.1
            )
        yield call(make(4), make(values=2, dtype="int64"), None, 1)
        yield call(make(2, 3, 5), make(2, 5, low=0, high=2, dtype="int64"), None, 1)


def bad_cross_entropy(make: Maker) -> Calls:
    x = make(2, 3)
    yield call(x, targets(make, 0))
    yield call(x, make(2, 2))
    yield call(x, make(2, 3), None, 1, 5)
    yield call(x, targets(make, 0, 1), None, 1, -100, 1.5)
    yield call(x, targets(make, 0, 3))
    yield call(x, targets(make, 0, 1), make(5))
    yield call(x, make(2, 3), make(5))
    yield call(make(), make())
    yield call(x, make(2, 3, dtype="int64"))
    yield call(x, targets(make, 0, 1, 1), None, 1, -100, 0.1)
    yield call(x, targets(make, 0, 4), None, 1, -100, 0.1)
