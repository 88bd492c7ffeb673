"""The loss over sequences of labels; a linear map and cross entropy in one; drawn slopes."""

from __future__ import annotations

from typing import Any

from ...ops.call import ops
from .losses import cross_entropy
from .reductions import get_enum


def ctc_loss(
    log_probs: Any,
    targets: Any,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Any:
    """Minus the log-likelihood of *targets*, over all ways to stretch them in time.

    :param log_probs: (T, N, C), or (T, C).
    :param targets: (N, S), or all of them one after another.
    :param zero_infinity: zero for targets that are too long for their input.
    """
    return ops.ctc_loss(
        log_probs, targets, input_lengths, target_lengths, blank, get_enum(reduction), zero_infinity
    )


def rrelu(
    input: Any,
    lower: float = 1.0 / 8,
    upper: float = 1.0 / 3,
    training: bool = False,
    inplace: bool = False,
) -> Any:
    """*input*, times a slope between *lower* and *upper* where it is negative.

    :param training: draw each slope; else all are the mean.
    """
    return (ops.rrelu_ if inplace else ops.rrelu)(input, lower, upper, training)


def linear_cross_entropy(
    input: Any,
    linear_weight: Any,
    target: Any,
    *,
    linear_bias: Any = None,
    weight: Any = None,
    reduction: str = "mean",
    ignore_index: int | None = None,
    label_smoothing: float = 0.0,
    options: Any = None,
) -> Any:
    """The cross entropy of ``linear(input, linear_weight, linear_bias)`` and *target*.

    :param options: how the work may be split; the result does not depend on it.
    """
    scores = ops.linear(input, linear_weight, linear_bias)
    if scores.dim() > 2:
        scores = scores.movedim(-1, 1)
    return cross_entropy(
        scores,
        target,
        weight=weight,
        ignore_index=-100 if ignore_index is None else ignore_index,
        reduction=reduction,
        label_smoothing=label_smoothing,
    )
