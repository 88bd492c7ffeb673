"""Placements: how a tensor lies on a dimension of a mesh."""

from __future__ import annotations

from typing import Any

__all__ = ["Partial", "Placement", "Replicate", "Shard"]


class Placement:
    """How a tensor lies on a dimension of a mesh."""

    def is_shard(self, dim: int | None = None) -> bool:
        """Whether each process has a part along *dim*, or along any."""
        return False

    def is_replicate(self) -> bool:
        """Whether each process has all."""
        return False

    def is_partial(self, reduce_op: str | None = None) -> bool:
        """Whether what all processes have is still to be reduced."""
        return False

    def _key(self) -> tuple[Any, ...]:
        return (type(self),)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Placement) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())


class Shard(Placement):
    """Each process has a part along a dimension of the tensor."""

    def __init__(self, dim: int) -> None:
        self.dim = dim

    def is_shard(self, dim: int | None = None) -> bool:
        """Whether the parts are along *dim*."""
        return dim is None or self.dim == dim

    def _key(self) -> tuple[Any, ...]:
        return Shard, self.dim

    def __repr__(self) -> str:
        return f"Shard(dim={self.dim})"

    def __str__(self) -> str:
        return f"S({self.dim})"


class _StridedShard(Shard):
    """A part of parts."""

    def __init__(self, dim: int, *, split_factor: int) -> None:
        super().__init__(dim)
        self.split_factor = split_factor

    def _key(self) -> tuple[Any, ...]:
        return _StridedShard, self.dim, self.split_factor

    def __repr__(self) -> str:
        return f"_StridedShard(dim={self.dim}, sf={self.split_factor})"

    def __str__(self) -> str:
        return f"_S({self.dim}, {self.split_factor})"


class Replicate(Placement):
    """Each process has all."""

    def is_replicate(self) -> bool:
        """True."""
        return True

    def __repr__(self) -> str:
        return "Replicate()"

    def __str__(self) -> str:
        return "R"


class Partial(Placement):
    """What all processes have is still to be reduced."""

    def __init__(self, reduce_op: str = "sum") -> None:
        self.reduce_op = reduce_op

    def is_partial(self, reduce_op: str | None = None) -> bool:
        """Whether it is to be reduced by *reduce_op*, or by any."""
        return reduce_op is None or self.reduce_op == reduce_op

    def _key(self) -> tuple[Any, ...]:
        return Partial, self.reduce_op

    def __repr__(self) -> str:
        return f"Partial({self.reduce_op})"

    def __str__(self) -> str:
        return f"P({self.reduce_op})"
