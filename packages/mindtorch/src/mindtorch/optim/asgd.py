"""Averaged stochastic gradient descent."""

from __future__ import annotations

from typing import Any

from ..data import tensor
from ..ops.call import ops
from .counting import (
    CountingOptimizer,
    advance,
    check_captured,
    check_lists,
    check_not_negative,
    check_rate,
    decayed,
    number,
    ops_of,
)
from .optimizer import _get_scalar_dtype

__all__ = ["ASGD", "asgd"]


class ASGD(CountingOptimizer):
    """Stochastic gradient descent whose state holds the average of the parameters.

    :param lambd: how much parameters shrink.
    :param alpha: how fast the rate falls.
    :param t0: the step at which averaging begins.
    """

    _LISTS = 6

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_rate(lr)
        check_not_negative("weight_decay value", weight_decay)
        super().__init__(
            params,
            {
                "lr": lr,
                "lambd": lambd,
                "alpha": alpha,
                "t0": t0,
                "weight_decay": weight_decay,
                "foreach": foreach,
                "maximize": maximize,
                "differentiable": differentiable,
                "capturable": capturable,
            },
        )

    def _start(self, param: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        dtype = _get_scalar_dtype()
        state["step"] = ops.zeros((), device=param.device, dtype=dtype)
        state["eta"] = ops.full((), number(group["lr"]), device=param.device, dtype=dtype)
        state["mu"] = ops.ones((), device=param.device, dtype=dtype)
        state["ax"] = ops.zeros_like(param)

    def _init_group(  # type: ignore[override]  # torch's lists by name
        self,
        group: dict[str, Any],
        params_with_grad: list[Any],
        grads: list[Any],
        mus: list[Any],
        axs: list[Any],
        etas: list[Any],
        state_steps: list[Any],
    ) -> bool:
        return self._collect(
            group,
            params_with_grad,
            grads,
            mu=mus,
            ax=axs,
            eta=etas,
            step=state_steps,
        )

    def _apply(self, group: dict[str, Any], lists: list[list[Any]], has_complex: bool) -> None:
        check_lists(group["foreach"], group["differentiable"])
        params, grads, mus, axs, etas, state_steps = lists
        _single_tensor_asgd(
            params,
            grads,
            axs,
            mus,
            etas,
            state_steps,
            lambd=group["lambd"],
            lr=group["lr"],
            t0=group["t0"],
            alpha=group["alpha"],
            weight_decay=group["weight_decay"],
            maximize=group["maximize"],
            differentiable=group["differentiable"],
            capturable=group["capturable"],
            has_complex=has_complex,
            foreach=group["foreach"],
        )


def _single_tensor_asgd(
    params: list[Any],
    grads: list[Any],
    axs: list[Any],
    mus: list[Any],
    etas: list[Any],
    state_steps: list[Any],
    *,
    lambd: float,
    lr: Any,
    t0: float,
    alpha: float,
    weight_decay: float,
    maximize: bool,
    differentiable: bool,
    capturable: bool,
    has_complex: bool,
    foreach: bool | None = None,
) -> None:
    k = ops_of(differentiable)
    lr = number(lr)
    for param, grad, average, mu, eta, step in zip(params, grads, axs, mus, etas, state_steps):
        if capturable:
            check_captured(param, foreach, "params, mus, etas, and state_steps")
        count = advance(step)
        if maximize:
            grad = -grad
        grad = decayed(k, param, grad, weight_decay)
        if has_complex and param.is_complex():
            param, grad, average = (ops.view_as_real(t) for t in (param, grad, average))
        rate = eta.item()
        k.mul_(param, 1 - lambd * rate)
        k.add_(param, grad, -rate)
        share = mu.item()
        if share == 1:
            average.copy_(param)
        else:
            average.add_(param.sub(average).mul_(share))
        # Rounded to the default dtype, whatever a loaded state has.
        eta.copy_(tensor(lr / ((1 + lambd * lr * count) ** alpha)))
        mu.copy_(tensor(1 / max(1, count - t0)))


#: There is one implementation; libraries ask for it by either name.
_multi_tensor_asgd = _single_tensor_asgd


def asgd(
    params: list[Any],
    grads: list[Any],
    axs: list[Any],
    mus: list[Any],
    etas: list[Any],
    state_steps: list[Any],
    foreach: bool | None = None,
    maximize: bool = False,
    differentiable: bool = False,
    capturable: bool = False,
    has_complex: bool = False,
    *,
    lambd: float,
    lr: Any,
    t0: float,
    alpha: float,
    weight_decay: float,
) -> None:
    """One step of :class:`ASGD` for lists of parameters and their state."""
    check_lists(foreach, differentiable)
    _single_tensor_asgd(
        params,
        grads,
        axs,
        mus,
        etas,
        state_steps,
        lambd=lambd,
        lr=lr,
        t0=t0,
        alpha=alpha,
        weight_decay=weight_decay,
        maximize=maximize,
        differentiable=differentiable,
        capturable=capturable,
        has_complex=has_complex,
        foreach=foreach,
    )
