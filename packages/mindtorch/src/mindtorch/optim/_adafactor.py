"""Squares kept as sums over rows and columns: Adafactor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..aten import torch
from .counting import evaluated, make_counts_tensors
from .declared import DeclaredOptimizer
from .option_rules import ONE_ELEMENT, not_negative, rule
from .step_options import _get_scalar_dtype

__all__ = ["Adafactor", "adafactor"]


class Adafactor(DeclaredOptimizer):
    """Steps scaled by running means of squares, of which matrices keep only rows and columns.

    :param beta2_decay: the power of the step's number by which the means get slower.
    :param eps: the least mean of squares (by default the dtype's epsilon), and the least scale.
    :param d: how large the mean of a step may be before it is cut.
    :param foreach: accepted for torch's sake: there is one implementation.
    """

    __module__ = __name__.rpartition(".")[0]  # where torch has it

    _OPTIONS_ = ("lr", "beta2_decay", "eps", "d", "weight_decay", "foreach", "maximize")
    _RULES_ = (
        ONE_ELEMENT,
        not_negative("lr", "Learning rate should be >= 0 but is: {}"),
        rule("beta2_decay", lambda v: 0.0 >= v, "beta2_decay should be <= 0 but is: {}"),
        rule("eps", lambda v: v is None or 0.0 <= v, "epsilon1 should be >= 0 but is: {}", 0),
        not_negative("eps", "epsilon2 should be >= 0 but is: {}", 1),
        rule("d", lambda v: 1.0 <= v, "Clipping threshold d should be >= 1 but is: {}"),
        not_negative("weight_decay", "weight_decay should be >= 0 but is: {}"),
    )
    _LATER_ = {"foreach": None}

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        beta2_decay: float = -0.8,
        eps: tuple[float | None, float] = (None, 1e-3),
        d: float = 1.0,
        weight_decay: float = 0.0,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
    ) -> None:
        super().__init__(params, locals())

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for group in self.param_groups:
            make_counts_tensors(self.state, group, False)

    def _init_group(
        self,
        group: dict[str, Any],
        params_with_grad: list[Any],
        grads: list[Any],
        row_vars: list[Any],
        col_vars: list[Any],
        variances: list[Any],
        state_steps: list[Any],
    ) -> bool:
        for param in group["params"]:
            grad = param.grad
            if grad is None:
                continue
            if torch.is_complex(param):
                raise RuntimeError("Adafactor does not support complex parameters")
            if grad.is_sparse:
                raise RuntimeError("Adafactor does not support sparse gradients")
            params_with_grad.append(param)
            grads.append(grad)
            state = self.state[param]
            if not state:
                state["step"] = torch.tensor(0.0, dtype=_get_scalar_dtype())
                if grad.dim() > 1:
                    state["row_var"] = grad.new_zeros((*grad.shape[:-1], 1))
                    state["col_var"] = grad.new_zeros((*grad.shape[:-2], 1, grad.shape[-1]))
                else:
                    state["variance"] = torch.zeros_like(grad)
            row_vars.append(state.get("row_var"))
            col_vars.append(state.get("col_var"))
            variances.append(state.get("variance"))
            state_steps.append(state["step"])
        return False  # none is complex

    @torch.no_grad()
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """One step. Returns what *closure* returns, else None."""
        loss = None if closure is None else evaluated(closure)
        lists: list[list[Any]]
        for group in self.param_groups:
            params, grads, rows, columns, variances, steps = lists = [[] for _ in range(6)]
            has_complex = self._init_group(group, *lists)
            adafactor(
                params,
                grads,
                rows,
                columns,
                variances,
                steps,
                foreach=group["foreach"],
                has_complex=has_complex,
                d=group["d"],
                lr=group["lr"],
                beta2_decay=group["beta2_decay"],
                weight_decay=group["weight_decay"],
                eps1=group["eps"][0],
                eps2=group["eps"][1],
                maximize=group["maximize"],
            )
        return loss


def _mean_square(grad: torch.Tensor, dim: int) -> torch.Tensor:
    return torch.norm(grad, dim=dim, keepdim=True).square_().div_(grad.size(dim))


def adafactor(
    params: list[torch.Tensor],
    grads: list[torch.Tensor],
    row_vars: list[torch.Tensor | None],
    col_vars: list[torch.Tensor | None],
    variances: list[torch.Tensor | None],
    state_steps: list[torch.Tensor],
    foreach: bool | None = None,
    grad_scale: torch.Tensor | None = None,
    found_inf: torch.Tensor | None = None,
    has_complex: bool = False,
    *,
    d: float,
    lr: Any,
    beta2_decay: float,
    weight_decay: float,
    eps1: float | None,
    eps2: float,
    maximize: bool,
) -> None:
    """One step of :class:`Adafactor` for lists of parameters and their state."""
    if not all(isinstance(t, torch.Tensor) for t in state_steps):
        raise RuntimeError("`state_steps` argument must contain a list of singleton tensors")
    if grad_scale is not None or found_inf is not None:
        raise AssertionError("Grad scaling should occur outside of optimizer.step()")
    if isinstance(lr, torch.Tensor):
        lr = lr.item()
    for param, grad, row, column, variance, step in zip(
        params, grads, row_vars, col_vars, variances, state_steps
    ):
        if maximize:
            grad = -grad
        step += 1
        count = step.item()
        least = torch.finfo(param.dtype).eps if eps1 is None else eps1
        new = count**beta2_decay
        size = param.norm(2).item() / param.numel() ** 0.5
        rate = max(eps2, size) * min(lr, 1 / count**0.5)
        if weight_decay != 0:
            param.mul_(1 - lr * weight_decay)
        if grad.dim() > 1:
            if row is None or column is None:
                raise AssertionError(
                    "row_var and col_var should be defined when grad is multidimensional"
                )
            row.lerp_(_mean_square(grad, -1), new)
            column.lerp_(_mean_square(grad, -2), new)
            estimate = row @ column
            estimate.div_(row.mean(dim=-2, keepdim=True).clamp_(min=least))
        else:
            if variance is None:
                raise AssertionError("variance should be defined when grad is a vector")
            variance.lerp_(grad.square(), new)
            estimate = variance.clone()
        update = estimate.clamp_(min=least * least).rsqrt_()
        update.mul_(grad)
        too_large = max(1.0, update.norm(2).item() / (update.numel() ** 0.5 * d))
        param.add_(update, alpha=-rate / too_large)
