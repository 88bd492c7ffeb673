"""Choices of elements: ``cartesian_prod`` and ``combinations``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from mindtorch_storage.dtype import bool_, int64

from ..call.row import op
from ..core.constants import strided
from ..core.operators import of, ops

__all__: list[str] = []


def _vector(t: Any) -> None:
    if t.dim() != 1:
        raise RuntimeError(f"Expect a 1D vector, but got shape {list(t.shape)}")


def _cartesian_prod(tensors: Sequence[Any]) -> Any:
    for t in tensors:
        _vector(t)
    if len(tensors) == 1:
        return tensors[0]
    grids = ops.meshgrid(tensors, indexing="ij")
    return ops.stack([grid.flatten() for grid in grids], 1)


op(
    "cartesian_prod(Tensor[] tensors) -> Tensor",
    says="""Return all combinations of one element of each vector, a row each.

    >>> torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([3, 4]))
    tensor([[1, 3],
            [1, 4],
            [2, 3],
            [2, 4]])
    """,
    composite=_cartesian_prod,
    variants="",
    samples="cartesian_prod",
)


def _combinations(self: Any, r: int, with_replacement: bool) -> Any:
    _vector(self)
    if r < 0:
        raise RuntimeError(f"Expect a non-negative number, but got {r}")
    if r == 0:
        return self.new_empty((0,))
    n, how = self.numel(), {"layout": strided, "device": self.device}
    grids = ops.meshgrid([self] * r, indexing="ij")
    places = of("arange")(n, dtype=int64, **how)
    places = ops.meshgrid([places] * r, indexing="ij")
    rising = of("full")((n,) * r, True, dtype=bool_, **how)
    follows = of("le.Tensor" if with_replacement else "lt.Tensor")
    for left, right in pairwise(places):
        rising = rising.mul_(follows(left, right))
    return ops.stack([grid.masked_select(rising) for grid in grids], 1)


op(
    "combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor",
    says="""Return all combinations of *r* elements of a vector, a row each.

    >>> torch.combinations(torch.tensor([1, 2, 3]))
    tensor([[1, 2],
            [1, 3],
            [2, 3]])
    """,
    composite=_combinations,
    variants="function",
    samples="combinations",
)
