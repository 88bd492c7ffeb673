"""Adam with the largest gradient in place of squares: Adamax."""

from __future__ import annotations

from typing import Any

from ..ops.call import ops
from .counting import (
    CountingOptimizer,
    check_moments,
    decayed,
    number,
)
from .direct import addcdiv_, lerp_

__all__ = ["Adamax"]


class Adamax(CountingOptimizer):
    """Steps scaled by a running mean of gradients over their decaying maximum.

    :param betas: how much of mean and maximum a step keeps.
    """

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
        check_moments(lr, eps, betas, weight_decay)
        super().__init__(
            params,
            {
                "lr": lr,
                "betas": betas,
                "eps": eps,
                "weight_decay": weight_decay,
                "foreach": foreach,
                "maximize": maximize,
                "differentiable": differentiable,
                "capturable": capturable,
            },
        )

    def _start(self, param: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        state["exp_avg"] = ops.zeros_like(param)
        state["exp_inf"] = ops.zeros_like(param)

    def _update(
        self, param: Any, grad: Any, state: dict[str, Any], group: dict[str, Any], count: float
    ) -> None:
        beta1, beta2 = group["betas"]
        grad = decayed(param, grad, group)
        mean, largest = state["exp_avg"], state["exp_inf"]
        if param.is_complex():
            param, grad, mean, largest = (ops.view_as_real(t) for t in (param, grad, mean, largest))
        lerp_(mean, grad, 1 - beta1)
        ops.maximum(largest.mul_(beta2), grad.abs().add_(group["eps"]), out=largest)
        addcdiv_(param, mean, largest, -number(group["lr"]) / (1 - beta1**count))
