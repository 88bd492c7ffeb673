"""Vectors scaled to a norm of one."""

from __future__ import annotations

from ...core.operators import ops
from ...tensor import Tensor


def normalize(
    input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12, out: Tensor | None = None
) -> Tensor:
    """*input* divided by its *p*-norm along *dim*, which counts as at least *eps*."""
    scale = input.norm(p, dim, keepdim=True)
    if out is None:
        return input / scale.clamp_min(eps).expand_as(input)
    return ops.div(input, scale.clamp_min_(eps).expand_as(input), out=out)
