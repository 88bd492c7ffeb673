"""Adam that trusts its variance late: RAdam."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..core.operators import ops
from ..tensor import Tensor as Tensor
from .counting import check_captured, check_lists, check_steps, decay, number, ops_of, prepared
from .declared import ListedOptimizer, count, zeros
from .optimizer import Optimizer as Optimizer
from .optimizer import ParamsT as ParamsT
from .option_rules import MOMENTS

__all__ = ["RAdam", "radam"]


def radam(
    params: list[Any],
    grads: list[Any],
    exp_avgs: list[Any],
    exp_avg_sqs: list[Any],
    state_steps: list[Any],
    decoupled_weight_decay: bool = False,
    foreach: bool | None = None,
    differentiable: bool = False,
    capturable: bool = False,
    has_complex: bool = False,
    maximize: bool = False,
    *,
    beta1: float,
    beta2: float,
    lr: Any,
    weight_decay: float,
    eps: float,
) -> None:
    """One step of :class:`RAdam` for lists of parameters and their state."""
    check_steps(state_steps)
    check_lists(foreach, differentiable)
    k = ops_of(differentiable, capturable)
    rate = number(lr, stays=differentiable or capturable)
    captured = partial(check_captured, foreach=foreach) if capturable else None
    decayed = decay(k, weight_decay, rate, decoupled_weight_decay)
    most = 2 / (1 - beta2) - 1
    for step, param, grad, mean, square in prepared(
        params, grads, state_steps, exp_avgs, exp_avg_sqs,
        maximize=maximize, has_complex=has_complex, captured=captured, decayed=decayed,
    ):  # fmt: skip
        k.lerp_(mean, grad, 1 - beta1)
        k.mul_(square, beta2)
        k.addcmul_(square, grad, grad, 1 - beta2)
        second = 1 - beta2**step
        unbiased = mean / (1 - beta1**step)
        known = most - 2 * step * (beta2**step) / second
        if capturable:
            few = known <= 5.0
            scale = (known - 4) * (known - 2) * most / ((most - 4) * (most - 2) * known)
            rectified = ops.where(few, 0.0, scale).sqrt()
            root = k.add_number_(square.sqrt(), eps)
            scaled = rectified * (second**0.5) / root
            k.add_(param, unbiased * rate * ops.where(few, 1.0, scaled), -1.0)
            continue
        if known <= 5.0:
            k.add_(param, unbiased * rate, -1.0)
            continue
        rectified = ((known - 4) * (known - 2) * most / ((most - 4) * (most - 2) * known)) ** 0.5
        root = k.add_number_(square.sqrt(), eps)
        k.add_(param, unbiased * rate * ((second**0.5) / root) * rectified, -1.0)


#: There is one implementation; libraries ask for it by these names too.
_single_tensor_radam = _multi_tensor_radam = radam


class RAdam(ListedOptimizer):
    """Adam that divides by the root of squares only once enough of them are known.

    :param decoupled_weight_decay: shrink parameters themselves, not through the gradient.
    """

    _FUNCTION_ = radam
    _OPTIONS_ = (
        "lr", "betas", "eps", "weight_decay", "maximize", "foreach", "capturable",
        "decoupled_weight_decay", "differentiable",
    )  # fmt: skip
    _RULES_ = MOMENTS
    _STATE_ = {"step": count, "exp_avg": zeros, "exp_avg_sq": zeros}
    _LISTS_ = {"exp_avgs": "exp_avg", "exp_avg_sqs": "exp_avg_sq", "state_steps": "step"}
    _LATER_ = {
        "foreach": None,
        "maximize": False,
        "differentiable": False,
        "decoupled_weight_decay": False,
        "capturable": False,
    }

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        super().__init__(params, locals())
