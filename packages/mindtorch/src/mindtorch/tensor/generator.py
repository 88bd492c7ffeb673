"""``torch.Generator``: the mt19937 engine behind every random op, with torch's state format.

The stream of 32-bit numbers, the seeding, the cached normal number and the 5056 bytes of
``get_state`` are those of torch's CPU generator, so states travel between the two frameworks.
An accelerator's generator has the numbers of ``counted_numbers``: a seed and an offset.
"""

from __future__ import annotations

import operator
import os
import struct
import threading
import weakref
from typing import Any, Final

import numpy as np
from mindtorch_npu.errors import not_compiled
from mindtorch_npu.graph_errors import not_in_capture, other_seed_in_capture
from mindtorch_npu.thread_state import current_capture, current_queue
from mindtorch_storage import Device
from mindtorch_storage.device import CUDA

from ..core.backend_registry import BACKENDS, complete
from ..core.pickling import Named
from . import Tensor
from .construction import wrap
from .mt19937_words import FEW, FewWords, key_of, numpy_is_loaded
from .pending import flush_current
from .philox import CountedNumbers, DrawLock
from .random_block import HALF, Block

__all__ = ["DEFAULT_SEED", "Generator", "counted_numbers"]

DEFAULT_SEED: Final = 67280421310721
_WORDS: Final = 624
#: So many are drawn ahead by numpy's engine, but for the first ones: what kernels make of all of
#: them costs less than twice as much as of 624.
_AHEAD: Final = 6 * _WORDS
# the seed, numbers left, seeded, position, 624 words of state, three doubles of which the second
# is the cached normal number, whether it is valid (padded), and a float cache that is never used
_HEAD: Final = struct.Struct("<Qiiq")
_TAIL: Final = struct.Struct("<dddi4xfi")
STATE_BYTES: Final = _HEAD.size + 8 * _WORDS + _TAIL.size

#: From so many numbers on, one call that joins words is faster than joining them afterwards.
_MANY: Final = 2048
_LAST: Final = (1 << 64) - 1

Array = np.ndarray[Any, Any]


def invalid_state_size(size: int) -> RuntimeError:
    """torch aten/src/ATen/CPUGeneratorImpl.cpp, set_state."""
    return RuntimeError(
        f"Expected a CPUGeneratorImplState of size {STATE_BYTES} but found the input RNG state "
        f"size to be {size}"
    )


def _device_of(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Device:
    """What ``Generator(device=None)`` is called with. Raises TypeError as torch's parser."""
    if len(args) > 1:
        raise TypeError(
            f"Generator() takes from 0 to 1 positional arguments but {len(args)} were given"
        )
    for name in kwargs:
        if name != "device" or args:
            raise TypeError(f"Generator() got an unexpected keyword argument '{name}'")
    device = args[0] if args else kwargs.get("device")
    if device is None:
        return Device("cpu")
    if isinstance(device, Device):
        return device
    if isinstance(device, (str, int)):
        return Device(device)
    raise TypeError(
        f"Generator(): argument 'device' (position 1) must be torch.device, not "
        f"{type(device).__name__}"
    )


def counted_numbers(device: Device) -> CountedNumbers:
    """The numbers of a new generator on an accelerator whose kernels are ours."""
    return CountedNumbers(DEFAULT_SEED)


def _existing(where: Device) -> Device:
    """An accelerator with its index. Source: torch aten/src/ATen/cuda/CUDAGeneratorImpl.cpp."""
    count = BACKENDS[where.type].device_count()
    if count == 0:
        raise not_compiled()
    where = complete(where)
    if where.index is not None and not 0 <= where.index < count:
        raise RuntimeError("The device_index is invalid.")
    return where


#: What builds of torch without these devices say.
_REFUSALS: Final = {
    CUDA: "Cannot get CUDA generator without ATen_cuda library. PyTorch splits its backend into "
    "two shared libraries: a CPU library and a CUDA library; this error has occurred because you "
    "are trying to use some CUDA functionality, but the CUDA library has not been loaded by the "
    "dynamic linker for some reason.  The CUDA library MUST be loaded, EVEN IF you don't directly "
    "use any symbols from the CUDA library! One common culprit is a lack of -Wl,--no-as-needed in "
    "your link arguments; many dynamic linkers will delete dynamic library dependencies if you "
    "don't depend on any of their symbols.  You can check if this has occurred by using ldd on "
    "your binary to see if there is a dependency on *_cuda.so library.",
    "xpu": "Cannot get XPU generator without ATen_xpu library.",
    "mps": "Cannot execute getNewGenerator() without MPS backend.",
    "hpu": "Backend doesn`t support getNewGenerator()",
    "meta": "META device type not an accelerator.",
}

#: All of the host.
_generators: weakref.WeakSet[Generator] = weakref.WeakSet()


def _after_fork_in_child() -> None:
    """Who was drawing when a process forked does not run in the child: nobody draws there."""
    for generator in _generators:
        for each in (generator, generator._engine, generator._spare):
            if each is not None:
                each.lock._at_fork_reinit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)


class Generator(metaclass=Named):
    """A stream of pseudo-random numbers on a device.

    Kernels draw with :meth:`_take`, :meth:`words` and :meth:`longs` while they hold :attr:`lock`.
    """

    __slots__ = (
        *("__weakref__", "_at", "_block", "_end", "_engine", "_few", "_fresh", "_position"),
        *("_seed", "_spare", "device", "lock", "next_normal", "philox"),
    )
    __module__ = "torch._C"

    device: Device
    lock: Any
    #: The second number of a Box-Muller pair, waiting for the next scalar draw.
    next_normal: float | None
    #: What gives an accelerator's numbers by seed and offset (a ``CountedNumbers``, or as much of
    #: one as real hardware has); None on the host, whose numbers follow one from another.
    philox: Any
    _engine: Any
    #: The engine before much was drawn; see ``mt19937_words``.
    _few: FewWords | None
    #: An engine to be seeded anew, which is faster than making one.
    _spare: Any
    _seed: int
    #: What the engine was asked for ahead: all that its state holds, up to the last of 624 words.
    _block: Block
    #: How many numbers of the block were drawn, and how many there are.
    _at: int
    _end: int
    #: How many words of its state the engine has given: 624 before it makes the next ones.
    _position: int
    #: Nothing was drawn since seeding: the position is then 0, not 624.
    _fresh: bool

    def __new__(cls, *args: Any, **kwargs: Any) -> Generator:
        where = _device_of(args, kwargs)
        numbers_of = getattr(BACKENDS.get(where.type), "numbers", None)
        if where.type != "cpu" and numbers_of is None:
            raise RuntimeError(
                _REFUSALS.get(where.type)
                or f"Device type {where.type.upper()} is not supported for torch.Generator() api."
            )
        self = object.__new__(cls)
        self.device = where if where.type != "cpu" else Device("cpu")  # without an index
        #: Re-entrant: what the garbage collector ends while it is held may put a state back.
        self.lock = threading.RLock()
        self.philox = None
        if numbers_of is not None:
            self.device = _existing(where)
            self.philox = numbers_of(self.device)
            self.lock = DrawLock(self)
        self.next_normal = None
        self._engine = self._few = None
        self._spare = None
        self._block = _NO_NUMBERS
        self._at = self._end = 0
        self._position = _WORDS
        if where.type == "cpu":
            _generators.add(self)
        self._seed = DEFAULT_SEED
        self._fresh = True
        return self

    def _settle_(self) -> None:
        """Let what is queued draw first: from the stream as it is."""
        flush_current()
        if self.philox is not None:
            backend = BACKENDS[self.device.type]
            (backend.synchronize or backend.wait)(self.device)

    def _is_captured(self) -> bool:
        """Whether this thread captures what it launches, and the numbers are of its device."""
        return self.philox is not None and current_capture() is not None

    def _refuse_if_captured(self, method: str) -> None:
        """Source: torch aten/src/ATen/cuda/CUDAGeneratorImpl.cpp."""
        if self._is_captured():
            raise not_in_capture(f"Cannot call NPUGeneratorImpl::{method}")

    def manual_seed(self, seed: int) -> Generator:
        """Start the stream that belongs to *seed*; only its low 32 bits matter."""
        number = _unsigned(seed, "manual_seed")
        if self._is_captured():
            if number != self.philox.seed:
                raise other_seed_in_capture()
            return self
        self._settle_()
        if self.philox is not None:
            self.philox.restart(number)
            return self
        self._seed = number
        if self._engine is not None:
            self._spare = self._engine
        self._engine = self._few = self.next_normal = None
        self._fresh = True
        self._at = self._end = 0
        self._position = _WORDS
        return self

    def seed(self) -> int:
        """Start a stream from a number the operating system gives, and return that."""
        self._refuse_if_captured("seed")
        fresh = int.from_bytes(os.urandom(8), "little")
        self.manual_seed(fresh)
        return fresh

    def initial_seed(self) -> int:
        """The number this stream was started with."""
        self._refuse_if_captured("current_seed")
        return self._seed if self.philox is None else self.philox.seed

    def get_offset(self) -> int:
        """How many numbers of 32 bits were drawn. Raises RuntimeError on the host."""
        if self.philox is None:
            raise RuntimeError("CPU Generator does not use offset")
        self._refuse_if_captured("get_offset")
        self._settle_()
        return self.philox.offset

    def set_offset(self, offset: int) -> Generator:
        """Go on after so many numbers: a multiple of four. Raises RuntimeError on the host."""
        number = _unsigned(offset, "manual_offset")  # torch's name for it
        if self.philox is None:
            raise RuntimeError("CPU Generator does not use offset")
        self._refuse_if_captured("set_offset")
        self._settle_()
        self.philox.move(number)
        return self

    # --------------------------------------------------------------- numbers for kernels

    def _bits(self, n: int = 0) -> Any:
        """What draws the next *n* words, and has the state."""
        if self._engine is not None:
            return self._engine
        few = self._few
        if numpy_is_loaded() or n + (0 if few is None else few.drawn) > FEW:
            return self._numpy_bits()
        if few is None:
            few = self._few = FewWords.seeded(self._seed & 0xFFFFFFFF)
        return few

    def _numpy_bits(self) -> Any:
        """numpy's engine, which goes on where the other one is."""
        engine = self._engine
        if engine is None:
            engine = self._spare or np.random.MT19937(0)
            if self._few is None:
                engine._legacy_seeding(self._seed & 0xFFFFFFFF)
            else:
                engine.state = self._few.state
            self._engine, self._few, self._spare = engine, None, None
        return engine

    def _take(self, n: int) -> tuple[Block, int] | None:
        """Draw *n* numbers of 32 bits from a block: which, and the place of the first of them.

        None where the block has not so many left, and on accelerators: :meth:`words` draws them.
        """
        at = self._at
        end = at + n
        if end > self._end:
            if at < self._end or n > _WORDS or self.philox is not None:
                return None
            engine = self._engine or self._bits(_WORDS)
            several = _AHEAD if at and engine is self._engine else _WORDS
            self._end = _WORDS - self._position or several
            self._block = Block(engine.random_raw(self._end), self._block.mixed)
            self._at, self._position, self._fresh = 0, _WORDS, False
            if n > self._end:
                return None
            at, end = 0, n
        self._at = end
        return self._block, at

    def words(self, n: int) -> Array:
        """The next *n* numbers of 32 bits, as uint64; not to be changed."""
        if n <= 0:
            return np.empty(0, np.uint64)
        if self.philox is not None:
            return self.philox.words(n)
        taken = self._take(n)
        if taken is not None:
            block, at = taken
            return block.words[at : at + n]
        self._fresh = False
        ahead = self._block.words[self._at : self._end]
        self._at = self._end
        numbers: Array = self._bits(n).random_raw(self._advance(n - len(ahead)))
        return np.concatenate((ahead, numbers)) if len(ahead) else numbers

    def _advance(self, n: int) -> int:
        """Count *n* words that are drawn from the engine: at least one."""
        self._position = (self._position + n - 1) % _WORDS + 1
        return n

    def longs(self, n: int) -> Array:
        """The next *n* numbers of 64 bits: two of 32, the first one high."""
        if n >= _MANY and self.philox is None:  # numpy joins two words in the same order
            self._fresh = False
            engine = self._numpy_bits()
            if self._at < self._end:  # go back
                state = self._engine_state()
                self._at, self._position = self._end, state["pos"]
                engine.state = engine.state | {"state": state}
            self._advance(2 * n)
            drawn: Array = np.random.Generator(engine).integers(0, _LAST, n, np.uint64, True)
            return drawn
        pairs = self.words(2 * n)
        numbers = pairs[0::2] << HALF
        numbers |= pairs[1::2]
        return numbers

    # --------------------------------------------------------------- state

    def _engine_state(self) -> dict[str, Any]:
        """The words of the engine's state, and how many of them were drawn."""
        at, position = self._at, self._position - (self._end - self._at)
        if position > 0 or not position | at:
            return {"key": self._bits().state["state"]["key"], "pos": position}
        first = max(at - 1, 0) // _WORDS * _WORDS  # of words that the engine has left behind
        return {"key": key_of(self._block.words[first : first + _WORDS]), "pos": at - first}

    def _state_bytes(self) -> bytes:
        if self.philox is not None:
            return self.philox.to_bytes()
        state = self._engine_state()
        position = 0 if self._fresh else state["pos"]
        left = 1 if self._fresh else 625 - position
        normal = self.next_normal
        return (
            _HEAD.pack(self._seed, left, 1, position)
            + state["key"].astype("<u8").tobytes()
            + _TAIL.pack(0.0, normal or 0.0, 0.0, normal is not None, 0.0, 0)
        )

    def _load_bytes(self, data: bytes) -> None:
        if self.philox is not None:
            self.philox.load(data)
            return
        if len(data) != STATE_BYTES:
            raise invalid_state_size(len(data))
        seed, left, seeded, position = _HEAD.unpack_from(data)
        if not (seeded == 1 and 0 < left <= _WORDS and 0 <= position <= _WORDS):
            raise RuntimeError("Invalid mt19937 state")
        key = np.frombuffer(data, "<u8", _WORDS, _HEAD.size).astype(np.uint32)
        _, normal, _, valid, _, _ = _TAIL.unpack_from(data, _HEAD.size + 8 * _WORDS)
        self._at = self._end = 0
        self._position = _WORDS if left == 1 else position
        self._few = FewWords(key.tolist(), self._position)
        self._engine, self._seed, self._fresh = None, seed, left == 1 and position == 0
        self.next_normal = normal if valid else None

    def get_state(self) -> Tensor:
        """The state as a tensor of bytes in torch's own format: 5056, 16 on an accelerator."""
        self._settle_()
        with self.lock:
            return wrap(np.frombuffer(self._state_bytes(), np.uint8).copy())

    def set_state(self, new_state: Tensor) -> Generator:
        """Go on where :meth:`get_state` (of this framework or of torch) was called."""
        if not isinstance(new_state, Tensor):
            raise TypeError(f"expected a torch.ByteTensor, but got {type(new_state).__name__}")
        if new_state.device.type != "cpu":
            raise TypeError("RNG state must be a torch.ByteTensor")
        array = new_state._host_()
        if array.dtype != np.uint8:
            raise TypeError("RNG state must be a torch.ByteTensor")
        if not new_state.is_contiguous():
            raise RuntimeError("RNG state must be contiguous")
        if self._is_captured():
            raise not_in_capture(_NO_STATE)
        self._settle_()
        with self.lock:
            self._load_bytes(array.tobytes())
        return self

    def clone_state(self) -> Generator:
        """A generator that goes on from this one's state, independently."""
        self._settle_()
        with self.lock:
            data = self._state_bytes()
        twin = Generator(self.device)
        twin._load_bytes(data)
        return twin

    def graphsafe_get_state(self) -> Generator:
        """A generator that shares this one's numbers. Raises NotImplementedError on the host."""
        if self.philox is None:
            raise NotImplementedError("graphsafe_get_state is not supported in this Generator")
        twin = Generator(self.device)
        twin.philox = self.philox
        return twin

    def graphsafe_set_state(self, state: Generator) -> Generator:
        """Share the numbers of *state*. Raises NotImplementedError on the host."""
        if self.philox is None:
            raise NotImplementedError("graphsafe_set_state is not supported in this Generator")
        if self._is_captured():
            self._share_at_replay(state.philox)
        else:
            self._settle_()
        self.philox = state.philox
        return self

    def _share_at_replay(self, numbers: Any) -> None:
        """What is captured from here on draws from *numbers*; a replay leaves none of it behind."""
        flush_current()
        capture = current_capture()
        assert capture is not None  # asked before
        at_capture = self.philox
        name = "graphsafe_set_state"
        before: list[Any] = []  # what replays that are queued found, each at its time

        def begin() -> None:
            before.append(self.philox)
            self.philox = at_capture

        def end() -> None:
            self.philox = before.pop()

        if self not in capture.before_replay:
            capture.before_replay[self] = lambda queue: queue.enqueue(begin, (), name)
            capture.at_replay.append(lambda queue: queue.enqueue(end, (), name))
        capture.add(current_queue(self.device.index), self._share, (numbers,), name, None)

    def _share(self, numbers: Any) -> None:
        self.philox = numbers

    def __reduce__(self) -> Any:
        offset = None if self.philox is None else self.get_offset()
        return Generator, (self.device,), (self.initial_seed(), offset, self.get_state())

    def __setstate__(self, state: Any) -> None:
        seed, offset, numbers = state
        self.manual_seed(seed)
        if offset is not None:
            self.set_offset(offset)
        self.set_state(numbers)


def _unsigned(value: Any, what: str) -> int:
    """A seed or an offset, as 64 bits. Source: torch torch/csrc/Generator.cpp, unpack_uint64."""
    if type(value) is bool or not isinstance(value, int):
        if isinstance(value, np.integer):
            raise TypeError("an integer is required")
        kind = type(value)
        name = f"numpy.{kind.__name__}" if kind.__module__ == "numpy" else kind.__name__
        raise RuntimeError(f"{what} expected a long, but got {name}")
    number = operator.index(value)
    if not -(1 << 63) <= number < 1 << 64:
        raise ValueError("Overflow when unpacking long long")
    return number & 0xFFFFFFFFFFFFFFFF


#: Source: torch aten/src/ATen/cuda/CUDAGeneratorImpl.cpp, set_state.
_NO_STATE: Final = (
    "Please ensure to utilize the NPUGeneratorImpl::set_state_index method during capturing."
)
_NO_NUMBERS: Final = Block(np.empty(0, np.uint64))
