"""What the pipes in a random order have in common: a generator, a seed and a switch."""

from __future__ import annotations

import random
from typing import Any, ClassVar, Self, TypeVar

from ....core.module_names import spelled_out
from ._state import kept, restore
from .datapipe import IterDataPipe

_T_co = TypeVar("_T_co", covariant=True)


@spelled_out("set_shuffle", "set_seed", "__getstate__", "__setstate__")
class _Shuffler(IterDataPipe[_T_co]):
    #: What pickle keeps, in the order of the state; "_rng_state" stands for the generator.
    _KEPT: ClassVar[tuple[str, ...]]

    def __init__(self) -> None:
        super().__init__()
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

    def set_shuffle(self, shuffle: bool = True) -> Self:
        """Shuffle from now on, or do not."""
        self._enabled = shuffle
        return self

    def set_seed(self, seed: int) -> Self:
        """Begin the next pass with *seed*; others get one that is drawn."""
        self._seed = seed
        return self

    def __getstate__(self) -> Any:
        return kept(self, self._KEPT)

    def __setstate__(self, state: Any) -> None:
        restore(self, self._KEPT, state)
