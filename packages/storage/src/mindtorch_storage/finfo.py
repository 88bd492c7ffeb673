"""`finfo` and `iinfo`: the numeric limits of a dtype."""

from __future__ import annotations

from typing import Any, NoReturn

from . import errors
from .arguments import TorchNamed
from .dtype import ALL_DTYPES, DType, bool_, dtype_given, get_default_dtype

# (bits, decimal digits that survive, bits of the significand, largest exponent)
_FLOATS = {
    "float16": (16, 3, 11, 16),
    "float32": (32, 6, 24, 128),
    "float64": (64, 15, 53, 1024),
    "bfloat16": (16, 2, 8, 128),
}

# (least, largest, eps, smallest normal) of what follows no common rule
_NARROW = {
    "float8_e4m3fn": (-448.0, 448.0, 0.125, 2.0**-6),
    "float8_e4m3fnuz": (-240.0, 240.0, 0.125, 2.0**-7),
    "float8_e5m2": (-57344.0, 57344.0, 0.25, 2.0**-14),
    "float8_e5m2fnuz": (-57344.0, 57344.0, 0.125, 2.0**-15),
    "float8_e8m0fnu": (2.0**-127, 2.0**127, 1.0, 2.0**-127),
}


class _Limits(metaclass=TorchNamed):
    """What the two have in common: read-only values, equality by dtype, no hash."""

    __slots__ = ("_dtype", "bits", "max", "min")
    torch_name = ""

    _dtype: DType
    bits: int

    def __setattr__(self, name: str, value: object) -> NoReturn:
        if hasattr(type(self), name):
            raise errors.attribute_not_writable(self.torch_name, name)
        raise errors.attribute_missing(self.torch_name, name)

    def __hash__(self) -> NoReturn:
        raise errors.unhashable(self.torch_name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Limits) and self._dtype is other._dtype

    @property
    def dtype(self) -> str:
        """The name of the dtype, without ``torch.``."""
        return self._dtype.name

    def __reduce__(self) -> NoReturn:
        raise errors.not_picklable(self.torch_name)


class finfo(_Limits):  # torch's name
    """Limits of a floating-point dtype; of a complex one, those of its parts."""

    __slots__ = ("eps", "resolution", "smallest_normal", "tiny")
    torch_name = "torch.finfo"

    eps: float
    max: float
    min: float
    resolution: float
    smallest_normal: float
    tiny: float

    def __new__(cls, *args: Any, **kwargs: Any) -> finfo:
        dtype = args[0] if args else kwargs.get("type", get_default_dtype())
        if not isinstance(dtype, DType):
            dtype = dtype_given(dtype, "finfo", "type", 1)
        if not (dtype.is_floating_point or dtype.is_complex):
            raise errors.finfo_needs_floating()
        made = object.__new__(cls)
        dtype = dtype.to_real()
        if dtype.name in _NARROW:
            return cls._narrow(made, dtype)
        if dtype.name not in _FLOATS:
            raise errors.limits_not_implemented("epsilon", dtype.scalar_type)
        bits, digits, significand, exponent = _FLOATS[dtype.name]
        largest = (2.0 - 2.0 ** (1 - significand)) * 2.0 ** (exponent - 1)
        smallest = 2.0 ** (2 - exponent)
        values = {
            "_dtype": dtype,
            "bits": bits,
            "eps": 2.0 ** (1 - significand),
            "max": largest,
            "min": -largest,
            "resolution": float(f"1e-{digits}"),
            "smallest_normal": smallest,
            "tiny": smallest,
        }
        for name, value in values.items():
            object.__setattr__(made, name, value)
        return made

    @staticmethod
    def _narrow(made: finfo, dtype: DType) -> finfo:
        least, largest, eps, smallest = _NARROW[dtype.name]
        values = {
            "_dtype": dtype,
            "bits": 8,
            "eps": eps,
            "max": largest,
            "min": least,
            "resolution": 1.0,
            "smallest_normal": smallest,
            "tiny": smallest,
        }
        for name, value in values.items():
            object.__setattr__(made, name, value)
        return made

    def __repr__(self) -> str:
        return (
            f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, "
            f"eps={self.eps:g}, smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, "
            f"dtype={self.dtype})"
        )


class iinfo(_Limits):  # torch's name
    """Limits of an integer dtype."""

    __slots__ = ()
    torch_name = "torch.iinfo"

    max: int
    min: int

    def __new__(cls, *args: Any, **kwargs: Any) -> iinfo:
        if not args and "type" not in kwargs:
            raise errors.argument_missing("iinfo", "type")
        dtype = args[0] if args else kwargs["type"]
        if not isinstance(dtype, DType):
            dtype = dtype_given(dtype, "iinfo", "type", 1)
        if dtype is bool_:
            raise errors.iinfo_unsupported(dtype)
        if dtype.is_floating_point or dtype.is_complex:
            raise errors.iinfo_needs_integer()
        quantized = dtype.scalar_type.startswith("Q")
        if dtype not in INTEGER_RANGES and not quantized:
            raise errors.iinfo_needs_integer()
        low, high = _range(dtype) if quantized else INTEGER_RANGES[dtype]
        made = object.__new__(cls)
        object.__setattr__(made, "_dtype", dtype)
        object.__setattr__(made, "bits", 8 * dtype.itemsize)
        object.__setattr__(made, "min", low)
        object.__setattr__(made, "max", high)
        return made

    @property
    def dtype(self) -> str:
        """The name of the dtype; torch has none for quantized ones."""
        if self._dtype.scalar_type.startswith("Q"):
            raise errors.limits_not_implemented("dtype", self._dtype.scalar_type)
        return self._dtype.name

    def __repr__(self) -> str:
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"


def _range(dtype: DType) -> tuple[int, int]:
    bits = 8 * dtype.itemsize
    quantized = dtype.scalar_type.startswith("Q")
    signed = "uint" not in dtype.name if quantized else dtype.is_signed
    return (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)


INTEGER_RANGES = {
    d: _range(d) for d in ALL_DTYPES if not (d.is_floating_point or d.is_complex or d is bool_)
}
"""The smallest and the largest value of each integer dtype."""
