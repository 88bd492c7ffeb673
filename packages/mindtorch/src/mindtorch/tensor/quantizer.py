"""What the integers of a quantized tensor stand for: a scale and a zero point.

Note [Where a quantizer is]: it stands in the metadata of the numpy dtype of the tensor's array,
for it says what the elements are. So views, copies and parts of the array have it without more
ado, whoever makes them. Memory that is found by its bytes (``set_``, a file) has none; whoever
looks at such a tensor says which, or torch's error follows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from mindtorch_storage import DType
from mindtorch_storage.extended_dtypes import RARE_NAMES

from ..core.qscheme import QSCHEMES, qscheme

__all__ = [
    "INTEGERS",
    "PerChannel",
    "PerTensor",
    "Quantizer",
    "as_quantized",
    "as_steps",
    "channel_parameters",
    "quantized_dtype",
    "quantizer_of",
    "set_quantizer",
    "steps_of",
]

_KEY = "quantizer"
#: The quantized dtypes whose elements are whole integers, by the dtype of these in numpy.
INTEGERS = {"qint8": np.int8, "quint8": np.uint8, "qint32": np.int32}
_BY_INTEGER = {np.dtype(v): RARE_NAMES[k] for k, v in INTEGERS.items()}


class PerTensor(NamedTuple):
    """One scale and one zero point for all elements."""

    scale: float
    zero_point: int

    @property
    def scheme(self) -> qscheme:
        """``torch.per_tensor_affine``."""
        return QSCHEMES["per_tensor_affine"]

    def dequantized(self, steps: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The float32 numbers that the integers *steps* stand for."""
        away = np.asarray(steps.astype(np.int64) - self.zero_point)
        return np.asarray(away.astype(np.float32) * np.float32(self.scale))

    def quantized(self, numbers: np.ndarray[Any, Any], dtype: DType) -> np.ndarray[Any, Any]:
        """The integers that float32 *numbers* are nearest to, in the range of *dtype*."""
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            inverse = np.float32(1) / np.float32(self.scale)
            return _clipped(numbers * inverse + np.float32(self.zero_point), dtype)

    def equals(self, other: Any) -> bool:
        """Whether *other* maps integers to the same numbers."""
        return isinstance(other, PerTensor) and tuple(self) == tuple(other)


class PerChannel:
    """A scale and a zero point for each place along *axis*.

    :ivar scales: float64, or float32 where zero points are float32, too (no integers).
    """

    __slots__ = ("axis", "scales", "zero_points")

    def __init__(
        self, scales: np.ndarray[Any, Any], zero_points: np.ndarray[Any, Any], axis: int
    ) -> None:
        self.scales, self.zero_points, self.axis = scales, zero_points, axis

    @property
    def floating(self) -> bool:
        """Whether zero points are floats."""
        return self.zero_points.dtype.kind == "f"

    @property
    def scheme(self) -> qscheme:
        """``torch.per_channel_affine``, or that with floats."""
        return QSCHEMES["per_channel_affine" + "_float_qparams" * self.floating]

    def along(self, ndim: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Scales and zero points, to be broadcast with an array of *ndim* dimensions."""
        shape = [1] * ndim
        shape[self.axis] = -1
        return self.scales.reshape(shape), self.zero_points.reshape(shape)

    def dequantized(self, steps: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The float32 numbers that the integers *steps* stand for."""
        scales, places = self.along(steps.ndim)
        if self.floating:
            return np.asarray((steps.astype(np.float32) - places) * scales)
        return np.asarray((steps.astype(np.int64) - places) * scales).astype(np.float32)

    def quantized(self, numbers: np.ndarray[Any, Any], dtype: DType) -> np.ndarray[Any, Any]:
        """The integers that float32 *numbers* are nearest to, in the range of *dtype*."""
        scales, places = self.along(numbers.ndim)
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            inverse = np.float32(1) / scales.astype(np.float32)
            return _clipped(numbers * inverse + places.astype(np.float32), dtype)

    def equals(self, other: Any) -> bool:
        """Whether *other* maps integers to the same numbers."""
        return (
            isinstance(other, PerChannel)
            and self.scheme is other.scheme
            and self.axis == other.axis
            and np.array_equal(self.scales, other.scales)
            and np.array_equal(self.zero_points, other.zero_points)
        )


Quantizer = PerTensor | PerChannel


def _clipped(steps: np.ndarray[Any, Any], dtype: DType) -> Any:
    """The integers nearest to *steps*, half to even, in the range of *dtype*.

    NaN becomes what the host's conversion of vectors makes of it: the greatest integer, of 32 bits
    the least.
    """
    kind = as_steps(dtype)
    info = np.iinfo(kind)
    wide = np.rint(steps).astype(np.float64)
    out = np.minimum(np.maximum(wide, info.min), info.max)
    lost = np.isnan(out)
    if lost.any():
        out = np.where(lost, info.min if kind.itemsize == 4 else info.max, out)
    return np.asarray(out).astype(kind)


def _dtype(dtype: DType, quantizer: Quantizer | None) -> Any:
    metadata = None if quantizer is None else {_KEY: quantizer}
    name = dtype.name
    return np.dtype([(name, INTEGERS[name])], metadata=metadata)  # type: ignore[call-overload]  # numpy's types lack it


def as_quantized(steps: np.ndarray[Any, Any], quantizer: Quantizer | None) -> np.ndarray[Any, Any]:
    """The array of a quantized tensor over the integers *steps*, whose memory it shares."""
    return steps.view(_dtype(_BY_INTEGER[steps.dtype], quantizer))


def steps_of(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The integers of the array of a quantized tensor, in the same memory."""
    (name,) = array.dtype.names or ("",)
    found: np.ndarray[Any, Any] = array[name]
    return found


def quantized_dtype(dtype: DType) -> DType | None:
    """The quantized dtype whose elements are integers of *dtype*; None where there is none."""
    return _BY_INTEGER.get(dtype.np)


def as_steps(dtype: DType) -> Any:
    """The numpy dtype of the integers of a quantized dtype."""
    return np.dtype(INTEGERS[dtype.name])


def quantizer_of(t: Any) -> Quantizer:
    """The quantizer of a tensor. Raises torch's RuntimeError where nobody has said which."""
    metadata = t._a_.dtype.metadata
    if metadata is None:
        raise RuntimeError("cannot call qscheme on UnknownQuantizer")
    found: Quantizer = metadata[_KEY]
    return found


def set_quantizer(t: Any, quantizer: Quantizer) -> None:
    """Let the integers of *t* stand for the numbers that *quantizer* says."""
    t._a_ = as_quantized(steps_of(t._a_), quantizer)


def channel_parameters(scales: Any, zero_points: Any, axis: int) -> PerChannel:
    """A quantizer per channel, with its parameters in the dtypes that torch keeps them in.

    Arrays that have them already are kept as they are.
    """
    places = np.asarray(zero_points)
    kinds = (np.float32, np.float32) if places.dtype.kind == "f" else (np.float64, np.int64)
    kept = [np.ascontiguousarray(v, kind) for v, kind in zip((scales, places), kinds, strict=True)]
    return PerChannel(*kept, axis)
