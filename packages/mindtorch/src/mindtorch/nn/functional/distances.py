"""Norms of vectors, and how near vectors are to each other."""

from __future__ import annotations

from typing import Any

from mindtorch_autograd import no_grad

from ...errors import scalar_type
from ...ops.call import ops


def normalize(input: Any, p: float = 2.0, dim: Any = 1, eps: float = 1e-12, out: Any = None) -> Any:
    """*input* divided by its *p*-norm along *dim*, which counts as at least *eps*."""
    scale = input.norm(p, dim, keepdim=True)
    if out is None:
        return input / scale.clamp_min(eps).expand_as(input)
    return ops.div(input, scale.clamp_min_(eps).expand_as(input), out=out)


def cosine_similarity(x1: Any, x2: Any, dim: int = 1, eps: float = 1e-8) -> Any:
    """The cosine of the angle between *x1* and *x2* along *dim*; norms count as at least *eps*."""
    dtype = ops.promote_types(x1.dtype, x2.dtype)
    if not dtype.is_floating_point:
        # torch aten/src/ATen/native/Distance.cpp, cosine_similarity.
        raise RuntimeError(
            "expected common dtype to be floating point, yet common dtype is " + scalar_type(dtype)
        )
    x1, x2 = x1.to(dtype), x2.to(dtype)
    shape = ops.broadcast_shapes(x1.size(), x2.size())
    x1, x2 = x1.expand(shape), x2.expand(shape)
    return (_unit(x1, dim, eps) * _unit(x2, dim, eps)).sum(dim)


def _unit(x: Any, dim: int, eps: float) -> Any:
    norm = ops.linalg_vector_norm(x, 2, (dim,), True).clone()
    with no_grad():  # the floor takes no part in the gradient
        norm.clamp_min_(eps)
    return x / norm


def pairwise_distance(
    x1: Any, x2: Any, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False
) -> Any:
    """The *p*-norm of ``x1 - x2 + eps`` along the last dimension."""
    difference = x1 - x2 + eps
    return ops.linalg_vector_norm(difference, p, (difference.dim() - 1,), keepdim)
