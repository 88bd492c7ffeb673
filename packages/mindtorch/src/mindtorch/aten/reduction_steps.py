"""What reductions into places of an index share: their ufunc, where they start, how a mean ends."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["average", "neutral", "ufunc_of"]

_UFUNCS = {
    "sum": np.add,
    "prod": np.multiply,
    "mean": np.add,
    "amax": np.maximum,
    "amin": np.minimum,
}


def ufunc_of(dtype: np.dtype[Any], reduce: str) -> np.ufunc:
    """What brings a number into a place; of bool, the logical one."""
    if dtype.kind == "b":
        return np.logical_and if reduce in ("prod", "amin") else np.logical_or
    return _UFUNCS[reduce]


def neutral(dtype: np.dtype[Any], reduce: str) -> Any:
    """What leaves a place as what is reduced into it."""
    if reduce in ("sum", "mean", "prod"):
        return dtype.type(reduce == "prod")
    if dtype.kind == "b":
        return reduce == "amin"
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return limits.min if reduce == "amax" else limits.max
    return -np.inf if reduce == "amax" else np.inf


def average(sums: np.ndarray[Any, Any], count: np.ndarray[Any, Any]) -> None:
    """Divide *sums* in place by how many numbers came together, rounded down in integers."""
    count = np.maximum(count, 1)
    if sums.dtype.kind in "iub":
        sums[...] = np.floor_divide(sums, count)
    else:
        sums[...] = sums / count.astype(sums.dtype)
