"""numpy's scalar types and dtypes, each with the dtype of torch that it stands for."""

from __future__ import annotations

from typing import Any, ClassVar

from ..aten import torch
from . import _dtypes_impl
from ._array import ndarray


class generic:
    """A scalar type: called with a value, it makes an array of no dimension, or casts."""

    torch_dtype: ClassVar[torch.dtype]
    typecode: ClassVar[str]

    def __new__(cls, value: Any) -> Any:
        """Make an array of this type of a number, a list or an array."""
        dtype = cls.torch_dtype
        if isinstance(value, str) and dtype.is_floating_point:
            value = float(value)
        if isinstance(value, ndarray):
            tensor = value.tensor
        elif isinstance(value, torch.Tensor):
            tensor = value
        else:
            tensor = torch.as_tensor(value)
            if tensor.dtype == torch.float32:
                tensor = torch.as_tensor(value, dtype=torch.float64)
        return ndarray(tensor.to(dtype))

    @property
    def name(self) -> str:
        """The name of the type."""
        return type(self).__name__


class number(generic):
    """Any number."""


class integer(number):
    """Any integer."""


class inexact(number):
    """Any number that is rounded."""


class signedinteger(integer):
    """Any integer with a sign."""


class unsignedinteger(integer):
    """Any integer without a sign."""


class floating(inexact):
    """Any floating-point number."""


class complexfloating(inexact):
    """Any complex number."""


_abstract_dtypes = [
    "generic",
    "number",
    "integer",
    "signedinteger",
    "unsignedinteger",
    "inexact",
    "floating",
    "complexfloating",
]

#: Of each concrete type: name, kind, typecode, dtype of torch. The wide unsigned types are of
#: the signed kind, as in torch.
_CONCRETE = (
    ("int8", signedinteger, "b", torch.int8),
    ("int16", signedinteger, "h", torch.int16),
    ("int32", signedinteger, "i", torch.int32),
    ("int64", signedinteger, "l", torch.int64),
    ("uint8", unsignedinteger, "B", torch.uint8),
    ("uint16", unsignedinteger, "H", torch.uint16),
    ("uint32", signedinteger, "I", torch.uint32),
    ("uint64", signedinteger, "L", torch.uint64),
    ("float16", floating, "e", torch.float16),
    ("float32", floating, "f", torch.float32),
    ("float64", floating, "d", torch.float64),
    ("complex64", complexfloating, "F", torch.complex64),
    ("complex128", complexfloating, "D", torch.complex128),
    ("bool_", generic, "?", torch.bool),
)
_names: dict[str, type] = {
    name: type(
        name,
        (kind,),
        {
            "__module__": __name__,
            "__doc__": f"{name}, an array's dtype and a scalar's type.",
            "name": name,
            "typecode": code,
            "torch_dtype": dtype,
        },
    )
    for name, kind, code, dtype in _CONCRETE
}
int8, int16, int32, int64 = (_names[f"int{bits}"] for bits in (8, 16, 32, 64))
uint8, uint16, uint32, uint64 = (_names[f"uint{bits}"] for bits in (8, 16, 32, 64))
float16, float32, float64 = (_names[f"float{bits}"] for bits in (16, 32, 64))
complex64, complex128, bool_ = (_names[name] for name in ("complex64", "complex128", "bool_"))

intp = int_ = longlong = int64
intc, byte, short, ubyte, ulonglong = int32, int8, int16, uint8, uint64
half, single, double, float_ = float16, float32, float64, float64
csingle = singlecomplex = complex64
cdouble = cfloat = complex_ = complex128
_name_aliases = {
    "intp": intp,
    "int_": int_,
    "intc": intc,
    "byte": byte,
    "short": short,
    "longlong": longlong,
    "ulonglong": ulonglong,
    "ubyte": ubyte,
    "half": half,
    "single": single,
    "double": double,
    "float_": float_,
    "csingle": csingle,
    "singlecomplex": singlecomplex,
    "cdouble": cdouble,
    "cfloat": cfloat,
    "complex_": complex_,
}

sctypes = {
    "int": [int8, int16, int32, int64],
    "uint": [uint8, uint16, uint32, uint64],
    "float": [float16, float32, float64],
    "complex": [complex64, complex128],
    "others": [bool_],
}
_typecodes = {code: _names[name] for name, _, code, _ in _CONCRETE}
_torch_dtypes = {dtype: _names[name] for name, _, _, dtype in _CONCRETE}
_aliases = {
    "u1": uint8,
    "i1": int8,
    "i2": int16,
    "i4": int32,
    "i8": int64,
    "b": int8,
    "f2": float16,
    "f4": float32,
    "f8": float64,
    "c8": complex64,
    "c16": complex128,
    "bool_": bool_,
}
_python_types: dict[Any, type] = {
    int: int64,
    float: float64,
    complex: complex128,
    bool: bool_,
    "int": int64,
    "float": float64,
    "complex": complex128,
    "bool": bool_,
}
typecodes = {
    "All": "efdFDBbhil?",
    "AllFloat": "efdFD",
    "AllInteger": "Bbhil",
    "Integer": "bhil",
    "UnsignedInteger": "B",
    "Float": "efd",
    "Complex": "FD",
}


def sctype_from_string(s: Any) -> type:
    """The scalar type of a name, an alias, a typecode or a Python type."""
    tables: tuple[dict[Any, type], ...] = (
        _names, _name_aliases, _aliases, _typecodes, _python_types,
    )  # fmt: skip
    for table in tables:
        found = table.get(s)
        if found is not None:
            return found
    raise TypeError(f"data type {s!r} not understood")


def sctype_from_torch_dtype(torch_dtype: torch.dtype) -> type:
    """The scalar type of a dtype of torch."""
    return _torch_dtypes[torch_dtype]


class DType:
    """numpy's dtype."""

    def __init__(self, arg: Any) -> None:
        if isinstance(arg, torch.dtype):
            sctype = _torch_dtypes[arg]
        elif isinstance(arg, torch.Tensor):
            sctype = _torch_dtypes[arg.dtype]
        elif isinstance(arg, DType):
            sctype = arg._scalar_type
        elif isinstance(arg, type) and issubclass(arg, generic):
            sctype = arg
        else:
            try:
                found = sctype_from_string(arg)
            except TypeError:
                # Anything with a dtype, arrays first of all.
                if not hasattr(arg, "dtype"):
                    raise
                found = arg.dtype._scalar_type
            sctype = found
        self._scalar_type: Any = sctype

    @property
    def name(self) -> str:
        """The name of the scalar type."""
        name: str = self._scalar_type.name
        return name

    @property
    def type(self) -> Any:
        """The scalar type."""
        return self._scalar_type

    @property
    def kind(self) -> str:
        """The first letter of numpy's kind."""
        scalar: Any = _torch_dtypes[self.torch_dtype]
        return str(scalar.name[0])

    @property
    def typecode(self) -> str:
        """numpy's letter of the type."""
        return str(self._scalar_type.typecode)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, DType):
            return bool(self._scalar_type == other._scalar_type)
        try:
            return bool(self._scalar_type == DType(other)._scalar_type)
        except TypeError:
            return False

    @property
    def torch_dtype(self) -> torch.dtype:
        """torch's dtype."""
        return self._scalar_type.torch_dtype

    def __hash__(self) -> int:
        return hash(self._scalar_type.name)

    def __repr__(self) -> str:
        return f'dtype("{self.name}")'

    __str__ = __repr__

    @property
    def itemsize(self) -> int:
        """The bytes of an element."""
        return self.torch_dtype.itemsize

    def __getstate__(self) -> Any:
        return self._scalar_type

    def __setstate__(self, value: Any) -> None:
        self._scalar_type = value


def dtype(arg: Any) -> DType:
    """The dtype of a name, a type, a dtype or an array; the default one of None."""
    if arg is None:
        arg = _dtypes_impl.default_dtypes().float_dtype
    return DType(arg)


def set_default_dtype(fp_dtype: Any = "numpy", int_dtype: Any = "numpy") -> Any:
    """Choose what Python's numbers become, and return who says what they become."""
    if fp_dtype not in ("numpy", "pytorch"):
        fp_dtype = dtype(fp_dtype).torch_dtype
    if int_dtype not in ("numpy", "pytorch"):
        int_dtype = dtype(int_dtype).torch_dtype
    if fp_dtype == "numpy":
        float_dtype: Any = torch.float64
    elif fp_dtype == "pytorch":
        float_dtype = torch.float32
    else:
        float_dtype = fp_dtype
    complex_dtype = {
        torch.float64: torch.complex128,
        torch.float32: torch.complex64,
        torch.float16: torch.complex64,
    }[float_dtype]
    if int_dtype in ("numpy", "pytorch"):
        int_dtype = torch.int64
    _dtypes_impl.set_defaults(_dtypes_impl.DefaultDTypes(float_dtype, complex_dtype, int_dtype))
    # What torch returns, too: the function that says what is chosen now.
    return _dtypes_impl.default_dtypes


def issubclass_(arg: Any, klass: Any) -> bool:
    """Whether *arg* is a subclass; False for what is no class."""
    try:
        return issubclass(arg, klass)
    except TypeError:
        return False


def issubdtype(arg1: Any, arg2: Any) -> bool:
    """Whether the first dtype is of the kind of the second."""

    def scalar_type(arg: Any) -> Any:
        if isinstance(arg, str) and arg in _abstract_dtypes:
            return globals()[arg]
        return arg if issubclass_(arg, generic) else dtype(arg).type

    return issubclass(scalar_type(arg1), scalar_type(arg2))


__all__ = ["DType", "dtype", "issubdtype", "sctypes", "set_default_dtype", "typecodes"]
__all__ += list(_names)
__all__ += list(_name_aliases)
__all__ += _abstract_dtypes
