"""The exchanges of ``fully_shard`` where the program gives none of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....aten import torch
from ....tensor import Tensor
from ... import distributed_c10d as c10d
from ._fsdp_api import AllGather, ReduceScatter

__all__ = ["DefaultAllGather", "DefaultReduceScatter"]


class DefaultAllocMixin:
    """Memory of each exchange is its own."""

    def allocate(self, size: Sequence[int], *, dtype: Any, device: Any) -> Tensor:
        """A tensor of *size* whose numbers are anything."""
        return torch.empty(*size, dtype=dtype, device=device)


def _waited(work: Any, async_op: bool) -> Any:
    if async_op:
        return work
    work.wait()
    return None


class DefaultAllGather(DefaultAllocMixin, AllGather):
    """The gather of the group."""

    def __call__(
        self, output_tensor: Tensor, input_tensor: Tensor, group: Any, async_op: bool = False
    ) -> Any:
        """Write the tensors of all, one behind the other."""
        return _waited(group.all_gather_single(output_tensor, input_tensor), async_op)


class DefaultReduceScatter(DefaultAllocMixin, ReduceScatter):
    """The reduction of the group."""

    def __call__(
        self,
        output_tensor: Tensor,
        input_tensor: Tensor,
        group: Any,
        op: Any,
        async_op: bool = False,
    ) -> Any:
        """Write the part of this process of the reduction."""
        options = c10d.ReduceScatterOptions()
        options.reduceOp = op
        work = group.reduce_scatter_single(output_tensor, input_tensor, options)
        return _waited(work, async_op)
