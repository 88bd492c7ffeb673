"""Meshes of devices: processes in an array, with a process group for each line of it."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Sequence
from typing import Any

from ..aten import torch
from ..core.warning import warn
from . import distributed_c10d as c10d
from ._mesh_env import _get_device_handle as _get_device_handle
from ._mesh_env import _mesh_resources
from ._mesh_groups import groups_of_lines, normalized
from ._mesh_layout import MeshLayout

__all__ = ["DeviceMesh", "init_device_mesh"]

_normalize_backend_override = normalized


class DeviceMesh:
    """Processes in an array; each dimension may have a name.

    :param device_type: the type of device of their tensors, ``"cpu"`` or an accelerator's.
    :param mesh: ranks of the default group, nested lists or a tensor of integers. The same on all
        processes.
    :param mesh_dim_names: a name for each dimension.
    :param backend_override: for each dimension the name of a backend (or None) and its options.

    Makes the default group if there is none, and a group for each line of ranks. Raises
    RuntimeError where there are more ranks than processes.
    """

    def __init__(
        self,
        device_type: str,
        mesh: Any = None,
        *,
        mesh_dim_names: tuple[str, ...] | None = None,
        backend_override: Any = None,
        _init_backend: bool = True,
        _rank: int | None = None,
        _layout: MeshLayout | None = None,
        _rank_map: Any = None,
        _root_mesh: DeviceMesh | None = None,
    ) -> None:
        if mesh is not None:
            if _layout is not None or _rank_map is not None:
                raise TypeError("Cannot provide _layout and/or _rank_map if passing explicit mesh")
            with torch.device("cpu"):
                given = mesh if isinstance(mesh, torch.Tensor) else torch.tensor(mesh)
            ranks = given.detach().to(device="cpu", dtype=torch.int).contiguous()
            _layout = MeshLayout.of(tuple(ranks.shape), ranks.stride())
            _rank_map = tuple(ranks.flatten().tolist())
        elif _layout is None or _rank_map is None:
            raise TypeError("The mesh argument is required except for PRIVATE USAGE ONLY!")
        if _layout.flat().overlaps():
            raise AssertionError("Please use a non-overlapping layout when creating a DeviceMesh.")
        if backend_override is not None and len(backend_override) != len(_layout):
            raise ValueError(
                "backend_override should have the same length as the number of mesh dimensions, "
                f"but got {len(backend_override)} and {len(_layout)}."
            )
        self._device_type = device_type
        self._layout = _layout
        self._rank_map: tuple[int, ...] = tuple(_rank_map)
        self._mesh_dim_names = tuple(mesh_dim_names) if mesh_dim_names else None
        self._root_mesh = _root_mesh
        self._flattened: dict[str, DeviceMesh] = {}
        self._groups: list[Any] | None = None
        #: What the exchanges along each dimension need to know, see ``tensor._lines``.
        self._lines: dict[Any, Any] = {}
        if _init_backend:
            self._setup_world_group_and_device()
            overrides = backend_override or ((None, None),) * len(_layout)
            self._groups = groups_of_lines(_layout, self._rank_map, self._mesh_dim_names, overrides)
        # Threads that stand for processes have meshes of their own.
        threaded = c10d.is_initialized() and c10d.get_backend() == "threaded"
        self._thread_id = threading.get_ident() if threaded else None
        self._rank = c10d.get_rank() if _rank is None else _rank
        self._coordinate = self._where(self._rank)

    def _all_ranks(self) -> list[list[int]]:
        return self._layout.lines(self._rank_map)

    def _where(self, rank: int) -> tuple[int, ...] | None:
        """The place of *rank* in the array; None where it is not in it."""
        lines = self._all_ranks()
        ranks = lines[0] if len(lines) == 1 else next((r for r in lines if rank in r), [])
        if ranks.count(rank) > 1:
            raise AssertionError(f"rank_coords.size(0) must be 0 or 1, got {ranks.count(rank)}")
        if rank not in ranks:
            return None
        at = ranks.index(rank)
        place: list[int] = []
        for size in reversed(self.shape):
            place.insert(0, at % size)
            at //= size
        return tuple(place)

    def _setup_world_group_and_device(self) -> Any:
        if not c10d.is_initialized():
            c10d.init_process_group()
        world_size = c10d.get_world_size()
        if self.size() > world_size:
            raise RuntimeError(
                f"Mesh should not be bigger than default world size {world_size}, but found "
                f"{self.size()} ranks!"
            )
        return c10d._get_default_group()

    @property
    def device_type(self) -> str:
        """The type of device."""
        return self._device_type

    @property
    def mesh(self) -> Any:
        """The ranks as a tensor of ints, in the shape of the mesh.

        Raises RuntimeError on a process that is in no such mesh, of one cut out of another.
        """
        lines = self._all_ranks()
        rank = c10d.get_rank() if len(lines) > 1 else -1
        found = lines[0] if len(lines) == 1 else next((r for r in lines if rank in r), None)
        if found is None:
            raise RuntimeError(
                "In order to get the mesh Tensor of a DeviceMesh it needs to either have all its "
                "original dimensions (e.g., no slicing) or it needs to contain the local rank"
            )
        return torch.tensor(found, dtype=torch.int, device="cpu").reshape(self.shape)

    @property
    def mesh_dim_names(self) -> tuple[str, ...] | None:
        """The names of the dimensions."""
        return self._mesh_dim_names

    @property
    def ndim(self) -> int:
        """How many dimensions there are."""
        return len(self._layout)

    @property
    def shape(self) -> tuple[int, ...]:
        """How many processes each dimension has."""
        return self._layout.sizes

    def size(self, mesh_dim: int | None = None) -> int:
        """How many processes there are, or in one dimension."""
        return math.prod(self.shape) if mesh_dim is None else self._layout[mesh_dim].numel()

    def _get_root_mesh(self) -> DeviceMesh:
        return self._root_mesh or self

    def _get_root_mesh_dim(self) -> int | None:
        names = self._mesh_dim_names
        if not names:
            return None
        if len(names) != 1:
            raise AssertionError("The submesh can only be a 1D mesh.")
        return self._get_root_mesh()._get_mesh_dim_by_name(names[0])

    def __enter__(self) -> DeviceMesh:
        _mesh_resources.mesh_stack.append(self)
        return self

    def __exit__(self, *exc: Any) -> None:
        _mesh_resources.mesh_stack.pop()

    def __repr__(self) -> str:
        names = self._mesh_dim_names
        shown = str(self.shape)
        if names:
            sizes = (f"{n}={s}" for n, s in zip(names, self.shape, strict=True))
            shown = f"({', '.join(sizes)})"
        strides = tuple(a.stride[0] if len(a.stride) == 1 else a.stride for a in self._layout)
        ranks = ""
        if os.environ.get("TORCH_DISTRIBUTED_DEBUG", "") == "DETAIL":
            ranks = f", Mesh: {self.mesh.tolist()}"
        return f"DeviceMesh({shown}, '{self._device_type}', stride={strides}{ranks})"

    def _hash_key(self) -> tuple[Any, ...]:
        where = (self._rank_map, self._layout)
        return *where, self._device_type, self._mesh_dim_names, self._thread_id

    def __hash__(self) -> int:
        return hash(self._hash_key())

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, DeviceMesh) and self._hash_key() == other._hash_key()

    def __getstate__(self) -> dict[str, Any]:
        state = {**self.__dict__, "_lines": {}}
        if self._groups is not None:
            state["_groups"] = [g.group_name for g in self._groups]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        names = state["_groups"] or []
        try:
            self._groups = [c10d._resolve_process_group(n) for n in names]
        except RuntimeError:  # read where the groups are not, or not yet
            self._groups = None

    def __getitem__(self, mesh_dim_names: str | tuple[str, ...]) -> DeviceMesh:
        names = self._mesh_dim_names
        if not names:
            raise RuntimeError("Cannot slice a DeviceMesh without mesh_dim_names!")
        asked: Any = (mesh_dim_names,) if isinstance(mesh_dim_names, str) else mesh_dim_names
        if asked == names:
            return self
        root = self._get_root_mesh()
        flattened = root._flattened if self == root else {}
        if not all(name in names or name in flattened for name in asked):
            raise KeyError(
                f"Invalid mesh_dim_names {asked} specified. Valid mesh_dim_names are "
                f"{[*names, *flattened]}."
            )
        axes, groups = [], []
        for name in asked:
            of = self if name in names else flattened[name]
            if of is not self:
                warn(
                    "Slicing a flattened dim from root mesh will be deprecated in PT 2.11. Users "
                    "need to bookkeep the flattened mesh directly. ",
                )
            dim = of._get_mesh_dim_by_name(name)
            axes.append(of._layout[dim])
            groups += (of._groups or [])[dim : dim + 1]
        layout = MeshLayout(axes)
        if not layout.flat().descends():
            raise KeyError(
                f"Invalid mesh_dim_names {asked} specified. "
                "Mesh dim indices should be in ascending order."
            )
        if layout.flat().overlaps():
            raise RuntimeError(f"Slicing overlapping dim_names {asked} is not allowed.")
        return self._like(layout, tuple(asked), groups)

    def _like(
        self, layout: MeshLayout, names: tuple[str, ...] | None, groups: list[Any] | None
    ) -> DeviceMesh:
        """A mesh with other dimensions over the ranks of the root."""
        root = self._get_root_mesh()
        made = DeviceMesh(
            self._device_type,
            mesh_dim_names=names,
            _layout=layout,
            _rank_map=root._rank_map,
            _root_mesh=root,
            _init_backend=False,
        )
        made._groups = groups
        return made

    def _cut(self, dims: Sequence[int]) -> DeviceMesh:
        """The part with *dims*, which need no names, that this process is in."""
        names = self._mesh_dim_names
        return self._like(
            MeshLayout(self._layout[d] for d in dims),
            tuple(names[d] for d in dims) if names else None,
            [self._groups[d] for d in dims] if self._groups else self._groups,
        )

    def _get_mesh_dim_by_name(self, mesh_dim_name: str) -> int:
        if not self._mesh_dim_names:
            raise KeyError("No `mesh_dim_names` found.")
        if mesh_dim_name not in self._mesh_dim_names:
            raise KeyError(
                f"Mesh dimension '{mesh_dim_name}' does not exist.",
                f"Available mesh dimensions are: mesh_dim_names={self._mesh_dim_names}",
            )
        return self._mesh_dim_names.index(mesh_dim_name)

    def get_group(self, mesh_dim: int | str | None = None) -> Any:
        """The process group of the line of this process along *mesh_dim*.

        Raises RuntimeError where there are several dimensions and none is named, KeyError for a
        name that there is not.
        """
        if self._groups is None:
            raise RuntimeError("DeviceMesh process groups not initialized!")
        if self.ndim > 1 and mesh_dim is None:
            raise RuntimeError(
                f"Found the DeviceMesh have {self.ndim} dimensions",
                "Optional kwarg `mesh_dim` needs to be specified when device_mesh.ndim > 1.",
                "If you want to get the list of all the ProcessGroups in the DeviceMesh,"
                "please use `get_all_groups()` instead.",
            )
        if isinstance(mesh_dim, str):
            flat = self._get_root_mesh()._flattened.get(mesh_dim)
            if flat is not None:
                return flat.get_group()
            mesh_dim = self._get_mesh_dim_by_name(mesh_dim)
        return self._groups[mesh_dim or 0]

    def get_all_groups(self) -> list[Any]:
        """The process group of each dimension."""
        return [self.get_group(d) for d in range(self.ndim)]

    def get_rank(self) -> int:
        """The number of this process of all."""
        return c10d.get_rank()

    def get_local_rank(self, mesh_dim: int | str | None = None) -> int:
        """The number of this process in its line along *mesh_dim*."""
        if self.ndim > 1 and mesh_dim is None:
            raise RuntimeError(
                f"Found the DeviceMesh have {self.ndim} dimensions",
                "Optional kwarg `mesh_dim` needs to be specified when device_mesh.ndim > 1.",
            )
        return c10d.get_rank(self.get_group(0 if mesh_dim is None else mesh_dim))

    def get_coordinate(self) -> tuple[int, ...] | None:
        """Where this process is in the array; None where it is not in it."""
        return self._coordinate

    def _sym_get_coordinate(self, index: int) -> int:
        if self._coordinate is None:
            raise AssertionError
        return self._coordinate[index]

    def _is_current_rank_part_of_mesh(self) -> bool:
        return self._coordinate is not None

    def _get_all_submeshes(self, mesh_dim_name: str) -> list[DeviceMesh]:
        dim = self._get_mesh_dim_by_name(mesh_dim_name)
        found = []
        for ranks in MeshLayout([self._layout[dim]]).lines(self._rank_map):
            made = DeviceMesh(
                self._device_type, ranks, mesh_dim_names=(mesh_dim_name,), _init_backend=False
            )
            made._groups = [self.get_group(dim)] if self.get_rank() in ranks else []
            found.append(made)
        return found

    def _flatten(self, mesh_dim_name: str | None = None, backend_override: Any = None) -> Any:
        """The same processes in one line.

        Raises RuntimeError where dimensions have no names, ValueError for a name that another mesh
        has.
        """
        if not self._mesh_dim_names:
            raise RuntimeError("Cannot flatten a DeviceMesh without mesh_dim_names!")
        name = mesh_dim_name or "_".join(self._mesh_dim_names)
        if self.ndim == 1 and name in self._mesh_dim_names:
            return self
        root = self._get_root_mesh()
        if name in (root._mesh_dim_names or ()):
            raise ValueError(
                f"{name} already exists for submesh of the {root}. ",
                f"The mesh_dim_names of submesh and flattened mesh are {root._mesh_dim_names}. "
                "Please specify another valid mesh_dim_name.",
            )
        layout = MeshLayout([self._layout.flat()])
        known = root._flattened.get(name)
        if known is None:
            override = {} if backend_override is None else {0: backend_override}
            known = self._like(layout, (name,), None)
            overrides = list(normalized(override, 1))
            known._groups = groups_of_lines(layout, root._rank_map, (name,), overrides)
            root._flattened[name] = known
        elif known._layout != layout:
            raise ValueError(
                f"Flatten mesh with mesh_dim_name {name} has been created before, "
                "Please specify another valid mesh_dim_name."
            )
        return known

    def _unflatten(
        self,
        dim: int | str,
        mesh_sizes: tuple[int, ...],
        mesh_dim_names: tuple[str, ...],
        backend_override: Any = None,
    ) -> DeviceMesh:
        """The same processes with one dimension as several."""
        names = self._mesh_dim_names or ()
        if isinstance(dim, int) and dim >= self.ndim:
            raise ValueError(f"dim {dim} specified in `_unflatten` is out of range {self.ndim}")
        if isinstance(dim, str) and dim not in names:
            raise ValueError(
                f"dim {dim} specified in `_unflatten` is not in {self._mesh_dim_names}"
            )
        if len(mesh_sizes) != len(mesh_dim_names):
            raise RuntimeError("mesh_dim_names must have same length as mesh_sizes in _unflatten!")
        at = names.index(dim) if isinstance(dim, str) else dim
        count = math.prod(mesh_sizes)
        if count != self.size(at):
            raise ValueError(
                f"The product of {mesh_sizes=} is {count}, but the original dimension at dim={at} "
                f"has size {self.size(at)}. These must be equal for unflatten to work correctly."
            )
        inner = MeshLayout(self._layout[at].split(mesh_sizes))
        layout = MeshLayout([*self._layout[:at], *inner, *self._layout[at + 1 :]])
        groups = None
        if self._groups is not None:
            overrides = list(
                normalized(dict(backend_override or {}), len(mesh_sizes), mesh_dim_names)
            )
            groups = list(self._groups)
            groups[at : at + 1] = groups_of_lines(
                inner, self._rank_map, tuple(mesh_dim_names), overrides
            )
        return self._like(layout, (*names[:at], *mesh_dim_names, *names[at + 1 :]), groups)

    @staticmethod
    def _concatenate(device_mesh_list: list[DeviceMesh]) -> DeviceMesh:
        """The mesh of all dimensions of some parts of one mesh."""
        first = device_mesh_list[0]
        if any(m._rank_map != first._rank_map for m in device_mesh_list):
            raise RuntimeError(
                "Cannot concatenate DeviceMeshes derived from different device meshs"
            )
        layout = MeshLayout(axis for m in device_mesh_list for axis in m._layout)
        if layout.flat().overlaps():
            raise RuntimeError(f"Cannot concatenate overlapping meshes: {device_mesh_list}")
        names = tuple(n for m in device_mesh_list for n in m.mesh_dim_names or ())
        groups = [g for m in device_mesh_list for g in m._groups or ()]
        return first._like(layout, names, groups)

    @staticmethod
    def from_group(
        group: Any,
        device_type: str,
        mesh: Any = None,
        *,
        mesh_dim_names: tuple[str, ...] | None = None,
    ) -> DeviceMesh:
        """The mesh of the processes of one group, or of groups by dimension."""
        groups = [group] if isinstance(group, c10d.ProcessGroup) else list(group)
        if isinstance(group, c10d.ProcessGroup):
            ranks = c10d.get_process_group_ranks(group)
            given = mesh.tolist() if isinstance(mesh, torch.Tensor) else mesh
            if given is not None and given != ranks:
                raise ValueError(f"Invalid mesh {mesh} for ProcessGroup with ranks {ranks}")
            mesh = ranks
        elif not groups:
            raise ValueError("Expects at least one ProcessGroup to be passed")
        elif mesh is None:
            raise ValueError("Must pass mesh if passing multiple ProcessGroups")
        elif mesh_dim_names is None:
            raise ValueError("Must pass mesh_dim_names if passing multiple ProcessGroups")
        made = DeviceMesh(device_type, mesh, mesh_dim_names=mesh_dim_names, _init_backend=False)
        if made.ndim != len(groups):
            raise ValueError(
                "Expects mesh with ndim equal to number of ProcessGroups but got mesh "
                f"{made.mesh.tolist()} and {len(groups)} ProcessGroups"
            )
        made._groups = groups
        return made


def _get_pg_from_name(mesh: DeviceMesh, name: str) -> Any:
    return c10d._resolve_process_group(name)


def init_device_mesh(
    device_type: str,
    mesh_shape: tuple[int, ...],
    *,
    mesh_dim_names: tuple[str, ...] | None = None,
    backend_override: dict[Any, Any] | None = None,
) -> DeviceMesh:
    """The mesh of all processes in the shape *mesh_shape*; makes the default group if need be."""
    names = None if mesh_dim_names is None else len(mesh_dim_names)
    if mesh_dim_names is not None and len({*mesh_dim_names}) != names:
        raise RuntimeError(
            "Each mesh_dim_name must be unique. "
            f"Found repeated mesh_dim_name in mesh_dim_names {mesh_dim_names}"
        )
    if names is not None and names != len(mesh_shape):
        raise RuntimeError(
            "mesh_shape and mesh_dim_names should have same length! "
            f"Found len(mesh_dim_names): {names} and len(mesh_shape):{len(mesh_shape)}."
        )
    overrides = None
    if backend_override is not None:
        overrides = tuple(normalized(backend_override, len(mesh_shape), mesh_dim_names))
    if device_type and not device_type.isalpha():
        raise RuntimeError(
            f"Device type with index is not supported but got {device_type}. ",
            "If you maintained a 'torch.device' object, it's recommended to pass in 'device.type'.",
        )
    return DeviceMesh(
        device_type,
        mesh_dim_names=mesh_dim_names,
        backend_override=overrides,
        _layout=MeshLayout.of(tuple(mesh_shape)),
        _rank_map=range(math.prod(mesh_shape)),
    )
