"""Meshes of devices: processes in an array, with a process group for each line of it."""

from __future__ import annotations

import math
import threading
import warnings
from collections.abc import Iterator
from typing import Any

from mindtorch_storage.device import CUDA

from ..aten import torch
from . import distributed_c10d as c10d

__all__ = ["DeviceMesh", "init_device_mesh"]


class _MeshEnv(threading.local):
    """The meshes that a ``with`` has made current."""

    def __init__(self) -> None:
        self.mesh_stack: list[DeviceMesh] = []

    def get_current_mesh(self) -> DeviceMesh:
        """The innermost."""
        if not self.mesh_stack:
            raise RuntimeError("No device mesh is currently active!")
        return self.mesh_stack[-1]

    def get_root_mesh(self, device_mesh: DeviceMesh) -> DeviceMesh:
        """The mesh that *device_mesh* was cut out of."""
        return device_mesh._get_root_mesh()

    @staticmethod
    def num_devices_per_host(device_type: str) -> int:
        """How many devices a host has."""
        handle = _get_device_handle(device_type)
        return handle.device_count() if handle else 1

    @staticmethod
    def num_hosts(device_type: str) -> int:
        """How many hosts there are."""
        return 1

    def _get_all_submeshes(self, device_mesh: DeviceMesh, mesh_dim_name: str) -> list[DeviceMesh]:
        return device_mesh._get_all_submeshes(mesh_dim_name)


_mesh_resources = _MeshEnv()


def _get_device_handle(device_type: str = CUDA) -> Any:
    return getattr(torch, device_type, None) if device_type != "cpu" else None


class DeviceMesh:
    """Processes in an array; each dimension may have a name."""

    def __init__(
        self,
        device_type: str,
        mesh: Any = None,
        *,
        mesh_dim_names: tuple[str, ...] | None = None,
        backend_override: Any = None,
        _init_backend: bool = True,
        _rank: int | None = None,
        _layout: Any = None,
        _rank_map: Any = None,
        _root_mesh: DeviceMesh | None = None,
    ) -> None:
        if mesh is None:
            if _layout is None or _rank_map is None:
                raise TypeError("The mesh argument is required except for PRIVATE USAGE ONLY!")
            mesh = _rank_map
        self._device_type = device_type
        if isinstance(mesh, torch.Tensor):
            if mesh.device.type != "cpu":
                raise ValueError(f"`mesh` must be a CPU tensor, got {mesh}")
            self._mesh = mesh.detach().to(dtype=torch.int)
        else:
            self._mesh = torch.tensor(mesh, device="cpu", dtype=torch.int)
        self._mesh_dim_names = tuple(mesh_dim_names) if mesh_dim_names else None
        self._root_mesh = _root_mesh
        self._flattened: dict[str, DeviceMesh] = {}
        self._thread_id = threading.get_ident()
        self._groups: list[Any] = []
        self._coordinate: tuple[int, ...] | None = None
        if _root_mesh is not None or _rank is not None:
            rank = _rank if _rank is not None else c10d.get_rank()
        else:
            self._setup_world_group_and_device()
            rank = c10d.get_rank()
            if _init_backend:
                self._groups = [self._group_of_dim(d) for d in range(self.ndim)]
        self._place(rank)

    def _place(self, rank: int) -> None:
        at = (self._mesh == rank).nonzero()
        self._coordinate = tuple(at[0].tolist()) if len(at) else None

    def _setup_world_group_and_device(self) -> Any:
        if not c10d.is_initialized():
            c10d.init_process_group()
        world_size = c10d.get_world_size()
        if self._mesh.numel() > world_size:
            raise RuntimeError(
                f"Mesh should not be bigger than default world size {world_size}, but found "
                f"{self._mesh.numel()} ranks!"
            )
        return c10d._get_default_group()

    def _group_of_dim(self, dim: int) -> Any:
        default = c10d._get_default_group()
        size = self._mesh.shape[dim]
        if size == default.size():
            return default
        lines = self._mesh.movedim(dim, -1).reshape(-1, size)
        mine = None
        for ranks in lines.tolist():
            made = c10d.new_group(ranks, group_desc=self._dim_label(dim))
            if c10d.get_rank() in ranks:
                mine = made
        return mine

    def _dim_label(self, dim: int) -> str:
        return f"mesh_{self._mesh_dim_names[dim]}" if self._mesh_dim_names else f"mesh_dim_{dim}"

    @property
    def device_type(self) -> str:
        """The type of device."""
        return self._device_type

    @property
    def mesh(self) -> Any:
        """The ranks as a tensor of ints."""
        return self._mesh

    @property
    def mesh_dim_names(self) -> tuple[str, ...] | None:
        """The names of the dimensions."""
        return self._mesh_dim_names

    @property
    def ndim(self) -> int:
        """How many dimensions there are."""
        return self._mesh.ndim

    @property
    def shape(self) -> tuple[int, ...]:
        """How many processes each dimension has."""
        return tuple(self._mesh.shape)

    def size(self, mesh_dim: int | None = None) -> int:
        """How many processes there are, or in one dimension."""
        return self._mesh.numel() if mesh_dim is None else self.shape[mesh_dim]

    def _get_root_mesh(self) -> DeviceMesh:
        return self._root_mesh or self

    def _get_root_mesh_dim(self) -> int | None:
        names = self._get_root_mesh().mesh_dim_names
        if self._root_mesh is None or names is None or self._mesh_dim_names is None:
            return None
        return names.index(self._mesh_dim_names[0])

    def __enter__(self) -> DeviceMesh:
        _mesh_resources.mesh_stack.append(self)
        return self

    def __exit__(self, *exc: Any) -> None:
        _mesh_resources.mesh_stack.pop()

    def __repr__(self) -> str:
        names = self._mesh_dim_names
        if names:
            shape = ", ".join(f"{n}={s}" for n, s in zip(names, self.shape))
            shown = f"({shape})"
        else:
            shown = str(self.shape)
        strides = tuple(
            stride if size > 1 else () for size, stride in zip(self.shape, self._mesh.stride())
        )
        return f"DeviceMesh({shown}, '{self._device_type}', stride={strides})"

    def _hash_key(self) -> tuple[Any, ...]:
        flat = tuple(self._mesh.flatten().tolist())
        return flat, self.shape, self._device_type, self._mesh_dim_names, self._thread_id

    def __hash__(self) -> int:
        return hash(self._hash_key())

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, DeviceMesh) and self._hash_key() == other._hash_key()

    def __reduce__(self) -> Any:
        return _rebuild, (self._device_type, self._mesh.tolist(), self._mesh_dim_names)

    def __getitem__(self, mesh_dim_names: str | tuple[str, ...]) -> DeviceMesh:
        if not self._mesh_dim_names:
            raise RuntimeError("Cannot slice a DeviceMesh without mesh_dim_names!")
        asked = (mesh_dim_names,) if isinstance(mesh_dim_names, str) else tuple(mesh_dim_names)
        if asked == self._mesh_dim_names:
            return self
        root = self._get_root_mesh()
        if len(asked) == 1 and asked[0] in root._flattened:
            warnings.warn(
                "Slicing a flattened dim from root mesh will be deprecated in PT 2.11. Users need "
                "to bookkeep the flattened mesh directly. ",
                stacklevel=2,
            )
            return root._flattened[asked[0]]
        if any(name not in self._mesh_dim_names for name in asked):
            raise KeyError(
                f"Invalid mesh_dim_names {asked} specified. Valid mesh_dim_names are "
                f"{list(self._mesh_dim_names)}."
            )
        return self._cut([self._mesh_dim_names.index(n) for n in asked], asked)

    def _cut(self, dims: list[int], names: tuple[str, ...]) -> DeviceMesh:
        """The part with *dims* that this process is in."""
        at: Any = self._coordinate or (0,) * self.ndim
        others = [d for d in range(self.ndim) if d not in dims]
        part = self._mesh.permute(*others, *dims)[tuple(at[d] for d in others)]
        made = self._like(part, names)
        made._groups = [self._groups[d] for d in dims]
        return made

    def _like(self, ranks: Any, names: tuple[str, ...]) -> DeviceMesh:
        return DeviceMesh(
            self._device_type, ranks, mesh_dim_names=names, _root_mesh=self._get_root_mesh()
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
        """The process group of the line of this process along *mesh_dim*."""
        if not self._groups:
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
                return flat._groups[0]
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
        return c10d.get_rank(self.get_group(mesh_dim or 0))

    def get_coordinate(self) -> tuple[int, ...] | None:
        """Where this process is in the array."""
        return self._coordinate

    def _sym_get_coordinate(self, index: int) -> int:
        if self._coordinate is None:
            raise AssertionError("rank is not in the mesh")
        return self._coordinate[index]

    def _is_current_rank_part_of_mesh(self) -> bool:
        return self._coordinate is not None

    def _get_all_submeshes(self, mesh_dim_name: str) -> list[DeviceMesh]:
        dim = self._get_mesh_dim_by_name(mesh_dim_name)
        lines = self._mesh.movedim(dim, -1).reshape(-1, self._mesh.shape[dim])
        found = []
        for line in lines:
            made = self._like(line, (mesh_dim_name,))
            made._groups = [self._groups[dim]]
            found.append(made)
        return found

    def _flatten(
        self, mesh_dim_name: str | None = None, backend_override: Any = None
    ) -> DeviceMesh:
        """The same processes in one line."""
        if not self._mesh_dim_names:
            raise RuntimeError("Cannot flatten a DeviceMesh without mesh_dim_names!")
        name = mesh_dim_name or "_".join(self._mesh_dim_names)
        if self.ndim == 1 and self._mesh_dim_names == (name,):
            return self
        root = self._get_root_mesh()
        known = root._flattened.get(name)
        if known is not None:
            return known
        if root._mesh_dim_names and name in root._mesh_dim_names:
            raise ValueError(
                f"'{name}' already exists in the root mesh mesh_dim_names "
                f"{root._mesh_dim_names}. Please specify another valid mesh_dim_name."
            )
        made = self._like(self._mesh.flatten(), (name,))
        made._groups = [made._group_of_dim(0)]
        root._flattened[name] = made
        return made

    def _unflatten(
        self,
        dim: int | str,
        mesh_sizes: tuple[int, ...],
        mesh_dim_names: tuple[str, ...],
        backend_override: Any = None,
    ) -> DeviceMesh:
        """The same processes with one dimension as several."""
        if isinstance(dim, str):
            dim = self._get_mesh_dim_by_name(dim)
        if len(mesh_sizes) != len(mesh_dim_names):
            raise RuntimeError("mesh_dim_names must have same length as mesh_sizes in _unflatten!")
        names = list(self._mesh_dim_names or [f"dim_{i}" for i in range(self.ndim)])
        names[dim : dim + 1] = mesh_dim_names
        made = self._like(self._mesh.unflatten(dim, mesh_sizes), tuple(names))
        made._groups = [made._group_of_dim(d) for d in range(made.ndim)]
        return made

    @staticmethod
    def _concatenate(device_mesh_list: list[DeviceMesh]) -> DeviceMesh:
        """The mesh of all dimensions of some parts of one mesh."""
        names = tuple(n for m in device_mesh_list for n in m.mesh_dim_names or ())
        return device_mesh_list[0]._get_root_mesh()[names]

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
        if not groups:
            raise ValueError("Expects at least one ProcessGroup to be passed")
        if isinstance(group, c10d.ProcessGroup):
            ranks = c10d.get_process_group_ranks(group)
            given = mesh.tolist() if isinstance(mesh, torch.Tensor) else mesh
            if given is not None and list(given) != ranks:
                raise ValueError(f"Invalid mesh {mesh} for ProcessGroup with ranks {ranks}")
            mesh = ranks
        elif mesh is None:
            raise ValueError("Must pass mesh if passing multiple ProcessGroups")
        made = DeviceMesh(device_type, mesh, mesh_dim_names=mesh_dim_names, _init_backend=False)
        if made.ndim != len(groups):
            raise ValueError(
                "Expects mesh with ndim equal to number of ProcessGroups but got mesh "
                f"{made.mesh.tolist()} and {len(groups)} ProcessGroups"
            )
        made._groups = groups
        return made


def _rebuild(device_type: str, mesh: Any, names: Any) -> DeviceMesh:
    return DeviceMesh(device_type, mesh, mesh_dim_names=names)


def _get_pg_from_name(mesh: DeviceMesh, name: str) -> Any:
    return c10d._resolve_process_group(name)


def _normalize_backend_override(
    backend_override: dict[Any, Any], ndim: int, mesh_dim_names: tuple[str, ...] | None = None
) -> Iterator[tuple[Any, Any]]:
    by_dim = dict(backend_override)
    for dim, name in enumerate(mesh_dim_names or [None] * ndim):
        if name in by_dim and dim in by_dim:
            raise RuntimeError(
                f"Found redundant dim index {dim} and name {name} in backend_override"
            )
        value = by_dim.pop(name, by_dim.pop(dim, (None, None)))
        yield (value, None) if isinstance(value, str) else value
    if by_dim:
        raise RuntimeError(
            f"Found invalid keys in backend_override: got {list(by_dim)}, expected integers in "
            f"range [0, {ndim}) or one of {mesh_dim_names}"
        )


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
    if backend_override is not None:
        list(_normalize_backend_override(backend_override, len(mesh_shape), mesh_dim_names))
    if device_type and not device_type.isalpha():
        raise RuntimeError(
            f"Device type with index is not supported but got {device_type}. ",
            "If you maintained a 'torch.device' object, it's recommended to pass in 'device.type'.",
        )
    with torch.device("cpu"):
        mesh = torch.arange(math.prod(mesh_shape), dtype=torch.int).view(mesh_shape)
    return DeviceMesh(
        device_type, mesh, mesh_dim_names=mesh_dim_names, backend_override=backend_override
    )
