"""Adam and AdamW's common part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ops.call import ops
from ..tensor import Tensor
from .counting import (
    advance,
    check_captured,
    check_fused,
    check_options_of_fused,
    evaluated,
    make_counts_tensors,
    number,
    step_count,
)
from .direct import add, add_number_, addcdiv_, addcmul_, div_, lerp_, mul_
from .optimizer import Optimizer, graph_free

__all__ = ["Adam"]


def _check_tensor_option(name: str, value: Any, foreach: Any, capturable: bool) -> None:
    if isinstance(value, Tensor):
        if foreach and not capturable:
            raise ValueError(
                f"{name} as a Tensor is not supported for capturable=False and foreach=True"
            )
        if value.numel() != 1:
            raise ValueError(f"Tensor {name} must be 1-element")


class Adam(Optimizer):
    """Steps scaled by running means of gradients and of their squares.

    :param betas: how much of the two running means a step keeps.
    :param amsgrad: divide by the largest mean of squares so far.
    :param maximize: go up instead of down.
    :param decoupled_weight_decay: shrink parameters themselves, not through the gradient (AdamW).
    :param foreach: accepted for torch's sake, as are *fused* and *capturable*: there is one
        implementation.
    """

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

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for group in self.param_groups:
            group.setdefault("amsgrad", False)
            group.setdefault("maximize", False)
            group.setdefault("foreach", None)
            group.setdefault("capturable", False)
            group.setdefault("differentiable", False)
            group.setdefault("decoupled_weight_decay", False)
            fused = group.setdefault("fused", None)
            make_counts_tensors(self, group, group["capturable"] or bool(fused))

    @graph_free
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """One step. Returns what *closure* returns, else None."""
        loss = None if closure is None else evaluated(closure)
        for group in self.param_groups:
            for param in group["params"]:
                grad = param.grad
                if grad is not None:
                    self._update(param, grad, group)
        return loss

    def _start(self, param: Any, group: dict[str, Any]) -> dict[str, Any]:
        on_device = group["capturable"] or group["fused"]
        if group["fused"]:
            check_fused(param)
        state: dict[str, Any] = self.state[param]
        state["step"] = step_count(param, on_device, 0.0)
        state["exp_avg"] = ops.zeros_like(param)
        state["exp_avg_sq"] = ops.zeros_like(param)
        if group["amsgrad"]:
            state["max_exp_avg_sq"] = ops.zeros_like(param)
        return state

    def _update(self, param: Any, grad: Any, group: dict[str, Any]) -> None:
        state = self.state.get(param)
        if not state:
            state = self._start(param, group)
        if group["capturable"]:
            check_captured(param, group)
        mean, square = state["exp_avg"], state["exp_avg_sq"]
        lr = number(group["lr"])
        beta1, beta2 = (number(b) for b in group["betas"])
        count = advance(state["step"])
        if group["maximize"]:
            grad = -grad
        weight_decay = group["weight_decay"]
        if weight_decay != 0:
            if group["decoupled_weight_decay"]:
                mul_(param, 1 - lr * weight_decay)
            else:
                grad = add(grad, param, weight_decay)
        largest = state["max_exp_avg_sq"] if group["amsgrad"] else None
        if param.is_complex():
            # Real and imaginary parts are averaged as numbers of their own.
            param, grad, mean, square = (ops.view_as_real(t) for t in (param, grad, mean, square))
            largest = None if largest is None else ops.view_as_real(largest)
        lerp_(mean, grad, 1 - beta1)
        mul_(square, beta2)
        addcmul_(square, grad, grad, 1 - beta2)
        if largest is not None:
            ops.maximum(largest, square, out=largest)
            square = largest
        denominator = square.sqrt()
        div_(denominator, (1 - beta2**count) ** 0.5)
        add_number_(denominator, group["eps"])
        addcdiv_(param, mean, denominator, -(lr / (1 - beta1**count)))
