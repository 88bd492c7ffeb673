"""Norms of and distances between vectors."""

from __future__ import annotations

from typing import Any

from ...ops.call import ops
from .losses import reduction_number


def normalize(input: Any, p: float = 2.0, dim: Any = 1, eps: float = 1e-12, out: Any = None) -> Any:
    """*input* divided by its *p*-norm along *dim*, which counts as at least *eps*."""
    scale = input.norm(p, dim, keepdim=True)
    if out is None:
        return input / scale.clamp_min(eps).expand_as(input)
    return ops.div(input, scale.clamp_min_(eps).expand_as(input), out=out)


def triplet_margin_loss(
    anchor: Any,
    positive: Any,
    negative: Any,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-06,
    swap: bool = False,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """How much farther than *positive* (and *margin*) *negative* lies from *anchor*."""
    number = reduction_number(size_average, reduce, reduction)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    return ops.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, number)
