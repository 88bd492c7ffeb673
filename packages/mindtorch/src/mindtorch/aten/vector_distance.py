"""How near vectors are: ``cosine_similarity``, ``dist``, ``pairwise_distance``.

Source: torch aten/src/ATen/native/Distance.cpp.
"""

from __future__ import annotations

from typing import Any

from mindtorch_autograd import no_grad
from mindtorch_storage import result_type

from ..call.elementwise_meta import broadcast_shapes
from ..call.row import op
from ..core.errors import scalar_type
from ..core.operators import of, ops
from .vector_norm import norm_grad

__all__: list[str] = []


def _cosine_similarity(x1: Any, x2: Any, dim: int, eps: float) -> Any:
    dtype = result_type([(t.dtype, not t.dim(), False) for t in (x1, x2)])
    if not dtype.is_floating_point:
        raise RuntimeError(
            "expected common dtype to be floating point, yet common dtype is " + scalar_type(dtype)
        )
    x1, x2 = _floating(x1, dtype), _floating(x2, dtype)
    shape = broadcast_shapes(x1.shape, x2.shape)
    if x1.shape != x2.shape:
        x2 = x2.expand(shape)
        x1 = x1.expand(shape)
    # Cloned, for the norms are saved for their own gradients.
    first = ops.linalg_vector_norm(x1, 2, (dim,), True).clone()
    second = ops.linalg_vector_norm(x2, 2, (dim,), True).clone()
    with no_grad():  # the floor takes no part in the gradient
        floor = ops.scalar_tensor(eps, dtype=dtype, device=x1.device)
        first.clamp_min_(floor)
        second.clamp_min_(floor)
    right = x2 / second
    return ops.sum((x1 / first) * right, (dim,))


def _floating(x: Any, dtype: Any) -> Any:
    return x if x.dtype.is_floating_point else x.to(dtype)


def _pairwise_distance(x1: Any, x2: Any, p: float, eps: float, keepdim: bool) -> Any:
    last = max(x1.dim(), x2.dim()) - 1
    return of("norm.ScalarOpt_dim")(of("add.Scalar")(x1 - x2, eps), p, (last,), keepdim)


def _summed(grad: Any, x: Any) -> Any:
    """*grad* in the shape of *x*: the engine takes the result's shape for that of a 0-d one."""
    return ops.sum(grad) if x.dim() == 0 and grad.dim() else grad


op(
    "dist(Tensor self, Tensor other, Scalar p=2) -> Tensor",
    says="Return the p-norm of the difference between two tensors.",
    composite=lambda self, other, p: of("norm.Scalar")(self - other, p),
    kinds={"functional": "explicit"},
    grad={
        "self": lambda g, c: _summed(
            norm_grad(g, c.self - c.other, c.p, c.result, None, True), c.self
        ),
        "other": lambda g, c: _summed(
            -norm_grad(g, c.self - c.other, c.p, c.result, None, True), c.other
        ),
    },
    samples="dist",
    autocast=("", "float32"),
)
op(
    "cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor",
    says="Return the cosine of the angle between vectors along a dimension.",
    composite=_cosine_similarity,
    variants="function",
    samples="cosine_similarity",
    autocast=("", "float32"),
)
op(
    "pairwise_distance(Tensor x1, Tensor x2, float p=2., float eps=9.9999999999999995e-07, "
    "bool keepdim=False) -> Tensor",
    says="Return the p-norm of the differences between rows.",
    composite=_pairwise_distance,
    variants="function",
    samples="pairwise_distance",
)
