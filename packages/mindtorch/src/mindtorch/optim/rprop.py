"""Steps whose sizes follow the signs of gradients: Rprop."""

from __future__ import annotations

from typing import Any

from ..ops.call import ops
from .counting import (
    CountingOptimizer,
    advance,
    check_captured,
    check_lists,
    check_rate,
    check_steps,
    number,
    ops_of,
    step_count,
)

__all__ = ["Rprop", "rprop"]


class Rprop(CountingOptimizer):
    """Resilient backpropagation: each element has a step size of its own.

    :param etas: what a size is multiplied by where the sign of the gradient changed, and where not.
    :param step_sizes: the smallest and the largest size.
    """

    _LISTS = 5

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_rate(lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        super().__init__(
            params,
            {
                "lr": lr,
                "etas": etas,
                "step_sizes": step_sizes,
                "foreach": foreach,
                "maximize": maximize,
                "differentiable": differentiable,
                "capturable": capturable,
            },
        )

    def _start(self, param: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        state["step"] = step_count(param, bool(group["capturable"]), 0.0)
        state["prev"] = ops.zeros_like(param)
        lr = number(group["lr"])
        if param.is_complex():  # parts of their own
            lr = complex(lr, lr)
        state["step_size"] = ops.full_like(grad, lr)

    def _init_group(  # type: ignore[override]  # torch's lists by name
        self,
        group: dict[str, Any],
        params: list[Any],
        grads: list[Any],
        prevs: list[Any],
        step_sizes: list[Any],
        state_steps: list[Any],
    ) -> bool:
        return self._collect(
            group,
            params,
            grads,
            prev=prevs,
            step_size=step_sizes,
            step=state_steps,
        )

    def _apply(self, group: dict[str, Any], lists: list[list[Any]], has_complex: bool) -> None:
        check_lists(group["foreach"], group["differentiable"])
        _single_tensor_rprop(
            *lists,
            step_size_min=group["step_sizes"][0],
            step_size_max=group["step_sizes"][1],
            etaminus=group["etas"][0],
            etaplus=group["etas"][1],
            maximize=group["maximize"],
            differentiable=group["differentiable"],
            capturable=group["capturable"],
            has_complex=has_complex,
            foreach=group["foreach"],
        )


def _single_tensor_rprop(
    params: list[Any],
    grads: list[Any],
    prevs: list[Any],
    step_sizes: list[Any],
    state_steps: list[Any],
    *,
    step_size_min: float,
    step_size_max: float,
    etaminus: float,
    etaplus: float,
    maximize: bool,
    differentiable: bool,
    capturable: bool,
    has_complex: bool,
    foreach: bool | None = None,
) -> None:
    k = ops_of(differentiable)
    for param, grad, prev, size, step in zip(params, grads, prevs, step_sizes, state_steps):
        if capturable:
            check_captured(param, foreach)
        advance(step)
        if maximize:
            grad = -grad
        if has_complex and param.is_complex():
            param, grad, prev, size = (ops.view_as_real(t) for t in (param, grad, prev, size))
        sign = grad.mul(k.own(prev)).sign()
        turned = sign < 0
        factor = ops.ones_like(sign).masked_fill(sign > 0, etaplus).masked_fill(turned, etaminus)
        size.copy_((size * factor).clamp(step_size_min, step_size_max))
        # Where the sign changed the step is left out, and the next one starts anew.
        grad = ops.where(turned, ops.zeros_like(grad), grad)
        k.addcmul_(param, grad.sign(), size, -1)
        prev.copy_(grad)


#: There is one implementation; libraries ask for it by either name.
_multi_tensor_rprop = _single_tensor_rprop


def rprop(
    params: list[Any],
    grads: list[Any],
    prevs: list[Any],
    step_sizes: list[Any],
    state_steps: list[Any],
    foreach: bool | None = None,
    capturable: bool = False,
    maximize: bool = False,
    differentiable: bool = False,
    has_complex: bool = False,
    *,
    step_size_min: float,
    step_size_max: float,
    etaminus: float,
    etaplus: float,
) -> None:
    """One step of :class:`Rprop` for lists of parameters and their state."""
    check_steps(state_steps)
    check_lists(foreach, differentiable)
    _single_tensor_rprop(
        params,
        grads,
        prevs,
        step_sizes,
        state_steps,
        step_size_min=step_size_min,
        step_size_max=step_size_max,
        etaminus=etaminus,
        etaplus=etaplus,
        maximize=maximize,
        differentiable=differentiable,
        capturable=capturable,
        has_complex=has_complex,
        foreach=foreach,
    )
