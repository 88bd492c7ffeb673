"""The process groups of meshes: one for each line of ranks along each dimension."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from . import distributed_c10d as c10d
from ._mesh_layout import Axis, MeshLayout

__all__ = ["groups_of_lines", "normalized"]


def groups_of_lines(
    layout: MeshLayout, rank_map: Sequence[int], names: Sequence[str] | None, overrides: Any
) -> list[Any]:
    """The groups of the lines of this process along each dimension of *layout*.

    Makes those of all lines, in the same order on all processes; a process that is in no line has
    none.

    :param overrides: for each dimension the name of a backend (or None) and its options.
    """
    found = [
        _group_of_line(axis, rank_map, names[d] if names else f"dim_{d}", *overrides[d])
        for d, axis in enumerate(layout)
    ]
    return [g for g in found if g is not None]


def _group_of_line(
    axis: Axis, rank_map: Sequence[int], name: str, backend: str | None, options: Any
) -> Any:
    if axis.numel() == c10d.get_world_size() and backend is None and options is None:
        return c10d._get_default_group()
    mine = None
    for ranks in MeshLayout([axis]).lines(rank_map):
        made = c10d.new_group(
            ranks,
            timeout=options._timeout if options is not None else None,
            backend=backend,
            pg_options=options,
            group_desc=f"mesh_{name}",
        )
        if c10d.get_rank() not in ranks:
            continue
        if mine is not None:
            raise RuntimeError(
                "Each device mesh dimension should get only one process group, but got "
                f"{c10d.get_rank()} in {ranks}!"
            )
        mine = made
    return mine


def normalized(
    backend_override: dict[Any, Any], ndim: int, mesh_dim_names: tuple[str, ...] | None = None
) -> Iterator[tuple[Any, Any]]:
    """Yield backend (or None) and options of each dimension, from those by number or name.

    Raises RuntimeError for keys that are no dimensions, or the same one twice.
    """
    by_dim = dict(backend_override)
    for dim in range(ndim):
        name = mesh_dim_names[dim] if mesh_dim_names else None
        if name in by_dim and dim in by_dim:
            raise RuntimeError(
                f"Found redundant dim index {dim} and name {name} in backend_override"
            )
        value = by_dim.pop(name, None) or by_dim.pop(dim, (None, None))
        if isinstance(value, str):
            yield value, None
        else:
            yield value if isinstance(value, tuple) else (None, value)
    if by_dim:
        raise RuntimeError(
            f"Found invalid keys in backend_override: got {list(by_dim)}, expected integers in "
            f"range [0, {ndim}) or one of {mesh_dim_names or ()}"
        )
