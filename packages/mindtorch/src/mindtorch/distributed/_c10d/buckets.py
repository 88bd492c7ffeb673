"""Buckets of gradients, which ``DistributedDataParallel`` gives to communication hooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...aten import torch
from ...core.module_names import living_in
from ...tensor import Tensor
from .fake import nobody_else
from .options import AllgatherOptions, BroadcastOptions
from .process_group import ProcessGroup
from .world import _get_object_coll_device

__all__ = ["GradBucket"]

_DEFAULT_FIRST_BUCKET_BYTES = 1048576


class GradBucket:
    """The gradients of some parameters, one behind the other in one tensor."""

    def __init__(
        self, index: int, buffer: Tensor, parameters: Sequence[Tensor], last: bool
    ) -> None:
        self._index, self._buffer, self._last = index, buffer, last
        self._parameters = list(parameters)

    def index(self) -> int:
        """The number of the bucket; 0 comes first."""
        return self._index

    def buffer(self) -> Tensor:
        """All gradients as one vector."""
        return self._buffer

    def set_buffer(self, buffer: Tensor) -> None:
        """Put another vector in its place."""
        self._buffer = buffer

    def gradients(self) -> list[Tensor]:
        """The gradient of each parameter: views of the vector."""
        found, at = [], 0
        for p in self._parameters:
            found.append(self._buffer[at : at + p.numel()].view(p.shape))
            at += p.numel()
        return found

    def parameters(self) -> list[Tensor]:
        """The parameters."""
        return list(self._parameters)

    def is_last(self) -> bool:
        """Whether no bucket comes after it."""
        return self._last


def _compute_bucket_assignment_by_size(
    tensors: Sequence[Tensor],
    bucket_size: Sequence[int],
    expect_sparse_gradient: Sequence[bool] = (),
    tensor_indices: Sequence[int] = (),
    logger: Any = None,
) -> tuple[list[list[int]], list[int]]:
    """Buckets of neighbours of one dtype and device, no larger than each size in turn."""
    sparse = list(expect_sparse_gradient) or [False] * len(tensors)
    open_buckets: dict[Any, tuple[list[int], int, int]] = {}
    closed: list[tuple[list[int], int]] = []
    for i, t in enumerate(tensors):
        if t.is_sparse:
            text = "No support for sparse tensors."
            if logger is not None:
                logger._set_error_and_log(text)
            raise RuntimeError(text)
        number = tensor_indices[i] if tensor_indices else i
        if sparse[i]:
            closed.append(([number], 0))
            continue
        key = (t.dtype, t.device)
        indices, size, turn = open_buckets.get(key, ([], 0, 0))
        indices.append(number)
        size += t.numel() * t.element_size()
        limit = bucket_size[min(turn, len(bucket_size) - 1)]
        if size >= limit:
            closed.append((indices, limit))
            open_buckets[key] = ([], 0, turn + 1)
        else:
            open_buckets[key] = (indices, size, turn)
    for indices, _, turn in open_buckets.values():
        if indices:
            closed.append((indices, bucket_size[min(turn, len(bucket_size) - 1)]))
    if not tensor_indices:
        closed.sort(key=lambda pair: min(pair[0]))
    return [b for b, _ in closed], [limit for _, limit in closed]


def _verify_params_across_processes(
    process_group: ProcessGroup, params: Sequence[Tensor], logger: Any = None
) -> None:
    """Refuse parameters whose number or shapes differ between processes."""
    rank, size = process_group.rank(), process_group.size()
    if nobody_else(process_group):
        return
    # The group may serve the parameters' device alone.
    device = params[0].device if params else torch.device(_get_object_coll_device(process_group))
    counts = [torch.zeros(1, dtype=torch.int64, device=device) for _ in range(size)]
    given = torch.tensor([len(params)], device=device)
    process_group.allgather([counts], [given], AllgatherOptions()).wait()
    for other, count in enumerate(counts):
        if int(count) != len(params):
            raise RuntimeError(
                f"DDP expects same model across all ranks, but Rank {rank} has {len(params)} "
                f"params, while rank {other} has inconsistent {int(count)} params."
            )
    dims = torch.tensor([p.dim() for p in params], device=device)
    process_group.broadcast([dims], BroadcastOptions()).wait()
    shapes = torch.tensor([n for p in params for n in p.shape], dtype=torch.int64, device=device)
    if len(shapes) != int(dims.sum()):
        shapes = torch.zeros(int(dims.sum()), dtype=torch.int64, device=device)
    process_group.broadcast([shapes], BroadcastOptions()).wait()
    at = 0
    for i, (p, dim) in enumerate(zip(params, dims.tolist(), strict=True)):
        first = shapes[at : at + dim].tolist()
        at += dim
        if list(p.shape) != first:
            raise RuntimeError(
                f"[{rank}]: params[{i}] in this process with sizes {list(p.shape)} appears not to "
                f"match sizes of the same param in process 0."
            )


def _broadcast_coalesced(
    process_group: ProcessGroup, tensors: Sequence[Tensor], buffer_size: int, src: int = 0
) -> None:
    """Write the tensors of *src* into those of all, in few vectors."""
    options = BroadcastOptions()
    options.rootRank = src
    groups: dict[Any, list[Tensor]] = {}
    for t in tensors:
        groups.setdefault((t.dtype, t.device), []).append(t.detach())
    for alike in groups.values():
        flat = torch.cat([t.reshape(-1) for t in alike])
        process_group.broadcast([flat], options).wait()
        if process_group.size() == 1:
            continue  # they are what they were
        at = 0
        for t in alike:
            t.copy_(flat[at : at + t.numel()].view(t.shape))
            at += t.numel()


living_in("mindtorch._C._distributed_c10d", GradBucket)
