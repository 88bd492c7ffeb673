"""Steps scaled by a running mean of squares: RMSprop."""

from __future__ import annotations

from typing import Any

from ..ops.call import ops
from .counting import (
    CountingOptimizer,
    advance,
    check_captured,
    check_lists,
    check_not_negative,
    check_rate,
    check_steps,
    decayed,
    number,
    ops_of,
    step_count,
)

__all__ = ["RMSprop", "rmsprop"]


class RMSprop(CountingOptimizer):
    """Steps divided by the root of a running mean of squared gradients.

    :param alpha: how much of the mean a step keeps.
    :param centered: divide by the deviation instead, of the gradients from their mean.
    """

    _LATER = {"momentum": 0, "centered": False, **CountingOptimizer._LATER}
    _LISTS = 6

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

    def _start(self, param: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        state["step"] = step_count(param, bool(group["capturable"]), 0.0)
        state["square_avg"] = ops.zeros_like(param)
        if group["momentum"] > 0:
            state["momentum_buffer"] = ops.zeros_like(param)
        if group["centered"]:
            state["grad_avg"] = ops.zeros_like(param)

    def _init_group(  # type: ignore[override]  # torch's lists by name
        self,
        group: dict[str, Any],
        params_with_grad: list[Any],
        grads: list[Any],
        square_avgs: list[Any],
        momentum_buffer_list: list[Any],
        grad_avgs: list[Any],
        state_steps: list[Any],
    ) -> bool:
        found: dict[str, list[Any]] = {"square_avg": square_avgs, "step": state_steps}
        if group["momentum"] > 0:
            found["momentum_buffer"] = momentum_buffer_list
        if group["centered"]:
            found["grad_avg"] = grad_avgs
        return self._collect(group, params_with_grad, grads, **found)

    def _apply(self, group: dict[str, Any], lists: list[list[Any]], has_complex: bool) -> None:
        check_lists(group["foreach"], group["differentiable"])
        params, grads, square_avgs, momentum_buffer_list, grad_avgs, state_steps = lists
        _single_tensor_rmsprop(
            params,
            grads,
            square_avgs,
            grad_avgs,
            momentum_buffer_list,
            state_steps,
            lr=group["lr"],
            alpha=group["alpha"],
            eps=group["eps"],
            weight_decay=group["weight_decay"],
            momentum=group["momentum"],
            centered=group["centered"],
            maximize=group["maximize"],
            differentiable=group["differentiable"],
            capturable=group["capturable"],
            has_complex=has_complex,
            foreach=group["foreach"],
        )


def _single_tensor_rmsprop(
    params: list[Any],
    grads: list[Any],
    square_avgs: list[Any],
    grad_avgs: list[Any],
    momentum_buffer_list: list[Any],
    state_steps: list[Any],
    *,
    lr: Any,
    alpha: float,
    eps: float,
    weight_decay: float,
    momentum: float,
    centered: bool,
    maximize: bool,
    differentiable: bool,
    capturable: bool,
    has_complex: bool,
    foreach: bool | None = None,
) -> None:
    k = ops_of(differentiable)
    if not differentiable:
        lr = number(lr)
    for i, (param, grad, square, step) in enumerate(zip(params, grads, square_avgs, state_steps)):
        if capturable:
            check_captured(param, False)
        advance(step)
        if maximize:
            grad = -grad
        grad = decayed(k, param, grad, weight_decay)
        mean = grad_avgs[i] if centered else None
        buffer = momentum_buffer_list[i] if momentum > 0 else None
        if has_complex and param.is_complex():
            param, grad, square = (ops.view_as_real(t) for t in (param, grad, square))
            mean = None if mean is None else ops.view_as_real(mean)
            buffer = None if buffer is None else ops.view_as_real(buffer)
        k.mul_(square, alpha)
        k.addcmul_(square, grad, grad, 1 - alpha)
        if mean is None:
            root = square.sqrt()
        else:
            k.lerp_(mean, grad, 1 - alpha)
            known = k.own(mean)
            root = square.addcmul(known, known, value=-1).sqrt()
        root = k.add_number_(root, eps)
        if buffer is None:
            k.addcdiv_(param, grad, root, -lr)
            continue
        k.mul_(buffer, momentum)
        k.addcdiv_(buffer, grad, root, 1)
        k.add_(param, buffer, -lr)


#: There is one implementation; libraries ask for it by either name.
_multi_tensor_rmsprop = _single_tensor_rmsprop


def rmsprop(
    params: list[Any],
    grads: list[Any],
    square_avgs: list[Any],
    grad_avgs: list[Any],
    momentum_buffer_list: list[Any],
    state_steps: list[Any],
    foreach: bool | None = None,
    maximize: bool = False,
    differentiable: bool = False,
    capturable: bool = False,
    has_complex: bool = False,
    *,
    lr: Any,
    alpha: float,
    eps: float,
    weight_decay: float,
    momentum: float,
    centered: bool,
) -> None:
    """One step of :class:`RMSprop` for lists of parameters and their state."""
    check_steps(state_steps)
    check_lists(foreach, differentiable)
    _single_tensor_rmsprop(
        params,
        grads,
        square_avgs,
        grad_avgs,
        momentum_buffer_list,
        state_steps,
        lr=lr,
        alpha=alpha,
        eps=eps,
        weight_decay=weight_decay,
        momentum=momentum,
        centered=centered,
        maximize=maximize,
        differentiable=differentiable,
        capturable=capturable,
        has_complex=has_complex,
        foreach=foreach,
    )
