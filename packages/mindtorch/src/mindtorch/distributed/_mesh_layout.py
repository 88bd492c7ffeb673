"""How the dimensions of a mesh step through its ranks.

Note [Layouts of meshes]
~~~~~~~~~~~~~~~~~~~~~~~~
A mesh keeps the ranks of the mesh that it was cut out of in one line, the *rank map*. A dimension
of it is an :class:`Axis`: sizes and strides in that line. One pair is enough for a dimension of an
array; dimensions that were flattened into one may need several. Slicing, flattening and
concatenating take and join axes, and the ranks follow: the ranks that a mesh reaches from 0, and
the same moved so that each rank of the map is reached once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

__all__ = ["Axis", "MeshLayout"]


@dataclass(frozen=True)
class Axis:
    """Sizes and strides of one dimension of a mesh, as few of them as possible."""

    shape: tuple[int, ...]
    stride: tuple[int, ...]

    @classmethod
    def of(cls, pairs: Iterable[tuple[int, int]]) -> Axis:
        """Join *pairs* of size and stride, the outermost first, where one goes on as the next."""
        joined: list[tuple[int, int]] = []
        for size, stride in pairs:
            if size == 1:
                continue
            if joined and joined[-1][1] == size * stride:
                joined[-1] = (joined[-1][0] * size, stride)
            else:
                joined.append((size, stride))
        return cls(tuple(s for s, _ in joined), tuple(d for _, d in joined))

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Size and stride, the outermost first."""
        return zip(self.shape, self.stride, strict=True)

    def numel(self) -> int:
        """How many ranks it reaches."""
        return math.prod(self.shape)

    def offsets(self) -> list[int]:
        """The places that it reaches from place 0, in order."""
        steps = [range(0, s * d, d) if d else [0] * s for s, d in self.pairs()]
        return [sum(at) for at in product(*steps)]

    def overlaps(self) -> bool:
        """Whether it reaches a place twice, or steps that do not fit into each other."""
        steps = sorted(((d, s) for s, d in self.pairs()), reverse=True)
        return any(a % (d * s) for (a, _), (d, s) in zip(steps, steps[1:], strict=False))

    def descends(self) -> bool:
        """Whether outer strides are larger than inner ones."""
        return list(self.stride) == sorted(self.stride, reverse=True)

    def split(self, sizes: Sequence[int]) -> list[Axis]:
        """The axes of dimensions of *sizes* over the same places, in the same order.

        Raises ValueError where *sizes* do not divide those of the axis.
        """
        pairs = list(self.pairs())
        made: list[Axis] = []
        for wanted in reversed(sizes):
            taken: list[tuple[int, int]] = []
            while wanted > 1:
                size, stride = pairs.pop()
                part = math.gcd(size, wanted)
                if part == 1 or (part < wanted and part < size):
                    raise ValueError(f"sizes {tuple(sizes)} do not divide the dimension {self}")
                taken.insert(0, (part, stride))
                if part < size:
                    pairs.append((size // part, stride * part))
                wanted //= part
            made.insert(0, Axis.of(taken))
        return made

    def beside(self, count: int) -> list[int]:
        """The places from which the axis reaches each of *count* places once."""
        offsets, free = self.offsets(), dict.fromkeys(range(count))
        starts = []
        while free:
            start = next(iter(free))
            starts.append(start)
            for offset in offsets:
                free.pop(start + offset, None)
        return starts


class MeshLayout(tuple[Axis, ...]):
    """The axes of a mesh, the outermost first."""

    __slots__ = ()

    @classmethod
    def of(cls, sizes: Sequence[int], strides: Sequence[int] | None = None) -> MeshLayout:
        """The layout of an array; of one in one piece unless *strides* are given."""
        if strides is None:
            strides = [math.prod(sizes[i + 1 :]) for i in range(len(sizes))]
        return cls(Axis.of([pair]) for pair in zip(sizes, strides, strict=True))

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many ranks each dimension has."""
        return tuple(axis.numel() for axis in self)

    def flat(self) -> Axis:
        """All dimensions as one."""
        return Axis.of(pair for axis in self for pair in axis.pairs())

    def lines(self, rank_map: Sequence[int]) -> list[list[int]]:
        """The ranks of the mesh, and of those beside it which with it have all of *rank_map*."""
        offsets = self.flat().offsets()
        starts = self.flat().beside(len(rank_map))
        return [[rank_map[start + offset] for offset in offsets] for start in starts]
