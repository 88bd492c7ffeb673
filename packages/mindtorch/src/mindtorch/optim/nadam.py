"""Adam that looks ahead: NAdam."""

from __future__ import annotations

from typing import Any

from ..ops.call import ops
from .counting import (
    CountingOptimizer,
    check_captured,
    check_moments,
    check_not_negative,
    decayed,
    number,
    step_count,
)
from .direct import add_number_, addcdiv_, addcmul_, lerp_, mul_

__all__ = ["NAdam"]


class NAdam(CountingOptimizer):
    """Adam with Nesterov's momentum.

    :param momentum_decay: how fast momentum grows to ``betas[0]``.
    :param decoupled_weight_decay: shrink parameters themselves, not through the gradient.
    """

    _LATER = {**CountingOptimizer._LATER, "decoupled_weight_decay": False}

    def __init__(
        self,
        params: Any,
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_moments(lr, eps, betas, weight_decay)
        check_not_negative("momentum_decay value", momentum_decay)
        super().__init__(
            params,
            {
                "lr": lr,
                "betas": betas,
                "eps": eps,
                "weight_decay": weight_decay,
                "momentum_decay": momentum_decay,
                "decoupled_weight_decay": decoupled_weight_decay,
                "maximize": maximize,
                "foreach": foreach,
                "capturable": capturable,
                "differentiable": differentiable,
            },
        )

    def _start(self, param: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        state["mu_product"] = step_count(param, bool(group["capturable"]), 1.0)
        state["exp_avg"] = ops.zeros_like(param)
        state["exp_avg_sq"] = ops.zeros_like(param)

    def _check_captured(self, param: Any, group: dict[str, Any]) -> None:
        comma = "," if group["foreach"] else ""
        check_captured(param, group, f"params, mu_products{comma} and state_steps")

    def _update(
        self, param: Any, grad: Any, state: dict[str, Any], group: dict[str, Any], count: float
    ) -> None:
        lr, (beta1, beta2) = number(group["lr"]), group["betas"]
        grad = decayed(param, grad, group)
        mean, square = state["exp_avg"], state["exp_avg_sq"]
        if param.is_complex():
            param, grad, mean, square = (ops.view_as_real(t) for t in (param, grad, mean, square))
        decay = group["momentum_decay"]
        mu = beta1 * (1.0 - 0.5 * 0.96 ** (count * decay))
        mu_next = beta1 * (1.0 - 0.5 * 0.96 ** ((count + 1) * decay))
        state["mu_product"] *= mu
        product = state["mu_product"].item()
        lerp_(mean, grad, 1 - beta1)
        mul_(square, beta2)
        addcmul_(square, grad, grad, 1 - beta2)
        root = square.div(1 - beta2**count).sqrt_()
        add_number_(root, group["eps"])
        addcdiv_(param, grad, root, -lr * (1.0 - mu) / (1.0 - product))
        addcdiv_(param, mean, root, -lr * mu_next / (1.0 - product * mu_next))
