"""Where the part of a process is in a whole tensor."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from ...aten import torch
from ..device_mesh import DeviceMesh
from ..distributed_c10d import all_gather
from ._dtensor_spec import DTensorSpec
from ._explicit_exchanges import ExplicitRedistributionContext
from .placement_types import Interval, Placement, Replicate, Shard, _Parts

__all__ = [
    "ExplicitRedistributionContext",
    "compute_global_tensor_info",
    "compute_global_tensor_shape",
    "compute_local_shape",
    "compute_local_shape_and_global_offset",
    "compute_local_tensor_info",
    "local_chunks",
    "local_intervals",
]


def local_intervals(
    size: int, dim: int, mesh: DeviceMesh, placements: Sequence[Placement]
) -> list[Interval]:
    """What this process has of dimension *dim* of a tensor, which has *size* numbers there.

    The intervals are in the order in which they lie in the part.
    """
    at = mesh.get_coordinate()
    if at is None:
        return [(0, 0)]
    have = [(0, size)]
    for i, p in enumerate(placements):
        if isinstance(p, _Parts) and p.dim == dim:
            length = sum(n for _, n in have)
            part = p.intervals(length, mesh.size(i))[at[i]]
            have = [piece for start, n in part for piece in _within(have, start, n)]
    return _joined(have)


def _within(have: list[Interval], start: int, length: int) -> list[Interval]:
    """The intervals of what lies from *start* on in the numbers of *have*."""
    found, before = [], 0
    for first, n in have:
        low, high = max(start, before), min(start + length, before + n)
        if low < high:
            found.append((first + low - before, high - low))
        before += n
    return found


def _joined(have: list[Interval]) -> list[Interval]:
    """Fewer intervals, where one goes on as the next."""
    joined: list[Interval] = []
    for start, n in have:
        if joined and sum(joined[-1]) == start:
            joined[-1] = (joined[-1][0], joined[-1][1] + n)
        elif n:
            joined.append((start, n))
    return joined


def compute_local_shape(
    global_shape: Any, mesh: DeviceMesh, placements: Sequence[Placement]
) -> tuple[int, ...]:
    """The shape of the part of this process; ``(0,)`` where it is not in the mesh."""
    at = mesh.get_coordinate()
    if at is None:
        return (0,)
    shape = list(global_shape)
    for i, p in enumerate(placements):
        if isinstance(p, _Parts):
            if p.dim >= len(shape):
                raise AssertionError(f"Sharding dim {p.dim} greater than tensor ndim {len(shape)}")
            shape[p.dim] = p.lengths(shape[p.dim], mesh.size(i))[at[i]]
    return tuple(shape)


def compute_local_shape_and_global_offset(
    global_shape: Any, mesh: DeviceMesh, placements: Sequence[Placement], skip_offset: bool = False
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The shape of the part of this process, and where it begins in the whole.

    Of a part of several intervals the offset is that of the first one. An empty part begins at the
    end of the dimension.
    """
    shape = compute_local_shape(global_shape, mesh, placements)
    if skip_offset or mesh.get_coordinate() is None:
        return shape, ()
    offset = []
    for dim, size in enumerate(global_shape):
        have = local_intervals(size, dim, mesh, placements)
        offset.append(have[0][0] if have else size)
    return shape, tuple(offset)


def compute_global_tensor_info(
    tensor: Any, mesh: DeviceMesh, placements: Sequence[Placement]
) -> tuple[list[int], list[int]]:
    """Shape and strides of a tensor of which *tensor* is a part, when all parts are alike.

    Raises RuntimeError for a dimension that the tensor does not have.
    """
    shape, stride = list(tensor.shape), list(tensor.stride())
    for i, p in enumerate(placements):
        if not isinstance(p, _Parts):
            continue
        if p.dim < 0:
            raise RuntimeError(
                "Shard placements should have negative dims normalized in the user-facing APIs: "
                f"{p}"
            )
        if p.dim >= len(shape):
            raise RuntimeError(
                f"Sharding dim {p.dim} greater than tensor ndim {len(shape)} for placement number "
                f"{i}"
            )
        count, own = mesh.size(i), stride[p.dim]
        shape[p.dim] *= count
        stride = [s * count if d != p.dim and s >= own and s else s for d, s in enumerate(stride)]
    return shape, stride


def compute_local_tensor_info(
    global_tensor: Any, mesh: DeviceMesh, placements: Sequence[Placement]
) -> tuple[list[int], list[int]]:
    """Shape and strides of the part of *global_tensor* when all parts are alike.

    Raises AssertionError for a dimension that cannot be cut into equal parts.
    """
    shape, stride = list(global_tensor.shape), list(global_tensor.stride())
    for i, p in enumerate(placements):
        if not isinstance(p, _Parts):
            continue
        count, own = mesh.size(i), stride[p.dim]
        if shape[p.dim] % count:
            raise AssertionError(f"Global dim {shape[p.dim]} not divisible by mesh size {count}")
        shape[p.dim] //= count
        stride = [s // count if d != p.dim and s >= own else s for d, s in enumerate(stride)]
    return shape, stride


def compute_global_tensor_shape(
    shape: Any, mesh: DeviceMesh, placements: Sequence[Placement]
) -> Any:
    """The shape of the tensor of which each process has a part of its own *shape*; a collective.

    Raises NotImplementedError for more than one placement and for one that is to be reduced,
    RuntimeError for parts that do not fit together.
    """
    if len(placements) != 1:
        raise NotImplementedError("compute_global_tensor_shape only supports 1 placement for now.")
    if len(placements) != mesh.ndim:
        raise RuntimeError(
            "Expected one placement per mesh dim, but found "
            f"{len(placements)} placements and {mesh.ndim} mesh dims."
        )
    (p,) = placements
    if isinstance(p, Replicate):
        return shape
    if not isinstance(p, Shard):
        raise NotImplementedError(f"Placement type {type(p)} not supported.")
    own = torch.tensor(list(shape), device=mesh.device_type)
    rows = [torch.empty_like(own) for _ in range(mesh.size())]
    all_gather(rows, own, group=mesh.get_group())
    shapes = [r.tolist() for r in rows]
    found = list(shape)
    found[p.dim] = sum(s[p.dim] for s in shapes)
    if any(s[d] != found[d] for s in shapes for d in range(len(found)) if d != p.dim):
        raise RuntimeError("Non-sharded dimensions should have identical size across ranks.")
    return torch.Size(found)


def local_chunks(
    spec: DTensorSpec,
) -> list[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]]:
    """The blocks of the whole tensor that are here: offsets in the whole, sizes, offsets here.

    Nothing for a process that has no part. Raises ValueError for what is still to be reduced.
    """
    if any(p.is_partial() for p in spec.placements):
        raise ValueError(f"a tensor that is still to be reduced has no parts to save: {spec}")
    if spec.mesh.get_coordinate() is None:
        return []
    by_dim = []
    for dim, size in enumerate(spec.shape):
        at, pieces = 0, []
        have = local_intervals(size, dim, spec.mesh, spec.placements)
        for start, n in have or ([(0, 0)] if size == 0 else []):
            pieces.append((start, n, at))
            at += n
        by_dim.append(pieces)
    return [
        (tuple(p[0] for p in block), tuple(p[1] for p in block), tuple(p[2] for p in block))
        for block in product(*by_dim)
    ]
