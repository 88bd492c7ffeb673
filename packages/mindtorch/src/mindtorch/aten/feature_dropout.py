"""Dropout of whole channels, and dropout that keeps mean and variance.

Source: torch aten/src/ATen/native/Dropout.cpp.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..call.row import op
from ..core.operators import of, ops
from .sampling import SEEDED, check_dropout, noise_for

__all__: list[str] = []

#: The negative of what SELU tends to: dropped elements take this value.
_ALPHA = 1.7580993408473766


def _noise_of(input: Any, feature: bool) -> Any:
    if not feature:
        return noise_for(input)
    if input.dim() < 2:
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    return noise_for(input, (*input.shape[:2], *[1] * (input.dim() - 2)))


def _dropping(feature: bool, alpha: bool, in_place: bool) -> Callable[..., Any]:
    def composite(input: Any, p: float, train: bool) -> Any:
        check_dropout(p)
        if p == 0 or not train or not input.numel():
            return input
        multiply = input.mul_ if in_place else input.mul
        if p == 1:
            return multiply(ops.zeros((), dtype=input.dtype, device=input.device))
        noise = _noise_of(input, feature).bernoulli_(1 - p)
        if not alpha:
            return multiply(of("div_.Scalar")(noise, 1 - p))
        a = 1.0 / math.sqrt((_ALPHA * _ALPHA * p + 1) * (1 - p))
        shift = of("add.Scalar")(noise, -1)
        shift = of("add_.Scalar")(of("mul_.Scalar")(shift, _ALPHA * a), _ALPHA * a * p)
        return multiply(of("mul_.Scalar")(noise, a)).add_(shift)

    return composite


for _name, _feature, _alpha, _says in (
    (
        "feature_dropout",
        True,
        False,
        "Set whole channels to zero with probability p and scale up the others.",
    ),
    (
        "alpha_dropout",
        False,
        True,
        "Drop elements so that mean and variance of selu activations are kept.",
    ),
    (
        "feature_alpha_dropout",
        True,
        True,
        "Drop whole channels so that mean and variance of selu activations are kept.",
    ),
):
    op(
        f"{_name}(Tensor input, float p, bool train) -> Tensor",
        says=_says,
        composite=_dropping(_feature, _alpha, False),
        random=True,
        variants="function",
        samples="channel_dropout",
        tags=SEEDED,
    )
    op(
        f"{_name}_(Tensor(a!) self, float p, bool train) -> Tensor(a!)",
        composite=_dropping(_feature, _alpha, True),
        random=True,
        variants="function",
        samples="channel_dropout",
        tags=SEEDED,
    )
