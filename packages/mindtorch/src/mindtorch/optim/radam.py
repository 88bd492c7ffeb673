"""Adam that trusts its variance late: RAdam."""

from __future__ import annotations

from typing import Any

from ..ops.call import ops
from .counting import (
    CountingOptimizer,
    check_moments,
    decayed,
    number,
)
from .direct import add_, add_number_, addcmul_, lerp_, mul_

__all__ = ["RAdam"]


class RAdam(CountingOptimizer):
    """Adam that divides by the root of squares only once enough of them are known.

    :param decoupled_weight_decay: shrink parameters themselves, not through the gradient.
    """

    _LATER = {**CountingOptimizer._LATER, "decoupled_weight_decay": False}

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
        check_moments(lr, eps, betas, weight_decay)
        super().__init__(
            params,
            {
                "lr": lr,
                "betas": betas,
                "eps": eps,
                "weight_decay": weight_decay,
                "maximize": maximize,
                "foreach": foreach,
                "capturable": capturable,
                "decoupled_weight_decay": decoupled_weight_decay,
                "differentiable": differentiable,
            },
        )

    def _start(self, param: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        state["exp_avg"] = ops.zeros_like(param)
        state["exp_avg_sq"] = ops.zeros_like(param)

    def _update(
        self, param: Any, grad: Any, state: dict[str, Any], group: dict[str, Any], count: float
    ) -> None:
        lr, (beta1, beta2) = number(group["lr"]), group["betas"]
        grad = decayed(param, grad, group)
        mean, square = state["exp_avg"], state["exp_avg_sq"]
        if param.is_complex():
            param, grad, mean, square = (ops.view_as_real(t) for t in (param, grad, mean, square))
        lerp_(mean, grad, 1 - beta1)
        mul_(square, beta2)
        addcmul_(square, grad, grad, 1 - beta2)
        second = 1 - beta2**count
        unbiased = mean / (1 - beta1**count)
        most = 2 / (1 - beta2) - 1
        known = most - 2 * count * (beta2**count) / second
        if known <= 5.0:
            add_(param, unbiased * lr, -1.0)
            return
        rectified = ((known - 4) * (known - 2) * most / ((most - 4) * (most - 2) * known)) ** 0.5
        root = square.sqrt()
        add_number_(root, group["eps"])
        add_(param, unbiased * lr * ((second**0.5) / root) * rectified, -1.0)
