"""Stochastic gradient descent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..tensor import Tensor
from .counting import (
    check_fused,
    check_options_of_fused,
    evaluated,
    ops_of,
    uncounted,
    unscaled,
)
from .declared import DeclaredOptimizer
from .optimizer import Optimizer as Optimizer
from .optimizer import ParamsT as ParamsT
from .option_rules import ONE_ELEMENT, Rule, rule
from .step_options import _use_grad_for_differentiable

__all__ = ["SGD", "sgd"]


def _not_below_zero(option: str, name: str) -> Rule:
    """A rule that refuses numbers below zero; unlike those of other optimizers it takes NaN."""
    return rule(option, lambda v: not v < 0.0, f"Invalid {name}: {{}}")


def _can_look_ahead(options: Mapping[str, Any]) -> None:
    if options["nesterov"] and (options["momentum"] <= 0 or options["dampening"] != 0):
        raise ValueError("Nesterov momentum requires a momentum and zero dampening")


class SGD(DeclaredOptimizer):
    """Stochastic gradient descent, with momentum where wanted.

    :param dampening: the share of the gradient that momentum leaves out.
    :param nesterov: look ahead by the momentum.
    :param maximize: go up instead of down.
    :param differentiable: record the step, so that gradients go through it.
    :param foreach: accepted for torch's sake, as is *fused*: there is one implementation. A fused
        step takes what a gradient scaler finds.
    """

    _OPTIONS_ = (
        "lr", "momentum", "dampening", "weight_decay", "nesterov", "maximize", "foreach",
        "differentiable", "fused",
    )  # fmt: skip
    _RULES_ = (
        ONE_ELEMENT,
        _not_below_zero("lr", "learning rate"),
        _not_below_zero("momentum", "momentum value"),
        _not_below_zero("weight_decay", "weight_decay value"),
        _can_look_ahead,
    )
    _LATER_ = {
        "nesterov": False,
        "maximize": False,
        "foreach": None,
        "differentiable": False,
        "fused": False,
    }

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: Any = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        super().__init__(params, locals())
        if fused:
            check_options_of_fused(differentiable, foreach)
            self._step_supports_amp_scaling = True

    def _init_group(
        self,
        group: dict[str, Any],
        params: list[Any],
        grads: list[Any],
        momentum_buffer_list: list[Any],
    ) -> bool:
        momentum, fused, states = group["momentum"], group["fused"], self.state
        has_sparse = False
        for param in group["params"]:
            grad = param.grad
            if grad is None:
                continue
            if fused:
                check_fused(param)
            params.append(param)
            grads.append(grad)
            if momentum != 0:
                momentum_buffer_list.append(states[param].get("momentum_buffer"))
        return has_sparse

    @_use_grad_for_differentiable
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """One step down the gradients. Returns what *closure* returns, else None."""
        loss = None if closure is None else evaluated(closure)
        for group in self.param_groups:
            params: list[Any] = []
            grads: list[Any] = []
            buffers: list[Any] = []
            self._init_group(group, params, grads, buffers)
            if group["fused"]:
                _check_dense(grads)
            if not unscaled(grads, group["fused"], *self._scaler_results_(group)):
                continue
            momentum = group["momentum"]
            with uncounted(group["fused"], params, buffers):
                _step(
                    params,
                    grads,
                    buffers,
                    group["weight_decay"],
                    momentum,
                    group["lr"],
                    group["dampening"],
                    group["nesterov"],
                    group["maximize"],
                    group["differentiable"],
                )
            if momentum != 0:
                for param, buffer in zip(params, buffers):
                    self.state[param]["momentum_buffer"] = buffer
        return loss


def _check_dense(grads: list[Any], has_sparse_grad: bool = False) -> None:
    """Refuse sparse gradients of fused steps."""
    if has_sparse_grad or any(grad.is_sparse for grad in grads):
        raise RuntimeError("`_fused_sgd` does not support sparse gradients")


def _step(
    params: list[Any],
    grads: list[Any],
    momentum_buffer_list: list[Any],
    weight_decay: Any,
    momentum: float,
    lr: Any,
    dampening: float,
    nesterov: bool,
    maximize: bool,
    differentiable: bool = False,
) -> None:
    k = ops_of(differentiable)
    add_ = k.add_
    scaled = isinstance(lr, Tensor) and lr.requires_grad
    if isinstance(lr, Tensor) and not scaled:
        lr = lr.item()
    for i, param in enumerate(params):
        grad = grads[i]
        if maximize:
            grad = -grad
        if weight_decay != 0:
            grad = k.add(grad, param, weight_decay)
        if momentum != 0:
            buffer = momentum_buffer_list[i]
            if buffer is None:
                buffer = momentum_buffer_list[i] = grad.detach().clone()
            else:
                k.mul_(buffer, momentum)
                add_(buffer, grad, 1 - dampening)
            grad = k.add(grad, buffer, momentum) if nesterov else buffer
        if scaled:
            param.addcmul_(k.own(grad), lr, value=-1)
        else:
            add_(param, grad, -lr)


def sgd(
    params: list[Any],
    d_p_list: list[Any],
    momentum_buffer_list: list[Any],
    has_sparse_grad: bool = False,
    foreach: bool | None = None,
    fused: bool | None = None,
    grad_scale: Any = None,
    found_inf: Any = None,
    *,
    weight_decay: Any,
    momentum: float,
    lr: Any,
    dampening: float,
    nesterov: bool,
    maximize: bool,
) -> None:
    """One step of :class:`SGD` for lists of parameters and their state.

    Buffers that are None are made, and put into the list.
    """
    if fused:
        _check_dense(d_p_list, has_sparse_grad)
    if not unscaled(d_p_list, fused, grad_scale, found_inf):
        return
    with uncounted(fused, params, momentum_buffer_list):
        _step(
            params,
            d_p_list,
            momentum_buffer_list,
            weight_decay,
            momentum,
            lr,
            dampening,
            nesterov,
            maximize,
        )
