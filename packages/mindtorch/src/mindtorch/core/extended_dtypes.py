"""Arrays of dtypes that numpy lacks, bfloat16 apart."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["is_rare", "plain_numbers"]


def is_rare(np_dtype: Any) -> bool:
    """Whether elements are ml_dtypes' (of which only bfloat16 has two bytes), or only bytes."""
    return np_dtype.names is not None or (np_dtype.num > 24 and np_dtype.itemsize != 2)


def plain_numbers(a: Any) -> Any:
    """An array of one of ml_dtypes' dtypes in one of numpy's, which holds its numbers."""
    return a.astype(np.complex64 if a.dtype.kind == "W" else np.float32)
