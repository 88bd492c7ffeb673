"""Collectives that change nothing in place, through which gradients flow.

A result is there when the call returns, so ``wait_tensor`` gives what it is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..aten import torch
from ..tensor import Tensor
from . import distributed_c10d as c10d
from .device_mesh import DeviceMesh
from .nn import functional as dnn

RANK_TYPES = Any


def _resolve_group(group: Any, tag: str = "") -> Any:
    """The process group that *group* means: a group, its name, ranks, or a mesh."""
    if isinstance(group, c10d.ProcessGroup):
        return group
    if isinstance(group, DeviceMesh):
        if group.ndim != 1:
            raise AssertionError(
                "Only 1D mesh is supported, pass in (DeviceMesh, int) together if mesh > 1D"
            )
        return group.get_group()
    if isinstance(group, tuple) and len(group) == 2 and isinstance(group[0], DeviceMesh):
        return group[0].get_group(group[1])
    if isinstance(group, str):
        return c10d._resolve_process_group(group)
    if isinstance(group, list):
        ranks = [r for each in group for r in (each if isinstance(each, list) else [each])]
        return c10d._find_or_create_pg_by_ranks_and_tag(tag, ranks, len(ranks))
    raise ValueError(f"Unsupported group type: {type(group)}, {group}")


def _resolve_group_name(group: Any, tag: str = "") -> str:
    return _resolve_group(group, tag).group_name


def _expand_group(group: Any, tag: str = "") -> tuple[str, list[int], int]:
    ranks = c10d.get_process_group_ranks(_resolve_group(group, tag))
    return tag, ranks, len(ranks)


def _op(name: str) -> Any:
    found = c10d.ReduceOp.RedOpType.__members__.get({"product": "PRODUCT"}.get(name, name.upper()))
    if found is None:
        raise ValueError(f"Invalid reduce op {name}")
    return found


class AsyncCollectiveTensor(Tensor):
    """A tensor that is not there yet; here every tensor is, so none is made."""

    def wait(self) -> Tensor:
        """The tensor."""
        return self.as_subclass(Tensor)

    trigger_wait = wait


def wait_tensor(tensor: Tensor) -> Tensor:
    """The tensor when it is there."""
    return tensor


def broadcast(self: Tensor, src: int, group: RANK_TYPES, tag: str = "") -> Tensor:
    """The tensor of *src*."""
    return dnn._Broadcast.apply(src, _resolve_group(group, tag), self)


def all_reduce(self: Tensor, reduceOp: str, group: RANK_TYPES, tag: str = "") -> Tensor:
    """The reduction of the tensors of all."""
    return dnn._AllReduce.apply(_op(reduceOp), _resolve_group(group, tag), self)


def all_gather_tensor(self: Tensor, gather_dim: int, group: RANK_TYPES, tag: str = "") -> Tensor:
    """The tensors of all, one behind the other along *gather_dim*."""
    if not self.is_contiguous():
        raise AssertionError("Tensor must be contiguous for all_gather_tensor")
    return torch.cat(dnn._AllGather.apply(_resolve_group(group, tag), self), dim=gather_dim)


all_gather_tensor_autograd = all_gather_single = all_gather_single_autograd = all_gather_tensor


def reduce_scatter_tensor(
    self: Tensor, reduceOp: str, scatter_dim: int, group: RANK_TYPES, tag: str = ""
) -> Tensor:
    """The reduction of the tensors of all, each part along *scatter_dim* for its rank."""
    pg = _resolve_group(group, tag)
    if self.size(scatter_dim) % pg.size():
        raise AssertionError(
            f"input dimension {scatter_dim} ({self.size(scatter_dim)}) must be a multiple of "
            f"group_size {pg.size()}"
        )
    parts = [p.contiguous() for p in self.chunk(pg.size(), dim=scatter_dim)]
    return dnn._Reduce_Scatter.apply(_op(reduceOp), pg, torch.empty_like(parts[0]), *parts)


reduce_scatter_tensor_autograd = reduce_scatter_single = reduce_scatter_tensor
reduce_scatter_single_autograd = reduce_scatter_tensor


def all_reduce_coalesced(
    self: list[Tensor], reduceOp: str, group: RANK_TYPES, tag: str = ""
) -> list[Tensor]:
    """The reductions of several tensors."""
    return [all_reduce(t, reduceOp, group, tag) for t in self]


def all_gather_into_tensor_coalesced(
    self: list[Tensor], group: RANK_TYPES, tag: str = ""
) -> list[Tensor]:
    """The tensors of all, of several."""
    return [all_gather_tensor(t, 0, group, tag) for t in self]


all_gather_single_coalesced = all_gather_into_tensor_coalesced


def reduce_scatter_tensor_coalesced(
    inputs: list[Tensor], reduceOp: str, scatter_dim: list[int], group: RANK_TYPES, tag: str = ""
) -> list[Tensor]:
    """The reductions of several tensors, each part for its rank."""
    return [reduce_scatter_tensor(t, reduceOp, d, group, tag) for t, d in zip(inputs, scatter_dim)]


reduce_scatter_single_coalesced = reduce_scatter_tensor_coalesced


def all_to_all_single(
    self: Tensor,
    output_split_sizes: list[int] | None,
    input_split_sizes: list[int] | None,
    group: RANK_TYPES,
    tag: str = "",
) -> Tensor:
    """Each part of a tensor to its rank."""
    shape = list(self.shape)
    if output_split_sizes is not None:
        shape[0] = sum(output_split_sizes)
    output = torch.empty(shape, dtype=self.dtype, device=self.device)
    pg = _resolve_group(group, tag)
    return dnn._AlltoAllSingle.apply(pg, output, output_split_sizes, input_split_sizes, self)


all_to_all_single_autograd = all_to_all_single


def permute_tensor(self: Tensor, src_dst: list[int], group: RANK_TYPES, tag: str = "") -> Tensor:
    """The tensor of the process that sends to this one."""
    pg = _resolve_group(group, tag)
    mine = pg.rank()
    inputs, outputs = [0] * pg.size(), [0] * pg.size()
    for src, dst in enumerate(src_dst):
        if src == mine:
            inputs[dst] = self.numel()
        if dst == mine:
            outputs[src] = self.numel()
    return all_to_all_single(self.reshape(-1), outputs, inputs, pg).view(self.shape)


def all_gather_tensor_inplace(
    output_tensor: Tensor,
    input_tensor: Tensor,
    group: Any = None,
    async_op: bool = False,
    tag: str = "",
    gather_dim: int = 0,
) -> Tensor:
    """The same as ``all_gather_tensor``, into a tensor."""
    if async_op:
        raise AssertionError("Can't remap async version of inplace op to functional collective")
    return output_tensor.copy_(
        all_gather_tensor(input_tensor, gather_dim, group or c10d.group.WORLD)
    )


def all_reduce_inplace(
    tensor: Tensor, op: str = "sum", group: Any = None, async_op: bool = False, tag: str = ""
) -> Tensor:
    """The same as ``all_reduce``, into the tensor."""
    if async_op:
        raise AssertionError("Can't remap async version of inplace op to functional collective")
    return tensor.copy_(all_reduce(tensor, op, group or c10d.group.WORLD, tag))


@contextmanager
def allow_inflight_collective_as_graph_input_ctx(value: bool = True) -> Iterator[None]:
    """Let tensors that are not there yet be inputs; all are there."""
    yield


def _are_we_tracing() -> bool:
    return False


def _maybe_wrap_tensor(self: Tensor) -> Tensor:
    return self
