"""Numbers as elements of ml_dtypes' dtypes, rounded as torch rounds them.

Source: torch torch/headeronly/util/Float8_e4m3fn.h and Float8_e8m0fnu.h. Of all others ml_dtypes
rounds to the same bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["narrowed"]

_LARGEST_E4M3FN = 448.0


def narrowed(array: np.ndarray[Any, Any], np_dtype: Any) -> np.ndarray[Any, Any]:
    """*array* in one of ml_dtypes' dtypes: float8_e4m3fn saturates, float8_e8m0fnu has no signs."""
    if array.dtype == np_dtype:
        return array
    name = np.dtype(np_dtype).name
    if name.startswith("float"):
        if array.dtype.kind in "cW":
            array = array.astype(np.complex128).real
        wide = array.astype(np.float32)
        if name == "float8_e4m3fn":
            array = np.clip(wide, -_LARGEST_E4M3FN, _LARGEST_E4M3FN)
        elif name == "float8_e8m0fnu":
            array = np.abs(wide)
            # What is below half of the smallest element is that element, not NaN.
            array = np.where(array < 2.0**-127, np.float32(2.0**-127), array)
        else:
            array = wide
    with np.errstate(all="ignore"):
        made: np.ndarray[Any, Any] = array.astype(np_dtype)
    return made
