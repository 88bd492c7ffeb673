"""Adam that trusts its variance late: RAdam."""

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

__all__ = ["RAdam", "radam"]


class RAdam(CountingOptimizer):
    """Adam that divides by the root of squares only once enough of them are known.

    :param decoupled_weight_decay: shrink parameters themselves, not through the gradient.
    """

    _LATER = {**CountingOptimizer._LATER, "decoupled_weight_decay": False}
    _LISTS = 5

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

    def _start(self, param: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        state["step"] = step_count(param, bool(group["capturable"]), 0.0)
        state["exp_avg"] = ops.zeros_like(param)
        state["exp_avg_sq"] = ops.zeros_like(param)

    def _init_group(  # type: ignore[override]  # torch's lists by name
        self,
        group: dict[str, Any],
        params_with_grad: list[Any],
        grads: list[Any],
        exp_avgs: list[Any],
        exp_avg_sqs: list[Any],
        state_steps: list[Any],
    ) -> bool:
        return self._collect(
            group,
            params_with_grad,
            grads,
            exp_avg=exp_avgs,
            exp_avg_sq=exp_avg_sqs,
            step=state_steps,
        )

    def _apply(self, group: dict[str, Any], lists: list[list[Any]], has_complex: bool) -> None:
        check_lists(group["foreach"], group["differentiable"])
        _single_tensor_radam(
            *lists,
            beta1=group["betas"][0],
            beta2=group["betas"][1],
            lr=group["lr"],
            weight_decay=group["weight_decay"],
            eps=group["eps"],
            decoupled_weight_decay=group["decoupled_weight_decay"],
            maximize=group["maximize"],
            differentiable=group["differentiable"],
            capturable=group["capturable"],
            has_complex=has_complex,
            foreach=group["foreach"],
        )


def _single_tensor_radam(
    params: list[Any],
    grads: list[Any],
    exp_avgs: list[Any],
    exp_avg_sqs: list[Any],
    state_steps: list[Any],
    *,
    beta1: float,
    beta2: float,
    lr: Any,
    weight_decay: float,
    eps: float,
    decoupled_weight_decay: bool,
    maximize: bool,
    differentiable: bool,
    capturable: bool,
    has_complex: bool,
    foreach: bool | None = None,
) -> None:
    k = ops_of(differentiable)
    if not differentiable:
        lr = number(lr)
    for param, grad, mean, square, step in zip(params, grads, exp_avgs, exp_avg_sqs, state_steps):
        if capturable:
            check_captured(param, foreach)
        count = advance(step)
        if maximize:
            grad = -grad
        grad = decayed(k, param, grad, weight_decay, lr, decoupled_weight_decay)
        if has_complex and param.is_complex():
            param, grad, mean, square = (ops.view_as_real(t) for t in (param, grad, mean, square))
        k.lerp_(mean, grad, 1 - beta1)
        k.mul_(square, beta2)
        k.addcmul_(square, grad, grad, 1 - beta2)
        second = 1 - beta2**count
        unbiased = mean / (1 - beta1**count)
        most = 2 / (1 - beta2) - 1
        known = most - 2 * count * (beta2**count) / second
        if known <= 5.0:
            k.add_(param, unbiased * lr, -1.0)
            continue
        rectified = ((known - 4) * (known - 2) * most / ((most - 4) * (most - 2) * known)) ** 0.5
        root = k.add_number_(square.sqrt(), eps)
        k.add_(param, unbiased * lr * ((second**0.5) / root) * rectified, -1.0)


#: There is one implementation; libraries ask for it by either name.
_multi_tensor_radam = _single_tensor_radam


def radam(
    params: list[Any],
    grads: list[Any],
    exp_avgs: list[Any],
    exp_avg_sqs: list[Any],
    state_steps: list[Any],
    decoupled_weight_decay: bool = False,
    foreach: bool | None = None,
    differentiable: bool = False,
    capturable: bool = False,
    has_complex: bool = False,
    maximize: bool = False,
    *,
    beta1: float,
    beta2: float,
    lr: Any,
    weight_decay: float,
    eps: float,
) -> None:
    """One step of :class:`RAdam` for lists of parameters and their state."""
    check_steps(state_steps)
    check_lists(foreach, differentiable)
    _single_tensor_radam(
        params,
        grads,
        exp_avgs,
        exp_avg_sqs,
        state_steps,
        beta1=beta1,
        beta2=beta2,
        lr=lr,
        weight_decay=weight_decay,
        eps=eps,
        decoupled_weight_decay=decoupled_weight_decay,
        maximize=maximize,
        differentiable=differentiable,
        capturable=capturable,
        has_complex=has_complex,
        foreach=foreach,
    )
