"""Python numbers as the arrays that kernels take in their place."""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_storage.float8_casts import narrowed

from ..core.extended_dtypes import is_rare

__all__ = ["number_array", "numbers_as"]


def number_array(value: Any, np_dtype: Any) -> np.ndarray[Any, Any]:
    """A Python number as a 0-d array; integers wrap around as in C."""
    if isinstance(value, int) and not isinstance(value, bool):
        dt = np.dtype(np_dtype)
        if dt.kind in "iu":
            bits = dt.itemsize * 8
            value &= (1 << bits) - 1
            if dt.kind == "i" and value >> (bits - 1):
                value -= 1 << bits
        elif dt.kind == "b":
            value = bool(value)
    dt = np.dtype(np_dtype)
    if dt.names:  # the kernel will refuse it
        return np.zeros((), dt)
    return narrowed(np.asarray(value), dt) if is_rare(dt) else np.asarray(value).astype(dt)


def numbers_as(np_dtype: Any) -> Any:
    """A function from Python numbers to 0-d arrays of *np_dtype*, which are not to be written.

    0-d arrays are faster than Python numbers; programs use few different ones.
    """
    cache: dict[Any, Any] = {}

    def array(value: Any) -> Any:
        key = (type(value), value)
        got = cache.get(key)
        # -0.0 equals 0.0 and NaN equals nothing, so neither may come from the cache
        if got is None or not value or value != value:
            if len(cache) >= 64:
                cache.clear()
            got = cache[key] = number_array(value, np_dtype)
        return got

    return array
