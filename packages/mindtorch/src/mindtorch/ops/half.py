"""float16 and bfloat16 in kernels, which mostly compute in float32."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["widened"]


def widened(v: Any) -> Any:
    """float16 and bfloat16 in float32, anything else as it is."""
    if v is not None and v.dtype.itemsize == 2 and v.dtype.kind in "fV":
        return v.astype(np.float32)
    return v
