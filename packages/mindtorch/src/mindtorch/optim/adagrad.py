"""Steps scaled by the sum of squares: Adagrad."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..ops.call import ops
from .counting import (
    CountingOptimizer,
    advance,
    check_fused,
    check_lists,
    check_not_negative,
    check_options_of_fused,
    check_rate,
    check_steps,
    decayed,
    in_single_precision,
    number,
    ops_of,
    step_count,
    unscaled,
)

__all__ = ["Adagrad", "adagrad"]


class Adagrad(CountingOptimizer):
    """Steps divided by the root of the sum of all squared gradients.

    :param lr_decay: how much slower each step makes the next ones.
    :param initial_accumulator_value: where the sums begin.
    :param fused: accepted for torch's sake: there is one implementation. The step then takes what
        a gradient scaler finds.
    """

    _LATER = {"foreach": None, "maximize": False, "differentiable": False, "fused": None}
    _LISTS = 4

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_rate(lr)
        check_not_negative("lr_decay value", lr_decay)
        check_not_negative("weight_decay value", weight_decay)
        check_not_negative("initial_accumulator_value value", initial_accumulator_value)
        check_not_negative("epsilon value", eps)
        super().__init__(
            params,
            {
                "lr": lr,
                "lr_decay": lr_decay,
                "eps": eps,
                "weight_decay": weight_decay,
                "initial_accumulator_value": initial_accumulator_value,
                "foreach": foreach,
                "maximize": maximize,
                "differentiable": differentiable,
                "fused": fused,
            },
        )
        if fused:
            check_options_of_fused(differentiable, foreach)
            self._step_supports_amp_scaling = True
        for group in self.param_groups:
            for param in group["params"]:
                state = self.state[param]
                state["step"] = step_count(param, bool(group["fused"]), 0.0)
                self._start(param, None, state, group)

    def _start(self, param: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        first = group["initial_accumulator_value"]
        state["sum"] = ops.full_like(param, complex(first, first) if param.is_complex() else first)

    def share_memory(self) -> None:
        """Move the sums where other processes see them."""
        for group in self.param_groups:
            for param in group["params"]:
                self.state[param]["sum"].share_memory_()

    def _init_group(  # type: ignore[override]  # torch's lists by name
        self,
        group: dict[str, Any],
        params_with_grad: list[Any],
        grads: list[Any],
        state_sums: list[Any],
        state_steps: list[Any],
    ) -> Any:
        if group["fused"]:
            for param in group["params"]:
                if param.grad is not None:
                    check_fused(param)
        has_complex = self._collect(
            group, params_with_grad, grads, sum=state_sums, step=state_steps
        )
        return False, has_complex  # no gradient is sparse

    def _apply(self, group: dict[str, Any], lists: list[list[Any]], has_complex: Any) -> None:
        scale, found = getattr(self, "grad_scale", None), getattr(self, "found_inf", None)
        params, grads, sums, steps = lists
        adagrad(
            params,
            grads,
            sums,
            steps,
            fused=group["fused"],
            grad_scale=scale if group["fused"] else None,
            found_inf=found if group["fused"] else None,
            lr=group["lr"],
            weight_decay=group["weight_decay"],
            lr_decay=group["lr_decay"],
            eps=group["eps"],
            maximize=group["maximize"],
            foreach=group["foreach"],
            differentiable=group["differentiable"],
            has_complex=has_complex[1],
        )


def _step(
    params: list[Any],
    grads: list[Any],
    state_sums: list[Any],
    state_steps: list[Any],
    *,
    lr: Any,
    weight_decay: float,
    lr_decay: float,
    eps: float,
    maximize: bool,
    differentiable: bool,
    has_complex: bool,
) -> None:
    k = ops_of(differentiable)
    if not differentiable:
        lr = number(lr)
    for param, grad, total, step in zip(params, grads, state_sums, state_steps):
        count = advance(step)
        if maximize:
            grad = -grad
        grad = decayed(k, param, grad, weight_decay)
        rate = lr / (1 + (count - 1) * lr_decay)
        if has_complex and param.is_complex():
            param, grad, total = (ops.view_as_real(t) for t in (param, grad, total))
        k.addcmul_(total, grad, grad, 1)
        root = k.add_number_(total.sqrt(), eps)
        k.addcdiv_(param, grad, root, -rate)


def adagrad(
    params: list[Any],
    grads: list[Any],
    state_sums: list[Any],
    state_steps: list[Any],
    fused: bool | None = None,
    grad_scale: Any = None,
    found_inf: Any = None,
    has_sparse_grad: bool = False,
    foreach: bool | None = None,
    differentiable: bool = False,
    has_complex: bool = False,
    *,
    lr: Any,
    weight_decay: float,
    lr_decay: float,
    eps: float,
    maximize: bool,
) -> None:
    """One step of :class:`Adagrad` for lists of parameters and their state."""
    check_steps(state_steps)
    check_lists(foreach, differentiable)
    if fused:
        if has_sparse_grad or has_complex:
            raise RuntimeError("`fused` does not support sparse grad or complex param")
        if differentiable:
            raise RuntimeError("adagrad with fused=True does not support differentiable=True")
        if not unscaled(grads, grad_scale, found_inf):
            return
    elif grad_scale is not None or found_inf is not None:
        raise AssertionError("Expected grad_scale and found_inf to be None")
    step = partial(
        _step,
        lr=lr,
        weight_decay=weight_decay,
        lr_decay=lr_decay,
        eps=eps,
        maximize=maximize,
        differentiable=differentiable,
        has_complex=has_complex,
    )
    if not fused:
        step(params, grads, state_sums, state_steps)
        return
    with in_single_precision(grads, params, state_sums) as (grads, params, state_sums):
        step(params, grads, state_sums, state_steps)
