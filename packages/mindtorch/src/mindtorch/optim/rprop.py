"""Steps whose sizes follow the signs of gradients: Rprop."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..core.operators import ops
from ..tensor import Tensor as Tensor
from .counting import check_captured, check_lists, check_steps, number, ops_of, prepared
from .declared import ListedOptimizer, count, zeros
from .optimizer import Optimizer as Optimizer
from .optimizer import ParamsT as ParamsT
from .option_rules import RATE, rule

__all__ = ["Rprop", "rprop"]


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
    k = ops_of(differentiable, capturable)
    for _, param, grad, prev, size in prepared(
        params, grads, state_steps, prevs, step_sizes,
        maximize=maximize, has_complex=has_complex,
        captured=partial(check_captured, foreach=foreach) if capturable else None,
    ):  # fmt: skip
        sign = grad.mul(k.own(prev)).sign()
        turned = sign < 0
        factor = ops.ones_like(sign).masked_fill(sign > 0, etaplus).masked_fill(turned, etaminus)
        if differentiable:
            size.copy_((size * factor).clamp(step_size_min, step_size_max))
        else:
            size.mul_(factor).clamp_(step_size_min, step_size_max)
        # Where the sign changed the step is left out, and the next one starts anew.
        grad = ops.where(turned, ops.zeros_like(grad), grad)
        k.addcmul_(param, grad.sign(), size, -1)
        prev.copy_(grad)


#: There is one implementation; libraries ask for it by these names too.
_single_tensor_rprop = _multi_tensor_rprop = rprop


def _first_size(param: Any, grad: Any, group: dict[str, Any]) -> Any:
    lr = number(group["lr"])
    if param.is_complex():  # parts of their own
        lr = complex(lr, lr)
    return ops.full_like(grad, lr)


class Rprop(ListedOptimizer):
    """Resilient backpropagation: each element has a step size of its own.

    :param etas: what a size is multiplied by where the sign of the gradient changed, and where not.
    :param step_sizes: the smallest and the largest size.
    """

    _FUNCTION_ = rprop
    _FIRST_ = ("params", "grads")
    _OPTIONS_ = (
        "lr", "etas", "step_sizes", "foreach", "maximize", "differentiable", "capturable",
    )  # fmt: skip
    _PARTS_ = {
        "etas": ("etaminus", "etaplus"),
        "step_sizes": ("step_size_min", "step_size_max"),
    }
    _RULES_ = (
        *RATE,
        rule("etas", lambda v: 0.0 < v[0] < 1.0 < v[1], "Invalid eta values: {0[0]}, {0[1]}"),
    )
    _STATE_ = {"step": count, "prev": zeros, "step_size": _first_size}
    _LISTS_ = {"prevs": "prev", "step_sizes": "step_size", "state_steps": "step"}

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
        super().__init__(params, locals())
