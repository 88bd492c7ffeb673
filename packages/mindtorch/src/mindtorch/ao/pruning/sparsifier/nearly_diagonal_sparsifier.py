"""``torch.ao.pruning.sparsifier.nearly_diagonal_sparsifier``: bands around the diagonal stay."""

from __future__ import annotations

from typing import Any

from .... import nn
from ....aten import torch
from .base_sparsifier import BaseSparsifier

__all__ = ["NearlyDiagonalSparsifier"]


class NearlyDiagonalSparsifier(BaseSparsifier):
    """Keeps the diagonals of a matrix that are closest to the main one.

    Args:
        nearliness: how many of them, an odd number; none if it is not positive.
    """

    def __init__(self, nearliness: int = 1) -> None:
        super().__init__(defaults={"nearliness": nearliness})

    def update_mask(  # type: ignore[override]  # the options by their names
        self, module: nn.Module, tensor_name: str, nearliness: int, **kwargs: Any
    ) -> None:
        """Write a band of ones into the mask.

        Raises:
            ValueError: *nearliness* is even, or reaches beyond the matrix.
        """
        lists: Any = module.parametrizations
        mask = lists[tensor_name][0].mask
        mask.data = torch.zeros_like(mask)
        if nearliness <= 0:
            return
        height, width = getattr(module, tensor_name).shape
        if nearliness % 2 == 0:
            raise ValueError("nearliness can only be an odd number")
        distance = nearliness // 2
        if distance >= min(height, width):
            raise ValueError("nearliness cannot be larger than the dimensions of tensor.")
        mask.fill_(1).tril_(distance).triu_(-distance)
