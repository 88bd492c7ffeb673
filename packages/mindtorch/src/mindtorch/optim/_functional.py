"""The optimizers as functions of lists: parameters, gradients, state."""

from __future__ import annotations

import math
from typing import Any

from ..core.operators import ops
from .adadelta import adadelta
from .adagrad import adagrad
from .adam import adam
from .adamax import adamax
from .adamw import adamw
from .asgd import asgd
from .nadam import nadam
from .radam import radam
from .rmsprop import rmsprop
from .rprop import rprop
from .sgd import sgd

__all__ = [
    "adadelta",
    "adagrad",
    "adam",
    "adamax",
    "adamw",
    "asgd",
    "nadam",
    "radam",
    "rmsprop",
    "rprop",
    "sgd",
    "sparse_adam",
]


def sparse_adam(
    params: list[Any],
    grads: list[Any],
    exp_avgs: list[Any],
    exp_avg_sqs: list[Any],
    state_steps: list[int],
    *,
    eps: float,
    beta1: float,
    beta2: float,
    lr: Any,
    maximize: bool,
) -> None:
    """One step of ``SparseAdam``: gradients are sparse, and only what they name is changed."""
    for param, grad, mean, square, count in zip(params, grads, exp_avgs, exp_avg_sqs, state_steps):
        grad = (-grad if maximize else grad).coalesce()
        indices, values = grad._indices(), grad._values()
        if not values.numel():
            continue

        def sparse(values: Any, like: Any = grad, indices: Any = indices) -> Any:
            return ops._sparse_coo_tensor_unsafe(indices, values, like.size())

        old_mean = mean.sparse_mask(grad)._values()
        mean_change = values.sub(old_mean).mul_(1 - beta1)
        mean.add_(sparse(mean_change))
        old_square = square.sparse_mask(grad)._values()
        square_change = values.pow(2).sub_(old_square).mul_(1 - beta2)
        square.add_(sparse(square_change))
        numerator = mean_change.add_(old_mean)
        root = square_change.add_(old_square).sqrt_().add_(eps)
        rate = lr * math.sqrt(1 - beta2**count) / (1 - beta1**count)
        param.add_(sparse(-rate * numerator.div_(root)))
