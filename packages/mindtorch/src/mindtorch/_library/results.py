"""What a Python kernel may return, and what its caller gets of it.

Source: torch/csrc/autograd/python_variable.cpp and torch/csrc/jit/python/pybind_utils.h,
``pushPyOutToStack`` and ``toIValue``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_dispatch import FunctionSchema, SchemaType

from ..call.schema_binding import fits
from ..tensor import Tensor

__all__ = ["result_converter"]

_UNCASTABLE = (
    "Unable to cast Python instance of type {} to C++ type '?' (#define "
    "PYBIND11_DETAILED_ERROR_MESSAGES or compile in debug mode for details)"
)


def result_converter(name: str, schema: FunctionSchema) -> Callable[[Any], Any]:
    """A function from what a kernel of op *name* returned to what the call returns."""
    returns = schema.returns
    if not returns:

        def nothing(value: Any) -> None:
            if value is not None:
                raise RuntimeError(
                    f"Expected PythonKernelHolder for {name} to return None but it returned "
                    "something else instead."
                )

        return nothing
    if len(returns) == 1:
        return _converter(returns[0].real_type)
    converters = [_converter(r.real_type) for r in returns]

    def several(value: Any) -> Any:
        if not isinstance(value, (tuple, list)):
            raise TypeError(
                f"Object of type '{type(value).__name__}' is not an instance of 'sequence'"
            )
        if len(value) > len(converters):  # torch goes past the end of its memory
            raise RuntimeError(
                f"{name} must return {len(converters)} values but returned {len(value)}"
            )
        found = tuple([c(v) for c, v in zip(converters, value)])
        return found if len(found) > 1 else found[0] if found else None

    return several


def _tensor(value: Any) -> Any:
    if value is None or isinstance(value, Tensor):
        return value
    raise RuntimeError(f"Unable to cast {value} to Tensor")


def _converter(kind_of_result: SchemaType) -> Callable[[Any], Any]:
    kind = str(kind_of_result)
    if kind == "Tensor":
        return _tensor
    make = _whole_number if kind_of_result.str() == "SymInt" else _MAKERS.get(kind)

    tensors = kind == "List[Tensor]"

    def convert(value: Any) -> Any:
        if kind == "int" and value.__class__ is bool:
            return int(value)
        if not fits(kind, value) or (tensors and not all(isinstance(v, Tensor) for v in value)):
            raise RuntimeError(_UNCASTABLE.format(type(value)))
        if make is not None:
            return make(value)
        return list(value) if isinstance(value, tuple) else value

    return convert


def _whole_number(value: Any) -> Any:
    """An int; a number that a trace computes with is handed on."""
    return value if hasattr(value, "node") else int(value)


_MAKERS: dict[str, Callable[[Any], Any]] = {"float": float, "bool": bool, "int": int}
