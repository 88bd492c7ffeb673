"""Arguments of ``torch.ops`` calls: bound by the schema alone, with torch's texts.

Sources: torch aten/src/ATen/core/function_schema_inl.h (checks of names and counts),
torch/csrc/jit/python/pybind_utils.h (checks of types).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_dispatch import FunctionSchema
from mindtorch_dispatch.argument_kind import symbol_type
from mindtorch_storage import Device, DType

from ..core.constants import LAYOUTS, MEMORY_FORMATS, layout, memory_format
from ..core.dtype_codes import dtype_of
from ..core.missing_backends import built_layout
from ..tensor import Tensor
from ..tensor.generator import Generator


class MismatchError(RuntimeError):
    """The arguments do not fit a schema. Users see it as RuntimeError."""


MismatchError.__name__ = MismatchError.__qualname__ = "RuntimeError"


def bind(
    schema: FunctionSchema,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    convert: Callable[[FunctionSchema, Any, int, Any], Any],
) -> tuple[Any, ...]:
    """All arguments in schema order, defaults filled in.

    *convert* makes of each argument what a kernel takes, and raises where it does not fit:
    :func:`taken`, or for rows :func:`converted`.
    Raises RuntimeError with torch's text for arguments that do not fit.
    """
    default = _thawed if convert is taken else _frozen
    arguments = schema.arguments
    if len(args) + len(kwargs) > len(arguments):
        raise MismatchError(
            f"{schema.name}() expected at most {len(arguments)} argument(s) but received "
            f"{len(args) + len(kwargs)} argument(s). Declaration: {schema}"
        )
    positional = [a for a in arguments if not a.kwarg_only]
    if len(args) > len(positional):
        raise MismatchError(
            f"{schema.name}() takes {len(positional)} positional argument(s) but {len(args)} "
            f"was/were given.  Declaration: {schema}"
        )
    full: list[Any] = []
    used = 0
    for i, argument in enumerate(arguments):
        if i < len(args):
            if argument.name in kwargs:
                break  # given twice: torch counts the keyword as unknown
            value = args[i]
        elif argument.name in kwargs:
            value = kwargs[argument.name]
            used += 1
        elif argument.has_default_value():
            full.append(default(argument.default_value))
            continue
        else:
            raise MismatchError(
                f"{schema.name}() is missing value for argument '{argument.name}'. "
                f"Declaration: {schema}"
            )
        full.append(convert(schema, argument, i, value))
    if used != len(kwargs):
        names = {a.name for a in arguments[len(args) :]}
        unknown = next(k for k in kwargs if k not in names)
        raise MismatchError(
            f"Unknown keyword argument '{unknown}' for operator '{schema.name}'. Schema: {schema}"
        )
    return tuple(full)


def converted(schema: FunctionSchema, argument: Any, position: int, value: Any) -> Any:
    """*value* as the kernel of a row takes it: lists are tuples."""
    return _frozen(taken(schema, argument, position, value))


def number_or_converted(schema: FunctionSchema, argument: Any, position: int, value: Any) -> Any:
    """*value* as the kernel of a row takes it whose tensors may be numbers."""
    if str(argument.real_type) in _TENSORS:
        if isinstance(value, _NUMBERS) or symbol_type(value) is not None:
            return value
    return converted(schema, argument, position, value)


def taken(schema: FunctionSchema, argument: Any, position: int, value: Any) -> Any:
    """*value* as the schema has it: floats made of ints, lists copied, devices of their names."""
    kind = str(argument.real_type)
    if argument.N and isinstance(value, (int, float)):
        if fits(kind.removeprefix("Optional[").rstrip("]")[5:], value):
            value = [value] * argument.N
    given = value
    if kind.startswith("List[") and isinstance(value, Tensor) and value.ndim:
        sizes = _one_by_one(argument.real_type) and not value.is_floating_point()
        if sizes or kind == "List[Optional[Tensor]]":  # or subscripts
            given = list(value)
    try:
        return _taken(kind, given)
    except _UnfitError:
        raise misfit(schema, argument, position, value) from None


class _UnfitError(Exception):
    pass


def _taken(kind: str, value: Any) -> Any:
    if kind.startswith("Optional["):
        return None if value is None else _taken(kind[9:-1], value)
    if kind.startswith("List["):
        inner = kind[5:-1]
        if not _is_list(inner, value):
            raise _UnfitError
        if not all(_is_element(inner, v) for v in value):
            raise _UnfitError
        return [_taken(inner, v) for v in value]
    if kind == "Tensor":
        if isinstance(value, Tensor):
            return value
        raise _UnfitError
    if not fits(kind, value):
        raise _UnfitError
    if kind in _SYMBOLIC and symbol_type(value) is not None:
        return value  # a symbol stays one
    make = _MADE.get(kind)
    if make is None:
        return value
    try:
        return make(value.item() if isinstance(value, Tensor) and kind != "bool" else value)
    except (RuntimeError, TypeError, ValueError):
        if kind == "Device" or kind in _ENUMS:
            raise
        raise _UnfitError from None


def _device(value: Any) -> Any:
    return value if isinstance(value, Device) else Device(value)


def _scalar(value: Any) -> Any:
    """A float of numpy, which is one of Python's, as that."""
    return float(value) if isinstance(value, float) else value


def _dtype(value: Any) -> Any:
    return dtype_of(int(value)) if isinstance(value, int) else value


def _layout(value: Any) -> Any:
    if isinstance(value, int):
        if not 0 <= value < len(LAYOUTS):
            raise RuntimeError("Unknown layout")
        value = LAYOUTS[value]
    return built_layout(value)


def _memory_format(value: Any) -> Any:
    if isinstance(value, int):
        if not 0 <= value < len(MEMORY_FORMATS):
            raise RuntimeError("Unsupported memory format")
        return MEMORY_FORMATS[value]
    return value


#: What is a number in C++, which a call may give as well.
_ENUMS: dict[str, type] = {"ScalarType": DType, "Layout": layout, "MemoryFormat": memory_format}
_TENSORS = ("Tensor", "Optional[Tensor]")
_MADE: dict[str, Callable[[Any], Any]] = {
    "float": float,
    "bool": bool,
    "int": int,
    "SymInt": int,
    "Device": _device,
    "Layout": _layout,
    "MemoryFormat": _memory_format,
    "ScalarType": _dtype,
    "number": _scalar,
    "Scalar": _scalar,
}


def misfit(schema: FunctionSchema, argument: Any, position: int, value: Any) -> MismatchError:
    """torch's error for a value that may not stand where *argument* does."""
    kind = str(argument.type)
    text = (
        f"{schema.name}() Expected a value of type '{kind}' for argument '{argument.name}' but "
        f"instead found type '{type(value).__name__}'.\nPosition: {position}\n"
        f"Value: {value!r}\nDeclaration: {schema}\n"
    )
    iterated = kind.startswith("List[") and _one_by_one(argument.real_type)
    if iterated and not isinstance(value, (list, tuple)):
        text += f" Python error details: TypeError: '{type(value).__name__}' object is not iterable"
    elif kind in _TENSORS:
        text += f"Cast error details: Unable to cast {value} to Tensor"
    elif kind == "number":
        text += f"Cast error details: Cannot cast {value!s} to number"
    elif kind in ("int", "float") and isinstance(value, Tensor) and value.device.type == "meta":
        text += f"Cast error details: cannot extract {kind} from tensor with meta storage"
    else:
        culprit = value
        if iterated:
            inner = str(argument.real_type)[5:-1]
            culprit = next((v for v in value if not _is_element(inner, v)), value)
        text += (
            f"Cast error details: Unable to cast Python instance of type {type(culprit)} to C++ "
            "type '?' (#define PYBIND11_DETAILED_ERROR_MESSAGES or compile in debug mode for "
            "details)"
        )
    return MismatchError(text)


def _one_by_one(kind: Any) -> bool:
    """Whether torch converts a list of this type element by element: it names the culprit then."""
    return bool(kind.getElementType().kind() == "SymIntType")


_NUMBERS = (int, float, complex)
_REAL = ("int", "SymInt", "float")
#: Where a number may be a symbol.
_SYMBOLIC = ("int", "SymInt", "float", "SymFloat", "bool", "SymBool", "number", "Scalar")


def fits(kind: str, value: Any) -> bool:
    """Whether *value* may stand where the schema says *kind*."""
    if kind.startswith("Optional["):
        return value is None or fits(kind[9:-1], value)
    if kind.startswith("List["):
        inner = kind[5:-1]
        return _is_list(inner, value) and all(_is_element(inner, v) for v in value)
    if kind == "Tensor":
        return isinstance(value, Tensor)
    if kind in _SYMBOLIC and symbol_type(value) is not None:
        return True
    if kind in ("int", "SymInt"):
        return isinstance(value, int) or _is_number(value) or _makes(int, value)
    if kind == "float":
        return isinstance(value, (int, float)) or _is_number(value) or _makes(float, value)
    if kind in ("number", "Scalar"):
        return isinstance(value, (int, float)) or type(value) is complex
    if kind == "bool":  # whatever has a truth of its own, as pybind11 has it
        return value is None or hasattr(type(value), "__bool__")
    if kind == "str":
        return isinstance(value, str)
    if kind in _ENUMS:
        return isinstance(value, (int, _ENUMS[kind]))
    if kind == "Device":
        return isinstance(value, (Device, str))
    if kind == "Generator":
        return isinstance(value, Generator)
    return True


def _is_element(kind: str, value: Any) -> bool:
    """The same of an element of a list: there a tensor of one number has no dimensions."""
    return fits(kind, value) and (kind not in _REAL or not getattr(value, "ndim", 0))


def _is_list(kind: str, value: Any) -> bool:
    """Whether *value* may be a list of that kind; of numbers, arrays and ranges are ones, too."""
    if isinstance(value, (list, tuple)):
        return True
    numbers = kind in _REAL or kind == "bool"
    sequence = isinstance(value, (range, np.ndarray)) and getattr(value, "ndim", 1) == 1
    return numbers and sequence


def _makes(kind: type[int] | type[float], value: Any) -> bool:
    """Whether a number of another library is one of *kind*: one of numpy, or an array of one."""
    if isinstance(value, (float, complex, str, bytes, bytearray, Tensor)):
        return False
    if not (hasattr(type(value), "__index__") or hasattr(type(value), f"__{kind.__name__}__")):
        return False
    if isinstance(value, np.complexfloating):  # which warns when it is made one
        return True
    try:
        kind(value)
    except (TypeError, ValueError):
        return False
    return True


def _is_number(value: Any) -> bool:
    """Whether *value* is a tensor of one real number, of whatever shape."""
    if not isinstance(value, Tensor) or value.numel() != 1:
        return False
    return value.device.type != "meta" and not value.is_complex()


def _frozen(value: Any) -> Any:
    if isinstance(value, list):  # kernels take lists of tensors as lists, of numbers as tuples
        if any(isinstance(v, Tensor) for v in value):
            return value
        return tuple(value)
    return value


def _thawed(value: Any) -> Any:
    return list(value) if isinstance(value, (list, tuple)) else value
