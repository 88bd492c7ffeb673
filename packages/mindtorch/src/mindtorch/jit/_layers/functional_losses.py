"""Losses of ``torch.nn.functional``."""

from __future__ import annotations

from ..._ops import ops
from ...tensor import Tensor
from . import home

aten = ops.aten


def _number(reduction: str) -> int:
    if reduction == "none":
        ret = 0
    elif reduction == "mean":
        ret = 1
    elif reduction == "sum":
        ret = 2
    else:
        ret = -1
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return ret


def _legacy(size_average: bool | None, reduce: bool | None, reduction: str) -> int:
    """The number of a reduction; the older arguments say it, where they are given."""
    if size_average is None and reduce is None:
        return _number(reduction)
    mean = True
    if size_average is not None:
        mean = size_average
    if reduce is not None:
        if not reduce:
            return 0
    return 1 if mean else 2


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
    number = _legacy(size_average, reduce, reduction)
    return aten.cross_entropy_loss(input, target, weight, number, ignore_index, label_smoothing)


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    number = _legacy(size_average, reduce, reduction)
    return aten.nll_loss_nd(input, target, weight, number, ignore_index)


def _weighted(
    losses: Tensor, input: Tensor, weight: Tensor, number: int, by_weight: bool
) -> Tensor:
    """Losses times weights; the mean is over the sum of the weights, or over the count."""
    if weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")
    found = losses * weight
    if number == 0:
        return found
    if number == 2:
        return found.sum()
    if by_weight:
        return found.sum() / weight.sum()
    return found.mean()


def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    number = _legacy(size_average, reduce, reduction)
    pair = aten.broadcast_tensors([input, target])
    if weight is None:
        return aten.mse_loss(pair[0], pair[1], number)
    return _weighted(aten.pow(pair[0] - pair[1], 2), input, weight, number, True)


def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    number = _legacy(size_average, reduce, reduction)
    pair = aten.broadcast_tensors([input, target])
    if weight is None:
        return aten.l1_loss(pair[0], pair[1], number)
    return _weighted(aten.abs(pair[0] - pair[1]), input, weight, number, True)


def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:
    number = _legacy(size_average, reduce, reduction)
    pair = aten.broadcast_tensors([input, target])
    if beta == 0.0:
        return aten.l1_loss(pair[0], pair[1], number)
    return aten.smooth_l1_loss(pair[0], pair[1], number, beta)


def huber_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    delta: float = 1.0,
    weight: Tensor | None = None,
) -> Tensor:
    pair = aten.broadcast_tensors([input, target])
    number = _number(reduction)
    if weight is None:
        return aten.huber_loss(pair[0], pair[1], number, delta)
    return _weighted(aten.huber_loss(pair[0], pair[1], 0, delta), input, weight, number, False)


def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    number = _legacy(size_average, reduce, reduction)
    if target.size() != input.size():
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size "
            f"({input.size()}) is deprecated. Please ensure they have the same size."
        )
    return aten.binary_cross_entropy(input, target, weight, number)


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    number = _legacy(size_average, reduce, reduction)
    if target.size() != input.size():
        raise ValueError(
            f"Target size ({target.size()}) must be the same as input size ({input.size()})"
        )
    return aten.binary_cross_entropy_with_logits(input, target, weight, pos_weight, number)


def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:
    if reduction == "batchmean":
        number = 2
    else:
        number = _legacy(size_average, reduce, reduction)
    found = aten.kl_div(input, target, number, log_target=log_target)
    if reduction == "batchmean" and input.dim() != 0:
        found = found / input.size(0)
    return found


def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    size_average: bool | None = None,
    eps: float = 1e-8,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    number = _legacy(size_average, reduce, reduction)
    return aten.poisson_nll_loss(input, target, log_input, full, eps, number)


def gaussian_nll_loss(
    input: Tensor,
    target: Tensor,
    var: Tensor,
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:
    if bool((var < 0).any()):
        raise ValueError("var has negative entry/entries")
    if var.size() != input.size():
        if input.size()[:-1] == var.size():
            var = var.unsqueeze(-1)
        else:
            apart = 0  # the sum of the sizes that are not the input's: one size, of one
            if input.dim() == var.dim():
                for i in range(var.dim()):
                    if input.size(i) != var.size(i):
                        apart = apart + var.size(i)
            if apart != 1:
                raise ValueError("var is of incorrect size")
    if reduction != "none" and reduction != "mean" and reduction != "sum":
        raise ValueError(reduction + " is not valid")
    kept = var.clone().detach().clamp(min=eps)
    bounded = var + (kept - var).detach()
    found = 0.5 * (aten.log(bounded) + (input - target) ** 2 / bounded)
    if full:
        found = found + 0.5 * 1.8378770664093453
    if reduction == "mean":
        return found.mean()
    if reduction == "sum":
        return found.sum()
    return found


def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: float = 1.0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    number = _legacy(size_average, reduce, reduction)
    return aten.hinge_embedding_loss(input, target, margin, number)


def soft_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    number = _legacy(size_average, reduce, reduction)
    return aten.soft_margin_loss(input, target, number)


def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    number = _legacy(size_average, reduce, reduction)
    return aten.multi_margin_loss(input, target, p, margin, weight, number)


def multilabel_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    number = _legacy(size_average, reduce, reduction)
    return aten.multilabel_margin_loss(input, target, number)


def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    number = _legacy(size_average, reduce, reduction)
    found = -(target * aten.log_sigmoid(input) + (1 - target) * aten.log_sigmoid(-input))
    if weight is not None:
        found = found * weight
    found = found.sum(dim=input.dim() - 1) / input.size(input.dim() - 1)
    if number == 0:
        return found
    if number == 1:
        return found.mean()
    return found.sum()


def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0.0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    number = _legacy(size_average, reduce, reduction)
    return aten.cosine_embedding_loss(input1, input2, target, margin, number)


def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0.0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    number = _legacy(size_average, reduce, reduction)
    return aten.margin_ranking_loss(input1, input2, target, margin, number)


def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    number = _legacy(size_average, reduce, reduction)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    return aten.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, number)


def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor,
    target_lengths: Tensor,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    number = _number(reduction)
    return aten.ctc_loss(
        log_probs, targets, input_lengths, target_lengths, blank, number, zero_infinity
    )


home("torch.nn.functional", globals())
