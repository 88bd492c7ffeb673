"""A pipe in another order: it is iterated."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, TypeVar

from .._state import drawn_seed, kept, restore
from ..datapipe import IterDataPipe, MapDataPipe

__all__ = ["ShufflerIterDataPipe"]

_T_co = TypeVar("_T_co", covariant=True)


class ShufflerIterDataPipe(IterDataPipe[_T_co]):
    """The elements of *datapipe* at *indices* (0 and so on if None) at random."""

    #: What pickle keeps, in the order of the state; "_rng_state" stands for the generator.
    _KEPT = ("datapipe", "indices", "_enabled", "_seed", "_rng_state", "_shuffled_indices")

    def __init__(self, datapipe: MapDataPipe[_T_co], *, indices: list[Any] | None = None) -> None:
        super().__init__()
        self.datapipe: MapDataPipe[_T_co] = datapipe
        self.indices = [*range(len(datapipe))] if indices is None else indices
        self._shuffled_indices: list[Any] = self.indices
        self._rng = random.Random()
        self._seed: int | None = None
        self._enabled = True

    @property
    def _rng_state(self) -> Any:
        return self._rng.getstate()

    @_rng_state.setter
    def _rng_state(self, state: Any) -> None:
        self._rng = random.Random()
        self._rng.setstate(state)

    def set_shuffle(self, shuffle: bool = True) -> ShufflerIterDataPipe[_T_co]:
        """Shuffle from now on, or do not."""
        self._enabled = shuffle
        return self

    def set_seed(self, seed: int) -> ShufflerIterDataPipe[_T_co]:
        """Begin the next pass with *seed*; others get one that is drawn."""
        self._seed = seed
        return self

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

    def __getstate__(self) -> Any:
        return kept(self, self._KEPT)

    def __setstate__(self, state: Any) -> None:
        restore(self, self._KEPT, state)


MapDataPipe.register_datapipe_as_function("shuffle", ShufflerIterDataPipe)
