"""Adam for gradients of few rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..aten import torch
from ..tensor import Tensor as Tensor
from . import _functional as F
from .counting import evaluated
from .declared import DeclaredOptimizer
from .optimizer import Optimizer as Optimizer
from .optimizer import ParamsT as ParamsT
from .option_rules import BETAS, ONE_ELEMENT, rule

__all__ = ["SparseAdam"]


class SparseAdam(DeclaredOptimizer):
    """Adam that changes only what a sparse gradient names, in parameters and means alike.

    Raises RuntimeError for a dense gradient.
    """

    _OPTIONS_ = ("lr", "betas", "eps", "maximize")
    _RULES_ = (
        ONE_ELEMENT,
        rule("lr", lambda v: 0.0 < v, "Invalid learning rate: {}"),
        rule("eps", lambda v: 0.0 < v, "Invalid epsilon value: {}"),
        *BETAS,
    )

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        maximize: bool = False,
    ) -> None:
        super().__init__(params, locals())
        sparse, complex_ = [], []
        for i, group in enumerate(self.param_groups):
            for j, param in enumerate(group["params"]):
                if param.is_sparse:
                    sparse.append([i, j])
                if param.is_complex():
                    complex_.append([i, j])
        if sparse:
            raise ValueError(
                f"Sparse params at indices {sparse}: SparseAdam requires dense parameter tensors"
            )
        if complex_:
            raise ValueError(
                f"Complex params at indices {complex_}: SparseAdam does not support complex "
                "parameters"
            )

    @torch.no_grad()
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """One step. Returns what *closure* returns, else None."""
        loss = None if closure is None else evaluated(closure)
        for group in self.param_groups:
            params, grads, means, squares, steps = [], [], [], [], []
            for param in group["params"]:
                grad = param.grad
                if grad is None:
                    continue
                if not grad.is_sparse:
                    raise RuntimeError(
                        "SparseAdam does not support dense gradients, please consider Adam instead"
                    )
                state = self.state[param]
                if not state:
                    state["step"] = 0
                    state["exp_avg"] = torch.zeros_like(param)
                    state["exp_avg_sq"] = torch.zeros_like(param)
                state["step"] += 1
                params.append(param)
                grads.append(grad)
                means.append(state["exp_avg"])
                squares.append(state["exp_avg_sq"])
                steps.append(state["step"])
            beta1, beta2 = group["betas"]
            F.sparse_adam(
                params,
                grads,
                means,
                squares,
                steps,
                eps=group["eps"],
                beta1=beta1,
                beta2=beta2,
                lr=group["lr"],
                maximize=group.get("maximize", False),  # older states have none
            )
        return loss
