"""Buckets of gradients, which ``DistributedDataParallel`` gives to communication hooks."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from ...aten import torch
from ...core.module_names import living_in
from ...tensor import Tensor
from .process_group import ProcessGroup
from .single_process import SingleProcess

__all__ = ["DDPLoggingData", "GradBucket", "Logger", "Reducer"]

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


class DDPLoggingData:
    """What ``Logger`` says."""

    def __init__(self) -> None:
        self.strs_map: dict[str, str] = {}
        self.ints_map: dict[str, int] = {}


class Logger:
    """What is known of a ``DistributedDataParallel``."""

    def __init__(self, reducer: Any) -> None:
        self._data = DDPLoggingData()

    def set_construction_data_and_log(
        self,
        module_name: str,
        device_ids: Sequence[int],
        output_device: int,
        broadcast_buffers: bool,
        has_sync_bn: bool,
        static_graph: bool,
    ) -> None:
        """Note how it was made."""
        self._data.strs_map |= {"module_name": module_name}
        self._data.ints_map |= {"output_device": output_device, "has_sync_bn": int(has_sync_bn)}

    def set_static_graph(self) -> None:
        """Note that its graph does not change."""
        self._data.ints_map["static_graph"] = 1

    def _set_comm_hook_name(self, arg0: str) -> None:
        self._data.strs_map["comm_hook"] = arg0

    def _get_ddp_logging_data(self) -> DDPLoggingData:
        return self._data

    def _set_error_and_log(self, error: str) -> None:
        logging.getLogger("torch.distributed").debug(error)


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
    """Refuse parameters whose shapes differ between processes."""
    mine = torch.tensor([len(params), *(s for p in params for s in p.shape)])
    theirs = mine.clone()
    process_group.broadcast([theirs]).wait()
    if not torch.equal(mine, theirs):
        raise RuntimeError(
            f"DDP expects same model across all ranks, but Rank {process_group.rank()} has "
            f"{len(params)} params, while rank 0 has inconsistent {int(theirs[0])} params."
        )


def _broadcast_coalesced(
    process_group: ProcessGroup, tensors: Sequence[Tensor], buffer_size: int, src: int = 0
) -> None:
    """Write the tensors of *src* into those of all, in few vectors."""
    groups: dict[Any, list[Tensor]] = {}
    for t in tensors:
        groups.setdefault((t.dtype, t.device), []).append(t.detach())
    for alike in groups.values():
        flat = torch.cat([t.reshape(-1) for t in alike])
        process_group.broadcast([flat], src).wait()
        if process_group.size() == 1:
            continue  # they are what they were
        at = 0
        for t in alike:
            t.copy_(flat[at : at + t.numel()].view(t.shape))
            at += t.numel()


class Reducer:
    """Gradients of parameters into buckets, these to a hook, and what it gives back again."""

    def __init__(
        self,
        params: Sequence[Tensor],
        bucket_indices: Sequence[Sequence[int]],
        per_bucket_size_limits: Sequence[int] = (),
        process_group: Any = None,
        expect_sparse_gradients: Sequence[bool] = (),
        bucket_bytes_cap: int = 26214400,
        find_unused_parameters: bool = False,
        gradient_as_bucket_view: bool = False,
        param_to_name_mapping: dict[int, str] | None = None,
        first_bucket_bytes_cap: int = _DEFAULT_FIRST_BUCKET_BYTES,
        *args: Any,
        **kwargs: Any,
    ) -> None:
        self.parameters = list(params)
        self.buckets = [list(b) for b in bucket_indices]
        self.group: ProcessGroup = process_group
        self.find_unused = find_unused_parameters
        self.as_view = gradient_as_bucket_view
        self.names = param_to_name_mapping or {}
        self.hook: Any = None
        self.state: Any = None
        self.static = False
        self.expects = False
        self.used: set[int] = set()

    def reduce(self, indices: set[int] | None = None) -> None:
        """Give the gradients to the hook, bucket by bucket, and take what it gives."""
        if self.hook is None and isinstance(self.group._engine, SingleProcess) and not self.as_view:
            return  # the average of one is what it was
        waiting = []
        for number, bucket in enumerate(self.buckets):
            members = [self.parameters[i] for i in bucket]
            if all(p.grad is None for p in members):
                continue
            grads = [torch.zeros_like(p) if p.grad is None else p.grad for p in members]
            with torch.no_grad():
                flat = torch.cat([g.detach().reshape(-1) for g in grads])
                last = number == len(self.buckets) - 1
                made = GradBucket(number, flat, members, last)
                if self.hook is None:
                    flat.div_(self.group.size())
                    waiting.append((made, members, self.group.allreduce([flat])))
                else:
                    waiting.append((made, members, self.hook(self.state, made)))
        for made, members, work in waiting:
            result = work.wait()
            buffer = made.buffer() if isinstance(result, bool) else _first(result)
            self._write(buffer, members)

    def _write(self, buffer: Tensor, members: list[Tensor]) -> None:
        at = 0
        with torch.no_grad():
            for p in members:
                part = buffer[at : at + p.numel()].view(p.shape)
                at += p.numel()
                if p.grad is None:
                    continue
                if self.as_view:
                    p.grad = part.to(p.grad.dtype)
                else:
                    p.grad.copy_(part)


def _first(result: Any) -> Tensor:
    return result[0] if isinstance(result, list | tuple) else result


def _register_comm_hook(reducer: Reducer, state: Any, comm_hook: Any) -> None:
    """Let *comm_hook* reduce the buckets."""
    if reducer.hook is not None:
        raise RuntimeError(
            "register_comm_hook or register_builtin_comm_hook can only be called once."
        )
    reducer.hook, reducer.state = comm_hook, state


living_in("mindtorch._C._distributed_c10d", DDPLoggingData, GradBucket, Logger, Reducer)
