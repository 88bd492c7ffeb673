"""Steps scaled by a running mean of squares: RMSprop."""

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
from .direct import add_, add_number_, addcdiv_, addcmul_, lerp_, mul_

__all__ = ["RMSprop"]


class RMSprop(CountingOptimizer):
    """Steps divided by the root of a running mean of squared gradients.

    :param alpha: how much of the mean a step keeps.
    :param centered: divide by the deviation instead, of the gradients from their mean.
    """

    _LATER = {"momentum": 0, "centered": False, **CountingOptimizer._LATER}

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_rate(lr)
        check_not_negative("epsilon value", eps)
        check_not_negative("momentum value", momentum)
        check_not_negative("weight_decay value", weight_decay)
        check_not_negative("alpha value", alpha)
        super().__init__(
            params,
            {
                "lr": lr,
                "momentum": momentum,
                "alpha": alpha,
                "eps": eps,
                "centered": centered,
                "weight_decay": weight_decay,
                "capturable": capturable,
                "foreach": foreach,
                "maximize": maximize,
                "differentiable": differentiable,
            },
        )

    def _start(self, param: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        state["square_avg"] = ops.zeros_like(param)
        if group["momentum"] > 0:
            state["momentum_buffer"] = ops.zeros_like(param)
        if group["centered"]:
            state["grad_avg"] = ops.zeros_like(param)

    def _check_captured(self, param: Any, group: dict[str, Any]) -> None:
        check_captured(param, {"foreach": False})

    def _update(
        self, param: Any, grad: Any, state: dict[str, Any], group: dict[str, Any], count: float
    ) -> None:
        lr, alpha = number(group["lr"]), group["alpha"]
        grad = decayed(param, grad, group)
        square = state["square_avg"]
        mean, buffer = state.get("grad_avg"), state.get("momentum_buffer")
        if param.is_complex():
            param, grad, square = (ops.view_as_real(t) for t in (param, grad, square))
            mean = None if mean is None else ops.view_as_real(mean)
            buffer = None if buffer is None else ops.view_as_real(buffer)
        mul_(square, alpha)
        addcmul_(square, grad, grad, 1 - alpha)
        if mean is None:
            root = square.sqrt()
        else:
            lerp_(mean, grad, 1 - alpha)
            root = square.addcmul(mean, mean, value=-1).sqrt_()
        add_number_(root, group["eps"])
        if buffer is None:
            addcdiv_(param, grad, root, -lr)
            return
        mul_(buffer, group["momentum"])
        addcdiv_(buffer, grad, root, 1)
        add_(param, buffer, -lr)
