"""Losses: the checks on sizes, and ``reduction`` in both its spellings."""

from __future__ import annotations

import math

from mindtorch_autograd import no_grad

from ...core.compiling import is_exporting
from ...core.operators import ops
from ...core.warning import warn
from ...tensor import Tensor
from .reductions import get_enum, legacy_get_string, reduction_number


def _broadcast(input: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """Both in one shape; warns where that takes broadcasting."""
    if target.size() != input.size():
        warn(
            f"Using a target size ({target.size()}) that is different to the input size "
            f"({input.size()}). This will likely lead to incorrect results due to broadcasting. "
            "Please ensure they have the same size."
        )
    elif not is_exporting():  # a graph has the operator in any case, as torch's has
        return input, target
    first, second = ops.broadcast_tensors([input, target])
    return first, second


def _weighted(
    losses: Tensor, input: Tensor, weight: Tensor, reduction: str, by_weight: bool = True
) -> Tensor:
    """*losses* times *weight*, reduced.

    :param by_weight: whether the mean is over the sum of the weights, or over the count.
    """
    if weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")
    weighted = losses * weight
    if reduction == "none":
        return weighted
    if reduction == "sum":
        return weighted.sum()
    if reduction == "mean":
        return weighted.sum() / weight.sum() if by_weight else weighted.mean()
    raise ValueError(f"Invalid reduction mode: {reduction}. Expected one of 'none', 'mean', 'sum'.")


def reduced(losses: Tensor, number: int) -> Tensor:
    """*losses* after the reduction of that number."""
    if number == 0:
        return losses
    return losses.mean() if number == 1 else losses.sum()


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """The negative log-likelihood of the classes in *target*."""
    number = reduction_number(size_average, reduce, reduction)
    return ops.nll_loss_nd(input, target, weight, number, ignore_index)


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """Cross entropy between logits and class numbers, or class probabilities."""
    number = reduction_number(size_average, reduce, reduction)
    return ops.cross_entropy_loss(input, target, weight, number, ignore_index, label_smoothing)


def mse_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None,
    reduction: str = "mean", weight: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The squared difference."""
    first, second = _broadcast(input, target)
    if size_average is not None or reduce is not None:
        reduction = legacy_get_string(size_average, reduce)
    if weight is not None:
        return _weighted((first - second).pow(2), input, weight, reduction)
    return ops.mse_loss(first, second, get_enum(reduction))


def l1_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None,
    reduction: str = "mean", weight: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The absolute difference."""
    first, second = _broadcast(input, target)
    if size_average is not None or reduce is not None:
        reduction = legacy_get_string(size_average, reduce)
    if weight is not None:
        return _weighted(ops.l1_loss(first, second, 0), input, weight, reduction)
    return ops.l1_loss(first, second, get_enum(reduction))


def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:
    """The squared difference below *beta*, the absolute one above."""
    first, second = _broadcast(input, target)
    number = reduction_number(size_average, reduce, reduction)
    if beta == 0.0:
        return ops.l1_loss(first, second, number)
    return ops.smooth_l1_loss(first, second, number, beta)


def huber_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    delta: float = 1.0,
    weight: Tensor | None = None,
) -> Tensor:
    """The squared difference below *delta*, *delta* times the absolute one above."""
    first, second = _broadcast(input, target)
    if weight is not None:
        return _weighted(ops.huber_loss(first, second, 0, delta), input, weight, reduction, False)
    return ops.huber_loss(first, second, get_enum(reduction), delta)


def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Cross entropy between probabilities and targets."""
    number = reduction_number(size_average, reduce, reduction)
    if target.size() != input.size():
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size "
            f"({input.size()}) is deprecated. Please ensure they have the same size."
        )
    if weight is not None:
        weight = weight.expand(ops.broadcast_shapes(weight.size(), target.size()))
    return ops.binary_cross_entropy(input, target, weight, number)


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """Cross entropy between the sigmoid of *input* and targets.

    :param pos_weight: the weight of positive targets.
    """
    number = reduction_number(size_average, reduce, reduction)
    if target.size() != input.size():
        raise ValueError(
            f"Target size ({target.size()}) must be the same as input size ({input.size()})"
        )
    return ops.binary_cross_entropy_with_logits(input, target, weight, pos_weight, number)


def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:
    """The Kullback-Leibler divergence of *target* from ``exp(input)``.

    :param reduction: also ``batchmean``: the sum divided by the batch size, as it is defined.
    """
    if size_average is not None or reduce is not None:
        reduction = legacy_get_string(size_average, reduce)
    elif reduction == "mean":
        warn(
            "reduction: 'mean' divides the total loss by both the batch size and the support size."
            "'batchmean' divides only by the batch size, and aligns with the KL div math "
            "definition.'mean' will be changed to behave the same as 'batchmean' in the next major "
            "release."
        )
    per_batch = reduction == "batchmean"
    number = 2 if per_batch else get_enum(reduction)
    loss = ops.kl_div(input, target, number, log_target=log_target)
    if per_batch and input.dim() != 0:
        loss = loss / input.size()[0]
    return loss


def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    size_average: bool | None = None,
    eps: float = 1e-08,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """The negative log-likelihood of counts *target* under Poisson rates.

    :param log_input: *input* is the logarithm of the rate.
    :param full: add Stirling's approximation of the constant term.
    """
    if size_average is not None or reduce is not None:
        reduction = legacy_get_string(size_average, reduce)
    if reduction != "none" and reduction != "mean" and reduction != "sum":
        raise ValueError(reduction + " is not a valid value for reduction")
    return ops.poisson_nll_loss(input, target, log_input, full, eps, get_enum(reduction))


def gaussian_nll_loss(
    input: Tensor,
    target: Tensor,
    var: Tensor | float,
    full: bool = False,
    eps: float = 1e-06,
    reduction: str = "mean",
) -> Tensor:
    """The negative log-likelihood of *target* under normal distributions.

    :param full: include the constant term.
    """
    if isinstance(var, float):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        variance = var * ops.ones_like(input)
    else:
        if ops.any(var < 0):
            raise ValueError("var has negative entry/entries")
        variance = var
    if variance.size() != input.size():
        if input.size()[:-1] == variance.size():
            variance = variance.unsqueeze(-1)
        elif not (input.size()[:-1] == variance.size()[:-1] and variance.size(-1) == 1):
            apart = 0  # the sum of the sizes that are not the input's: one size, of one
            if variance.dim() == input.dim():
                for i in range(input.dim()):
                    if variance.size(i) != input.size(i):
                        apart += variance.size(i)
            if apart != 1:
                raise ValueError("var is of incorrect size")
    if reduction != "none" and reduction != "mean" and reduction != "sum":
        raise ValueError(reduction + " is not valid")
    floored = variance.clone()
    with no_grad():  # the floor takes no part in the gradient
        floored.clamp_(min=eps)
    losses = 0.5 * (floored.log() + (input - target) ** 2 / floored)
    if full:
        losses += 0.5 * math.log(2 * math.pi)
    return reduced(losses, get_enum(reduction))
