"""Averaged stochastic gradient descent."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..aten.from_data import tensor
from ..core.operators import ops
from ..tensor import Tensor as Tensor
from .counting import check_captured, check_lists, decay, number, ops_of, prepared
from .declared import ListedOptimizer, zeros
from .optimizer import Optimizer as Optimizer
from .optimizer import ParamsT as ParamsT
from .option_rules import RATE, not_negative
from .step_options import _get_scalar_dtype

__all__ = ["ASGD", "asgd"]


def asgd(
    params: list[Any],
    grads: list[Any],
    axs: list[Any],
    mus: list[Any],
    etas: list[Any],
    state_steps: list[Any],
    foreach: bool | None = None,
    maximize: bool = False,
    differentiable: bool = False,
    capturable: bool = False,
    has_complex: bool = False,
    *,
    lambd: float,
    lr: Any,
    t0: float,
    alpha: float,
    weight_decay: float,
) -> None:
    """One step of :class:`ASGD` for lists of parameters and their state."""
    check_lists(foreach, differentiable)
    k = ops_of(differentiable, capturable)
    lr = number(lr, stays=capturable)
    what = "params, mus, etas, and state_steps"
    captured = partial(check_captured, foreach=foreach, what=what) if capturable else None
    ready = prepared(
        params, grads, state_steps, axs,
        maximize=maximize, has_complex=has_complex, captured=captured,
        decayed=decay(k, weight_decay),
    )  # fmt: skip
    for (step, param, grad, average), mu, eta in zip(ready, mus, etas):
        rate = number(eta, stays=capturable)
        k.mul_(param, 1 - lambd * rate)
        k.add_(param, grad, -rate)
        share = number(mu, stays=capturable)
        if not capturable and share == 1:
            average.copy_(param)
        else:
            average.add_(param.sub(average).mul_(share))
        eta_next = lr / ((1 + lambd * lr * step) ** alpha)
        if capturable:
            eta.copy_(eta_next)
            mu.copy_(1 / (step - t0).clamp_min(1))
            continue
        # Rounded to the default dtype, whatever a loaded state has.
        eta.copy_(tensor(eta_next))
        mu.copy_(tensor(1 / max(1, step - t0)))


#: There is one implementation; libraries ask for it by these names too.
_single_tensor_asgd = _multi_tensor_asgd = asgd


def _number(first: Any, param: Any, grad: Any, group: dict[str, Any]) -> Any:
    """A number in the state, beside the parameter; *first* gives what it begins with."""
    return ops.full((), first(group), device=param.device, dtype=_get_scalar_dtype())


class ASGD(ListedOptimizer):
    """Stochastic gradient descent whose state holds the average of the parameters.

    :param lambd: how much parameters shrink.
    :param alpha: how fast the rate falls.
    :param t0: the step at which averaging begins.
    """

    _FUNCTION_ = asgd
    _OPTIONS_ = (
        "lr", "lambd", "alpha", "t0", "weight_decay", "foreach", "maximize", "differentiable",
        "capturable",
    )  # fmt: skip
    _RULES_ = (*RATE, not_negative("weight_decay"))
    _STATE_ = {
        "step": partial(_number, lambda group: 0.0),
        "eta": partial(_number, lambda group: number(group["lr"])),
        "mu": partial(_number, lambda group: 1.0),
        "ax": zeros,
    }
    _LISTS_ = {"mus": "mu", "axs": "ax", "etas": "eta", "state_steps": "step"}

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        super().__init__(params, locals())
