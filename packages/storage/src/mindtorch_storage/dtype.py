"""`DType`: the fifteen element types of tensors, as interned immutable values (``torch.dtype``)."""

from __future__ import annotations

import builtins
from typing import Any, Final, NoReturn, Self

import numpy as np

from . import errors
from .arguments import TorchNamed


class DType(metaclass=TorchNamed):
    """One element type; compare them with ``is`` or ``==``. See also ``extended_dtypes.py``.

    ``index`` is a dense number in the order of torch's ScalarType, ``np`` the numpy dtype with
    the same bytes, ``scalar_type`` torch's C++ name (its texts use it).
    """

    __slots__ = (
        "_text",
        "abbr",
        "index",
        "is_complex",
        "is_floating_point",
        "is_signed",
        "itemsize",
        "name",
        "np",
        "scalar_type",
    )
    torch_name = "torch.dtype"

    _text: str
    abbr: str
    index: builtins.int
    is_complex: builtins.bool
    is_floating_point: builtins.bool
    is_signed: builtins.bool
    itemsize: builtins.int
    name: str
    np: np.dtype[Any]
    scalar_type: str

    def __new__(cls, *args: object, **kwargs: object) -> Self:
        raise errors.cannot_create(cls.torch_name)

    def __init_subclass__(cls) -> None:
        if cls.__module__ != __name__:
            raise errors.not_a_base_type(cls.torch_name)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        if hasattr(DType, name):
            raise errors.attribute_not_writable(self.torch_name, name)
        raise errors.attribute_missing(self.torch_name, name)

    __delattr__ = __setattr__  # type: ignore[assignment]  # a value less

    def to_real(self) -> DType:
        """The dtype of this one's real part; itself if it is not complex."""
        return _REAL.get(self, self)

    def to_complex(self) -> DType:
        """The complex dtype whose parts have this dtype (bfloat16 and complex64: complex64)."""
        found = _COMPLEX.get(self)
        if found is None:
            raise errors.no_complex_type(self.scalar_type)
        return found

    def __repr__(self) -> str:
        return self._text

    __str__ = __repr__

    def __reduce__(self) -> str:
        return self.name  # pickled as the attribute of that name of the package

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[builtins.int, Any]) -> Self:
        return self


class _WithoutNumpy(DType):
    """bfloat16 until its ``np`` is first asked for, which makes it an ordinary `DType`.

    numpy learns of bfloat16 from ml_dtypes, whose import (6 ms) is paid by those who use it.
    ``__getattr__`` stands here and not in `DType` as it would slow down every attribute there.
    """

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        if name != "np":
            raise errors.attribute_missing(self.torch_name, name)
        import ml_dtypes  # costly, and rarely used

        numpy_dtype: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
        _BY_NUMPY[numpy_dtype] = self
        object.__setattr__(self, "np", numpy_dtype)
        _CLASS.__set__(self, DType)
        return numpy_dtype

    @property  # type: ignore[misc]  # mypy takes classes for fixed
    def __class__(self) -> type[DType]:  # type: ignore[override]  # as above
        return DType


_CLASS: Any = object.__dict__["__class__"]

DType.__module__ = __package__  # where pickle finds both the class and the constants


def _make(name: str, scalar_type: str, abbr: str, kind: str, itemsize: builtins.int) -> DType:
    made: DType = object.__new__(_WithoutNumpy if name == "bfloat16" else DType)
    values = {
        "_text": f"torch.{name}",
        "abbr": abbr,
        "index": len(ALL_DTYPES),
        "is_complex": kind == "c",
        "is_floating_point": kind == "f",
        "is_signed": kind in "ifc",
        "itemsize": itemsize,
        "name": name,
        "scalar_type": scalar_type,
    }
    if name != "bfloat16":
        values["np"] = np.dtype(name)
    for key, value in values.items():
        object.__setattr__(made, key, value)
    ALL_DTYPES.append(made)
    return made


ALL_DTYPES: Final[list[DType]] = []
"""Every dtype, at the position of its ``index``."""

uint8: Final = _make("uint8", "Byte", "u8", "u", 1)
int8: Final = _make("int8", "Char", "i8", "i", 1)
int16: Final = _make("int16", "Short", "i16", "i", 2)
int32: Final = _make("int32", "Int", "i32", "i", 4)
int64: Final = _make("int64", "Long", "i64", "i", 8)
float16: Final = _make("float16", "Half", "f16", "f", 2)
float32: Final = _make("float32", "Float", "f32", "f", 4)
float64: Final = _make("float64", "Double", "f64", "f", 8)
complex64: Final = _make("complex64", "ComplexFloat", "c64", "c", 8)
complex128: Final = _make("complex128", "ComplexDouble", "c128", "c", 16)
bool_: Final = _make("bool", "Bool", "b8", "b", 1)
bfloat16: Final = _make("bfloat16", "BFloat16", "bf16", "f", 2)
uint16: Final = _make("uint16", "UInt16", "u16", "u", 2)
uint32: Final = _make("uint32", "UInt32", "u32", "u", 4)
uint64: Final = _make("uint64", "UInt64", "u64", "u", 8)

half: Final = float16
double: Final = float64
short: Final = int16
long: Final = int64
cfloat: Final = complex64
cdouble: Final = complex128

DTYPE_NAMES: Final[dict[str, DType]] = {d.name: d for d in ALL_DTYPES} | {
    "half": half,
    "float": float32,
    "double": double,
    "short": short,
    "int": int32,
    "long": long,
    "cfloat": cfloat,
    "cdouble": cdouble,
}
"""Every name that a dtype has in torch, aliases included."""

_REAL: Final = {complex64: float32, complex128: float64}
_COMPLEX: Final[dict[DType, DType]] = {
    float32: complex64,
    float64: complex128,
    bfloat16: complex64,
    complex64: complex64,
    complex128: complex128,
}
_BY_NUMPY: Final[dict[Any, DType]] = {d.np: d for d in ALL_DTYPES if d is not bfloat16}


def remember(numpy_dtype: Any, d: DType) -> None:
    """Let `from_numpy` find a dtype whose numpy dtype was made late."""
    _BY_NUMPY[numpy_dtype] = d


def remember_complex(real: DType, d: DType) -> None:
    """Let `DType.to_complex` find a complex dtype that is made late."""
    _COMPLEX[real] = d


def from_numpy(numpy_dtype: Any) -> DType:
    """The `DType` with the same bytes as *numpy_dtype* (an instance or what makes one).

    Raises TypeError for dtypes that torch lacks, byte-swapped ones included.
    """
    try:
        return _BY_NUMPY[numpy_dtype]
    except (KeyError, TypeError):
        pass
    wanted = np.dtype(numpy_dtype)
    found = _BY_NUMPY.get(wanted)
    if found is None:
        if wanted == bfloat16.np:  # loads it: may be the first time it is met
            return bfloat16
        raise errors.array_dtype_unsupported(wanted)
    return found


# Both halves travel in one list so that readers in other threads never see them differ.
#: The dtypes that types of Python numbers stand for where a dtype is asked for.
OF_PYTHON: Final[dict[Any, DType]] = {
    builtins.bool: bool_,
    builtins.int: int64,
    builtins.float: float64,
    builtins.complex: complex128,
}


def dtype_given(value: Any, function: str, name: str, position: builtins.int = 0) -> DType:
    """The dtype that a caller means by *value*: a dtype, or a type of Python numbers.

    Raises TypeError, which names argument *name* of *function*, for all else.
    """
    if isinstance(value, DType):
        return value
    if isinstance(value, type) and value in OF_PYTHON:
        return OF_PYTHON[value]
    raise errors.wrong_argument(function, name, "torch.dtype", value, position)


_default: list[tuple[DType, DType]] = [(float32, complex64)]


def get_default_dtype() -> DType:
    """The dtype of new floating-point tensors where none is asked for."""
    return _default[0][0]


def get_default_complex_dtype() -> DType:
    """The complex dtype that goes with the default dtype."""
    return _default[0][1]


def set_default_dtype(d: DType, /) -> None:
    """Set the dtype of new floating-point tensors, and of complex ones by it."""
    if not isinstance(d, DType):
        raise errors.default_dtype_not_a_dtype()
    if not d.is_floating_point:
        raise errors.default_dtype_not_floating()
    if d not in ALL_DTYPES:
        raise errors.default_without_storage(d.scalar_type)
    _default[0] = (d, d.to_complex())
