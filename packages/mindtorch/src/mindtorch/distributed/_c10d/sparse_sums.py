"""Sums of sparse tensors of all processes, whose elements differ: over gathers of dense ones."""

from __future__ import annotations

from typing import Any

from mindtorch_autograd import no_grad

from ...aten import torch
from ...tensor import Tensor
from .reductions import ReduceOp

__all__ = ["sum_sparse"]

#: The longest shape that processes tell each other, which is numpy's.
_DIMS = 64
_SUM: Any = ReduceOp.SUM


@no_grad()
def sum_sparse(group: Any, tensor: Tensor, op: Any) -> None:
    """Write the sum of the sparse tensors of all processes of *group* into each, coalesced.

    Every process has as many elements as it likes. Raises RuntimeError for other reductions than
    ``SUM``, and where shapes or numbers of sparse dimensions differ.
    """
    if op != _SUM:
        raise RuntimeError(
            "ProcessGroupGloo::allreduce: unsupported reduction operation (allreduce of sparse "
            "tensors only works with ReduceOp.SUM)"
        )
    mine: Any = tensor.detach().coalesce()
    places, values = mine.indices(), mine.values()
    shape = [*mine.shape, *[-1] * (_DIMS - mine.ndim)]
    told = torch.tensor([mine.sparse_dim(), *shape, values.shape[0]], device=values.device)
    every = [each.tolist() for each in _gathered(group, told)]
    if any(each[:-1] != every[0][:-1] for each in every):
        raise RuntimeError("Sparse dimensions do not match")
    lengths = [each[-1] for each in every]
    longest = max(lengths)
    sums = torch.sparse_coo_tensor(
        _joined(group, places.t().contiguous(), lengths, longest).t(),
        _joined(group, values, lengths, longest),
        mine.shape,
    )
    tensor.copy_(sums.coalesce())


def _gathered(group: Any, tensor: Tensor) -> list[Tensor]:
    parts = [torch.empty_like(tensor) for _ in range(group.size())]
    pending = group.engine.all_gather(parts, tensor)
    if pending is not None:
        pending.wait(None)
    return parts


def _joined(group: Any, rows: Tensor, lengths: list[int], longest: int) -> Tensor:
    """The rows of all, of which each process has another number."""
    padded = rows.new_zeros((longest, *rows.shape[1:]))
    padded[: rows.shape[0]] = rows
    parts = _gathered(group, padded) if padded.numel() else [padded for _ in lengths]
    return torch.cat([part[:n] for part, n in zip(parts, lengths, strict=True)])
