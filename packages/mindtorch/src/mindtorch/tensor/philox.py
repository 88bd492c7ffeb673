"""The numbers of an accelerator's generator: a function of a seed and an offset, as CUDA's.

The engine is Philox, so any offset is reached at once and the state is 16 bytes: the seed, and how
many numbers of 32 bits were drawn. Every draw takes a multiple of four of them. The numbers are
not CUDA's, which depend on how its kernels share the work.
"""

from __future__ import annotations

import struct
import threading
from typing import Any, Final

import numpy as np

__all__ = ["CountedNumbers", "DrawLock"]

_STATE: Final = struct.Struct("<QQ")
_SEED: Final = struct.Struct("<Q")
_LAST: Final = (1 << 64) - 1  # as many numbers there are, less one
Array = np.ndarray[Any, Any]


class CountedNumbers:
    """Where one stream of numbers is. Several generators may share it."""

    __slots__ = ("_engine", "offset", "seed")

    def __init__(self, seed: int, offset: int = 0) -> None:
        self.seed = seed
        self.offset = offset
        self._engine: Any = None  # stands at the offset

    def restart(self, seed: int) -> None:
        """Begin the stream of *seed*."""
        self.seed, self.offset, self._engine = seed, 0, None

    def move(self, offset: int) -> None:
        """Go on from *offset*. Raises RuntimeError for what is no multiple of four."""
        if offset % 4:
            raise RuntimeError("offset must be a multiple of 4")
        self.offset, self._engine = offset, None

    def words(self, n: int) -> Array:
        """The next *n* numbers of 32 bits, as uint64."""
        engine = self._engine
        if engine is None:
            # Numbers come in pairs, as 64 bits; four pairs belong to one value of the counter.
            pairs = self.offset // 2
            engine = self._engine = np.random.Philox(counter=pairs // 4, key=self.seed)
            engine.random_raw(pairs % 4)
        fours = -(-n // 4)
        self.offset = self.offset + 4 * fours & _LAST
        return engine.random_raw(2 * fours).view(np.uint32)[:n].astype(np.uint64)

    def to_bytes(self) -> bytes:
        """The state, in CUDA's format."""
        return _STATE.pack(self.seed, self.offset)

    def load(self, data: bytes) -> None:
        """Take over a state; one without an offset starts at 0.

        Raises RuntimeError for a state of another size (torch aten/src/ATen/cuda/
        CUDAGeneratorImpl.cpp, set_state).
        """
        if len(data) not in (_STATE.size, _SEED.size):
            raise RuntimeError("RNG state is wrong size")
        seed, offset = _STATE.unpack(data) if len(data) == _STATE.size else (*_SEED.unpack(data), 0)
        self.move(offset)
        self.seed = seed


class DrawLock:
    """The lock of a counted generator: no half of a pair of normal numbers outlives a draw."""

    __slots__ = ("_generator", "_lock")

    def __init__(self, generator: Any) -> None:
        self._generator = generator
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *exc_info: object) -> None:
        self._generator.next_normal = None
        self._lock.release()
