"""Steps scaled by the sum of squares: Adagrad."""

from __future__ import annotations

from typing import Any

from ..ops.call import ops
from .counting import (
    CountingOptimizer,
    check_fused,
    check_not_negative,
    check_options_of_fused,
    check_rate,
    decayed,
    number,
    step_count,
)
from .direct import add_number_, addcdiv_, addcmul_

__all__ = ["Adagrad"]


class Adagrad(CountingOptimizer):
    """Steps divided by the root of the sum of all squared gradients.

    :param lr_decay: how much slower each step makes the next ones.
    :param initial_accumulator_value: where the sums begin.
    :param fused: accepted for torch's sake: there is one implementation.
    """

    _LATER = {"foreach": None, "maximize": False, "differentiable": False, "fused": None}

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
        for group in self.param_groups:
            for param in group["params"]:
                state = self.state[param]
                state["step"] = step_count(param, bool(group["fused"]), 0.0)
                self._start(param, state, group)

    def _start(self, param: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        first = group["initial_accumulator_value"]
        state["sum"] = ops.full_like(param, complex(first, first) if param.is_complex() else first)

    def share_memory(self) -> None:
        """Move the sums where other processes see them."""
        for group in self.param_groups:
            for param in group["params"]:
                self.state[param]["sum"].share_memory_()

    def _update(
        self, param: Any, grad: Any, state: dict[str, Any], group: dict[str, Any], count: float
    ) -> None:
        if group["fused"]:
            check_fused(param)
        grad = decayed(param, grad, group)
        rate = number(group["lr"]) / (1 + (count - 1) * group["lr_decay"])
        total = state["sum"]
        if param.is_complex():
            param, grad, total = (ops.view_as_real(t) for t in (param, grad, total))
        addcmul_(total, grad, grad, 1)
        root = total.sqrt()
        add_number_(root, group["eps"])
        addcdiv_(param, grad, root, -rate)
