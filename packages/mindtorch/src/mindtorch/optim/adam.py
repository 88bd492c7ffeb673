"""Adam and AdamW's common part."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..ops.call import ops
from ..tensor import Tensor
from .counting import (
    CountingOptimizer,
    advance,
    check_captured,
    check_fused,
    check_lists,
    check_options_of_fused,
    check_steps,
    in_single_precision,
    number,
    ops_of,
    step_count,
    unscaled,
)

__all__ = ["Adam", "adam"]


def _check_tensor_option(name: str, value: Any, foreach: Any, capturable: bool) -> None:
    if isinstance(value, Tensor):
        if foreach and not capturable:
            raise ValueError(
                f"{name} as a Tensor is not supported for capturable=False and foreach=True"
            )
        if value.numel() != 1:
            raise ValueError(f"Tensor {name} must be 1-element")


class Adam(CountingOptimizer):
    """Steps scaled by running means of gradients and of their squares.

    :param betas: how much of the two running means a step keeps.
    :param amsgrad: divide by the largest mean of squares so far.
    :param maximize: go up instead of down.
    :param differentiable: record the step, so that gradients go through it.
    :param decoupled_weight_decay: shrink parameters themselves, not through the gradient (AdamW).
    :param foreach: accepted for torch's sake, as are *fused* and *capturable*: there is one
        implementation. A fused step takes what a gradient scaler finds.
    """

    _LATER = {
        "amsgrad": False,
        **CountingOptimizer._LATER,
        "decoupled_weight_decay": False,
        "fused": None,
    }
    _LISTS = 6

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
        _check_tensor_option("lr", lr, foreach, capturable)
        if not 0.0 <= lr:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not 0.0 <= eps:
            raise ValueError(f"Invalid epsilon value: {eps}")
        for i in range(2):
            if not 0.0 <= betas[i] < 1.0:
                raise ValueError(f"Invalid beta parameter at index {i}: {betas[i]}")
        if not 0.0 <= weight_decay:
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
        if isinstance(betas[0], Tensor) != isinstance(betas[1], Tensor):
            raise ValueError("betas must be either both floats or both Tensors")
        for i in range(2):
            _check_tensor_option(f"betas[{i}]", betas[i], foreach, capturable)
        super().__init__(
            params,
            {
                "lr": lr,
                "betas": betas,
                "eps": eps,
                "weight_decay": weight_decay,
                "amsgrad": amsgrad,
                "maximize": maximize,
                "foreach": foreach,
                "capturable": capturable,
                "differentiable": differentiable,
                "fused": fused,
                "decoupled_weight_decay": decoupled_weight_decay,
            },
        )
        if fused:
            check_options_of_fused(differentiable, foreach)
            self._step_supports_amp_scaling = True

    def _start(self, param: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        if group["fused"]:
            check_fused(param)
        state["step"] = step_count(param, bool(group["capturable"] or group["fused"]), 0.0)
        state["exp_avg"] = ops.zeros_like(param)
        state["exp_avg_sq"] = ops.zeros_like(param)
        if group["amsgrad"]:
            state["max_exp_avg_sq"] = ops.zeros_like(param)

    def _no_sparse(self) -> str:
        return "Adam does not support sparse gradients, please consider SparseAdam instead"

    def _init_group(  # type: ignore[override]  # torch's lists by name
        self,
        group: dict[str, Any],
        params_with_grad: list[Any],
        grads: list[Any],
        exp_avgs: list[Any],
        exp_avg_sqs: list[Any],
        max_exp_avg_sqs: list[Any],
        state_steps: list[Any],
    ) -> bool:
        has_complex = False
        amsgrad, states = group["amsgrad"], self.state
        for param in group["params"]:
            grad = param.grad
            if grad is None:
                continue
            state = states[param]
            if not state:
                if grad.is_sparse:
                    raise RuntimeError(self._no_sparse())
                self._start(param, grad, state, group)
            has_complex |= param.is_complex()
            params_with_grad.append(param)
            grads.append(grad)
            exp_avgs.append(state["exp_avg"])
            exp_avg_sqs.append(state["exp_avg_sq"])
            if amsgrad:
                max_exp_avg_sqs.append(state["max_exp_avg_sq"])
            step = state["step"]
            if group["differentiable"] and step.requires_grad:
                raise RuntimeError(
                    "`requires_grad` is not supported for `step` in differentiable mode"
                )
            state_steps.append(step)
        if group["foreach"] and isinstance(group["lr"], Tensor) and not group["capturable"]:
            raise RuntimeError(
                "lr as a Tensor is not supported for capturable=False and foreach=True"
            )
        return has_complex

    def _apply(self, group: dict[str, Any], lists: list[list[Any]], has_complex: bool) -> None:
        scale, found = getattr(self, "grad_scale", None), getattr(self, "found_inf", None)
        beta1, beta2 = group["betas"]
        params, grads, means, squares, largest, steps = lists
        adam(
            params,
            grads,
            means,
            squares,
            largest,
            steps,
            fused=group["fused"],
            grad_scale=scale if group["fused"] else None,
            found_inf=found if group["fused"] else None,
            amsgrad=group["amsgrad"],
            has_complex=has_complex,
            beta1=beta1,
            beta2=beta2,
            lr=group["lr"],
            weight_decay=group["weight_decay"],
            eps=group["eps"],
            maximize=group["maximize"],
            capturable=group["capturable"],
            differentiable=group["differentiable"],
            decoupled_weight_decay=group["decoupled_weight_decay"],
            foreach=group["foreach"],
        )


def _step(
    params: list[Any],
    grads: list[Any],
    exp_avgs: list[Any],
    exp_avg_sqs: list[Any],
    max_exp_avg_sqs: list[Any],
    state_steps: list[Any],
    *,
    amsgrad: bool,
    has_complex: bool,
    beta1: Any,
    beta2: Any,
    lr: Any,
    weight_decay: float,
    eps: float,
    maximize: bool,
    capturable: bool,
    differentiable: bool,
    decoupled_weight_decay: bool,
    foreach: bool | None = None,
) -> None:
    k = ops_of(differentiable)
    mul_, lerp_, addcmul_, addcdiv_ = k.mul_, k.lerp_, k.addcmul_, k.addcdiv_
    if not differentiable:
        lr, beta1, beta2 = number(lr), number(beta1), number(beta2)
    for i, (param, grad, mean, square, step) in enumerate(
        zip(params, grads, exp_avgs, exp_avg_sqs, state_steps)
    ):
        if capturable:
            check_captured(param, foreach)
        count: Any = advance(step)
        if differentiable:
            count = step  # in its precision, as torch has it
        if maximize:
            grad = -grad
        if weight_decay != 0:
            if decoupled_weight_decay:
                mul_(param, 1 - lr * weight_decay)
            else:
                grad = k.add(grad, param, weight_decay)
        largest = max_exp_avg_sqs[i] if amsgrad else None
        if has_complex and param.is_complex():
            # Real and imaginary parts are averaged as numbers of their own.
            param, grad, mean, square = (ops.view_as_real(t) for t in (param, grad, mean, square))
            largest = None if largest is None else ops.view_as_real(largest)
        lerp_(mean, grad, 1 - beta1)
        mul_(square, beta2)
        addcmul_(square, grad, grad, 1 - beta2)
        if largest is not None:
            if differentiable:
                largest.copy_(ops.maximum(k.own(largest), k.own(square)))
            else:
                ops.maximum(largest, square, out=largest)
            square = largest
        denominator = k.div_(square.sqrt(), (1 - beta2**count) ** 0.5)
        denominator = k.add_number_(denominator, eps)
        addcdiv_(param, mean, denominator, -(lr / (1 - beta1**count)))


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
    if fused:
        if differentiable:
            raise RuntimeError("Adam with fused=True does not support differentiable=True")
        if not unscaled(grads, grad_scale, found_inf):
            return
    elif grad_scale is not None or found_inf is not None:
        raise AssertionError("Expected grad_scale and found_inf to be None")
    step = partial(
        _step,
        amsgrad=amsgrad,
        has_complex=has_complex,
        beta1=beta1,
        beta2=beta2,
        lr=lr,
        weight_decay=weight_decay,
        eps=eps,
        maximize=maximize,
        capturable=capturable,
        differentiable=differentiable,
        decoupled_weight_decay=decoupled_weight_decay,
        foreach=foreach,
    )
    if not fused:
        step(params, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps)
        return
    state = (params, exp_avgs, exp_avg_sqs, max_exp_avg_sqs)
    with in_single_precision(grads, *state) as (wide_grads, wide_params, means, squares, largest):
        step(wide_params, wide_grads, means, squares, largest, state_steps)
