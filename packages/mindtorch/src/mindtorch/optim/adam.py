"""Adam and AdamW's common part."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from ..core.operators import ops
from ..tensor import Tensor
from .counting import (
    check_captured,
    check_fused,
    check_lists,
    check_options_of_fused,
    check_steps,
    counts_on_device,
    decay,
    in_working_precision,
    number,
    ops_of,
    prepared,
    unscaled,
)
from .declared import ListedOptimizer, count, zeros
from .optimizer import Optimizer as Optimizer
from .optimizer import ParamsT as ParamsT
from .optimizer import _default_to_fused_or_foreach as _default_to_fused_or_foreach
from .optimizer import _get_value as _get_value
from .optimizer import _stack_if_compiling as _stack_if_compiling
from .optimizer import _use_grad_for_differentiable as _use_grad_for_differentiable
from .optimizer import _view_as_real as _view_as_real
from .option_rules import BETAS, EPS, Rule, not_negative
from .step_options import _to_scalar

__all__ = ["Adam", "adam"]


def adam(
    params: list[Any],
    grads: list[Any],
    exp_avgs: list[Any],
    exp_avg_sqs: list[Any],
    max_exp_avg_sqs: list[Any],
    state_steps: list[Any],
    foreach: bool | None = None,
    capturable: bool = False,
    differentiable: bool = False,
    fused: bool | None = None,
    grad_scale: Any = None,
    found_inf: Any = None,
    has_complex: bool = False,
    decoupled_weight_decay: bool = False,
    *,
    amsgrad: bool,
    beta1: Any,
    beta2: Any,
    lr: Any,
    weight_decay: float,
    eps: float,
    maximize: bool,
) -> None:
    """One step of :class:`Adam` for lists of parameters and their state."""
    check_steps(state_steps)
    check_lists(foreach, differentiable)
    if fused and differentiable:
        raise RuntimeError("Adam with fused=True does not support differentiable=True")
    if not unscaled(grads, fused, grad_scale, found_inf):
        return
    on_device = capturable or counts_on_device(fused, state_steps)
    k = ops_of(differentiable, on_device)
    stays = differentiable or on_device
    rate, keep1, keep2 = (number(v, stays) for v in (lr, beta1, beta2))
    captured = partial(check_captured, foreach=foreach) if capturable else None
    decayed = decay(k, weight_decay, rate, decoupled_weight_decay)
    counts = state_steps if differentiable else None  # then in their precision, as torch has it
    largest_of = max_exp_avg_sqs if amsgrad else []
    with in_working_precision(
        fused, grads, params, exp_avgs, exp_avg_sqs, largest_of
    ) as (grads, params, means, squares, largest_of):  # fmt: skip
        for i, (step, param, grad, mean, square, largest) in enumerate(
            prepared(
                params, grads, state_steps, means, squares, largest_of,
                maximize=maximize, has_complex=has_complex, captured=captured, decayed=decayed,
                reads=not on_device,
            )
        ):  # fmt: skip
            n = step if counts is None else counts[i]
            if on_device and not capturable:  # a kernel computes what follows from it in double
                n = step.double()
            k.lerp_(mean, grad, 1 - keep1)
            k.mul_(square, keep2)
            k.addcmul_(square, grad, grad, 1 - keep2)
            if largest is not None:
                if differentiable:
                    largest.copy_(ops.maximum(k.own(largest), k.own(square)))
                else:
                    ops.maximum(largest, square, out=largest)
                square = largest
            root = k.div_(square.sqrt(), (1 - keep2**n) ** 0.5)
            k.addcdiv_(param, mean, k.add_number_(root, eps), -(rate / (1 - keep1**n)))


def _may_be_tensor(option: str, at: int | None = None) -> Rule:
    """A rule of when an option may be a tensor, and of which size."""
    name = option if at is None else f"{option}[{at}]"

    def check(options: Mapping[str, Any]) -> None:
        value = options[option] if at is None else options[option][at]
        if not isinstance(value, Tensor):
            return
        if options["foreach"] and not options["capturable"]:
            raise ValueError(
                f"{name} as a Tensor is not supported for capturable=False and foreach=True"
            )
        if value.numel() != 1:
            raise ValueError(f"Tensor {name} must be 1-element")

    return check


def _betas_alike(options: Mapping[str, Any]) -> None:
    first, second = options["betas"]
    if isinstance(first, Tensor) != isinstance(second, Tensor):
        raise ValueError("betas must be either both floats or both Tensors")


class Adam(ListedOptimizer):
    """Steps scaled by running means of gradients and of their squares.

    :param betas: how much of the two running means a step keeps.
    :param amsgrad: divide by the largest mean of squares so far.
    :param maximize: go up instead of down.
    :param differentiable: record the step, so that gradients go through it.
    :param decoupled_weight_decay: shrink parameters themselves, not through the gradient (AdamW).
    :param foreach: accepted for torch's sake, as are *fused* and *capturable*: there is one
        implementation. A fused step takes what a gradient scaler finds.
    """

    _FUNCTION_ = adam
    _OPTIONS_ = (
        "lr", "betas", "eps", "weight_decay", "amsgrad", "maximize", "foreach", "capturable",
        "differentiable", "fused", "decoupled_weight_decay",
    )  # fmt: skip
    _RULES_ = (
        _may_be_tensor("lr"),
        not_negative("lr", "Invalid learning rate: {}"),
        EPS,
        *BETAS,
        not_negative("weight_decay"),
        _betas_alike,
        _may_be_tensor("betas", 0),
        _may_be_tensor("betas", 1),
    )
    _KEPT_ = {"betas": lambda betas: tuple(map(_to_scalar, betas))}
    _STATE_ = {"step": count, "exp_avg": zeros, "exp_avg_sq": zeros, "max_exp_avg_sq": zeros}
    _ONLY_WITH_ = {"max_exp_avg_sq": "amsgrad"}
    _LISTS_ = {
        "exp_avgs": "exp_avg",
        "exp_avg_sqs": "exp_avg_sq",
        "max_exp_avg_sqs": "max_exp_avg_sq",
        "state_steps": "step",
    }
    _LATER_ = {
        "amsgrad": False,
        "maximize": False,
        "foreach": None,
        "capturable": False,
        "differentiable": False,
        "decoupled_weight_decay": False,
        "fused": None,
    }

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[Any, Any] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        super().__init__(params, locals())
        if fused:
            check_options_of_fused(differentiable, foreach)
            self._step_supports_amp_scaling = True

    def _start_(self, param: Any, grad: Any, group: dict[str, Any]) -> None:
        if group["fused"]:
            check_fused(param)
        super()._start_(param, grad, group)

    def _no_sparse_(self) -> str:
        return "Adam does not support sparse gradients, please consider SparseAdam instead"

    def _collect_(
        self, group: dict[str, Any], params: list[Any], grads: list[Any], *lists: list[Any]
    ) -> bool:
        has_complex: bool = super()._collect_(group, params, grads, *lists)
        if group["differentiable"] and any(step.requires_grad for step in lists[-1]):
            raise RuntimeError("`requires_grad` is not supported for `step` in differentiable mode")
        if group["foreach"] and isinstance(group["lr"], Tensor) and not group["capturable"]:
            raise RuntimeError(
                "lr as a Tensor is not supported for capturable=False and foreach=True"
            )
        return has_complex
