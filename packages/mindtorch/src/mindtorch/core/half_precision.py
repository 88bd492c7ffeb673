"""float16, bfloat16 and complex32 in kernels, which mostly compute in single precision."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np

__all__ = ["widened"]

#: From so many elements on, a look into a table is faster than numpy's cast.
_MANY: Final = 2048


def widened(v: Any) -> Any:
    """float16 and bfloat16 in float32, complex32 in complex64, anything else as it is."""
    if v is not None and v.dtype.itemsize == 2 and v.dtype.kind in "fV":
        if v.size >= _MANY and v.dtype.kind == "f" and v.flags.c_contiguous:
            return _all_halves().take(v.view(np.uint16), mode="wrap")
        return v.astype(np.float32)
    if v is not None and v.dtype.kind == "W":
        return v.astype(np.complex64)
    return v


@cache
def _all_halves() -> Any:
    """Each number of float16 in float32, by its bits."""
    return np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float32)
