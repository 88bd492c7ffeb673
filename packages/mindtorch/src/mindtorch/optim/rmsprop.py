"""Steps scaled by a running mean of squares: RMSprop."""

from __future__ import annotations

from typing import Any

from ..tensor import Tensor as Tensor
from .counting import check_captured, check_lists, check_steps, decay, number, ops_of, prepared
from .declared import ListedOptimizer, count, zeros
from .optimizer import Optimizer as Optimizer
from .optimizer import ParamsT as ParamsT
from .option_rules import EPS, RATE, not_negative

__all__ = ["RMSprop", "rmsprop"]


def rmsprop(
    params: list[Any],
    grads: list[Any],
    square_avgs: list[Any],
    grad_avgs: list[Any],
    momentum_buffer_list: list[Any],
    state_steps: list[Any],
    foreach: bool | None = None,
    maximize: bool = False,
    differentiable: bool = False,
    capturable: bool = False,
    has_complex: bool = False,
    *,
    lr: Any,
    alpha: float,
    eps: float,
    weight_decay: float,
    momentum: float,
    centered: bool,
) -> None:
    """One step of :class:`RMSprop` for lists of parameters and their state."""
    check_steps(state_steps)
    check_lists(foreach, differentiable)
    k = ops_of(differentiable, capturable)
    rate = number(lr, stays=differentiable or capturable)
    means = grad_avgs if centered else []
    buffers = momentum_buffer_list if momentum > 0 else []
    for _, param, grad, square, mean, buffer in prepared(
        params, grads, state_steps, square_avgs, means, buffers,
        maximize=maximize, has_complex=has_complex,
        captured=check_captured if capturable else None,
        decayed=decay(k, weight_decay),
    ):  # fmt: skip
        k.mul_(square, alpha)
        k.addcmul_(square, grad, grad, 1 - alpha)
        if mean is None:
            root = square.sqrt()
        else:
            k.lerp_(mean, grad, 1 - alpha)
            known = k.own(mean)
            root = square.addcmul(known, known, value=-1).sqrt()
        root = k.add_number_(root, eps)
        if buffer is None:
            k.addcdiv_(param, grad, root, -rate)
            continue
        k.mul_(buffer, momentum)
        k.addcdiv_(buffer, grad, root, 1)
        k.add_(param, buffer, -rate)


#: There is one implementation; libraries ask for it by these names too.
_single_tensor_rmsprop = _multi_tensor_rmsprop = rmsprop


class RMSprop(ListedOptimizer):
    """Steps divided by the root of a running mean of squared gradients.

    :param alpha: how much of the mean a step keeps.
    :param centered: divide by the deviation instead, of the gradients from their mean.
    """

    _FUNCTION_ = rmsprop
    _OPTIONS_ = (
        "lr", "momentum", "alpha", "eps", "centered", "weight_decay", "capturable", "foreach",
        "maximize", "differentiable",
    )  # fmt: skip
    _RULES_ = (
        *RATE,
        EPS,
        not_negative("momentum"),
        not_negative("weight_decay"),
        not_negative("alpha"),
    )
    _STATE_ = {"step": count, "square_avg": zeros, "momentum_buffer": zeros, "grad_avg": zeros}
    _ONLY_WITH_ = {"momentum_buffer": "momentum", "grad_avg": "centered"}
    _LISTS_ = {
        "square_avgs": "square_avg",
        "momentum_buffer_list": "momentum_buffer",
        "grad_avgs": "grad_avg",
        "state_steps": "step",
    }
    _LATER_ = {"momentum": 0, "centered": False, **ListedOptimizer._LATER_}

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        super().__init__(params, locals())
