"""The dtypes that numpy has no elements for: torch's facts, and what lends them memory.

They answer what torch.dtype answers, promote and cast by torch's rules, and have limits. ml_dtypes
has elements of those of 8-bit floats and of complex32; of bits and narrow integers memory is only
bytes under the dtype's name, for torch has hardly a kernel for them. Memory of quantized dtypes is
integers under the dtype's name; what these stand for is said by whoever has the memory.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from . import errors
from .dtype import (
    ALL_DTYPES,
    DType,
    bfloat16,
    complex64,
    complex128,
    float16,
    float64,
    from_numpy,
    remember,
    remember_complex,
)

__all__ = ["RARE_DTYPES", "RARE_NAMES", "integers_of", "promote_rare"]

_QUANTIZED, _BITS, _FLOAT, _INT, _UINT, _COMPLEX = "quantized", "bits", "float", "int", "uint", "c"
_FLOAT8: Final = "float8"


class RareDType(DType):
    """A `DType` without numpy dtype."""

    __slots__ = ("kind",)
    __module__ = DType.__module__ + ".dtype"  # only there may the class be derived from
    kind: str

    @property
    def quantized(self) -> bool:
        """Whether elements stand for others by a scale and a zero point."""
        return self.kind == _QUANTIZED

    @property
    def numbered(self) -> bool:
        """Whether ml_dtypes has elements of this dtype."""
        return self.kind in (_FLOAT8, _COMPLEX)

    def __getattr__(self, name: str) -> Any:
        if name == "np":
            return _numpy_dtype(self)
        if name == "is_signed":
            raise errors.sign_undefined(quantized=self.kind == _QUANTIZED)
        raise errors.attribute_missing(self.torch_name, name)

    @property  # type: ignore[misc]  # mypy takes classes for fixed
    def __class__(self) -> type[DType]:  # type: ignore[override]  # as above
        return DType

    def to_real(self) -> DType:
        """The dtype itself; of complex32 that of its parts."""
        return float16 if self.kind == _COMPLEX else self

    def to_complex(self) -> DType:
        """complex32 itself. Raises RuntimeError for the others."""
        if self.kind == _COMPLEX:
            return self
        raise errors.no_complex_type(self.scalar_type)


RareDType.__module__ = DType.__module__  # where pickle finds the constants


def _numpy_dtype(d: RareDType) -> Any:
    """The numpy dtype with the elements of *d*, or only with their bytes or integers."""
    if d.numbered:
        import ml_dtypes  # costly, and rarely used

        found: np.dtype[Any] = np.dtype(getattr(ml_dtypes, d.name))
    elif d.kind == _QUANTIZED:
        found = np.dtype([(d.name, f"{'i' if d.name.startswith('qi') else 'u'}{d.itemsize}")])
    else:
        found = np.dtype([(d.name, f"V{d.itemsize}")])
    object.__setattr__(d, "np", found)
    remember(found, d)
    return found


def opaque_dtype(np_dtype: Any) -> DType:
    """The dtype whose bytes a structured numpy dtype stands for. Raises TypeError for others."""
    names = np_dtype.names or ("",)
    found = RARE_NAMES.get(names[0])
    if found is None or len(names) > 1:
        raise errors.array_dtype_unsupported(np_dtype)
    return found


def integers_of(d: DType) -> DType:
    """The dtype of the integers of a quantized dtype; any other dtype itself."""
    if type(d) is RareDType and d.quantized:
        return from_numpy(d.np[d.name])
    return d


def _make(name: str, scalar_type: str, abbr: str, kind: str, size: int, signed: Any) -> DType:
    made: RareDType = object.__new__(RareDType)
    values = {
        "_text": f"torch.{name}",
        "abbr": abbr,
        "index": len(ALL_DTYPES) + len(RARE_DTYPES),
        "is_complex": kind == _COMPLEX,
        "is_floating_point": kind in (_FLOAT, _FLOAT8),
        "itemsize": size,
        "kind": kind,
        "name": name,
        "scalar_type": scalar_type,
    }
    if signed is not None:
        values["is_signed"] = signed
    for key, value in values.items():
        object.__setattr__(made, key, value)
    RARE_DTYPES.append(made)
    return made


RARE_DTYPES: Final[list[RareDType]] = []
"""They follow those of `ALL_DTYPES` in ``index``."""

complex32: Final = _make("complex32", "ComplexHalf", "c32", _COMPLEX, 4, True)
remember_complex(float16, complex32)
for _name, _short in (("quint8", "QUInt8"), ("qint8", "QInt8"), ("qint32", "QInt32")):
    _make(_name, _short, _name, _QUANTIZED, 4 if _name == "qint32" else 1, None)
_make("quint4x2", "QUInt4x2", "quint4x2", _QUANTIZED, 1, None)
_make("quint2x4", "QUInt2x4", "quint2x4", _QUANTIZED, 1, None)
_make("bits1x8", "Bits1x8", "b1x8", _BITS, 1, None)
_make("bits2x4", "Bits2x4", "b2x4", _BITS, 1, None)
_make("bits4x2", "Bits4x2", "b4x2", _BITS, 1, None)
_make("bits8", "Bits8", "b8x1", _BITS, 1, None)
_make("bits16", "Bits16", "b16x1", _BITS, 2, None)
_make("float8_e5m2", "Float8_e5m2", "f8e5m2", _FLOAT8, 1, True)
_make("float8_e4m3fn", "Float8_e4m3fn", "f8e4m3fn", _FLOAT8, 1, True)
_make("float8_e5m2fnuz", "Float8_e5m2fnuz", "f8e5m2fnuz", _FLOAT8, 1, True)
_make("float8_e4m3fnuz", "Float8_e4m3fnuz", "f8e4m3fnuz", _FLOAT8, 1, True)
_make("float8_e8m0fnu", "Float8_e8m0fnu", "f8e8m0fnu", _FLOAT8, 1, False)
_make("float4_e2m1fn_x2", "Float4_e2m1fn_x2", "f4e2m1fnx2", _FLOAT, 1, True)
for _bits in range(1, 8):
    _make(f"uint{_bits}", f"UInt{_bits}", f"uint{_bits}", _UINT, 1, False)
for _bits in range(1, 8):
    _make(f"int{_bits}", f"Int{_bits}", f"int{_bits}", _INT, 1, True)

RARE_NAMES: Final[dict[str, DType]] = {
    **{d.name: d for d in RARE_DTYPES},
    "bit": next(d for d in RARE_DTYPES if d.name == "uint1"),
    "chalf": complex32,
}

_BAREBONES: Final = frozenset(("uint16", "uint32", "uint64"))


def _kind(d: DType) -> str:
    if type(d) is RareDType:
        return d.kind
    return _UINT if d.name in _BAREBONES else ""


def promote_rare(a: DType, b: DType) -> DType:
    """`promote_types` where one of both is of this module.

    Raises RuntimeError where torch refuses, or has no entry in its table.
    Source: torch c10/core/ScalarType.cpp, promoteTypes.
    """
    if a is b:
        return a
    kinds = _kind(a), _kind(b)
    names = a.scalar_type, b.scalar_type
    if _QUANTIZED in kinds:
        raise errors.promotion_of_quantized(*names)
    if _BITS in kinds:
        raise errors.promotion_of_bits(*names)
    if _FLOAT8 in kinds:
        raise errors.promotion_of_float8(*names)
    for kind, other in ((kinds[0], b), (kinds[1], a)):
        if kind == _UINT:
            if other.is_floating_point:
                return other
            raise errors.promotion_unsupported(*names)
    if _COMPLEX in kinds and _FLOAT not in kinds and _INT not in kinds:
        other = b if kinds[0] == _COMPLEX else a
        return _with_complex32(other)
    missing = "ix_a" if kinds[0] in (_FLOAT, _INT) else "ix_b"
    raise errors.promotion_without_entry(missing)


def _with_complex32(other: DType) -> DType:
    if other in (float64, complex128):
        return complex128
    wide = other in (bfloat16, complex64) or (other.is_floating_point and other is not float16)
    return complex64 if wide else complex32
