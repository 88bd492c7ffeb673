"""Steps in units of earlier steps: Adadelta."""

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

__all__ = ["Adadelta", "adadelta"]


class Adadelta(CountingOptimizer):
    """Steps scaled by the ratio of the running means of squared steps and squared gradients.

    :param rho: how much of both means a step keeps.
    """

    _LISTS = 5

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

    def _start(self, param: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        state["step"] = step_count(param, bool(group["capturable"]), 0.0)
        state["square_avg"] = ops.zeros_like(param)
        state["acc_delta"] = ops.zeros_like(param)

    def _init_group(  # type: ignore[override]  # torch's lists by name
        self,
        group: dict[str, Any],
        params_with_grad: list[Any],
        grads: list[Any],
        square_avgs: list[Any],
        acc_deltas: list[Any],
        state_steps: list[Any],
    ) -> bool:
        return self._collect(
            group,
            params_with_grad,
            grads,
            square_avg=square_avgs,
            acc_delta=acc_deltas,
            step=state_steps,
        )

    def _apply(self, group: dict[str, Any], lists: list[list[Any]], has_complex: bool) -> None:
        check_lists(group["foreach"], group["differentiable"])
        _single_tensor_adadelta(
            *lists,
            lr=group["lr"],
            rho=group["rho"],
            eps=group["eps"],
            weight_decay=group["weight_decay"],
            maximize=group["maximize"],
            differentiable=group["differentiable"],
            capturable=group["capturable"],
            has_complex=has_complex,
            foreach=group["foreach"],
        )


def _single_tensor_adadelta(
    params: list[Any],
    grads: list[Any],
    square_avgs: list[Any],
    acc_deltas: list[Any],
    state_steps: list[Any],
    *,
    lr: Any,
    rho: float,
    eps: float,
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
    for param, grad, square, steps, step in zip(
        params, grads, square_avgs, acc_deltas, state_steps
    ):
        if capturable:
            check_captured(param, foreach, xla=False)
        advance(step)
        if maximize:
            grad = -grad
        grad = decayed(k, param, grad, weight_decay)
        if has_complex and param.is_complex():
            param, grad, square, steps = (ops.view_as_real(t) for t in (param, grad, square, steps))
        k.mul_(square, rho)
        k.addcmul_(square, grad, grad, 1 - rho)
        if differentiable:
            delta = (steps + eps).sqrt() / (square + eps).sqrt() * grad
        else:
            delta = steps.add(eps).sqrt_().div_(square.add(eps).sqrt_()).mul_(grad)
        k.mul_(steps, rho)
        k.addcmul_(steps, delta, delta, 1 - rho)
        k.add_(param, delta, -lr)


#: There is one implementation; libraries ask for it by either name.
_multi_tensor_adadelta = _single_tensor_adadelta


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
    _single_tensor_adadelta(
        params,
        grads,
        square_avgs,
        acc_deltas,
        state_steps,
        lr=lr,
        rho=rho,
        eps=eps,
        weight_decay=weight_decay,
        maximize=maximize,
        differentiable=differentiable,
        capturable=capturable,
        has_complex=has_complex,
        foreach=foreach,
    )
