"""Collectives that change nothing in place, through which gradients flow: calls of operators.

A result is there when the call returns, so ``wait_tensor`` gives what it is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..aten import torch
from ..tensor import Tensor
from . import distributed_c10d as c10d
from ._functional_operators import functional
from .device_mesh import DeviceMesh

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


class AsyncCollectiveTensor(Tensor):
    """A tensor that is not there yet; here every tensor is, so none is made."""

    def wait(self) -> Tensor:
        """The tensor."""
        return self.as_subclass(Tensor)

    trigger_wait = wait


def wait_tensor(tensor: Tensor) -> Tensor:
    """The tensor when it is there."""
    made: Tensor = functional.wait_tensor(tensor)
    return made


def _named(group: Any, tag: str) -> tuple[str, int]:
    """The name of the process group that *group* means, and its size."""
    found = _resolve_group(group, tag)
    return found.group_name, found.size()


def broadcast(self: Tensor, src: int, group: RANK_TYPES, tag: str = "") -> Tensor:
    """The tensor of *src*; a gradient stays where it is, as in torch."""
    made: Tensor = functional.broadcast(self, src, _named(group, tag)[0])
    return made


def all_reduce(self: Tensor, reduceOp: str, group: RANK_TYPES, tag: str = "") -> Tensor:
    """The reduction of the tensors of all; a gradient flows through a sum."""
    made: Tensor = functional.all_reduce(self, reduceOp.lower(), _named(group, tag)[0])
    return made


def _along(rows: Tensor, size: int, dim: int) -> Tensor:
    """*rows* of *size* processes as blocks along *dim*."""
    return rows if dim == 0 else torch.cat(torch.chunk(rows, size, dim=0), dim=dim)


def all_gather_tensor(self: Tensor, gather_dim: int, group: RANK_TYPES, tag: str = "") -> Tensor:
    """The tensors of all, one behind the other along *gather_dim*."""
    name, size = _named(group, tag)
    gathered = functional.all_gather_into_tensor(self.contiguous(), size, name)
    return _along(wait_tensor(gathered), size, gather_dim)


all_gather_tensor_autograd = all_gather_single = all_gather_single_autograd = all_gather_tensor


def _rows(tensor: Tensor, size: int, dim: int) -> Tensor:
    """*tensor* with its blocks of *size* processes along *dim* one below the other."""
    if tensor.size(dim) % size:
        raise AssertionError(
            f"input dimension {dim} ({tensor.size(dim)} must be a multiple of group_size {size})"
        )
    return tensor if dim == 0 else torch.cat(torch.chunk(tensor, size, dim=dim))


def reduce_scatter_tensor(
    self: Tensor, reduceOp: str, scatter_dim: int, group: RANK_TYPES, tag: str = ""
) -> Tensor:
    """The reduction of the tensors of all, each part along *scatter_dim* for its rank."""
    name, size = _named(group, tag)
    rows = _rows(self, size, scatter_dim)
    made: Tensor = functional.reduce_scatter_tensor(rows, reduceOp.lower(), size, name)
    return made


reduce_scatter_tensor_autograd = reduce_scatter_single = reduce_scatter_tensor
reduce_scatter_single_autograd = reduce_scatter_tensor


def all_reduce_coalesced(
    self: list[Tensor], reduceOp: str, group: RANK_TYPES, tag: str = ""
) -> list[Tensor]:
    """The reductions of several tensors."""
    name, _ = _named(group, tag)
    return list(functional.all_reduce_coalesced(self, reduceOp.lower(), name))


def all_gather_into_tensor_coalesced(
    self: list[Tensor], group: RANK_TYPES, tag: str = ""
) -> list[Tensor]:
    """The tensors of all, of several."""
    name, size = _named(group, tag)
    return list(functional.all_gather_into_tensor_coalesced(self, size, name))


all_gather_single_coalesced = all_gather_into_tensor_coalesced


def reduce_scatter_tensor_coalesced(
    inputs: list[Tensor], reduceOp: str, scatter_dim: list[int], group: RANK_TYPES, tag: str = ""
) -> list[Tensor]:
    """The reductions of several tensors, each part for its rank."""
    name, size = _named(group, tag)
    rows = [_rows(t, size, dim) for t, dim in zip(inputs, scatter_dim, strict=True)]
    return list(functional.reduce_scatter_tensor_coalesced(rows, reduceOp.lower(), size, name))


reduce_scatter_single_coalesced = reduce_scatter_tensor_coalesced


def all_to_all_single(
    self: Tensor,
    output_split_sizes: list[int] | None,
    input_split_sizes: list[int] | None,
    group: RANK_TYPES,
    tag: str = "",
) -> Tensor:
    """Each part of a tensor to its rank; equal parts where no sizes are given."""
    name, size = _named(group, tag)
    if output_split_sizes is None or input_split_sizes is None:
        if output_split_sizes is not None or input_split_sizes is not None:
            raise AssertionError(
                "output_split_sizes and input_split_sizes must either be specified together or "
                "both set to None"
            )
        output_split_sizes = input_split_sizes = [self.shape[0] // size] * size
    made: Tensor = functional.all_to_all_single(self, output_split_sizes, input_split_sizes, name)
    return made


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
