"""Adam with the largest gradient in place of squares: Adamax."""

from __future__ import annotations

from typing import Any

from ..ops.call import ops
from .counting import (
    CountingOptimizer,
    advance,
    check_captured,
    check_lists,
    check_moments,
    check_steps,
    decayed,
    number,
    ops_of,
    step_count,
)

__all__ = ["Adamax", "adamax"]


class Adamax(CountingOptimizer):
    """Steps scaled by a running mean of gradients over their decaying maximum.

    :param betas: how much of mean and maximum a step keeps.
    """

    _LISTS = 5

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

    def _start(self, param: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        state["step"] = step_count(param, bool(group["capturable"]), 0.0)
        state["exp_avg"] = ops.zeros_like(param)
        state["exp_inf"] = ops.zeros_like(param)

    def _init_group(  # type: ignore[override]  # torch's lists by name
        self,
        group: dict[str, Any],
        params_with_grad: list[Any],
        grads: list[Any],
        exp_avgs: list[Any],
        exp_infs: list[Any],
        state_steps: list[Any],
    ) -> bool:
        return self._collect(
            group,
            params_with_grad,
            grads,
            exp_avg=exp_avgs,
            exp_inf=exp_infs,
            step=state_steps,
        )

    def _apply(self, group: dict[str, Any], lists: list[list[Any]], has_complex: bool) -> None:
        check_lists(group["foreach"], group["differentiable"])
        _single_tensor_adamax(
            *lists,
            eps=group["eps"],
            beta1=group["betas"][0],
            beta2=group["betas"][1],
            lr=group["lr"],
            weight_decay=group["weight_decay"],
            maximize=group["maximize"],
            differentiable=group["differentiable"],
            capturable=group["capturable"],
            has_complex=has_complex,
            foreach=group["foreach"],
        )


def _single_tensor_adamax(
    params: list[Any],
    grads: list[Any],
    exp_avgs: list[Any],
    exp_infs: list[Any],
    state_steps: list[Any],
    *,
    eps: float,
    beta1: float,
    beta2: float,
    lr: Any,
    weight_decay: float,
    maximize: bool,
    differentiable: bool,
    capturable: bool,
    has_complex: bool,
    foreach: bool | None = None,
) -> None:
    k = ops_of(differentiable)
    if not differentiable:
        lr = number(lr)
    for param, grad, mean, largest, step in zip(params, grads, exp_avgs, exp_infs, state_steps):
        if capturable:
            check_captured(param, foreach)
        count = advance(step)
        if maximize:
            grad = -grad
        grad = decayed(k, param, grad, weight_decay)
        if has_complex and param.is_complex():
            param, grad, mean, largest = (ops.view_as_real(t) for t in (param, grad, mean, largest))
        k.lerp_(mean, grad, 1 - beta1)
        if differentiable:
            largest.copy_(ops.maximum(largest * beta2, grad.abs() + eps))
        else:
            ops.maximum(largest.mul_(beta2), grad.abs().add_(eps), out=largest)
        k.addcdiv_(param, mean, k.own(largest), -lr / (1 - beta1**count))


#: There is one implementation; libraries ask for it by either name.
_multi_tensor_adamax = _single_tensor_adamax


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
    _single_tensor_adamax(
        params,
        grads,
        exp_avgs,
        exp_infs,
        state_steps,
        eps=eps,
        beta1=beta1,
        beta2=beta2,
        lr=lr,
        weight_decay=weight_decay,
        maximize=maximize,
        differentiable=differentiable,
        capturable=capturable,
        has_complex=has_complex,
        foreach=foreach,
    )
