"""Stochastic gradient descent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..tensor import Tensor
from .counting import check_fused, check_options_of_fused, evaluated
from .direct import add, add_, mul_
from .optimizer import Optimizer, graph_free

__all__ = ["SGD"]


class SGD(Optimizer):
    """Stochastic gradient descent, with momentum where wanted.

    :param dampening: the share of the gradient that momentum leaves out.
    :param nesterov: look ahead by the momentum.
    :param maximize: go up instead of down.
    :param foreach: accepted for torch's sake, as is *fused*: there is one implementation.
    """

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: Any = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        if lr < 0.0:
            raise ValueError(f"Invalid learning rate: {lr}")
        if momentum < 0.0:
            raise ValueError(f"Invalid momentum value: {momentum}")
        if weight_decay < 0.0:
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(
            params,
            {
                "lr": lr,
                "momentum": momentum,
                "dampening": dampening,
                "weight_decay": weight_decay,
                "nesterov": nesterov,
                "maximize": maximize,
                "foreach": foreach,
                "differentiable": differentiable,
                "fused": fused,
            },
        )
        if fused:
            check_options_of_fused(differentiable, foreach)

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for group in self.param_groups:
            group.setdefault("nesterov", False)
            group.setdefault("maximize", False)
            group.setdefault("foreach", None)
            group.setdefault("differentiable", False)
            group.setdefault("fused", False)

    @graph_free
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """One step down the gradients. Returns what *closure* returns, else None."""
        loss = None if closure is None else evaluated(closure)
        for group in self.param_groups:
            lr, momentum = group["lr"], group["momentum"]
            weight_decay, maximize = group["weight_decay"], group["maximize"]
            fused = group["fused"]
            for param in group["params"]:
                grad = param.grad
                if grad is None:
                    continue
                if fused:
                    check_fused(param)
                if maximize:
                    grad = -grad
                if weight_decay != 0:
                    grad = add(grad, param, weight_decay)
                if momentum != 0:
                    grad = self._with_momentum(param, grad, group)
                if isinstance(lr, Tensor):
                    if lr.requires_grad:
                        param.addcmul_(grad, lr, value=-1)
                        continue
                    add_(param, grad, -lr.item())
                else:
                    add_(param, grad, -lr)
        return loss

    def _with_momentum(self, param: Any, grad: Any, group: dict[str, Any]) -> Any:
        momentum = group["momentum"]
        state = self.state[param]
        buffer = state.get("momentum_buffer")
        if buffer is None:
            buffer = state["momentum_buffer"] = grad.detach().clone()
        else:
            mul_(buffer, momentum)
            add_(buffer, grad, 1 - group["dampening"])
        return add(grad, buffer, momentum) if group["nesterov"] else buffer
