"""Functions and methods of an archive: their signatures, and calls of them.

Source of the texts: torch aten/src/ATen/core/function_schema_inl.h, csrc/jit/python/pybind_utils.h.
"""

from __future__ import annotations

import ast
import functools
import threading
from collections.abc import Callable
from typing import Any, NamedTuple

from ..tensor import Tensor
from .errors import Error, ScriptError, interpreter_text

__all__ = ["Signature", "script_method"]

#: The sources of methods, by the names of their files, for the texts of errors.
_SOURCES: dict[str, str] = {}
#: What a value must be an instance of, by the type that a signature writes.
_TYPES: dict[str, tuple[type, ...]] = {
    "Tensor": (Tensor,), "int": (int,), "float": (float, int), "bool": (bool,), "str": (str,),
}  # fmt: skip


class _Depth(threading.local):
    value = 0


#: ``depth.value``: how many methods of archives this thread is in.
_depth = _Depth()


class Argument(NamedTuple):
    """An argument of a script."""

    name: str
    type: str
    default: str | None


class Signature(NamedTuple):
    """Name, arguments and result of a function of an archive, as its schema writes them."""

    name: str
    arguments: tuple[Argument, ...]
    result: str

    @classmethod
    def of(cls, node: ast.FunctionDef, is_enum: Callable[[str], bool]) -> Signature:
        """The signature that stands in the source."""
        names = node.args.args
        given: list[ast.expr | None] = [None] * (len(names) - len(node.args.defaults))
        given += node.args.defaults
        arguments = tuple(
            Argument(each.arg, _type(each.annotation, is_enum), default and ast.unparse(default))
            for each, default in zip(names, given, strict=True)
        )
        return cls(node.name, arguments, _type(node.returns, is_enum))

    def __str__(self) -> str:
        arguments = ", ".join(
            f"{each.type} {each.name}" + (f"={each.default}" if each.default else "")
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


def script_method(
    function: Callable[..., Any], signature: Signature, code: str, source: str
) -> Callable[..., Any]:
    """*function*, called as scripts are: with arguments of its types, and the script's errors.

    :param code: its source; *source* is that of its whole file.
    """
    _SOURCES[function.__code__.co_filename] = source

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if _depth.value:
            return function(*args, **kwargs)
        args = bound(signature, args, kwargs)
        _depth.value += 1
        try:
            return function(*args)
        except ScriptError as error:
            text = interpreter_text(error, _SOURCES)
            raise Error(text) from None
        except Exception as error:
            text = interpreter_text(error, _SOURCES)
            raise RuntimeError(text) from None
        finally:
            _depth.value -= 1

    call.__dict__.update(code=code, schema=str(signature))
    return call


def bound(
    signature: Signature, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, ...]:
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
            elif argument.default is None:
                raise RuntimeError(
                    f"{name}() is missing value for argument '{argument.name}'. {declared}"
                )
            else:
                full.append(ast.literal_eval(argument.default))
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
