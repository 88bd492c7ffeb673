"""The processes along one dimension of a mesh, and what they exchange."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...aten import torch
from .. import distributed_c10d as c10d
from ..device_mesh import DeviceMesh
from ._dtensor_spec import DTensorSpec
from .placement_types import Interval, Partial, _Parts

__all__ = ["Line", "cut", "cut_all", "here", "line_of", "line_of_neighbours"]

_OP: Any = c10d.ReduceOp
_OPS = {"sum": _OP.SUM, "avg": _OP.AVG, "min": _OP.MIN, "max": _OP.MAX, "product": _OP.PRODUCT}


def _taken(tensor: Any, dim: int, part: Sequence[Interval]) -> Any:
    pieces = [tensor.narrow(dim, start, n) for start, n in part]
    return pieces[0] if len(pieces) == 1 else torch.cat(pieces, dim)


def cut_all(tensor: Any, placement: _Parts, count: int) -> list[Any]:
    """The parts of *count* processes of a *tensor* that each has whole."""
    dim = placement.dim
    if dim >= tensor.ndim:
        raise AssertionError(f"Sharding dim {dim} greater than tensor ndim {tensor.ndim}")
    return [_taken(tensor, dim, part) for part in placement.intervals(tensor.shape[dim], count)]


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
    if tensor.shape[dim] == length:
        return tensor.contiguous()
    shape = list(tensor.shape)
    shape[dim] = length
    made = tensor.new_zeros(shape)
    made.narrow(dim, 0, tensor.shape[dim]).copy_(tensor)
    return made


class Line:
    """The processes of the line through this one along a dimension of a mesh.

    Processes are numbered as in the mesh, which may be another order than that of their group.
    """

    def __init__(self, mesh: DeviceMesh, dim: int) -> None:
        self.group = mesh.get_group(dim)
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
        received = [torch.empty_like(sent) for _ in lengths]
        self.group.allgather([self._in_group_order(received)], [sent]).wait()
        parts = [r.narrow(placement.dim, 0, n) for r, n in zip(received, lengths, strict=True)]
        return _joined(parts, placement, size)

    def all_reduce(self, tensor: Any, placement: Partial) -> Any:
        """What all have reduced to."""
        made = placement.before(tensor).clone(memory_format=torch.contiguous_format)
        self._write_reduced(made, placement.reduce_op)
        return placement.after(made)

    def _write_reduced(self, tensor: Any, name: str) -> None:
        options = c10d.AllreduceOptions()
        options.reduceOp = _OPS[name]
        as_numbers = tensor.to(torch.int32) if tensor.dtype is torch.bool else tensor
        self.group.allreduce([as_numbers], options).wait()
        if as_numbers is not tensor:
            tensor.copy_(as_numbers != 0)

    def reduce_scatter(self, tensor: Any, partial: Partial, placement: _Parts) -> Any:
        """The part of this process of what all have reduced to."""
        if tensor.dtype is torch.bool:
            return cut(self.all_reduce(tensor, partial), placement, self.size, self.index)
        parts = cut_all(partial.before(tensor), placement, self.size)
        length = max(p.shape[placement.dim] for p in parts)
        sent = [_padded(p, placement.dim, length) for p in parts]
        output = torch.empty_like(sent[0])
        options = c10d.ReduceScatterOptions()
        options.reduceOp = _OPS[partial.reduce_op]
        self.group.reduce_scatter([output], [self._in_group_order(sent)], options).wait()
        own = parts[self.index].shape[placement.dim]
        return partial.after(output.narrow(placement.dim, 0, own).contiguous())

    def all_to_all(self, tensor: Any, have: _Parts, want: _Parts, size: int) -> Any:
        """The part along another dimension of a tensor that has *size* numbers along the first."""
        lengths = have.lengths(size, self.size)
        sent = [p.contiguous() for p in cut_all(tensor, want, self.size)]
        shape = list(sent[self.index].shape)
        received = []
        for n in lengths:
            shape[have.dim] = n
            received.append(tensor.new_empty(shape))
        order = self._in_group_order
        self.group.alltoall(order(received), order(sent)).wait()
        return _joined(received, have, size)

    def scatter(self, tensor: Any, placement: _Parts, source: int) -> Any:
        """The part of this process of the tensor of process *source* of the group."""
        parts = cut_all(tensor, placement, self.size)
        length = max(p.shape[placement.dim] for p in parts)
        sent = [_padded(p, placement.dim, length) for p in parts]
        output = torch.empty_like(sent[0])
        options = c10d.ScatterOptions()
        options.rootRank = source
        mine = [self._in_group_order(sent)] if self.group.rank() == source else []
        self.group.scatter([output], mine, options).wait()
        return output.narrow(placement.dim, 0, parts[self.index].shape[placement.dim]).contiguous()

    def broadcast(self, tensor: Any, source: int) -> Any:
        """The tensor of process *source* of the group."""
        made = tensor.clone(memory_format=torch.contiguous_format)
        options = c10d.BroadcastOptions()
        options.rootRank = source
        self.group.broadcast([made], options).wait()
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
