"""What is known of a distributed tensor: mesh, placements, shape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from ..device_mesh import DeviceMesh
from .placement_types import Placement

__all__ = ["DTensorSpec", "TensorMeta"]

_SHORT = {"float": "f", "bfloat": "bf", "int": "i", "uint": "u", "complex": "c", "bool": "b"}


class TensorMeta(NamedTuple):
    """Shape, strides and dtype of the whole tensor."""

    shape: Any
    stride: tuple[int, ...]
    dtype: Any


@dataclass(eq=True, frozen=True)
class DTensorSpec:
    """Where the parts of a tensor are."""

    mesh: DeviceMesh
    placements: tuple[Placement, ...]
    tensor_meta: TensorMeta | None = None

    @property
    def shape(self) -> Any:
        """The shape of the whole tensor."""
        if self.tensor_meta is None:
            raise ValueError("tensor_meta is not set")
        return self.tensor_meta.shape

    @property
    def ndim(self) -> int:
        """How many dimensions the tensor has."""
        return len(self.shape)

    @property
    def device_mesh(self) -> DeviceMesh:
        """The mesh."""
        return self.mesh

    def is_replicated(self) -> bool:
        """Whether each process has all."""
        return all(p.is_replicate() for p in self.placements)

    def is_sharded(self) -> bool:
        """Whether processes have parts."""
        return any(p.is_shard() for p in self.placements)

    def __str__(self) -> str:
        placed = "".join(map(str, self.placements))
        if self.tensor_meta is None:
            return f"Spec(unknown({placed}))"
        name = str(self.tensor_meta.dtype).removeprefix("torch.")
        kind = name.rstrip("0123456789")
        return f"Spec({_SHORT.get(kind, kind)}{name[len(kind) :]}{list(self.shape)}({placed}))"

    __repr__ = __str__
