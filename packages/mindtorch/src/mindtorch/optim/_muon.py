"""Momentum whose matrices are made orthogonal: Muon."""

from __future__ import annotations

import math
from collections.abc import Callable, MutableMapping
from typing import Any

from ..aten import torch
from .counting import evaluated
from .declared import DeclaredOptimizer
from .option_rules import ONE_ELEMENT, not_negative, rule
from .step_options import _to_scalar

__all__ = ["Muon"]

EPS = 1e-7
DEFAULT_A = 3.4445
DEFAULT_B = -4.7750
DEFAULT_C = 2.0315
DEFAULT_NS_STEPS = 5


def _zeropower_via_newtonschulz(
    grad: torch.Tensor,
    ns_coefficients: tuple[float, float, float],
    ns_steps: int,
    eps: float,
) -> torch.Tensor:
    """*grad*, a matrix, with all singular values near 1: by Newton and Schulz, in bfloat16."""
    if ns_steps >= 100:
        raise ValueError("Number of steps must be less than 100 for computational efficiency")
    if grad.ndim != 2:
        raise ValueError("Input tensor gradient must be a 2D matrix")
    if len(ns_coefficients) != 3:
        raise ValueError("Coefficients must be a tuple of exactly 3 values")
    a, b, c = ns_coefficients
    x = grad.bfloat16()
    tall = grad.size(0) > grad.size(1)
    if tall:
        x = x.T
    x.div_(x.norm().clamp(min=eps))
    for _ in range(ns_steps):
        gram = x @ x.T
        step = torch.addmm(gram, gram, gram, beta=b, alpha=c)
        x = torch.addmm(x, step, x, beta=a)
    return x.T if tall else x


def _adjust_lr(lr: float, adjust_lr_fn: str | None, param_shape: torch.Size) -> float:
    """The rate for matrices of a shape: steps of all shapes are to be alike."""
    rows, columns = param_shape[:2]
    if adjust_lr_fn is None or adjust_lr_fn == "original":
        ratio = math.sqrt(max(1, rows / columns))
    elif adjust_lr_fn == "match_rms_adamw":
        ratio = 0.2 * math.sqrt(max(rows, columns))
    else:
        ratio = 1.0
    return lr * ratio


class Muon(DeclaredOptimizer):
    """Steps along momentum that was made orthogonal; for matrices alone.

    :param nesterov: look ahead by the momentum.
    :param ns_coefficients: of the polynomial that makes a matrix orthogonal, *ns_steps* times.
    :param adjust_lr_fn: how the rate depends on the shape: ``"original"`` or ``"match_rms_adamw"``.

    Raises ValueError for parameters that are no matrices.
    """

    __module__ = __name__.rpartition(".")[0]  # where torch has it

    _OPTIONS_ = (
        "lr", "weight_decay", "momentum", "nesterov", "ns_coefficients", "eps", "ns_steps",
        "adjust_lr_fn",
    )  # fmt: skip
    _RULES_ = (
        ONE_ELEMENT,
        not_negative("lr", "Learning rate should be >= 0 but is: {}"),
        not_negative("momentum", "momentum should be >= 0 but is: {}"),
        not_negative("weight_decay", "weight decay should be >= 0 but is: {}"),
        rule(
            "adjust_lr_fn",
            (None, "original", "match_rms_adamw").__contains__,
            "Adjust learning rate function {} is not supported",
        ),
    )

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        weight_decay: float = 0.1,
        momentum: float = 0.95,
        nesterov: bool = True,
        ns_coefficients: tuple[float, float, float] = (DEFAULT_A, DEFAULT_B, DEFAULT_C),
        eps: float = EPS,
        ns_steps: int = DEFAULT_NS_STEPS,
        adjust_lr_fn: str | None = None,
    ) -> None:
        super().__init__(params, locals())
        for group in self.param_groups:
            for param in group["params"]:
                if param.ndim != 2:
                    raise ValueError(
                        "Muon only supports 2D parameters whereas we found a parameter with size: "
                        f"{param.size()}"
                    )

    def _init_group(
        self,
        group: MutableMapping[str, Any],
        params_with_grad: list[Any],
        grads: list[Any],
        muon_momentum_bufs: list[Any],
    ) -> bool:
        for param in group["params"]:
            grad = param.grad
            if grad is None:
                continue
            if torch.is_complex(param):
                raise RuntimeError("Muon does not support complex parameters")
            if grad.is_sparse:
                raise RuntimeError("Muon does not support sparse gradients")
            params_with_grad.append(param)
            grads.append(grad)
            state = self.state[param]
            if "momentum_buffer" not in state:
                state["momentum_buffer"] = torch.zeros_like(grad)
            muon_momentum_bufs.append(state["momentum_buffer"])
        return False  # none is complex

    @torch.no_grad()
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """One step. Returns what *closure* returns, else None."""
        loss = None if closure is None else evaluated(closure)
        for group in self.param_groups:
            lists: list[list[Any]] = [[], [], []]
            has_complex = self._init_group(group, *lists)
            muon(
                *lists,
                lr=group["lr"],
                weight_decay=group["weight_decay"],
                momentum=group["momentum"],
                nesterov=group["nesterov"],
                ns_coefficients=group["ns_coefficients"],
                eps=group["eps"],
                ns_steps=group["ns_steps"],
                adjust_lr_fn=group["adjust_lr_fn"],
                has_complex=has_complex,
            )
        return loss


def _single_tensor_muon(
    params: list[torch.Tensor],
    grads: list[torch.Tensor],
    muon_momentum_bufs: list[torch.Tensor],
    *,
    lr: Any,
    weight_decay: float,
    momentum: float,
    nesterov: bool,
    ns_coefficients: tuple[float, float, float],
    ns_steps: int,
    eps: float,
    adjust_lr_fn: str | None,
    has_complex: bool,
) -> None:
    lr = _to_scalar(lr)
    if has_complex:
        raise ValueError("Complex parameters are not supported")
    for param, grad, buffer in zip(params, grads, muon_momentum_bufs):
        if grad.ndim != 2:
            raise ValueError("Param gradient must be a 2D matrix")
        buffer.lerp_(grad, 1 - momentum)
        update = grad.lerp(buffer, momentum) if nesterov else buffer
        update = _zeropower_via_newtonschulz(update, ns_coefficients, ns_steps, eps)
        param.mul_(1 - lr * weight_decay)
        param.add_(update, alpha=-_adjust_lr(lr, adjust_lr_fn, param.shape))


def muon(
    params: list[torch.Tensor],
    grads: list[torch.Tensor],
    muon_momentum_bufs: list[torch.Tensor],
    *,
    foreach: bool | None = None,
    lr: Any,
    weight_decay: float,
    momentum: float,
    nesterov: bool,
    ns_coefficients: tuple[float, float, float],
    ns_steps: int,
    eps: float,
    adjust_lr_fn: str | None,
    has_complex: bool,
) -> None:
    """One step of :class:`Muon` for lists of matrices and their state."""
    if foreach:
        raise RuntimeError("Foreach is not supported for Muon yet")
    _single_tensor_muon(
        params,
        grads,
        muon_momentum_bufs,
        lr=lr,
        weight_decay=weight_decay,
        momentum=momentum,
        nesterov=nesterov,
        ns_coefficients=ns_coefficients,
        ns_steps=ns_steps,
        eps=eps,
        adjust_lr_fn=adjust_lr_fn,
        has_complex=has_complex,
    )
