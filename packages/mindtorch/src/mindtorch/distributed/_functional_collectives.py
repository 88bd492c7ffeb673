"""Collectives that change nothing in place, through which gradients flow.

A result is a tensor that waits for its numbers when it is first read. Groups may be given as
process groups, by name, as meshes of one dimension, or as a mesh and the number of a dimension.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .._C._modes import _get_dispatch_mode, _TorchDispatchModeKey
from .._ops import ops
from ..aten import torch
from ..compiler import is_dynamo_compiling as is_torchdynamo_compiling  # noqa: F401 - torch has it
from ..core.warning import warn
from ..fx.experimental.proxy_tensor import get_proxy_mode
from ..tensor import Tensor
from . import distributed_c10d as c10d
from ._c10d import older_functional_operators as _operators  # noqa: F401 - makes them
from ._c10d.work_registry import WORKS
from ._waiting_tensor import AsyncCollectiveTensor, wait_tensor
from .device_mesh import DeviceMesh

RANK_TYPES = Any

#: What reductions are called here.
REDUCE_OP_TO_STR = {
    getattr(c10d.ReduceOp, name.upper()): name
    for name in ("sum", "avg", "product", "min", "max", "band", "bor", "bxor")
}


def _group_of_mesh(group: Any) -> Any:
    """The process group of a mesh, or of one dimension of a mesh; None for anything else."""
    if isinstance(group, DeviceMesh):
        if group.ndim != 1:
            raise AssertionError(
                "Only 1D mesh is supported, pass in (DeviceMesh, int) together if mesh > 1D"
            )
        return group.get_group()
    if isinstance(group, tuple) and len(group) == 2 and isinstance(group[0], DeviceMesh):
        if isinstance(group[1], int):
            return group[0].get_group(group[1])
    return None


def _expand_group(group: Any, tag: str = "") -> tuple[str, list[int], int]:
    """The tag, the ranks and the size of *group*."""
    if isinstance(group, list):
        if not isinstance(group[0], list):
            return tag, group, len(group)
        size = len(group[0])
        for ranks in group:
            if len(ranks) != size:
                raise ValueError(f"group sizes must be identical found {size} and {len(ranks)}")
        return tag, [rank for ranks in group for rank in ranks], size
    found = group if isinstance(group, c10d.ProcessGroup) else _group_of_mesh(group)
    if found is None:
        if isinstance(group, tuple):
            raise ValueError("Invalid tuple for group must be (DeviceMesh, int)")
        raise ValueError(
            "Invalid type for group, must be one of List, Processgroup, DeviceMesh or "
            "(DeviceMesh, int)."
        )
    members = c10d.get_process_group_ranks(found)
    return tag or c10d._get_group_tag(found), members, len(members)


def _resolve_group(group: Any, tag: str = "") -> Any:
    """The process group that *group* means, or its name."""
    if isinstance(group, (c10d.ProcessGroup, str)):
        return group
    found = _group_of_mesh(group)
    if found is not None:
        return found.group_name
    if isinstance(group, tuple):
        raise ValueError(
            "Invalid tuple for group must be (DeviceMesh, int). Instead got "
            f"{(type(group[0]), type(group[1]))}"
        )
    if isinstance(group, list):
        warn(
            "The combination of ranks + tag as process group identifier has been deprecated. "
            "Please switch to using ProcessGroup, DeviceMesh, or group name instead.",
            FutureWarning,
        )
        return c10d._resolve_group_name_by_ranks_and_tag(group, tag)
    raise ValueError(f"Unsupported group type: {type(group)}, {group}")


def _resolve_group_name(group: Any, tag: str = "") -> str:
    """The name of *group*."""
    found = _resolve_group(group, tag)
    return str(found if isinstance(found, str) else found.group_name)


def _group_or_group_name(group: Any) -> Any:
    """What operators are given: a name where *group* has one in graphs, the group itself else."""
    return group.group_name if isinstance(group, c10d.ProcessGroup) else group


def _are_we_tracing() -> bool:
    """Whether calls are being recorded, or only shapes are asked for."""
    return (
        _get_dispatch_mode(_TorchDispatchModeKey.FAKE) is not None or get_proxy_mode() is not None
    )


def _maybe_wrap_tensor(self: Tensor) -> Tensor:
    """*self* as a tensor that waits when it is read; waited for here where calls are recorded."""
    if _are_we_tracing():
        return wait_tensor(self)
    return ops._c10d_functional._wrap_tensor_autograd(self)


def _given(group: Any, tag: str) -> Any:
    return _group_or_group_name(_resolve_group(group, tag))


def broadcast(self: Tensor, src: int, group: RANK_TYPES, tag: str = "") -> Tensor:
    """The tensor of *src*. Each process has the gradient of its own result."""
    return _maybe_wrap_tensor(ops._c10d_functional.broadcast(self, src, _given(group, tag)))


def all_reduce(self: Tensor, reduceOp: str, group: RANK_TYPES, tag: str = "") -> Tensor:
    """The reduction of the tensors of all. Only sums have a gradient."""
    found = ops._c10d_functional.all_reduce(self, reduceOp.lower(), _given(group, tag))
    return _maybe_wrap_tensor(found)


def all_gather_single(self: Tensor, gather_dim: int, group: RANK_TYPES, tag: str = "") -> Tensor:
    """The tensors of all, one behind the other along *gather_dim*."""
    given = _given(group, tag)
    size = c10d._get_group_size_by_name(given)
    found = _maybe_wrap_tensor(ops._c10d_functional.all_gather_into_tensor(self, size, given))
    if gather_dim == 0:
        return found
    if isinstance(found, AsyncCollectiveTensor):
        between = math.prod(found.shape[1:gather_dim]) if gather_dim > 1 else 1
        if found.shape[0] != size or between != 1:  # else parts lie as they are to lie
            found = found.wait()
    if found.shape[0] == size and math.prod(found.shape[1:gather_dim]) == 1:
        shape = list(found.shape)
        shape[0], shape[gather_dim] = 1, shape[gather_dim] * size
        return found.view(shape)
    return torch.cat(found.chunk(size), dim=gather_dim)


def reduce_scatter_single(
    self: Tensor, reduceOp: str, scatter_dim: int, group: RANK_TYPES, tag: str = ""
) -> Tensor:
    """The reduction of the tensors of all, each part along *scatter_dim* for its rank."""
    given = _given(group, tag)
    size = c10d._get_group_size_by_name(given)
    if self.size(scatter_dim) % size:
        raise AssertionError(
            f"input dimension 0 ({self.size(0)} must be a multiple of group_size {size})"
        )
    if scatter_dim != 0:
        self = torch.cat(self.chunk(size, dim=scatter_dim))
    return _maybe_wrap_tensor(
        ops._c10d_functional.reduce_scatter_tensor(self, reduceOp.lower(), size, given)
    )


def all_gather_single_autograd(
    self: Tensor, gather_dim: int, group: RANK_TYPES, tag: str = ""
) -> Tensor:
    """The same as :func:`all_gather_single`."""
    return all_gather_single(self, gather_dim, group, tag)


def reduce_scatter_single_autograd(
    self: Tensor, reduceOp: str, scatter_dim: int, group: RANK_TYPES, tag: str = ""
) -> Tensor:
    """The same as :func:`reduce_scatter_single`."""
    return reduce_scatter_single(self, reduceOp, scatter_dim, group, tag)


def _deprecated(name: str, instead: str) -> None:
    home = "torch.distributed._functional_collectives"
    warn(
        f"`{home}.{name}` is deprecated. Please use `{home}.{instead}` instead.",
        FutureWarning,
    )


def all_gather_tensor(self: Tensor, gather_dim: int, group: RANK_TYPES, tag: str = "") -> Tensor:
    """The old name of :func:`all_gather_single`."""
    _deprecated("all_gather_tensor", "all_gather_single")
    return all_gather_single(self, gather_dim, group, tag)


def all_gather_tensor_autograd(
    self: Tensor, gather_dim: int, group: RANK_TYPES, tag: str = ""
) -> Tensor:
    """The old name of :func:`all_gather_single_autograd`."""
    _deprecated("all_gather_tensor_autograd", "all_gather_single_autograd")
    return all_gather_single(self, gather_dim, group, tag)


def reduce_scatter_tensor(
    self: Tensor, reduceOp: str, scatter_dim: int, group: RANK_TYPES, tag: str = ""
) -> Tensor:
    """The old name of :func:`reduce_scatter_single`."""
    _deprecated("reduce_scatter_tensor", "reduce_scatter_single")
    return reduce_scatter_single(self, reduceOp, scatter_dim, group, tag)


def reduce_scatter_tensor_autograd(
    self: Tensor, reduceOp: str, scatter_dim: int, group: RANK_TYPES, tag: str = ""
) -> Tensor:
    """The old name of :func:`reduce_scatter_single_autograd`."""
    _deprecated("reduce_scatter_tensor_autograd", "reduce_scatter_single_autograd")
    return reduce_scatter_single(self, reduceOp, scatter_dim, group, tag)


def all_reduce_coalesced(
    self: list[Tensor], reduceOp: str, group: RANK_TYPES, tag: str = ""
) -> list[Tensor]:
    """The reductions of several tensors."""
    given = _given(group, tag)
    found = ops._c10d_functional.all_reduce_coalesced(self, reduceOp.lower(), given)
    return [_maybe_wrap_tensor(t) for t in found]


def all_gather_single_coalesced(
    self: list[Tensor], group: RANK_TYPES, tag: str = ""
) -> list[Tensor]:
    """The tensors of all, of several."""
    given = _given(group, tag)
    size = c10d._get_group_size_by_name(given)
    found = ops._c10d_functional.all_gather_into_tensor_coalesced(self, size, given)
    return [_maybe_wrap_tensor(t) for t in found]


def reduce_scatter_single_coalesced(
    inputs: list[Tensor], reduceOp: str, scatter_dim: list[int], group: RANK_TYPES, tag: str = ""
) -> list[Tensor]:
    """The reductions of several tensors, each part for its rank."""
    given = _given(group, tag)
    size = c10d._get_group_size_by_name(given)
    if len(scatter_dim) != len(inputs):
        raise AssertionError(
            f"Length of scatter_dim ({len(scatter_dim)}) must equal length of inputs "
            f"({len(inputs)})"
        )
    tensors = []
    for i, (dim, tensor) in enumerate(zip(scatter_dim, inputs)):
        if tensor.size(dim) % size:
            raise AssertionError(
                f"input dimension {dim} ({tensor.size(dim)} must be a multiple of group_size "
                f"{size} for tensor at index {i}"
            )
        tensors.append(tensor if dim == 0 else torch.cat(tensor.chunk(size, dim=dim)))
    found = ops._c10d_functional.reduce_scatter_tensor_coalesced(
        tensors, reduceOp.lower(), size, given
    )
    return [_maybe_wrap_tensor(t) for t in found]


def all_gather_into_tensor_coalesced(
    self: list[Tensor], group: RANK_TYPES, tag: str = ""
) -> list[Tensor]:
    """The old name of :func:`all_gather_single_coalesced`."""
    _deprecated("all_gather_into_tensor_coalesced", "all_gather_single_coalesced")
    return all_gather_single_coalesced(self, group, tag)


def reduce_scatter_tensor_coalesced(
    inputs: list[Tensor], reduceOp: str, scatter_dim: list[int], group: RANK_TYPES, tag: str = ""
) -> list[Tensor]:
    """The old name of :func:`reduce_scatter_single_coalesced`."""
    _deprecated("reduce_scatter_tensor_coalesced", "reduce_scatter_single_coalesced")
    return reduce_scatter_single_coalesced(inputs, reduceOp, scatter_dim, group, tag)


def all_to_all_single(
    self: Tensor,
    output_split_sizes: list[int] | None,
    input_split_sizes: list[int] | None,
    group: RANK_TYPES,
    tag: str = "",
) -> Tensor:
    """Each part of a tensor to its rank; equal parts where no sizes are given."""
    named = {"output_split_sizes": output_split_sizes, "input_split_sizes": input_split_sizes}
    for name, sizes in named.items():
        if sizes is not None and not all(isinstance(s, (int, torch.SymInt)) for s in sizes):
            raise AssertionError(f"All {name} must be int or SymInt, got {sizes}")
    given = _given(group, tag)
    if output_split_sizes is None or input_split_sizes is None:
        if output_split_sizes is not input_split_sizes:
            raise AssertionError(
                "output_split_sizes and input_split_sizes must either be specified together or "
                "both set to None"
            )
        size = c10d._get_group_size_by_name(given)
        output_split_sizes = input_split_sizes = [self.shape[0] // size] * size
    return _maybe_wrap_tensor(
        ops._c10d_functional.all_to_all_single(self, output_split_sizes, input_split_sizes, given)
    )


def all_to_all_single_autograd(
    self: Tensor,
    output_split_sizes: list[int] | None,
    input_split_sizes: list[int] | None,
    group: RANK_TYPES,
    tag: str = "",
) -> Tensor:
    """The same as :func:`all_to_all_single`."""
    return all_to_all_single(self, output_split_sizes, input_split_sizes, group, tag)


def permute_tensor(self: Tensor, src_dst: list[int], group: RANK_TYPES, tag: str = "") -> Tensor:
    """The tensor of the process that sends to this one: process m sends to ``src_dst[m]``.

    Tensors have one dimension.
    """
    pg = c10d._find_or_create_pg_by_ranks_and_tag(*_expand_group(group, tag))
    mine, size = c10d.get_rank(pg), pg.size()
    inputs, outputs = [0] * size, [0] * size
    for src, dst in enumerate(src_dst):
        if src == mine:
            inputs[dst] = self.numel()
        if dst == mine:
            outputs[src] = self.numel()
    return all_to_all_single(self, outputs, inputs, group, tag)


def _whole(group: Any, async_op: bool) -> Any:
    """*group*, or that of all processes."""
    if async_op:
        raise AssertionError("Can't remap async version of inplace op to functional collective")
    found = group or c10d.group.WORLD
    if found is None:
        raise AssertionError("group cannot be None")
    return found


def all_gather_tensor_inplace(
    output_tensor: Tensor,
    input_tensor: Tensor,
    group: Any = None,
    async_op: bool = False,
    tag: str = "",
    gather_dim: int = 0,
) -> Tensor:
    """The same as :func:`all_gather_single`, into a tensor."""
    found = all_gather_single(input_tensor, gather_dim, _whole(group, async_op), tag)
    return output_tensor.copy_(found)


def reduce_scatter_tensor_inplace(
    output: Tensor,
    input: Tensor,
    op: str = "sum",
    group: Any = None,
    async_op: bool = False,
    scatter_dim: int = 0,
    tag: str = "",
) -> Tensor:
    """The same as :func:`reduce_scatter_single`, into a tensor."""
    found = reduce_scatter_single(input, op, scatter_dim, _whole(group, async_op), tag)
    return output.copy_(found)


def all_reduce_inplace(
    tensor: Tensor, op: str = "sum", group: Any = None, async_op: bool = False, tag: str = ""
) -> Tensor:
    """The same as :func:`all_reduce`, into the tensor."""
    return tensor.copy_(all_reduce(tensor, op, _whole(group, async_op), tag))


def all_to_all_inplace(
    output: Tensor,
    input: Tensor,
    output_split_sizes: list[int] | None = None,
    input_split_sizes: list[int] | None = None,
    group: Any = None,
    async_op: bool = False,
    tag: str = "",
) -> Tensor:
    """The same as :func:`all_to_all_single`, into a tensor."""
    given = _whole(group, async_op)
    return output.copy_(all_to_all_single(input, output_split_sizes, input_split_sizes, given, tag))


def all_gather_inplace(
    tensor_list: list[Tensor],
    tensor: Tensor,
    group: Any = None,
    async_op: bool = False,
    tag: str = "",
) -> list[Tensor]:
    """The tensors of all, into a list of tensors of one shape."""
    given = _whole(group, async_op)
    if not all(t.size(0) == tensor.size(0) for t in tensor_list):
        raise AssertionError("Remapping variable size all_gather is not yet supported")
    found = all_gather_single(tensor, 0, given, tag)
    for output, part in zip(tensor_list, found.chunk(len(tensor_list))):
        output.copy_(part)
    return tensor_list


@contextmanager
def allow_inflight_collective_as_graph_input_ctx(value: bool = True) -> Iterator[None]:
    """Let ``wait_tensor`` wait for what calls in place with ``async_op=True`` write, inside."""
    before, WORKS.takes_calls_in_place = WORKS.takes_calls_in_place, value
    try:
        yield
    finally:
        WORKS.takes_calls_in_place = before
