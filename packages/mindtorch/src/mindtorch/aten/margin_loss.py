"""Losses with a margin: ranking, hinge, cosine and triplet.

Source: torch aten/src/ATen/native/Loss.cpp.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mindtorch.aten.reflected import filled_less
from mindtorch.call.row import op
from mindtorch.core.operators import of, ops

from ..core.reduction import reduce

__all__: list[str] = []

#: Added under the root of a cosine, rounded as torch's constant of single precision is.
_EPSILON = float(np.float32(1e-12))


def _chosen(which: Any, loss: Any, zeros: Any) -> Any:
    return ops.where(which, loss, zeros)


def _zeros(tensor: Any) -> Any:
    return ops.zeros_like(tensor, memory_format=ops.contiguous_format)


def _margin_ranking(input1: Any, input2: Any, target: Any, margin: float, reduction: int) -> Any:
    difference = input1 - input2
    product = -target * difference
    return reduce(of("add.Scalar")(product, margin).clamp_min_(0), reduction)


def _sizes(tensor: Any) -> str:
    return str(list(tensor.shape))


def _hinge_embedding(self: Any, target: Any, margin: float, reduction: int) -> Any:
    zeros = _zeros(self)
    below = filled_less(margin, self).clamp_min_(0)
    below = _chosen(target != 1, below, zeros)
    return reduce(below + _chosen(target != -1, self, zeros), reduction)


def _cosine_embedding(input1: Any, input2: Any, target: Any, margin: float, reduction: int) -> Any:
    if target.dim() not in (0, 1):
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if not input1.dim() == input2.dim() == target.dim() + 1:
        raise RuntimeError(
            f"{target.dim()}D target tensor expects {target.dim() + 1}D input tensors, but found "
            f"inputs with sizes {_sizes(input1)} and {_sizes(input2)}."
        )
    dim = (target.dim(),)
    product = ops.sum(input1 * input2, dim)
    first = of("add.Scalar")(ops.sum(input1 * input1, dim), _EPSILON)
    second = of("add.Scalar")(ops.sum(input2 * input2, dim), _EPSILON)
    cosine = product / (first * second).sqrt_()
    zeros = _zeros(cosine)
    apart = filled_less(1, cosine)
    near = of("sub.Scalar")(cosine, margin).clamp_min_(0)
    positive = _chosen(target == 1, apart, zeros)
    return reduce(positive + _chosen(target == -1, near, zeros), reduction)


def _triplet(
    anchor: Any, positive: Any, negative: Any, margin: float, p: float, eps: float, swap: bool,
    reduction: int,
) -> Any:  # fmt: skip
    dims = anchor.dim(), positive.dim(), negative.dim()
    if len(set(dims)) > 1:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of "
            f"dimensions, but got: anchor {dims[0]}D, positive {dims[1]}D, and negative "
            f"{dims[2]}D inputs"
        )
    near = ops.pairwise_distance(anchor, positive, p, eps)
    far = ops.pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = ops.minimum(far, ops.pairwise_distance(positive, negative, p, eps))
    return reduce(of("add.Scalar")(near, margin).sub(far).clamp_min(0), reduction)


for _name, _more, _composite, _says in (
    (
        "margin_ranking_loss",
        "Tensor input1, Tensor input2, Tensor target, float margin=0.",
        _margin_ranking,
        "Return a loss that is positive where the first input does not rank above the "
        "second by a margin.",
    ),
    (
        "hinge_embedding_loss",
        "Tensor self, Tensor target, float margin=1.",
        _hinge_embedding,
        "Return the input for targets of 1, and max(0, margin - input) for targets of -1.",
    ),
    (
        "cosine_embedding_loss",
        "Tensor input1, Tensor input2, Tensor target, float margin=0.",
        _cosine_embedding,
        "Return a loss of the cosine between vectors that should be alike or not.",
    ),
    (
        "triplet_margin_loss",
        "Tensor anchor, Tensor positive, Tensor negative, float margin=1., float p=2., "
        "float eps=9.9999999999999995e-07, bool swap=False",
        _triplet,
        "Return how much the distance to a positive sample, plus a margin, exceeds "
        "that to a negative one.",
    ),
):
    op(
        f"{_name}({_more}, int reduction=1) -> Tensor",
        says=_says,
        composite=_composite,
        variants="function",
        autocast="float32",
        samples=_name,
        tags=() if "embedding" in _name else ("loops: functional",),
    )
