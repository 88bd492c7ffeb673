"""Adam with the largest gradient in place of squares: Adamax."""

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

__all__ = ["Adamax", "adamax"]


def adamax(
    params: list[Any],
    grads: list[Any],
    exp_avgs: list[Any],
    exp_infs: list[Any],
    state_steps: list[Any],
    foreach: bool | None = None,
    maximize: bool = False,
    differentiable: bool = False,
    capturable: bool = False,
    has_complex: bool = False,
    *,
    eps: float,
    beta1: float,
    beta2: float,
    lr: Any,
    weight_decay: float,
) -> None:
    """One step of :class:`Adamax` for lists of parameters and their state."""
    check_steps(state_steps)
    check_lists(foreach, differentiable)
    k = ops_of(differentiable, capturable)
    rate = number(lr, stays=differentiable or capturable)
    captured = partial(check_captured, foreach=foreach) if capturable else None
    for step, param, grad, mean, largest in prepared(
        params, grads, state_steps, exp_avgs, exp_infs,
        maximize=maximize, has_complex=has_complex, captured=captured,
        decayed=decay(k, weight_decay),
    ):  # fmt: skip
        k.lerp_(mean, grad, 1 - beta1)
        if differentiable:
            largest.copy_(ops.maximum(largest * beta2, grad.abs() + eps))
        else:
            ops.maximum(largest.mul_(beta2), grad.abs().add_(eps), out=largest)
        k.addcdiv_(param, mean, k.own(largest), -rate / (1 - beta1**step))


#: There is one implementation; libraries ask for it by these names too.
_single_tensor_adamax = _multi_tensor_adamax = adamax


class Adamax(ListedOptimizer):
    """Steps scaled by a running mean of gradients over their decaying maximum.

    :param betas: how much of mean and maximum a step keeps.
    """

    _FUNCTION_ = adamax
    _OPTIONS_ = (
        "lr", "betas", "eps", "weight_decay", "foreach", "maximize", "differentiable",
        "capturable",
    )  # fmt: skip
    _RULES_ = MOMENTS
    _STATE_ = {"step": count, "exp_avg": zeros, "exp_inf": zeros}
    _LISTS_ = {"exp_avgs": "exp_avg", "exp_infs": "exp_inf", "state_steps": "step"}

    def __init__(
        self,
        params: Any,
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        super().__init__(params, locals())
