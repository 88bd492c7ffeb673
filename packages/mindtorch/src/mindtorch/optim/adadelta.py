"""Steps in units of earlier steps: Adadelta."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..tensor import Tensor as Tensor
from .counting import check_captured, check_lists, check_steps, decay, number, ops_of, prepared
from .declared import ListedOptimizer, count, zeros
from .optimizer import Optimizer as Optimizer
from .optimizer import ParamsT as ParamsT
from .option_rules import EPS, RATE, not_negative, rule

__all__ = ["Adadelta", "adadelta"]


def adadelta(
    params: list[Any],
    grads: list[Any],
    square_avgs: list[Any],
    acc_deltas: list[Any],
    state_steps: list[Any],
    capturable: bool = False,
    foreach: bool | None = None,
    differentiable: bool = False,
    has_complex: bool = False,
    *,
    lr: Any,
    rho: float,
    eps: float,
    weight_decay: float,
    maximize: bool,
) -> None:
    """One step of :class:`Adadelta` for lists of parameters and their state."""
    check_steps(state_steps)
    check_lists(foreach, differentiable)
    k = ops_of(differentiable, capturable)
    rate = number(lr, stays=differentiable or capturable)
    captured = partial(check_captured, foreach=foreach, xla=False) if capturable else None
    for _, param, grad, square, steps in prepared(
        params, grads, state_steps, square_avgs, acc_deltas,
        maximize=maximize, has_complex=has_complex, captured=captured,
        decayed=decay(k, weight_decay),
    ):  # fmt: skip
        k.mul_(square, rho)
        k.addcmul_(square, grad, grad, 1 - rho)
        if differentiable:
            delta = (steps + eps).sqrt() / (square + eps).sqrt() * grad
        else:
            delta = steps.add(eps).sqrt_().div_(square.add(eps).sqrt_()).mul_(grad)
        k.mul_(steps, rho)
        k.addcmul_(steps, delta, delta, 1 - rho)
        k.add_(param, delta, -rate)


#: There is one implementation; libraries ask for it by these names too.
_single_tensor_adadelta = _multi_tensor_adadelta = adadelta


class Adadelta(ListedOptimizer):
    """Steps scaled by the ratio of the running means of squared steps and squared gradients.

    :param rho: how much of both means a step keeps.
    """

    _FUNCTION_ = adadelta
    _OPTIONS_ = (
        "lr", "rho", "eps", "weight_decay", "maximize", "capturable", "foreach",
        "differentiable",
    )  # fmt: skip
    _RULES_ = (
        *RATE,
        rule("rho", lambda v: 0.0 <= v <= 1.0, "Invalid rho value: {}"),
        EPS,
        not_negative("weight_decay"),
    )
    _STATE_ = {"step": count, "square_avg": zeros, "acc_delta": zeros}
    _LISTS_ = {"square_avgs": "square_avg", "acc_deltas": "acc_delta", "state_steps": "step"}

    def __init__(
        self,
        params: Any,
        lr: Any = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        super().__init__(params, locals())
