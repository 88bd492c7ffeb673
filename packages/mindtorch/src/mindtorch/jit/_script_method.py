"""Functions and methods of an archive: their signatures, and calls of them.

Source of the texts: torch aten/src/ATen/core/function_schema_inl.h, csrc/jit/python/pybind_utils.h.
"""

from __future__ import annotations

import ast
import functools
import threading
from collections.abc import Callable
from enum import Enum
from typing import Any, NamedTuple

from ..tensor import Tensor
from ._errors import Error, ScriptError, interpreter_text
from ._text import text

__all__ = ["Signature", "overloaded", "script_method"]

#: What a value must be an instance of, by the type that a signature writes.
_TYPES: dict[str, tuple[type, ...]] = {
    "Tensor": (Tensor,), "int": (int,), "float": (float, int), "bool": (bool,), "str": (str,),
}  # fmt: skip


class _Depth(threading.local):
    value = 0


#: ``depth.value``: how many methods of archives this thread is in.
_depth = _Depth()


class Argument(NamedTuple):
    """An argument of a script; *text* is that of its default, empty where it has none."""

    name: str
    type: str
    text: str
    default: Any


class Signature(NamedTuple):
    """Name, arguments and result of a function of an archive, as its schema writes them."""

    name: str
    arguments: tuple[Argument, ...]
    result: str

    @classmethod
    def of(
        cls,
        node: ast.FunctionDef,
        is_enum: Callable[[str], bool],
        value_of: Callable[[ast.expr], Any],
    ) -> Signature:
        """The signature that stands in the source; *value_of* makes values of its defaults."""
        names = node.args.args
        given: list[ast.expr | None] = [None] * (len(names) - len(node.args.defaults))
        given += node.args.defaults
        arguments = tuple(
            Argument(each.arg, _type(each.annotation, is_enum), *_default(default, value_of))
            for each, default in zip(names, given, strict=True)
        )
        return cls(node.name, arguments, _type(node.returns, is_enum))

    def __str__(self) -> str:
        arguments = ", ".join(
            f"{each.type} {each.name}" + (f"={each.text}" if each.text else "")
            for each in self.arguments
        )
        return f"{self.name}({arguments}) -> ({self.result})"


def _type(node: ast.expr | None, is_enum: Callable[[str], bool]) -> str:
    """How a schema writes a type of the source."""
    if node is None:
        return "Tensor"
    if not isinstance(node, ast.Subscript):
        name = ast.unparse(node)
        if name == "number":
            return "Scalar"
        return f"Enum<{name}>" if is_enum(name) else name
    inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    parts = [_type(each, is_enum) for each in inner]
    kind = ast.unparse(node.value)
    if kind in ("List", "Optional"):
        return parts[0] + ("[]" if kind == "List" else "?")
    return ("" if kind == "Tuple" else kind) + "(" + ", ".join(parts) + ")"


def _default(node: ast.expr | None, value_of: Callable[[ast.expr], Any]) -> tuple[str, Any]:
    """A default as a schema writes it, and its value; no text where there is none."""
    if node is None:
        return "", None
    value = value_of(node)
    if isinstance(value, str):
        return f'"{value}"', value
    return (f"Enum<{text(value)}>" if isinstance(value, Enum) else text(value)), value


def script_method(
    function: Callable[..., Any], signature: Signature, code: str
) -> Callable[..., Any]:
    """*function*, called as scripts are: with arguments of its types, and the script's errors.

    :param code: its source.
    """

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if _depth.value:
            return function(*args, **kwargs)
        args = bound(signature, args, kwargs)
        _depth.value += 1
        try:
            return function(*args)
        except ScriptError as error:
            raise Error(interpreter_text(error)) from None
        except Exception as error:
            raise RuntimeError(interpreter_text(error)) from None
        finally:
            _depth.value -= 1

    call.__dict__.update(code=code, schema=str(signature), signature=signature)
    return call


def overloaded(methods: list[Callable[..., Any]]) -> Callable[..., Any]:
    """The first of the methods that takes the arguments of a call."""

    @functools.wraps(methods[0])
    def call(*args: Any, **kwargs: Any) -> Any:
        for method in methods[:-1]:
            try:
                bound(method.__dict__["signature"], args, kwargs)
            except RuntimeError:
                continue
            return method(*args, **kwargs)
        return methods[-1](*args, **kwargs)

    return call


def bound(signature: Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """All given arguments by position. Raises RuntimeError for what the signature does not take."""
    name, arguments = signature.name, signature.arguments
    declared = f"Declaration: {signature}"
    if len(args) + len(kwargs) > len(arguments):
        raise RuntimeError(
            f"{name}() expected at most {len(arguments)} argument(s) but received "
            f"{len(args) + len(kwargs)} argument(s). {declared}"
        )
    full = list(args)
    rest = dict(kwargs)
    for position, argument in enumerate(arguments):
        if position >= len(args):
            if argument.name in rest:
                full.append(rest.pop(argument.name))
            elif not argument.text:
                raise RuntimeError(
                    f"{name}() is missing value for argument '{argument.name}'. {declared}"
                )
            else:
                full.append(argument.default)
        full[position] = _checked(signature, argument, position, full[position])
    if rest:
        raise RuntimeError(
            f"Unknown keyword argument '{next(iter(rest))}' for operator '{name}'. "
            f"Schema: {signature}"
        )
    return tuple(full)


def _checked(signature: Signature, argument: Argument, position: int, value: Any) -> Any:
    kinds = _TYPES.get(argument.type)
    if kinds is None:
        return value
    if argument.type in ("int", "float") and isinstance(value, Tensor) and value.numel() == 1:
        return kinds[0](value.item())
    if not isinstance(value, kinds):
        raise RuntimeError(
            f"{signature.name}() Expected a value of type '{argument.type}' for argument "
            f"'{argument.name}' but instead found type '{type(value).__name__}'.\n"
            f"Position: {position}\nValue: {value!r}\nDeclaration: {signature}\n"
            + (
                f"Cast error details: Unable to cast {value} to Tensor"
                if argument.type == "Tensor"
                else f"Cast error details: Unable to cast Python instance of type {type(value)} "
                "to C++ type '?' (#define PYBIND11_DETAILED_ERROR_MESSAGES or compile in debug "
                "mode for details)"
            )
        )
    return float(value) if argument.type == "float" else value
