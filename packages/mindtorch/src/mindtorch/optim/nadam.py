"""Adam that looks ahead: NAdam."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..tensor import Tensor as Tensor
from .counting import check_captured, check_lists, check_steps, decay, number, ops_of, prepared
from .declared import ListedOptimizer, count, zeros
from .optimizer import Optimizer as Optimizer
from .optimizer import ParamsT as ParamsT
from .option_rules import MOMENTS, not_negative

__all__ = ["NAdam", "nadam"]


def nadam(
    params: list[Any],
    grads: list[Any],
    exp_avgs: list[Any],
    exp_avg_sqs: list[Any],
    mu_products: list[Any],
    state_steps: list[Any],
    decoupled_weight_decay: bool = False,
    foreach: bool | None = None,
    capturable: bool = False,
    differentiable: bool = False,
    has_complex: bool = False,
    maximize: bool = False,
    *,
    beta1: float,
    beta2: float,
    lr: Any,
    weight_decay: float,
    momentum_decay: float,
    eps: float,
) -> None:
    """One step of :class:`NAdam` for lists of parameters and their state."""
    check_steps(state_steps)
    check_lists(foreach, differentiable)
    k = ops_of(differentiable, capturable)
    rate = number(lr, stays=differentiable or capturable)
    comma = "," if foreach else ""  # torch has two texts
    what = f"params, mu_products{comma} and state_steps"
    captured = partial(check_captured, foreach=foreach, what=what) if capturable else None
    decayed = decay(k, weight_decay, rate, decoupled_weight_decay)
    ready = prepared(
        params, grads, state_steps, exp_avgs, exp_avg_sqs,
        maximize=maximize, has_complex=has_complex, captured=captured, decayed=decayed,
    )  # fmt: skip
    for (step, param, grad, mean, square), mu_product in zip(ready, mu_products):
        mu, mu_next = (beta1 * (1.0 - 0.5 * 0.96 ** (n * momentum_decay)) for n in (step, step + 1))
        mu_product *= mu
        product = mu_product.clone() if differentiable else number(mu_product, stays=capturable)
        k.lerp_(mean, grad, 1 - beta1)
        k.mul_(square, beta2)
        k.addcmul_(square, grad, grad, 1 - beta2)
        root = k.add_number_((square / (1 - beta2**step)).sqrt(), eps)
        k.addcdiv_(param, grad, root, -rate * (1.0 - mu) / (1.0 - product))
        k.addcdiv_(param, mean, root, -rate * mu_next / (1.0 - product * mu_next))


#: There is one implementation; libraries ask for it by these names too.
_single_tensor_nadam = _multi_tensor_nadam = nadam


class NAdam(ListedOptimizer):
    """Adam with Nesterov's momentum.

    :param momentum_decay: how fast momentum grows to ``betas[0]``.
    :param decoupled_weight_decay: shrink parameters themselves, not through the gradient.
    """

    _FUNCTION_ = nadam
    _OPTIONS_ = (
        "lr", "betas", "eps", "weight_decay", "momentum_decay", "decoupled_weight_decay",
        "maximize", "foreach", "capturable", "differentiable",
    )  # fmt: skip
    _RULES_ = (*MOMENTS, not_negative("momentum_decay"))
    _STATE_ = {
        "step": count,
        "mu_product": partial(count, first=1.0),
        "exp_avg": zeros,
        "exp_avg_sq": zeros,
    }
    _LISTS_ = {
        "exp_avgs": "exp_avg",
        "exp_avg_sqs": "exp_avg_sq",
        "mu_products": "mu_product",
        "state_steps": "step",
    }
    _LATER_ = {
        "maximize": False,
        "foreach": None,
        "capturable": False,
        "differentiable": False,
        "decoupled_weight_decay": False,
    }

    def __init__(
        self,
        params: Any,
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        super().__init__(params, locals())
