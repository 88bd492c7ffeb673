"""Steps scaled by the sum of squares: Adagrad."""

from __future__ import annotations

from typing import Any

from ..aten import torch
from ..core.operators import ops
from ..tensor import Tensor as Tensor
from .counting import (
    check_fused,
    check_lists,
    check_options_of_fused,
    check_steps,
    decay,
    in_working_precision,
    number,
    ops_of,
    prepared,
    unscaled,
)
from .declared import ListedOptimizer, count
from .optimizer import Optimizer as Optimizer
from .optimizer import ParamsT as ParamsT
from .option_rules import EPS, RATE, not_negative

__all__ = ["Adagrad", "adagrad"]


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
        if has_sparse_grad or has_complex or any(grad.is_sparse for grad in grads):
            raise RuntimeError("`fused` does not support sparse grad or complex param")
        if differentiable:
            raise RuntimeError("adagrad with fused=True does not support differentiable=True")
    if not unscaled(grads, fused, grad_scale, found_inf):
        return
    k = ops_of(differentiable)
    rate = lr if differentiable else number(lr)
    if weight_decay and any(grad.is_sparse for grad in grads):
        raise RuntimeError("weight_decay option is not compatible with sparse gradients")
    with in_working_precision(fused, grads, params, state_sums) as (grads, params, sums):
        for step, param, grad, total in prepared(
            params, grads, state_steps, sums,
            maximize=maximize, has_complex=has_complex, captured=None,
            decayed=decay(k, weight_decay),
        ):  # fmt: skip
            clr = rate / (1 + (step - 1) * lr_decay)
            if grad.is_sparse:
                _sparse_step(param, grad.coalesce(), total, clr, eps)
                continue
            k.addcmul_(total, grad, grad, 1)
            root = k.add_number_(total.sqrt(), eps)
            k.addcdiv_(param, grad, root, -clr)


def _sparse_step(param: Any, grad: Any, total: Any, rate: Any, eps: float) -> None:
    """The step of what a coalesced sparse gradient names."""
    indices, values = grad._indices(), grad._values()

    def sparse(values: Any) -> Any:
        return torch.sparse_coo_tensor(indices, values, grad.size(), is_coalesced=True)

    total.add_(sparse(values.pow(2)))
    root = total.sparse_mask(grad)._values().sqrt_().add_(eps)
    param.add_(sparse(values / root), alpha=-rate)


def _first_sum(param: Any, grad: Any, group: dict[str, Any]) -> Any:
    first = group["initial_accumulator_value"]
    return ops.full_like(param, complex(first, first) if param.is_complex() else first)


class Adagrad(ListedOptimizer):
    """Steps divided by the root of the sum of all squared gradients.

    :param lr_decay: how much slower each step makes the next ones.
    :param initial_accumulator_value: where the sums begin.
    :param fused: accepted for torch's sake: there is one implementation. The step then takes what
        a gradient scaler finds.
    """

    _FUNCTION_ = adagrad
    _TAKES_SPARSE_ = True
    _OPTIONS_ = (
        "lr", "lr_decay", "eps", "weight_decay", "initial_accumulator_value", "foreach",
        "maximize", "differentiable", "fused",
    )  # fmt: skip
    _RULES_ = (
        *RATE,
        not_negative("lr_decay"),
        not_negative("weight_decay"),
        not_negative("initial_accumulator_value"),
        EPS,
    )
    _STATE_ = {"step": count, "sum": _first_sum}
    _LISTS_ = {"state_sums": "sum", "state_steps": "step"}
    _LATER_ = {"foreach": None, "maximize": False, "differentiable": False, "fused": None}

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
        super().__init__(params, locals())
        if fused:
            check_options_of_fused(differentiable, foreach)
            self._step_supports_amp_scaling = True
        for group in self.param_groups:
            for param in group["params"]:
                self._start_(param, None, group)

    def share_memory(self) -> None:
        """Move the sums where other processes see them."""
        for group in self.param_groups:
            for param in group["params"]:
                self.state[param]["sum"].share_memory_()

    def _collect_(
        self, group: dict[str, Any], params: list[Any], grads: list[Any], *lists: list[Any]
    ) -> tuple[bool, bool]:
        has_complex = super()._collect_(group, params, grads, *lists)
        if group["fused"]:
            for param in params:
                check_fused(param)
        return any(grad.is_sparse for grad in grads), has_complex

    def _apply_(self, group: dict[str, Any], lists: list[list[Any]], has_complex: Any) -> None:
        super()._apply_(group, lists, has_complex[1])
