"""Methods that both kinds of storage have: their elements as another dtype."""

from __future__ import annotations

from .dtype import (
    DType,
    bfloat16,
    bool_,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
)
from .extended_dtypes import RARE_NAMES
from .storage_base import TypedElements


class Conversions:
    """A storage of each dtype with the converted elements; bytes count as elements of uint8."""

    __slots__ = ()

    def _as(self, dtype: DType) -> TypedElements:
        """The conversion, for a method of this class."""
        raise NotImplementedError

    def double(self) -> TypedElements:
        """The elements as float64."""
        return self._as(float64)

    def float(self) -> TypedElements:
        """The elements as float32."""
        return self._as(float32)

    def half(self) -> TypedElements:
        """The elements as float16."""
        return self._as(float16)

    def float8_e5m2(self) -> TypedElements:
        """The elements as float8_e5m2."""
        return self._as(RARE_NAMES["float8_e5m2"])

    def float8_e4m3fn(self) -> TypedElements:
        """The elements as float8_e4m3fn."""
        return self._as(RARE_NAMES["float8_e4m3fn"])

    def float8_e5m2fnuz(self) -> TypedElements:
        """The elements as float8_e5m2fnuz."""
        return self._as(RARE_NAMES["float8_e5m2fnuz"])

    def float8_e4m3fnuz(self) -> TypedElements:
        """The elements as float8_e4m3fnuz."""
        return self._as(RARE_NAMES["float8_e4m3fnuz"])

    def long(self) -> TypedElements:
        """The elements as int64."""
        return self._as(int64)

    def int(self) -> TypedElements:
        """The elements as int32."""
        return self._as(int32)

    def short(self) -> TypedElements:
        """The elements as int16."""
        return self._as(int16)

    def char(self) -> TypedElements:
        """The elements as int8."""
        return self._as(int8)

    def byte(self) -> TypedElements:
        """The elements as uint8."""
        return self._as(uint8)

    def bool(self) -> TypedElements:
        """Whether each element is not 0."""
        return self._as(bool_)

    def bfloat16(self) -> TypedElements:
        """The elements as bfloat16."""
        return self._as(bfloat16)

    def complex_double(self) -> TypedElements:
        """The elements as complex128."""
        return self._as(complex128)

    def complex_float(self) -> TypedElements:
        """The elements as complex64."""
        return self._as(complex64)
