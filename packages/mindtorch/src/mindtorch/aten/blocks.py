"""Elementwise kernels on large arrays, a block at a time: what they need on the way stays small."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache, wraps
from threading import local
from typing import Any, Final

import numpy as np

__all__ = [
    "BLOCK",
    "aligned",
    "blockwise",
    "bound",
    "choosing",
    "putting",
    "temporaries",
    "writing_in_blocks",
]

Array = np.ndarray[Any, Any]
Kernel = Callable[..., Array]

#: Elements worked on at a time: a few buffers of this length stay in the L2 cache.
BLOCK: Final = 32768


def blockwise(prepare: Callable[..., Kernel]) -> Callable[..., Kernel]:
    """*prepare* of an elementwise kernel, which works on large contiguous arrays block by block.

    So a kernel may look at the numbers of a block and take a shorter way if they allow it, and
    its temporaries are as large as a block. It is prepared for flat arrays of that size.

    What the kernel takes by keyword alone is memory of the dtype of its first array: temporaries,
    and ``out`` for its result. There is None for arrays that are no block, where numpy allocates.
    """

    @wraps(prepare)
    def prepared(*args: Any) -> Kernel:
        places = [i for i, a in enumerate(args) if isinstance(a, np.ndarray) and a.ndim]
        if not places or args[places[0]].size <= BLOCK:
            return prepare(*args)
        shape = args[places[0]].shape
        if any(args[i].shape != shape or not args[i].flags.c_contiguous for i in places):
            return prepare(*args)
        return _of_blocks(prepare, args, places)

    return prepared


def _of_blocks(prepare: Callable[..., Kernel], args: tuple[Any, ...], places: list[int]) -> Kernel:
    shape, size, dtype = args[places[0]].shape, args[places[0]].size, args[places[0]].dtype
    kernel = prepare(*[a.reshape(-1)[:BLOCK] if i in places else a for i, a in enumerate(args)])
    named = dict(getattr(kernel, "__kwdefaults__", None) or {})
    # What does not fill a block is worked on with what stands before it, and that twice.
    starts = (*range(0, size - BLOCK, BLOCK), size - BLOCK)

    def kernel_of_blocks(*args: Any) -> Array:
        given = list(args)
        flat = [(i, args[i].reshape(-1)) for i in places]
        out = np.empty(shape, dtype) if "out" in named else None
        into: Any = None if out is None else out.reshape(-1)
        with temporaries(len(named), BLOCK, dtype) as lent:
            memory = dict(zip(named, lent))
            for start in starts:
                stop = start + BLOCK
                for i, a in flat:
                    given[i] = a[start:stop]
                if "out" in named:
                    memory["out"] = into[start:stop]
                part = kernel(*given, **memory)
                if into is None:
                    out = np.empty(shape, part.dtype)
                    into = out.reshape(-1)
                if part is not memory.get("out"):
                    into[start:stop] = part
        return out

    return kernel_of_blocks


#: Bytes of a cache line. Where a vector of the processor straddles two, a pass takes twice as long.
_LINE: Final = 64


def aligned(size: int, dtype: np.dtype[Any]) -> Array:
    """Memory for so many numbers that begins with a cache line."""
    memory = np.empty(size * dtype.itemsize + _LINE, np.uint8)
    return memory[-memory.ctypes.data % _LINE :][: size * dtype.itemsize].view(dtype)


class _Kept(local):
    """The memory that a thread's kernels take turns in."""

    memory: Array | None = None


_kept: Final = _Kept()


@contextmanager
def temporaries(count: int, size: int, dtype: np.dtype[Any]) -> Iterator[list[Array]]:
    """Lend so many arrays of *size* elements, which begin with a cache line."""
    each = -(-size * dtype.itemsize // _LINE) * _LINE
    memory, _kept.memory = _kept.memory, None  # whoever comes in between makes memory of its own
    if memory is None or memory.size < count * each:
        memory = aligned(count * each, np.dtype(np.uint8))
    yield [memory[i * each :][: size * dtype.itemsize].view(dtype) for i in range(count)]
    _kept.memory = memory


def writing_in_blocks(step: Callable[..., None]) -> Callable[..., None]:
    """``into`` of a row: *step* changes its second argument, a block at a time if it is large.

    Its first argument is memory for as many numbers; the others are arrays of the same shape and
    dtype, and numbers. So the call takes no memory of the size of its target.
    """

    @wraps(step)
    def into(target: Array, *rest: Any) -> None:
        size = target.size
        arrays = [a for a in rest if isinstance(a, np.ndarray) and a.ndim]
        if size <= 2 * BLOCK or not all(a.flags.c_contiguous for a in (target, *arrays)):
            step(np.empty(target.shape, target.dtype), target, *rest)
            return
        buffer, flat = np.empty(BLOCK, target.dtype), target.reshape(-1)
        given = [a.reshape(-1) if isinstance(a, np.ndarray) and a.ndim else a for a in rest]
        places = [i for i, a in enumerate(rest) if isinstance(a, np.ndarray) and a.ndim]
        part: list[Any] = list(rest)
        for start in range(0, size, BLOCK):
            here = flat[start : start + BLOCK]
            for i in places:
                part[i] = given[i][start : start + BLOCK]
            step(buffer[: here.size], here, *part)

    return into


def bound(x: Array, value: Any) -> Array:
    """A number to take the larger or smaller of, with arrays like *x*.

    numpy is three times as fast where it need not broadcast it.
    """
    number = np.full((), value, x.dtype)
    if x.ndim != 1 or x.size > BLOCK:
        return number
    return _many(number.tobytes(), x.dtype)[: x.size]


@lru_cache(64)
def _many(number: bytes, dtype: np.dtype[Any]) -> Array:
    """A block of one number, given by its bytes: zeros of both signs are two."""
    made = np.full(BLOCK, np.frombuffer(number, dtype)[0], dtype)
    made.flags.writeable = False
    return made


_SAME_SIZE_INT: Final = {2: np.int16, 4: np.int32, 8: np.int64}
#: Up to so many elements numpy's branches are as fast.
_FEW: Final = 2048


def putting(x: Array, *others: Array) -> Callable[[Array, Array, Array], None]:
    """``put(out, mask, values)`` by the operands of a kernel: ``out[mask] = values[mask]``.

    Values are of the dtype of *out*; they may be one number. Of many elements of one dtype and
    shape none is branched for, which is ten times as fast where the mask is no pattern.
    """
    if any(other.shape != x.shape or other.dtype != x.dtype for other in others):
        return _put_broadcast
    integer = _SAME_SIZE_INT.get(x.itemsize)
    if x.size <= _FEW or integer is None:
        return np.putmask
    xor = np.bitwise_xor

    def put(out: Array, mask: Array, values: Array) -> None:
        bits = out.view(integer)
        differing = xor(values.view(integer), bits)
        differing *= mask
        xor(bits, differing, bits)

    return put


def _put_broadcast(out: Array, mask: Array, values: Array) -> None:
    np.copyto(out, values, where=mask)


def choosing(*arrays: Array) -> Callable[[Array, Array, Array], Array]:
    """``np.where`` for the operands of a kernel; see :func:`putting`."""
    put = putting(*arrays)
    if put is np.putmask or put is _put_broadcast:
        return np.where

    def chosen(mask: Array, a: Array, b: Array) -> Array:
        out = b.copy("K")
        put(out, mask, a)
        return out

    return chosen
