"""Adam that looks ahead: NAdam."""

from __future__ import annotations

from typing import Any

from ..ops.call import ops
from .counting import (
    CountingOptimizer,
    advance,
    check_captured,
    check_lists,
    check_moments,
    check_not_negative,
    check_steps,
    decayed,
    number,
    ops_of,
    step_count,
)

__all__ = ["NAdam", "nadam"]


class NAdam(CountingOptimizer):
    """Adam with Nesterov's momentum.

    :param momentum_decay: how fast momentum grows to ``betas[0]``.
    :param decoupled_weight_decay: shrink parameters themselves, not through the gradient.
    """

    _LATER = {**CountingOptimizer._LATER, "decoupled_weight_decay": False}
    _LISTS = 6

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

    def _start(self, param: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        on_device = bool(group["capturable"])
        state["step"] = step_count(param, on_device, 0.0)
        state["mu_product"] = step_count(param, on_device, 1.0)
        state["exp_avg"] = ops.zeros_like(param)
        state["exp_avg_sq"] = ops.zeros_like(param)

    def _init_group(  # type: ignore[override]  # torch's lists by name
        self,
        group: dict[str, Any],
        params_with_grad: list[Any],
        grads: list[Any],
        exp_avgs: list[Any],
        exp_avg_sqs: list[Any],
        mu_products: list[Any],
        state_steps: list[Any],
    ) -> bool:
        return self._collect(
            group,
            params_with_grad,
            grads,
            exp_avg=exp_avgs,
            exp_avg_sq=exp_avg_sqs,
            mu_product=mu_products,
            step=state_steps,
        )

    def _apply(self, group: dict[str, Any], lists: list[list[Any]], has_complex: bool) -> None:
        check_lists(group["foreach"], group["differentiable"])
        _single_tensor_nadam(
            *lists,
            beta1=group["betas"][0],
            beta2=group["betas"][1],
            lr=group["lr"],
            weight_decay=group["weight_decay"],
            momentum_decay=group["momentum_decay"],
            eps=group["eps"],
            decoupled_weight_decay=group["decoupled_weight_decay"],
            maximize=group["maximize"],
            differentiable=group["differentiable"],
            capturable=group["capturable"],
            has_complex=has_complex,
            foreach=group["foreach"],
        )


def _single_tensor_nadam(
    params: list[Any],
    grads: list[Any],
    exp_avgs: list[Any],
    exp_avg_sqs: list[Any],
    mu_products: list[Any],
    state_steps: list[Any],
    *,
    beta1: float,
    beta2: float,
    lr: Any,
    weight_decay: float,
    momentum_decay: float,
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
    for param, grad, mean, square, mu_product, step in zip(
        params, grads, exp_avgs, exp_avg_sqs, mu_products, state_steps
    ):
        if capturable:
            comma = "," if foreach else ""
            check_captured(param, foreach, f"params, mu_products{comma} and state_steps")
        count = advance(step)
        if maximize:
            grad = -grad
        grad = decayed(k, param, grad, weight_decay, lr, decoupled_weight_decay)
        if has_complex and param.is_complex():
            param, grad, mean, square = (ops.view_as_real(t) for t in (param, grad, mean, square))
        mu = beta1 * (1.0 - 0.5 * 0.96 ** (count * momentum_decay))
        mu_next = beta1 * (1.0 - 0.5 * 0.96 ** ((count + 1) * momentum_decay))
        mu_product *= mu
        product = mu_product.clone() if differentiable else mu_product.item()
        k.lerp_(mean, grad, 1 - beta1)
        k.mul_(square, beta2)
        k.addcmul_(square, grad, grad, 1 - beta2)
        root = k.add_number_((square / (1 - beta2**count)).sqrt(), eps)
        k.addcdiv_(param, grad, root, -lr * (1.0 - mu) / (1.0 - product))
        k.addcdiv_(param, mean, root, -lr * mu_next / (1.0 - product * mu_next))


#: There is one implementation; libraries ask for it by either name.
_multi_tensor_nadam = _single_tensor_nadam


def nadam(
    params: list[Any],
    grads: list[Any],
    exp_avgs: list[Any],
    exp_avg_sqs: list[Any],
    mu_products: list[Any],
    state_steps: list[Any],
    decoupled_weight_decay: bool = False,
    foreach: bool | None = None,
    capturable: bool = False,
    differentiable: bool = False,
    has_complex: bool = False,
    maximize: bool = False,
    *,
    beta1: float,
    beta2: float,
    lr: Any,
    weight_decay: float,
    momentum_decay: float,
    eps: float,
) -> None:
    """One step of :class:`NAdam` for lists of parameters and their state."""
    check_steps(state_steps)
    check_lists(foreach, differentiable)
    _single_tensor_nadam(
        params,
        grads,
        exp_avgs,
        exp_avg_sqs,
        mu_products,
        state_steps,
        beta1=beta1,
        beta2=beta2,
        lr=lr,
        weight_decay=weight_decay,
        momentum_decay=momentum_decay,
        eps=eps,
        decoupled_weight_decay=decoupled_weight_decay,
        maximize=maximize,
        differentiable=differentiable,
        capturable=capturable,
        has_complex=has_complex,
        foreach=foreach,
    )
