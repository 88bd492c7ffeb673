"""Pipes in another order."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, TypeVar

from ...sampler import Sampler, SequentialSampler
from .._decorator import functional_datapipe
from .._state import drawn_seed, kept, restore
from ..datapipe import IterDataPipe

__all__ = ["SamplerIterDataPipe", "ShufflerIterDataPipe"]

_T_co = TypeVar("_T_co", covariant=True)


class SamplerIterDataPipe(IterDataPipe[_T_co]):
    """What a sampler over *datapipe* gives: indices."""

    datapipe: IterDataPipe[Any]
    sampler: Sampler[Any]

    def __init__(
        self,
        datapipe: IterDataPipe[Any],
        sampler: type[Sampler[Any]] = SequentialSampler,
        sampler_args: tuple[Any, ...] | None = None,
        sampler_kwargs: dict[str, Any] | None = None,
    ) -> None:
        if not hasattr(type(datapipe), "__len__"):
            raise AssertionError("Sampler class requires input datapipe implemented `__len__`")
        super().__init__()
        self.datapipe = datapipe
        self.sampler_args = () if sampler_args is None else sampler_args
        self.sampler_kwargs = {} if sampler_kwargs is None else sampler_kwargs
        make: Any = sampler
        self.sampler = make(*self.sampler_args, data_source=self.datapipe, **self.sampler_kwargs)

    def __iter__(self) -> Iterator[_T_co]:
        return iter(self.sampler)

    def __len__(self) -> int:
        if not hasattr(type(self.sampler), "__len__"):
            raise TypeError(f"{type(self).__name__} instance doesn't have valid length")
        return len(self.sampler)  # type: ignore[arg-type]


@functional_datapipe("shuffle")
class ShufflerIterDataPipe(IterDataPipe[_T_co]):
    """Elements at random out of a buffer of *buffer_size*, which is refilled one by one."""

    #: What pickle keeps, in the order of the state; "_rng_state" stands for the generator.
    _KEPT = ("datapipe", "buffer_size", "_enabled", "_seed", "_buffer", "_rng_state")

    def __init__(
        self, datapipe: IterDataPipe[_T_co], *, buffer_size: int = 10000, unbatch_level: int = 0
    ) -> None:
        super().__init__()
        self._buffer: list[_T_co] = []
        if buffer_size <= 0:
            raise AssertionError("buffer_size should be larger than 0")
        batched = unbatch_level != 0
        source = datapipe.unbatch(unbatch_level=unbatch_level) if batched else datapipe
        self.datapipe: IterDataPipe[_T_co] = source
        self.buffer_size = buffer_size
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
        if not self._enabled:
            yield from self.datapipe
            return
        buffer = self._buffer
        for x in self.datapipe:
            if len(buffer) == self.buffer_size:
                i = self._rng.randint(0, len(buffer) - 1)
                value, buffer[i] = buffer[i], x
                yield value
            else:
                buffer.append(x)
        while buffer:
            yield buffer.pop(self._rng.randint(0, len(buffer) - 1))

    def __len__(self) -> int:
        if not hasattr(type(self.datapipe), "__len__"):
            raise TypeError(f"{type(self).__name__} instance doesn't have valid length")
        return len(self.datapipe)

    def reset(self) -> None:
        self._buffer = []
        if self._enabled:
            self._rng.seed(drawn_seed() if self._seed is None else self._seed)
            self._seed = None

    def __getstate__(self) -> Any:
        return kept(self, self._KEPT)

    def __setstate__(self, state: Any) -> None:
        restore(self, self._KEPT, state)

    def __del__(self) -> None:
        self._buffer.clear()
