"""Exchanges along one dimension of a mesh, and the padding that makes parts alike for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..._library.library import Library
from ..._library.registration import register_fake
from ..._ops import ops
from ...aten import torch
from ...tensor import Tensor
from .. import distributed_c10d as c10d
from ..device_mesh import DeviceMesh

__all__ = [
    "fill_empty_tensor_to_shards",
    "mesh_broadcast",
    "mesh_scatter",
    "on_wire",
    "pad_tensor",
    "shard_dim_alltoall",
    "unpad_tensor",
]


def on_wire(tensor: Tensor) -> Tensor:
    """What is sent of a tensor: of complex numbers, pairs of real ones."""
    return torch.view_as_real(tensor) if tensor.is_complex() else tensor


_LIBRARY = Library("_dtensor", "DEF")
_LIBRARY.define(
    "shard_dim_alltoall(Tensor input, int gather_dim, int shard_dim, Any group_name) -> Tensor"
)


def _shard_dim_alltoall(tensor: Tensor, gather_dim: int, shard_dim: int, group: Any) -> Tensor:
    found = c10d._resolve_process_group(group)
    sent = [p.contiguous() for p in tensor.chunk(found.size(), shard_dim)]
    received = [torch.empty_like(p) for p in sent]
    found.alltoall([on_wire(r) for r in received], [on_wire(p) for p in sent]).wait()
    return torch.cat(received, gather_dim)


def _without_numbers(tensor: Tensor, gather_dim: int, shard_dim: int, group: Any) -> Tensor:
    size = c10d._resolve_process_group(group).size()
    parts = tensor.chunk(size, shard_dim)
    return torch.cat([parts[0]] * size, gather_dim)


_LIBRARY.impl("shard_dim_alltoall", _shard_dim_alltoall, "CompositeExplicitAutograd")
register_fake("_dtensor::shard_dim_alltoall", _without_numbers, lib=_LIBRARY)


def shard_dim_alltoall(
    input: Tensor, gather_dim: int, shard_dim: int, mesh: DeviceMesh, mesh_dim: int
) -> Tensor:
    """The part along *shard_dim* of a tensor of which *input* is that along *gather_dim*.

    All parts are of one size.
    """
    name = mesh.get_group(mesh_dim).group_name
    made: Tensor = ops._dtensor.shard_dim_alltoall(input, gather_dim, shard_dim, name)
    return made


def _group_of_all(tensor: Tensor, mesh: DeviceMesh, mesh_dim: int) -> Any:
    """The group of a dimension of the mesh; None where there is nothing to exchange.

    That is outside of the mesh, and for a tensor without numbers.
    """
    outside = tensor.is_meta or mesh.get_coordinate() is None
    return None if outside else mesh.get_group(mesh_dim)


def mesh_scatter(
    output: Tensor,
    scatter_list: Sequence[Tensor],
    mesh: DeviceMesh,
    mesh_dim: int = 0,
    async_op: bool = False,
    *,
    group_src: int = 0,
) -> Any:
    """Write into *output* that tensor of process *group_src* of the line that is for this one.

    Gives a ``Work`` where *async_op* is set, and None outside of the mesh.
    """
    group = _group_of_all(output, mesh, mesh_dim)
    if group is None:
        return None
    mine = list(scatter_list) if group.rank() == group_src else None
    return c10d.scatter(output, mine, group=group, async_op=async_op, group_src=group_src)


def mesh_broadcast(
    tensor: Tensor,
    mesh: DeviceMesh,
    mesh_dim: int = 0,
    async_op: bool = False,
    *,
    group_src: int = 0,
) -> Any:
    """Write the tensor of process *group_src* of the line into that of all.

    Gives a ``Work`` where *async_op* is set, and None outside of the mesh.
    """
    group = _group_of_all(tensor, mesh, mesh_dim)
    if group is None:
        return None
    return c10d.broadcast(tensor, group=group, async_op=async_op, group_src=group_src)


def pad_tensor(tensor: Tensor, pad_dim: int, pad_size: int) -> Tensor:
    """*tensor* with *pad_size* rows of zeros behind it along *pad_dim*."""
    if pad_size == 0:
        return tensor
    shape = list(tensor.shape)
    shape[pad_dim] = pad_size
    return torch.cat([tensor, tensor.new_zeros(shape)], pad_dim)


def unpad_tensor(tensor: Tensor, pad_dim: int, pad_size: int) -> Tensor:
    """*tensor* without its last *pad_size* rows along *pad_dim*."""
    if pad_size == 0:
        return tensor
    return tensor.narrow(pad_dim, 0, tensor.shape[pad_dim] - pad_size)


def fill_empty_tensor_to_shards(
    shards: list[Tensor], shard_dim: int, num_empty_tensors: int
) -> list[Tensor]:
    """*shards* with empty parts behind them."""
    if num_empty_tensors == 0:
        return shards
    shape = list(shards[0].shape)
    shape[shard_dim] = 0
    return [*shards, *(shards[0].new_zeros(shape) for _ in range(num_empty_tensors))]
