"""The processes along one dimension of a mesh, and what they exchange."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..._ops import ops
from ...aten import torch
from .. import distributed_c10d as c10d
from .._c10d import functional_operators as _operators  # noqa: F401 - makes those below
from ..device_mesh import DeviceMesh
from ._collective_utils import on_wire, pad_tensor
from ._dtensor_spec import DTensorSpec
from .placement_types import Partial, _Parts

__all__ = ["Line", "cut", "cut_all", "here", "line_of", "line_of_neighbours"]


#: Collectives that give new tensors, each of which is waited for.
functional: Any = ops._c10d_functional


def cut_all(tensor: Any, placement: _Parts, count: int) -> list[Any]:
    """The parts of *count* processes of a *tensor* that each has whole."""
    dim = placement.dim
    if dim >= tensor.ndim:
        raise AssertionError(f"Sharding dim {dim} greater than tensor ndim {tensor.ndim}")
    return placement.cut(tensor, count)


def cut(tensor: Any, placement: _Parts, count: int, index: int) -> Any:
    """The part of process *index*, with memory of its own."""
    return cut_all(tensor, placement, count)[index].clone(memory_format=torch.contiguous_format)


def here(tensor: Any, spec: DTensorSpec) -> Any:
    """The part of this process of a *tensor* that all have whole, as *spec* says."""
    at = spec.mesh.get_coordinate()
    for i, p in enumerate(spec.placements):
        if isinstance(p, _Parts) and at is not None:
            tensor = cut_all(tensor, p, spec.mesh.size(i))[at[i]]
    return tensor


def _joined(parts: Sequence[Any], placement: _Parts, size: int) -> Any:
    """The tensor of which *parts* are those of all processes; it has *size* along the dimension."""
    dim = placement.dim
    places = placement.intervals(size, len(parts))
    pieces: list[tuple[int, Any]] = []
    for part, intervals in zip(parts, places, strict=True):
        at = 0
        for start, n in intervals:
            if n:
                pieces.append((start, part.narrow(dim, at, n)))
            at += n
    if not pieces:
        return parts[0].clone()
    return torch.cat([piece for _, piece in sorted(pieces, key=lambda p: p[0])], dim)


def _padded(tensor: Any, dim: int, length: int) -> Any:
    """*tensor* in one piece with zeros behind it along *dim*, up to *length*."""
    return pad_tensor(tensor, dim, length - tensor.shape[dim]).contiguous()


def _flat(tensor: Any) -> Any:
    """All numbers in one line, so that exchanges lay one process's behind the other's."""
    return tensor.contiguous().view(-1)


class Line:
    """The processes of the line through this one along a dimension of a mesh.

    Processes are numbered as in the mesh, which may be another order than that of their group.
    """

    def __init__(self, mesh: DeviceMesh, dim: int) -> None:
        self.group = mesh.get_group(dim)
        self.name = self.group.group_name
        self.size = mesh.size(dim)
        at = mesh.get_coordinate()
        if at is None:
            raise AssertionError("this process is not in the mesh")
        self.index = at[dim]
        place = list(at)
        place[dim] = slice(None)  # type: ignore[call-overload]  # an index of a tensor
        ranks = mesh.mesh[tuple(place)].tolist()
        members = c10d.get_process_group_ranks(self.group)
        #: The number in the group by that in the line.
        self.members = [members.index(rank) for rank in ranks]

    def _in_group_order(self, by_index: Sequence[Any]) -> list[Any]:
        ordered: list[Any] = [None] * self.size
        for index, member in enumerate(self.members):
            ordered[member] = by_index[index]
        return ordered

    def all_gather(self, tensor: Any, placement: _Parts, size: int) -> Any:
        """The whole tensor of parts; it has *size* numbers along the dimension of *placement*."""
        lengths = placement.lengths(size, self.size)
        sent = _padded(tensor, placement.dim, max(lengths))
        rows = functional.all_gather_into_tensor(_flat(sent), self.size, self.name)
        rows = functional.wait_tensor(rows)
        received = [part.view(sent.shape) for part in rows.chunk(self.size)]
        by_index = [received[member] for member in self.members]
        parts = [r.narrow(placement.dim, 0, n) for r, n in zip(by_index, lengths, strict=True)]
        return _joined(parts, placement, size)

    def all_reduce(self, tensor: Any, placement: Partial) -> Any:
        """What all have reduced to."""
        mine = placement.before(tensor)
        as_numbers = mine.to(torch.int32) if mine.dtype is torch.bool else mine
        made = functional.all_reduce(as_numbers, placement.reduce_op, self.name)
        made = functional.wait_tensor(made)
        return placement.after(made != 0 if as_numbers is not mine else made)

    def reduce_scatter(self, tensor: Any, partial: Partial, placement: _Parts) -> Any:
        """The part of this process of what all have reduced to."""
        if tensor.dtype is torch.bool:
            return cut(self.all_reduce(tensor, partial), placement, self.size, self.index)
        parts = cut_all(partial.before(tensor), placement, self.size)
        length = max(p.shape[placement.dim] for p in parts)
        sent = self._in_group_order([_padded(p, placement.dim, length) for p in parts])
        rows = torch.cat([_flat(p) for p in sent])
        made = functional.reduce_scatter_tensor(rows, partial.reduce_op, self.size, self.name)
        made = functional.wait_tensor(made).view(sent[0].shape)
        own = parts[self.index].shape[placement.dim]
        return partial.after(made.narrow(placement.dim, 0, own).contiguous())

    def all_to_all(self, tensor: Any, have: _Parts, want: _Parts, size: int) -> Any:
        """The part along another dimension of a tensor that has *size* numbers along the first."""
        if tensor.is_cpu:  # where torch's groups have no exchange of this kind
            return cut(self.all_gather(tensor, have, size), want, self.size, self.index)
        lengths = have.lengths(size, self.size)
        parts = cut_all(tensor, want, self.size)
        own = parts[self.index].shape[want.dim]
        longest = max(p.shape[want.dim] for p in parts)
        sent = [_padded(p, want.dim, longest) for p in parts]
        whole = _padded(torch.cat(self._in_group_order(sent), want.dim), have.dim, max(lengths))
        made = ops._dtensor.shard_dim_alltoall(whole, have.dim, want.dim, self.name)
        made = functional.wait_tensor(made).narrow(want.dim, 0, own)
        received = made.chunk(self.size, have.dim)
        by_index = [received[member] for member in self.members]
        mine = [r.narrow(have.dim, 0, n) for r, n in zip(by_index, lengths, strict=True)]
        return _joined(mine, have, size)

    def scatter(self, tensor: Any, placement: _Parts, source: int) -> Any:
        """The part of this process of the tensor of process *source* of the group."""
        parts = cut_all(tensor, placement, self.size)
        length = max(p.shape[placement.dim] for p in parts)
        sent = [_padded(p, placement.dim, length) for p in parts]
        output = torch.empty_like(sent[0])
        options = c10d.ScatterOptions()
        options.rootRank = source
        given = [on_wire(p) for p in self._in_group_order(sent)]
        mine = [given] if self.group.rank() == source else []
        self.group.scatter([on_wire(output)], mine, options).wait()
        return output.narrow(placement.dim, 0, parts[self.index].shape[placement.dim]).contiguous()

    def broadcast(self, tensor: Any, source: int) -> Any:
        """The tensor of process *source* of the group."""
        made = tensor.clone(memory_format=torch.contiguous_format)
        options = c10d.BroadcastOptions()
        options.rootRank = source
        self.group.broadcast([on_wire(made)], options).wait()
        return made


def line_of(mesh: DeviceMesh, dim: int) -> Line:
    """The line of this process along dimension *dim* of a mesh."""
    known: dict[Any, Line] = mesh._lines
    found = known.get(dim)
    if found is None:
        found = known[dim] = Line(mesh, dim)
    return found


def line_of_neighbours(mesh: DeviceMesh, count: int) -> Line | None:
    """The line of this process and its neighbours in *mesh*, *count* in all.

    None where it is not in the mesh; all processes call for it.
    """
    known: dict[Any, Line] = mesh._lines
    found = known.get(("neighbours", count))
    if found is None:
        lines = DeviceMesh(mesh.device_type, mesh.mesh.view(-1, count))
        if lines.get_coordinate() is None:
            return None
        found = known["neighbours", count] = Line(lines, 1)
    return found
