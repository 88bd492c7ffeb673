"""float16, bfloat16 and complex32 in kernels, which mostly compute in single precision."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, Final

import numpy as np

__all__ = [
    "HALF_BLOCK",
    "are_many_halves",
    "as_dtype",
    "by_numpy",
    "comparing",
    "halved",
    "halved_into",
    "in_blocks",
    "in_single",
    "widened",
    "widened_into",
]

#: From so many elements on, a look into a table is faster than numpy's casts from and to float16.
_MANY: Final = 4096
#: Elements that are worked on at a time: a few arrays of float32 stay in the L2 cache.
HALF_BLOCK: Final = 16384


def widened(v: Any) -> Any:
    """float16 and bfloat16 in float32, complex32 in complex64, anything else as it is."""
    if v is not None and v.dtype.itemsize == 2 and v.dtype.kind in "fV":
        if v.size >= _MANY and v.dtype.kind == "f":
            return _as_it_lies(v, _by_look_up)
        return v.astype(np.float32)
    if v is not None and v.dtype.kind == "W":
        return v.astype(np.complex64)
    return v


def _as_it_lies(v: Any, cast: Callable[[Any], Any]) -> Any:
    """*cast* of what is contiguous, of *v* in any layout, which ``astype`` would keep, too."""
    if not (v.flags.c_contiguous or v.flags.f_contiguous):
        v = v.copy("K")
    if v.flags.c_contiguous:
        return cast(v)
    axes = sorted(range(v.ndim), key=lambda d: -v.strides[d])
    return cast(v.transpose(axes)).transpose(np.argsort(axes))


def _by_look_up(v: Any) -> Any:
    out = np.empty(v.shape, np.float32)
    flat, into = v.reshape(-1), out.reshape(-1)
    for start in range(0, v.size, HALF_BLOCK):
        widened_into(flat[start : start + HALF_BLOCK], into[start : start + HALF_BLOCK])
    return out


def widened_into(v: Any, out: Any) -> None:
    """float16 or bfloat16 in float32, into *out*; both are contiguous."""
    if v.dtype.kind == "f":
        _all_halves().take(v.view(np.uint16), out=out, mode="wrap")
    else:
        out[...] = v


@cache
def _all_halves() -> Any:
    """Each number of float16 in float32, by its bits."""
    return np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float32)


def halved(v: Any) -> Any:
    """float32 rounded to float16, as ``astype`` does it."""
    if v.size < _MANY:
        return v.astype(np.float16)
    return _as_it_lies(v, _rounded)


def _rounded(v: Any) -> Any:
    """The same of what is contiguous."""
    out = np.empty(v.shape, np.float16)
    flat, into = v.reshape(-1), out.reshape(-1)
    for start in range(0, v.size, HALF_BLOCK):
        halved_into(flat[start : start + HALF_BLOCK], into[start : start + HALF_BLOCK])
    return out


def halved_into(v: Any, out: Any) -> None:
    """*v* rounded to the half type of *out*, or as it is if it has its dtype; both contiguous."""
    if v.dtype.char != "f" or out.dtype.char != "e":
        np.copyto(out, v, casting="unsafe")
        return
    bits = v.view(np.uint32)
    place = bits & _LOST
    place += _LOST  # what is lost is carried into the last bit that stays
    place |= bits
    place >>= _LOST_BITS
    _all_rounded().take(place, out=out, mode="wrap")


#: float16 has 13 bits less. Rounding asks for the first of them, and whether another one is set.
_LOST_BITS: Final = np.uint32(11)
_LOST: Final = np.uint32((1 << 11) - 1)


@cache
def _all_rounded() -> Any:
    """By the first 21 bits of float32, of which the last says there is more: in float16."""
    numbers = np.arange(1 << 21, dtype=np.uint32) << _LOST_BITS
    with np.errstate(all="ignore"):
        return numbers.view(np.float32).astype(np.float16)


#: What casts between two numpy dtypes, by both letters, where ``astype`` is slow.
_BY_TABLE: Final[dict[str, Callable[[Any], Any]]] = {"ef": widened, "fe": halved}


def as_dtype(a: Any, dtype: np.dtype[Any]) -> Any:
    """``a.astype(dtype)``."""
    if a.size < _MANY:
        return a.astype(dtype)
    by_table = _BY_TABLE.get(a.dtype.char + dtype.char)
    return a.astype(dtype) if by_table is None else by_table(a)


#: What only touches signs: numpy's loops of half types are the fastest way.
_OF_SIGNS: Final = frozenset((np.negative, np.absolute, np.copysign))
#: What those loops give as float32 does that is rounded then. They cast each element by itself.
#: ``maximum`` is not among them: of two zeros it gives the other.
_ROUNDED_ONCE: Final = frozenset((np.add, np.subtract, np.multiply, np.divide, np.sqrt))
#: What they answer as float32 does.
_COMPARING: Final = frozenset(
    (np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal)
)
_AS_IN_SINGLE: Final = _ROUNDED_ONCE | _COMPARING


def by_numpy(ufunc: np.ufunc, arrays: Iterable[Any]) -> bool:
    """Whether numpy's own loop of a half type serves *ufunc* of *arrays*, and is fast."""
    return ufunc in _OF_SIGNS or ufunc in _AS_IN_SINGLE and not _has_many(arrays)


def _has_many(arrays: Iterable[Any]) -> bool:
    """Whether one of *arrays* is of a half type and has so many elements that casts are faster."""
    return any([a.size >= _MANY and a.itemsize == 2 and a.dtype.kind in "fV" for a in arrays])


def are_many_halves(a: Any) -> bool:
    """Whether *a* is of a half type, of which numpy's loops cast each element by itself."""
    return _has_many((a,))


def comparing(ufunc: np.ufunc) -> Callable[[Any], Callable[[Any, Any], Any]]:
    """From an array to what compares such with a number as *ufunc* does."""

    def in_float32(a: Any, b: Any) -> Any:
        return ufunc(widened(a), widened(b))

    return lambda array: in_float32 if _has_many((array,)) else ufunc


def in_single(compute: Callable[..., Any]) -> Callable[..., Any]:
    """*compute* in float32 of arrays of one half type, rounded to it; of any other as it is.

    :param compute: an elementwise function of arrays, and of numbers behind them.
    """

    def run(a: Any, b: Any, *numbers: Any) -> Any:
        if a.itemsize != 2 or a.dtype.kind not in "fV":
            return compute(a, b, *numbers)
        if a.size > HALF_BLOCK and a.shape == b.shape and a.dtype == b.dtype:
            if a.flags.c_contiguous and b.flags.c_contiguous:
                return in_blocks(compute, [a, b, *numbers], (0, 1), a.dtype)
        return as_dtype(compute(widened(a), widened(b), *numbers), a.dtype)

    return run


def in_blocks(
    compute: Callable[..., Any], given: list[Any], places: Sequence[int], dtype: np.dtype[Any]
) -> Any:
    """*compute* in float32 a block at a time, and round to *dtype*.

    Where whole arrays are cast before and after, memory is passed over three times more.

    :param given: the arguments; at *places* arrays of half types, contiguous and of one shape, of
        more elements than a block.
    """
    shape, given = given[places[0]].shape, list(given)
    flat = [given[i].reshape(-1) for i in places]
    wide = [np.empty(HALF_BLOCK, np.float32) for _ in places]
    for i, buffer in zip(places, wide, strict=True):
        given[i] = buffer
    out, size = np.empty(shape, dtype), flat[0].size
    into = out.reshape(-1)
    # What does not fill a block is worked on with what stands before it, and that twice.
    for start in (*range(0, size - HALF_BLOCK, HALF_BLOCK), size - HALF_BLOCK):
        stop = start + HALF_BLOCK
        for a, buffer in zip(flat, wide, strict=True):
            widened_into(a[start:stop], buffer)
        halved_into(compute(*given), into[start:stop])
    return out
