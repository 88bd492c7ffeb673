"""The loss over sequences of labels; a linear map and cross entropy in one; drawn slopes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...aten import torch
from ...core.operators import ops
from ...core.warning import warn
from ...tensor import Tensor
from .by_name import functional as F
from .reductions import get_enum


def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor | Sequence[int],
    target_lengths: Tensor | Sequence[int],
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    """Minus the log-likelihood of *targets*, over all ways to stretch them in time.

    :param log_probs: (T, N, C), or (T, C).
    :param targets: (N, S), or all of them one after another.
    :param zero_infinity: zero for targets that are too long for their input.
    """
    return ops.ctc_loss(
        log_probs, targets, input_lengths, target_lengths, blank, get_enum(reduction), zero_infinity
    )


def rrelu(
    input: Tensor,
    lower: float = 1.0 / 8,
    upper: float = 1.0 / 3,
    training: bool = False,
    inplace: bool = False,
) -> Tensor:
    """*input*, times a slope between *lower* and *upper* where it is negative.

    :param training: draw each slope; else all are the mean.
    """
    if inplace:
        return ops.rrelu_(input, lower, upper, training)
    return ops.rrelu(input, lower, upper, training)


def linear_cross_entropy(
    input: Tensor,
    linear_weight: Tensor,
    target: Tensor,
    *,
    linear_bias: Tensor | None = None,
    weight: Tensor | None = None,
    reduction: str = "mean",
    ignore_index: int | None = None,
    label_smoothing: float = 0.0,
    options: Any = None,
) -> Tensor:
    """The cross entropy of ``linear(input, linear_weight, linear_bias)`` and *target*.

    :param linear_weight: (classes, in_features), or (classes, d1, ..., dK, in_features) for
        classes at each place of a K-dimensional result.
    :param options: how the work may be split; the result does not depend on it.
    """
    dims = _scores_shape(input, linear_weight, linear_bias)
    if options is not None:
        _warn_of_options(target, linear_bias, dims, reduction, label_smoothing)
    if ignore_index is not None and target.is_floating_point():
        raise RuntimeError("ignore_index cannot be specified when target contains probabilities")
    if input.dim() == 1 and target.dim() == 1 and not target.is_floating_point():
        target = target.squeeze(0)
    if len(dims) > 1:
        linear_weight = linear_weight.view(-1, linear_weight.shape[-1])
        linear_bias = None if linear_bias is None else linear_bias.view(-1)
    scores = F.linear(input, linear_weight, linear_bias)
    return F.cross_entropy(
        scores.view(*input.shape[:-1], *dims),
        target,
        weight=weight,
        ignore_index=-100 if ignore_index is None else ignore_index,
        reduction=reduction,
        label_smoothing=label_smoothing,
    )


def _scores_shape(input: Any, weight: Any, bias: Any) -> tuple[int, ...]:
    """(classes, d1, ..., dK) of what a linear map gives; a RuntimeError if the shapes disagree."""
    if weight.dim() < 2:
        raise RuntimeError(
            f"expected linear_weight with dimensionality at least 2, got {weight.dim()}"
        )
    if input.dim() not in (1, 2):
        raise RuntimeError(f"expected input with dimensionality 1 or 2, got {input.dim()}")
    if weight.dim() > 2 and input.dim() == 1:
        raise RuntimeError(
            f"K-dimensional loss defined by linear_weight shape {tuple(weight.shape)} requires "
            f"batched input, (N, {weight.shape[-1]}), got unbatched input with shape "
            f"{tuple(input.shape)}"
        )
    if input.shape[-1] != weight.shape[-1]:
        raise RuntimeError(
            "expected equal input and linear_weight last dimensions (in_features), got "
            f"{input.shape[-1]} and {weight.shape[-1]}, respectively"
        )
    dims = tuple(weight.shape[:-1])
    if bias is not None and bias.shape != dims:
        raise RuntimeError(f"expected linear_bias shape {dims}, got {tuple(bias.shape)}")
    return dims


def _warn_of_options(
    target: Any, bias: Any, dims: tuple[int, ...], reduction: str, smoothing: float
) -> None:
    """Warn where torch cannot split the work, and so does not look at the options."""
    splits = reduction in ("mean", "sum", "none") and not smoothing and len(dims) == 1
    if splits and target.dtype == torch.int64:
        return
    warn(
        "linear_cross_entropy: ``options`` ignored; chunked path needs reduction in "
        "{'mean','sum','none'}, label_smoothing == 0, target.dtype == int64, out_features == (). "
        f"Got reduction={reduction!r}, label_smoothing={smoothing}, target.dtype={target.dtype}, "
        f"out_features={dims[1:]}, tracing=False, "
        f"linear_bias.shape={None if bias is None else tuple(bias.shape)}.",
    )
