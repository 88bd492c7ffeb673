"""Vectors scaled to a norm of one."""

from __future__ import annotations

from typing import Any

from ...core.operators import ops


def normalize(input: Any, p: float = 2.0, dim: Any = 1, eps: float = 1e-12, out: Any = None) -> Any:
    """*input* divided by its *p*-norm along *dim*, which counts as at least *eps*."""
    scale = input.norm(p, dim, keepdim=True)
    if out is None:
        return input / scale.clamp_min(eps).expand_as(input)
    return ops.div(input, scale.clamp_min_(eps).expand_as(input), out=out)
