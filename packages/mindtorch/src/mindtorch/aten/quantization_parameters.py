"""Which scale and zero point let the integers of a range stand for a range of numbers."""

from __future__ import annotations

from typing import Final

import numpy as np

__all__ = ["choose_parameters"]

#: A scale below this is widened: its inverse would overflow in half precision.
_SMALL: Final = np.float32(6.1e-5)


#: What C++ makes of NaN as an integer of 32 bits, on most processors.
_NO_INTEGER = -(2**31)


def choose_parameters(
    low: float,
    high: float,
    least: int,
    most: int,
    *,
    symmetric: bool = False,
    single: bool = False,
) -> tuple[float, int]:
    """Scale and zero point: integers *least* … *most* stand for float32 numbers *low* … *high*.

    Zero is one of the numbers that integers stand for.

    :param symmetric: of a range around zero, zero lies in the middle, and the greater side has its
        last integer.
    :param single: the zero point follows from the scale in single precision, and what is no range
        has one all the same, as in torch's kernel of moving averages.

    Raises RuntimeError where *low* is above *high*, or one is NaN, unless *single*.
    Source: torch aten/src/ATen/native/quantized/cpu/QuantUtils.h, ChooseQuantizationParams.
    """
    if single and not (low == low and high == high):
        return float("nan"), _NO_INTEGER
    if not (single or low <= high):
        raise RuntimeError("In ChooseQuantizationParams, min should be less than or equal to max")
    bottom, top = np.float32(low), np.float32(high)
    symmetric = bool(symmetric and bottom < 0 < top)
    if symmetric:
        half = (most - least) // 2
        size = max(abs(bottom / np.float32(half + 1)), abs(top / np.float32(half)))
        bottom, top = np.float32(-size * (half + 1)), np.float32(size * half)
    bottom, top = min(bottom, np.float32(0)), max(top, np.float32(0))
    scale = (float(top) - float(bottom)) / (most - least)
    with np.errstate(divide="ignore", over="ignore"):
        if np.float32(scale) == 0 or np.isinf(np.float32(1) / np.float32(scale)):
            scale = 0.1
    if scale < _SMALL:
        if bottom == 0:
            top = np.float32(_SMALL * (most - least))
        elif top == 0:
            bottom = np.float32(-_SMALL * (most - least))
        else:
            factor = _SMALL / np.float32(scale)
            bottom, top = bottom * factor, top * factor
        scale = float(_SMALL)
    if single:
        scale = float(np.float32(scale))
        if np.isinf(scale):
            return scale, _NO_INTEGER
    # Of the two ends, the one that loses fewer digits gives the zero point.
    below, above = float(bottom) / scale, float(top) / scale
    place = least - below if abs(least) - abs(below) < abs(most) - abs(above) else most - above
    if symmetric:
        place = (least + most) / 2
    return scale, int(np.rint(min(max(place, least), most)))
