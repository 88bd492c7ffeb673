"""A pipe in another order: it is iterated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from .._shuffling import _Shuffler
from .._state import drawn_seed
from ..datapipe import MapDataPipe

__all__ = ["ShufflerIterDataPipe"]

_T_co = TypeVar("_T_co", covariant=True)


class ShufflerIterDataPipe(_Shuffler[_T_co]):
    """The elements of *datapipe* at *indices* (0 and so on if None) at random."""

    _KEPT = ("datapipe", "indices", "_enabled", "_seed", "_rng_state", "_shuffled_indices")

    def __init__(self, datapipe: MapDataPipe[_T_co], *, indices: list[Any] | None = None) -> None:
        super().__init__()
        self.datapipe: MapDataPipe[_T_co] = datapipe
        self.indices = [*range(len(datapipe))] if indices is None else indices
        self._shuffled_indices: list[Any] = self.indices

    def __iter__(self) -> Iterator[_T_co]:
        if self._enabled:
            # From the end: what is read is gone, so that the rest can be pickled.
            while self._shuffled_indices:
                yield self.datapipe[self._shuffled_indices.pop()]
        else:
            yield from map(self.datapipe.__getitem__, self.indices)

    def reset(self) -> None:
        seed, self._seed = self._seed, None
        self._rng.seed(drawn_seed() if seed is None and self._enabled else seed)
        self._shuffled_indices = self._rng.sample(self.indices, len(self.indices))

    def __len__(self) -> int:
        return len(self.datapipe)


MapDataPipe.register_datapipe_as_function("shuffle", ShufflerIterDataPipe)
