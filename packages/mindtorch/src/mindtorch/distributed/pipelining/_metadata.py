"""Metadata of the tensors that stages pass on: what a stage allocates before they come."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol, TypeAlias

from ...aten import torch
from ...tensor import Tensor
from .._mesh_layout import MeshLayout
from ..device_mesh import DeviceMesh
from ..tensor import DTensor, Placement

__all__ = [
    "GetMeshCallback",
    "InferenceMode",
    "MeshCacheKey",
    "PipeliningMetadataError",
    "TensorMeta",
    "extract_tensor_meta",
    "extract_tensor_metas",
    "to_local_if_dtensor",
]


class PipeliningMetadataError(RuntimeError):
    """Tensors of stages that are not what was said of them."""


#: Names of a mesh's dimensions and its layout, which tell meshes of one world apart.
MeshCacheKey: TypeAlias = tuple[tuple[str, ...], MeshLayout | None]


class GetMeshCallback(Protocol):
    """Finds or makes the mesh of a key."""

    def __call__(
        self, mesh_dim_names: tuple[str, ...], mesh_layout: MeshLayout | None
    ) -> DeviceMesh: ...


@dataclass(frozen=True, slots=True)
class _TensorMeta:
    """Size, strides, dtype and gradient of a tensor; of a distributed one of its part here."""

    shape: Any
    stride: tuple[int, ...]
    dtype: Any
    requires_grad: bool

    @staticmethod
    def from_tensor(tensor: Tensor) -> _TensorMeta:
        """Describe a tensor. Raises PipeliningMetadataError for a distributed one."""
        if isinstance(tensor, DTensor):
            raise PipeliningMetadataError(
                "Expected plain tensor, got DTensor. Use _DTensorMeta.from_dtensor instead."
            )
        return _TensorMeta(tensor.shape, tensor.stride(), tensor.dtype, tensor.requires_grad)

    def to_tensor(self, device: Any) -> Tensor:
        """Allocate such a tensor, which is a leaf."""
        made = _make_tensor_from_meta(self, device)
        return made.requires_grad_(self.requires_grad) if made.is_floating_point() else made

    def get_diff(self, other: _TensorMeta) -> list[str]:
        """Name what differs, but for the gradient, which depends on the call."""
        return _differences(self, other, ("shape", "stride", "dtype"))


@dataclass(frozen=True, slots=True)
class _DTensorMeta(_TensorMeta):
    """Metadata of a distributed tensor; its mesh is found by a key, since it cannot be sent."""

    global_shape: Any = field(default_factory=lambda: torch.Size([]))
    global_stride: tuple[int, ...] = ()
    placements: tuple[Placement, ...] = ()
    mesh_dim_names: tuple[str, ...] = ()
    mesh_layout: MeshLayout | None = None

    @staticmethod
    def from_dtensor(dtensor: Any) -> _DTensorMeta:
        """Describe a distributed tensor."""
        local, (names, layout) = dtensor._local_tensor, _key_of(dtensor.device_mesh)
        return _DTensorMeta(
            shape=local.shape,
            stride=local.stride(),
            dtype=dtensor.dtype,
            requires_grad=dtensor.requires_grad,
            global_shape=dtensor.shape,
            global_stride=dtensor.stride(),
            placements=dtensor._spec.placements,
            mesh_dim_names=names,
            mesh_layout=layout,
        )

    @property
    def mesh_cache_key(self) -> MeshCacheKey:
        """What the mesh is found by."""
        return (self.mesh_dim_names, self.mesh_layout)

    def assemble(self, local: Tensor, mesh: DeviceMesh) -> Any:
        """Make the distributed tensor of which *local* is the part here."""
        return DTensor.from_local(
            local,
            device_mesh=mesh,
            placements=self.placements,
            shape=self.global_shape,
            stride=self.global_stride,
            run_check=False,
        )

    def to_dtensor(self, device: Any, mesh: DeviceMesh) -> Any:
        """Allocate such a tensor, which is a leaf."""
        made = self.assemble(_make_tensor_from_meta(self, device), mesh)
        if self.requires_grad and made.is_floating_point():
            made.requires_grad_(True)  # afterwards, so that making it is in no graph
        return made

    def get_diff(self, other: _TensorMeta) -> list[str]:
        """Name what differs."""
        if self == other:
            return []
        found = _TensorMeta.get_diff(self, other)
        if not isinstance(other, _DTensorMeta):
            return [*found, "type: _DTensorMeta vs _TensorMeta"]
        names = ("global_shape", "global_stride", "placements", "mesh_dim_names", "mesh_layout")
        return found + _differences(self, other, names)


TensorMeta: TypeAlias = _TensorMeta | _DTensorMeta


def _differences(a: Any, b: Any, names: Iterable[str]) -> list[str]:
    pairs = ((name, getattr(a, name), getattr(b, name)) for name in names)
    return [f"{name} mismatch: {x} vs {y}" for name, x, y in pairs if x != y]


@dataclass(slots=True)
class _StageMeta:
    """Metadata of all that goes into a stage and comes out of it; filled in step by step."""

    inputs: tuple[TensorMeta, ...] | None = None
    outputs: tuple[TensorMeta, ...] | None = None
    input_grads: tuple[TensorMeta | None, ...] | None = None
    output_grads: tuple[TensorMeta | None, ...] | None = None

    def has_any(self) -> bool:
        """Whether anything is known."""
        parts = (self.inputs, self.outputs, self.input_grads, self.output_grads)
        return any(part is not None for part in parts)

    def has_dtensors(self) -> bool:
        """Whether an input or output is distributed."""
        parts = (*(self.inputs or ()), *(self.outputs or ()))
        return any(isinstance(meta, _DTensorMeta) for meta in parts)

    def is_complete_for_forward(self) -> bool:
        """Whether inputs and outputs are known."""
        return self.inputs is not None and self.outputs is not None


@dataclass(frozen=True, slots=True)
class _StageForwardMeta:
    """What a stage tells the next one: metadata of its outputs."""

    forward_metas: tuple[TensorMeta, ...]


@dataclass(frozen=True, slots=True)
class _StageBackwardMeta:
    """What a stage tells the one before: metadata of the gradients of its inputs."""

    backward_metas: tuple[TensorMeta | None, ...]


class InferenceMode(Enum):
    """Whether metadata are given (``STATIC``) or found out by a first run (``DYNAMIC``)."""

    STATIC = "static"
    DYNAMIC = "dynamic"

    @classmethod
    def needs_dynamic(cls, meta: _StageMeta, stage_has_backward: bool) -> bool:
        """Say whether what is given of a stage is too little.

        Gradients of plain tensors are like them; of distributed ones they may be placed otherwise.
        """
        if not meta.is_complete_for_forward():
            return True
        if not meta.has_dtensors() or not stage_has_backward:
            return False
        return meta.input_grads is None or meta.output_grads is None


def _make_tensor_from_meta(meta: _TensorMeta, device: Any) -> Tensor:
    """Allocate a tensor (the part here of a distributed one)."""
    return torch.empty_strided(meta.shape, meta.stride, dtype=meta.dtype, device=device)


def _derive_grad_metas(tensor_metas: Sequence[TensorMeta]) -> tuple[TensorMeta | None, ...]:
    """Metadata of gradients: None where none is wanted, or nobody can know how it is placed."""
    return tuple(
        _TensorMeta(meta.shape, meta.stride, meta.dtype, requires_grad=False)
        if meta.requires_grad and not isinstance(meta, _DTensorMeta)
        else None
        for meta in tensor_metas
    )


def _key_of(mesh: DeviceMesh) -> MeshCacheKey:
    return (tuple(mesh.mesh_dim_names or ()), mesh._layout)


class _MeshCache:
    """The meshes of tensors that come from other stages, by their keys."""

    def __init__(self, get_mesh_cb: GetMeshCallback | None = None) -> None:
        self._cache: dict[MeshCacheKey, DeviceMesh] = {}
        self._get_mesh_cb = get_mesh_cb

    def get_mesh(self, key: MeshCacheKey) -> DeviceMesh:
        """Find a mesh, or ask the callback for it.

        Raises PipeliningMetadataError where nobody knows it.
        """
        if key in self._cache:
            return self._cache[key]
        names, layout = key
        if self._get_mesh_cb is None:
            raise PipeliningMetadataError(
                f"Mesh not found in cache for mesh_dim_names={names}, mesh_layout={layout}, and no "
                "get_mesh callback provided. Provide a get_mesh callback or use DTensors in static "
                "mode."
            )
        found: DeviceMesh | None = self._get_mesh_cb(names, layout)
        if found is None:
            raise PipeliningMetadataError(
                f"Mesh lookup failed: callback returned None for mesh_dim_names={names}, "
                f"mesh_layout={layout}. Ensure all stages use meshes from the same universe."
            )
        self._cache[key] = found
        return found

    def put(self, key: MeshCacheKey, mesh: DeviceMesh) -> None:
        """Keep a mesh."""
        self._cache[key] = mesh

    def update_from_tensors(self, tensors: Iterable[Tensor | None]) -> None:
        """Keep the meshes of those that are distributed."""
        for tensor in tensors:
            if isinstance(tensor, DTensor):
                mesh = tensor.device_mesh
                self._cache.setdefault(_key_of(mesh), mesh)

    def __contains__(self, key: MeshCacheKey) -> bool:
        return key in self._cache

    def __len__(self) -> int:
        return len(self._cache)


def extract_tensor_meta(tensor: Tensor) -> TensorMeta:
    """Describe a tensor, be it plain or distributed."""
    if isinstance(tensor, DTensor):
        return _DTensorMeta.from_dtensor(tensor)
    return _TensorMeta.from_tensor(tensor)


def extract_tensor_metas(
    tensors: Sequence[Tensor | None] | None, *, allow_none: bool = False
) -> Any:
    """Describe several tensors; None where nothing is given.

    Raises PipeliningMetadataError for a None among them that is not allowed.
    """
    if tensors is None:
        return None
    found = tuple(extract_tensor_meta(t) if isinstance(t, Tensor) else None for t in tensors)
    if None in found and not allow_none:
        raise PipeliningMetadataError(
            "None values are not allowed in tensor metadata tuples. "
            "Use allow_none=True for optional values."
        )
    return found


def to_local_if_dtensor(tensor: Tensor, detach: bool = False) -> Tensor:
    """The part here of a distributed tensor; a plain one is itself.

    :param detach: take it out of the graph first, so that backward moves nothing.
    """
    found: Any = tensor.detach() if detach else tensor
    return found.to_local() if isinstance(found, DTensor) else found
