"""float16, bfloat16 and complex32 in kernels, which mostly compute in single precision."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["widened"]


def widened(v: Any) -> Any:
    """float16 and bfloat16 in float32, complex32 in complex64, anything else as it is."""
    if v is not None and v.dtype.itemsize == 2 and v.dtype.kind in "fV":
        return v.astype(np.float32)
    if v is not None and v.dtype.kind == "W":
        return v.astype(np.complex64)
    return v
