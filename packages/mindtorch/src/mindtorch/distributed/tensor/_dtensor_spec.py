"""What is known of a distributed tensor: mesh, placements, shape."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...utils._debug_mode._utils import specs
from ..device_mesh import DeviceMesh
from .placement_types import Partial, Placement, Replicate, Shard, _Parts

__all__ = ["DTensorSpec", "ShardOrder", "ShardOrderEntry", "TensorMeta", "shown_placements"]

_SHORT = {"float": "f", "bfloat": "bf", "int": "i", "uint": "u", "complex": "c", "bool": "b8"}


class TensorMeta(NamedTuple):
    """Shape, strides and dtype of the whole tensor."""

    shape: Any
    stride: tuple[int, ...]
    dtype: Any


class ShardOrderEntry(NamedTuple):
    """Which dimensions of the mesh cut a dimension of the tensor, the first to cut first."""

    tensor_dim: int
    mesh_dims: tuple[int, ...]


ShardOrder = tuple[ShardOrderEntry, ...]


def shown_placements(placements: Sequence[Placement]) -> str:
    """Placements as one word; where several cut one dimension, with which is the first to."""
    cuts = [p.dim for p in placements if isinstance(p, _Parts)]
    met: Counter[int] = Counter()
    shown = ""
    for p in placements:
        shown += str(p)
        if isinstance(p, _Parts) and cuts.count(p.dim) > 1:
            shown += f"[{met[p.dim]}]"
            met[p.dim] += 1
    return shown


@dataclass(eq=True, frozen=True)
class DTensorSpec:
    """Where the parts of a tensor are.

    :param placements: one for each dimension of the mesh.
    :param tensor_meta: of the whole tensor.
    """

    mesh: DeviceMesh
    placements: tuple[Placement, ...]
    tensor_meta: TensorMeta | None = None

    def __post_init__(self) -> None:
        for p in self.placements:
            if isinstance(p, _Parts) and p.dim < 0:
                raise AssertionError(
                    f"Shard dim {p.dim} in placements {self.placements} must be normalized"
                )

    @property
    def shape(self) -> Any:
        """The shape of the whole tensor."""
        if self.tensor_meta is None:
            raise ValueError("tensor_meta is not set")
        return self.tensor_meta.shape

    @property
    def stride(self) -> tuple[int, ...]:
        """The strides of the whole tensor."""
        if self.tensor_meta is None:
            raise ValueError("tensor_meta is not set")
        return self.tensor_meta.stride

    @property
    def dtype(self) -> Any:
        """The dtype of the whole tensor."""
        if self.tensor_meta is None:
            raise ValueError("tensor_meta is not set")
        return self.tensor_meta.dtype

    @property
    def ndim(self) -> int:
        """How many dimensions the tensor has."""
        return len(self.shape)

    @property
    def device_mesh(self) -> DeviceMesh:
        """The mesh."""
        return self.mesh

    @property
    def num_shards(self) -> int:
        """How many parts the tensor is in."""
        return math.prod(
            self.mesh.size(i) for i, p in enumerate(self.placements) if isinstance(p, _Parts)
        )

    @property
    def shard_order(self) -> ShardOrder:
        """In which order dimensions of the mesh cut each dimension of the tensor that is cut."""
        order: dict[int, tuple[int, ...]] = {}
        for i, p in enumerate(self.placements):
            if isinstance(p, _Parts):
                order[p.dim] = (*order.get(p.dim, ()), i)
        return tuple(ShardOrderEntry(dim, order[dim]) for dim in sorted(order))

    @property
    def dim_map(self) -> list[int]:
        """For each dimension of the tensor which one of the mesh cuts it; -1: none.

        Raises ValueError for a dimension that several cut.
        """
        found = [-1] * self.ndim
        for i, p in enumerate(self.placements):
            if isinstance(p, _Parts):
                if found[p.dim] >= 0:
                    raise ValueError(
                        f"Tensor dim {p.dim} is already sharded on mesh dim {found[p.dim]}, "
                        "DTensor operator implementation does not support things like hybrid "
                        "sharding strategies yet (i.e. [Shard(0), Shard(0)])"
                    )
                found[p.dim] = i
        return found

    @property
    def num_shards_map(self) -> list[int]:
        """For each dimension of the tensor in how many parts it is."""
        found = [1] * self.ndim
        for i, p in enumerate(self.placements):
            if isinstance(p, _Parts):
                found[p.dim] *= self.mesh.size(i)
        return found

    @property
    def sums(self) -> list[int]:
        """The dimensions of the mesh along which processes have parts of a sum."""
        return [i for i, p in enumerate(self.placements) if p.is_partial()]

    @classmethod
    def from_dim_map(
        cls,
        mesh: DeviceMesh,
        dim_map: Sequence[int],
        sums: Sequence[int],
        tensor_meta: TensorMeta | None = None,
    ) -> DTensorSpec:
        """What has these :attr:`dim_map` and :attr:`sums`.

        Raises RuntimeError where a dimension of the mesh would do two things.
        """
        placements: list[Placement] = [Replicate()] * mesh.ndim
        for i in sums:
            placements[i] = Partial()
        for dim, i in enumerate(dim_map):
            if i < 0:
                continue
            taken = placements[i]
            if isinstance(taken, _Parts):
                raise RuntimeError(
                    "DeviceMesh dimension can't be mapped to two dimension of the same tensor: "
                    f"{dim} and {taken.dim}"
                )
            if taken.is_partial():
                raise RuntimeError(f"DeviceMesh dimension {i} cannot be both shard and partial!")
            placements[i] = Shard(dim)
        return cls(mesh, tuple(placements), tensor_meta)

    def shallow_copy_with_tensor_meta(self, tensor_meta: TensorMeta | None) -> DTensorSpec:
        """The same placements of a tensor of other shape or dtype.

        Raises AssertionError where nothing is known of that tensor.
        """
        if tensor_meta is None:
            raise AssertionError("shallow copy with no tensor_meta!")
        return DTensorSpec(self.mesh, self.placements, tensor_meta)

    def is_replicated(self) -> bool:
        """Whether each process has all."""
        return all(p.is_replicate() for p in self.placements)

    def is_sharded(self) -> bool:
        """Whether processes have parts."""
        return any(isinstance(p, _Parts) for p in self.placements)

    def with_placements(self, placements: tuple[Placement, ...]) -> DTensorSpec:
        """The same tensor with other *placements*."""
        return DTensorSpec(self.mesh, placements, self.tensor_meta)

    def replicated(self) -> DTensorSpec:
        """The same tensor, of which each process has all."""
        return self.with_placements((Replicate(),) * self.mesh.ndim)

    def _placed(self) -> str:
        """The placements; of a dimension that is cut twice, which cut is the first."""
        cut = [p.dim for p in self.placements if isinstance(p, _Parts)]
        shown, seen = "", [0] * (max(cut, default=-1) + 1)
        for p in self.placements:
            shown += str(p)
            if isinstance(p, _Parts) and cut.count(p.dim) > 1:
                shown += f"[{seen[p.dim]}]"
                seen[p.dim] += 1
        return shown

    def __str__(self) -> str:
        placed = self._placed()
        if self.tensor_meta is None:
            return f"Spec(unknown dtypeunknown shape({placed}))"
        name = str(self.tensor_meta.dtype).removeprefix("torch.")
        kind = name.rstrip("0123456789")
        return f"Spec({_SHORT.get(kind, kind)}{name[len(kind) :]}{list(self.shape)}({placed}))"

    __repr__ = __str__


specs[DTensorSpec] = lambda spec: shown_placements(spec.placements)
