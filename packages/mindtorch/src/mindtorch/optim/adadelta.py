"""Steps in units of earlier steps: Adadelta."""

from __future__ import annotations

from typing import Any

from ..ops.call import ops
from .counting import (
    CountingOptimizer,
    check_captured,
    check_not_negative,
    check_rate,
    decayed,
    number,
)
from .direct import add_, addcmul_, mul_

__all__ = ["Adadelta"]


class Adadelta(CountingOptimizer):
    """Steps scaled by the ratio of the running means of squared steps and squared gradients.

    :param rho: how much of both means a step keeps.
    """

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
        check_rate(lr)
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        check_not_negative("epsilon value", eps)
        check_not_negative("weight_decay value", weight_decay)
        super().__init__(
            params,
            {
                "lr": lr,
                "rho": rho,
                "eps": eps,
                "weight_decay": weight_decay,
                "maximize": maximize,
                "capturable": capturable,
                "foreach": foreach,
                "differentiable": differentiable,
            },
        )

    def _start(self, param: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        state["square_avg"] = ops.zeros_like(param)
        state["acc_delta"] = ops.zeros_like(param)

    def _check_captured(self, param: Any, group: dict[str, Any]) -> None:
        check_captured(param, group, xla=False)

    def _update(
        self, param: Any, grad: Any, state: dict[str, Any], group: dict[str, Any], count: float
    ) -> None:
        rho, eps = group["rho"], group["eps"]
        grad = decayed(param, grad, group)
        square, steps = state["square_avg"], state["acc_delta"]
        if param.is_complex():
            param, grad, square, steps = (ops.view_as_real(t) for t in (param, grad, square, steps))
        mul_(square, rho)
        addcmul_(square, grad, grad, 1 - rho)
        delta = steps.add(eps).sqrt_().div_(square.add(eps).sqrt_()).mul_(grad)
        mul_(steps, rho)
        addcmul_(steps, delta, delta, 1 - rho)
        add_(param, delta, -number(group["lr"]))
