"""float16, bfloat16 and complex32 in kernels, which mostly compute in single precision."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Final

import numpy as np

__all__ = ["are_many_halves", "as_dtype", "by_numpy", "comparing", "halved", "in_single", "widened"]

#: From so many elements on, a look into a table is faster than numpy's casts from and to float16.
_MANY: Final = 4096
#: And from so many on, shifts are faster than that.
_VERY_MANY: Final = 32768
#: Elements of which places in a table are worked out at a time.
_BLOCK: Final = 65536


def widened(v: Any) -> Any:
    """float16 and bfloat16 in float32, complex32 in complex64, anything else as it is."""
    if v is not None and v.dtype.itemsize == 2 and v.dtype.kind in "fV":
        if v.size >= _MANY and v.dtype.kind == "f":
            return _as_it_lies(v, _by_shift if v.size >= _VERY_MANY else _by_look_up)
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
    return _all_halves().take(v.view(np.uint16), mode="wrap")


#: Of float16: the bits of the exponent; and where sign and all others come to stand in float32.
_EXPONENT: Final = np.int16(0x7C00)
_SHIFTED: Final = np.int32(np.uint32(0x8FFFE000).astype(np.int32))
#: How much less a number is whose exponent counts from the bias of float16; and the least one.
_UP: Final = np.float32(2.0**112)
_LEAST: Final = np.float32(2.0**-149)
#: What the exponent of 65536 lacks to be that of what is not finite.
_NOT_FINITE: Final = np.int32(0x38000000)


def _by_shift(v: Any) -> Any:
    """Contiguous float16 in float32: its bits further up, as a number, times a power of two."""
    if not _LEAST * _UP:  # subnormal numbers are taken for zero in this thread
        return _by_look_up(v)
    bits = v.view(np.int16)
    moved = bits.astype(np.int32)
    moved <<= 13
    moved &= _SHIFTED
    numbers = moved.view(np.float32)
    numbers *= _UP
    exponents = bits & _EXPONENT
    if exponents.max() == _EXPONENT:
        moved |= (exponents == _EXPONENT) * _NOT_FINITE
    return numbers


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
    out, table = np.empty(v.shape, np.float16), _all_rounded()
    bits, into = v.view(np.uint32).reshape(-1), out.reshape(-1)
    for start in range(0, v.size, _BLOCK):
        part = bits[start : start + _BLOCK]
        place = part & _LOST
        place += _LOST  # what is lost is carried into the last bit that stays
        place |= part
        place >>= _LOST_BITS
        table.take(place, out=into[start : start + _BLOCK], mode="wrap")
    return out


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


def in_single(ufunc: np.ufunc) -> Callable[[Any, Any], Any]:
    """*ufunc* of two operands; of many elements of a half type, the same bits in less time."""

    def run(a: Any, b: Any) -> Any:
        if not _has_many((a, b)):
            return ufunc(a, b)
        return as_dtype(ufunc(widened(a), widened(b)), a.dtype)

    return run
