"""Choices of elements: ``cartesian_prod`` and ``combinations``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..call.row import op
from ..core.operators import ops

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
    count = ops.arange(self.numel(), device=self.device)
    follows = ops.le if with_replacement else ops.lt
    rising = ops.ones((self.numel(),) * r, dtype=ops.bool, device=self.device)
    for left in range(r - 1):
        here, after = ([1] * r for _ in range(2))
        here[left] = after[left + 1] = -1
        rising = rising & follows(count.view(here), count.view(after))
    grids = ops.meshgrid([self] * r, indexing="ij")
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
