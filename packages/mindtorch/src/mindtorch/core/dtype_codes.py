"""The numbers of dtypes, as operators that answer with a dtype and records of calls write them."""

from __future__ import annotations

from typing import Any

import mindtorch_storage as st

__all__ = ["NAMES", "code_of", "dtype_of"]

#: The dtypes by their numbers.
NAMES: tuple[str, ...] = tuple(
    (
        "uint8 int8 int16 int32 int64 float16 float32 float64 complex32 complex64 complex128 bool "
        "qint8 quint8 qint32 bfloat16 quint4x2 quint2x4 bits1x8 bits2x4 bits4x2 bits8 bits16 "
        "float8_e5m2 float8_e4m3fn float8_e5m2fnuz float8_e4m3fnuz uint16 uint32 uint64"
    ).split()
)
_CODES = {name: code for code, name in enumerate(NAMES)}


def code_of(dtype: Any) -> int | None:
    """The number of *dtype*; None for one that has none here."""
    return _CODES.get(dtype.name)


def dtype_of(code: int) -> Any:
    """The dtype of that number. Raises RuntimeError for a number that none has."""
    if not 0 <= code < len(NAMES):
        raise RuntimeError(
            "Unsupported TypeMeta in ATen: nullptr (uninitialized) (please report this error)"
        )
    return getattr(st, NAMES[code])
