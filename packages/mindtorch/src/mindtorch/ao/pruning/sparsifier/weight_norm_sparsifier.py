"""``torch.ao.pruning.sparsifier.weight_norm_sparsifier``: blocks of the smallest norm go."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .... import nn
from ....aten import torch
from ....nn import functional as F
from .base_sparsifier import BaseSparsifier

__all__ = ["WeightNormSparsifier"]

_NORMS: dict[int, Callable[[Any], Any]] = {1: lambda t: t.abs(), 2: lambda t: t * t}


class WeightNormSparsifier(BaseSparsifier):
    """Puts zeros where the norm of a block is among the smallest.

    The blocks begin at the first element of a matrix; those at its end may be smaller.

    Args:
        sparsity_level: the part of the blocks that goes, 0 to 1.
        sparse_block_shape: rows and columns of a block.
        zeros_per_block: how many elements of such a block go, those of the smallest norm; all by
            default.
        norm: 1 or 2 (the default), or a function that gives each element's.

    Raises:
        NotImplementedError: another number as *norm*.
    """

    def __init__(
        self,
        sparsity_level: float = 0.5,
        sparse_block_shape: tuple[int, int] = (1, 4),
        zeros_per_block: int | None = None,
        norm: Callable[[torch.Tensor], torch.Tensor] | int | None = None,
    ) -> None:
        if zeros_per_block is None:
            zeros_per_block = math.prod(sparse_block_shape)
        if norm is None:
            norm = 2
        if callable(norm):
            self.norm_fn = norm
        elif norm in _NORMS:
            self.norm_fn = _NORMS[norm]
        else:
            raise NotImplementedError(f"L-{norm} is not yet implemented.")
        super().__init__(
            defaults={
                "sparsity_level": sparsity_level,
                "sparse_block_shape": sparse_block_shape,
                "zeros_per_block": zeros_per_block,
            }
        )

    def update_mask(  # type: ignore[override]  # the options by their names
        self,
        module: nn.Module,
        tensor_name: str,
        sparsity_level: float,
        sparse_block_shape: tuple[int, int],
        zeros_per_block: int,
        **kwargs: Any,
    ) -> None:
        """Write zeros into the mask where blocks, or elements of blocks, are to go.

        Raises:
            ValueError: *zeros_per_block* is negative, or more than a block has.
        """
        size = math.prod(sparse_block_shape)
        if zeros_per_block > size:
            raise ValueError(
                "Number of zeros per block cannot be more than the total number of elements "
                "in that block."
            )
        if zeros_per_block < 0:
            raise ValueError("Number of zeros per block should be positive.")
        lists: Any = module.parametrizations
        mask = lists[tensor_name][0].mask
        if sparsity_level <= 0 or zeros_per_block == 0:
            mask.data = torch.ones_like(mask)
        elif sparsity_level >= 1.0 and zeros_per_block == size:
            mask.data = torch.zeros_like(mask)
        else:
            norms = self.norm_fn(getattr(module, tensor_name))
            found = _blocks_that_stay(norms, sparsity_level, sparse_block_shape)
            if zeros_per_block != size:
                stays = _elements_that_stay(norms, sparse_block_shape, zeros_per_block)
                found = torch.logical_or(found, stays)
            mask.data = found


def _padded(shape: Any, block: tuple[int, int]) -> tuple[int, int]:
    """The size of a matrix of whole blocks that has room for *shape*."""
    rows, columns = (-(-size // step) * step for size, step in zip(shape, block, strict=True))
    return rows, columns


def _blocks_that_stay(norms: torch.Tensor, level: float, block: tuple[int, int]) -> torch.Tensor:
    """Zeros in the blocks of the smallest mean norm, *level* of all; ones elsewhere."""
    size = _padded(norms.shape, block)
    if level >= 1.0:
        return torch.zeros(size, device=norms.device)
    if math.prod(block) > 1:
        norms_of_blocks = F.avg_pool2d(norms[None], block, block, ceil_mode=True)[0]
    else:
        norms_of_blocks = norms
    count = norms_of_blocks.numel()
    gone = max(0, min(count - 1, round(level * count)))
    stay = torch.ones(count, device=norms.device)
    stay[torch.topk(norms_of_blocks.flatten(), gone, largest=False).indices] = 0
    stay = stay.view(norms_of_blocks.shape)
    whole = stay.repeat_interleave(block[0], 0).repeat_interleave(block[1], 1)
    return whole[: norms.shape[0], : norms.shape[1]].contiguous()


def _elements_that_stay(norms: torch.Tensor, block: tuple[int, int], zeros: int) -> torch.Tensor:
    """Zeros at the *zeros* elements of the smallest norm in each block; ones elsewhere.

    The result has whole blocks: torch takes such options only for matrices that consist of them.
    """
    size = _padded(norms.shape, block)
    padded = torch.full(size, torch.nan, dtype=norms.dtype, device=norms.device)
    padded[: norms.shape[0], : norms.shape[1]] = norms
    columns = F.unfold(padded[None, None], block, stride=block)
    stay = torch.ones(columns.shape, device=norms.device)
    stay.scatter_(1, torch.topk(columns, zeros, 1, largest=False).indices, 0)
    return F.fold(stay, size, block, stride=block)[0, 0]
