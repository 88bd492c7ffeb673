"""Placements: how a tensor lies on a dimension of a mesh.

A placement is a value: placements of one kind with the same numbers are equal, and none changes.
What moves tensors from one to another is in ``_redistribute``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ...aten import torch
from ._collective_utils import pad_tensor

__all__ = ["Partial", "Placement", "Replicate", "Shard"]

#: Where a part begins in a dimension, and how long it is.
Interval = tuple[int, int]


def _chunks(start: int, size: int, count: int) -> list[Interval]:
    """The parts into which ``torch.chunk`` cuts, and empty ones for the rest of *count*."""
    step = -(-size // count)
    begins = [min(i * step, size) for i in range(count + 1)]
    return [(start + a, b - a) for a, b in zip(begins, begins[1:], strict=False)]


class Placement:
    """How a tensor lies on a dimension of a mesh."""

    __slots__ = ()

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
        return ()

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._key()))

    def __reduce__(self) -> Any:
        return _again, (type(self), self._key())


def _again(kind: Any, key: tuple[Any, ...]) -> Placement:
    """The placement that was pickled."""
    if kind is _StridedShard:
        return _StridedShard(key[0], split_factor=key[1])
    return kind(*key)


class _Parts(Placement):
    """Each process has a part along a dimension of the tensor, of one interval or more."""

    __slots__ = ("_dim",)
    _dim: int

    @property
    def dim(self) -> int:
        """The dimension."""
        return self._dim

    def intervals(self, size: int, count: int) -> list[list[Interval]]:
        """What each of *count* processes has of a dimension of *size*, in its order."""
        raise NotImplementedError

    def at(self, dim: int) -> _Parts:
        """The same parts along another dimension."""
        raise NotImplementedError

    def lengths(self, size: int, count: int) -> list[int]:
        """How much each of *count* processes has of a dimension of *size*."""
        return [sum(n for _, n in part) for part in self.intervals(size, count)]

    def cut(self, tensor: Any, count: int) -> list[Any]:
        """The parts of *count* processes of a *tensor* that each has whole."""
        parts = []
        for intervals in self.intervals(tensor.size(self._dim), count):
            pieces = [tensor.narrow(self._dim, start, n) for start, n in intervals]
            parts.append(pieces[0] if len(pieces) == 1 else torch.cat(pieces, self._dim))
        return parts

    def _split_tensor(
        self,
        tensor: Any,
        num_chunks: int,
        *,
        with_padding: bool = True,
        contiguous: bool = True,
    ) -> tuple[list[Any], list[int]]:
        """The parts of *num_chunks* processes, and how many rows of zeros each has been given.

        Without *with_padding* parts are as long as they are, and there is no such list.
        """
        parts = self.cut(tensor, num_chunks)
        added: list[int] = []
        if with_padding:
            longest = max(p.size(self._dim) for p in parts)
            added = [longest - p.size(self._dim) for p in parts]
            parts = [pad_tensor(p, self._dim, n) for p, n in zip(parts, added, strict=True)]
        return [p.contiguous() for p in parts] if contiguous else parts, added


class Shard(_Parts):
    """Each process has one part along a dimension: those of ``torch.chunk``, the last may be empty.

    :param dim: the dimension of the tensor; negative ones count from the end.
    """

    __slots__ = ()

    def __init__(self, dim: int) -> None:
        if not isinstance(dim, int):
            raise TypeError(
                "__init__(): incompatible constructor arguments. The following argument types are "
                "supported:\n    1. torch._C._distributed.Shard(dim: typing.SupportsInt | "
                f"typing.SupportsIndex)\n\nInvoked with: {dim!r}"
            )
        self._dim = dim

    def is_shard(self, dim: int | None = None) -> bool:
        """Whether the parts are along *dim*."""
        return dim is None or self._dim == dim

    @staticmethod
    def local_shard_size_and_offset(
        curr_local_size: int, num_chunks: int, rank: int
    ) -> tuple[int, int]:
        """How long the part of *rank* is of *num_chunks*, and where it begins."""
        start, size = _chunks(0, curr_local_size, num_chunks)[rank]
        return size, start

    def intervals(self, size: int, count: int) -> list[list[Interval]]:
        """One part for each process."""
        return [[part] for part in _chunks(0, size, count)]

    def at(self, dim: int) -> Shard:
        """``Shard`` of another dimension."""
        return Shard(dim)

    def _key(self) -> tuple[Any, ...]:
        return (self._dim,)

    def __repr__(self) -> str:
        return f"Shard(dim={self._dim})"

    def __str__(self) -> str:
        return f"S({self._dim})"


class _StridedShard(_Parts):
    """Each process has a part of each part.

    The dimension is cut into *split_factor* parts, and each of these into as many as there are
    processes. So lies a tensor that was cut over another dimension of the mesh first, and so do the
    rows of a matrix whose columns were parts, when it is seen as one line.
    """

    __slots__ = ("_split_factor",)

    def __init__(self, dim: int, *, split_factor: int = 1) -> None:
        self._dim, self._split_factor = dim, split_factor

    @property
    def split_factor(self) -> int:
        """Into how many parts the dimension is cut first."""
        return self._split_factor

    def intervals(self, size: int, count: int) -> list[list[Interval]]:
        """One part of each part for each process."""
        outer = _chunks(0, size, self._split_factor)
        inner = [_chunks(start, length, count) for start, length in outer]
        return [[part[i] for part in inner] for i in range(count)]

    def at(self, dim: int) -> _StridedShard:
        """The same parts along another dimension."""
        return _StridedShard(dim, split_factor=self._split_factor)

    def _key(self) -> tuple[Any, ...]:
        return self._dim, self._split_factor

    def __repr__(self) -> str:
        return f"_StridedShard(dim={self._dim}, sf={self._split_factor})"

    def __str__(self) -> str:
        return f"_S({self._dim}, {self._split_factor})"


class Replicate(Placement):
    """Each process has all."""

    __slots__ = ()

    def is_replicate(self) -> bool:
        """True."""
        return True

    def __repr__(self) -> str:
        return "Replicate()"

    def __str__(self) -> str:
        return "R"


class Partial(Placement):
    """What all processes have is still to be reduced.

    :param reduce_op: ``"sum"``, ``"avg"``, ``"min"``, ``"max"`` or ``"product"``.
    """

    __slots__ = ("_reduce_op",)
    ALL_REDUCE_OPS: ClassVar[tuple[str, ...]] = ("sum", "avg", "min", "max", "product")
    LINEAR_REDUCE_OPS: ClassVar[tuple[str, ...]] = ("sum", "avg")

    def __init__(self, reduce_op: str = "sum") -> None:
        self._reduce_op = reduce_op

    @property
    def reduce_op(self) -> str:
        """The name of the reduction."""
        return self._reduce_op

    def is_partial(self, reduce_op: str | None = None) -> bool:
        """Whether it is to be reduced by *reduce_op*, or by any."""
        return reduce_op is None or self._reduce_op == reduce_op

    def before(self, tensor: Any) -> Any:
        """What of a process's *tensor* is reduced."""
        return tensor

    def after(self, tensor: Any) -> Any:
        """What the reduced *tensor* stands for."""
        return tensor

    def share(self, tensor: Any, count: int) -> Any:
        """What each of *count* processes has so that *tensor* is the reduction."""
        if self._reduce_op == "sum":
            return tensor / count
        if self._reduce_op in ("avg", "min", "max"):
            return tensor
        raise ValueError(f"Replicate to Partial({self._reduce_op}) conversion is not supported.")

    def _key(self) -> tuple[Any, ...]:
        return (self._reduce_op,)

    def __repr__(self) -> str:
        return f"Partial({self._reduce_op})"

    def __str__(self) -> str:
        return f"P({self._reduce_op})"


class _NormPartial(Partial):
    """Each process has the norm of its part: their powers are to be summed."""

    __slots__ = ("_norm_type",)

    def __init__(self, norm_type: float = 2) -> None:
        super().__init__("sum")
        self._norm_type = norm_type

    @property
    def norm_type(self) -> float:
        """The power."""
        return self._norm_type

    def before(self, tensor: Any) -> Any:
        """The power of the norm."""
        return tensor**self._norm_type

    def after(self, tensor: Any) -> Any:
        """The root of the sum of powers."""
        return tensor ** (1 / self._norm_type)

    def share(self, tensor: Any, count: int) -> Any:
        """What each process has so that *tensor* is the norm of all."""
        return tensor / count ** (1 / self._norm_type)

    def _key(self) -> tuple[Any, ...]:
        return (self._norm_type,)

    def __repr__(self) -> str:
        return f"_NormPartial({self._norm_type})"

    def __str__(self) -> str:
        return f"_NormP({self._norm_type})"


def _is_shard_like(placement: object) -> bool:
    """Whether each process has a part, of one interval or more."""
    return isinstance(placement, _Parts)


def assert_no_mixed_partial_types(placements: Sequence[Placement]) -> None:
    """Raise ValueError where *placements* are to be reduced by more than one reduction."""
    kinds = {p.reduce_op for p in placements if isinstance(p, Partial)}
    if len(kinds) > 1 and kinds != {"sum", "avg"}:
        raise ValueError(
            "Mixed Partial reduce types are not supported in the same placement list. Found reduce "
            f"ops: {kinds}. Please ensure all Partial placements use the same reduce operation."
        )
