"""Annotations and type comments as types of a script."""

from __future__ import annotations

import ast
import builtins
import enum
import re
import types
import typing
from collections.abc import Callable
from typing import Any, get_args, get_origin

from mindtorch_storage import Device, DType

from .. import nn
from ..core.constants import layout, memory_format
from ..core.size import Size
from ..futures import Future
from ..tensor import Tensor
from ..tensor.types import _DTypeLike
from ._source_range import SourceRange, compile_error
from ._types import (
    ANY,
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    GENERATOR,
    INT,
    NONE,
    NUMBER,
    STR,
    TENSOR,
    Type,
    dict_of,
    future_of,
    list_of,
    optional_of,
    tuple_of,
    union_of,
)  # fmt: skip
from .internal import is_dict, is_list, is_optional, is_tuple, is_union

__all__ = ["AnnotationReader", "broadcast_length", "type_comment"]

_PLAIN: dict[Any, Type] = {
    Tensor: TENSOR, nn.Parameter: TENSOR, int: INT, float: FLOAT, bool: BOOL, complex: COMPLEX,
    str: STR, None: NONE, type(None): NONE, Device: DEVICE, DType: INT, _DTypeLike: INT,
    layout: INT, memory_format: INT, typing.Any: ANY, Size: list_of(INT),
}  # fmt: skip
_BY_NAME = {
    "Tensor": TENSOR, "int": INT, "float": FLOAT, "bool": BOOL, "complex": COMPLEX, "str": STR,
    "None": NONE, "Device": DEVICE, "number": NUMBER, "Generator": GENERATOR,
}  # fmt: skip
_GENERIC = frozenset("List Dict Tuple Optional Union Future Final list dict tuple".split())


class AnnotationReader:
    """Reads annotations.

    :param lookup: the Python object that a name stands for; raises KeyError if there is none.
    :param class_of: the type of a class that is compiled.
    """

    def __init__(self, lookup: Callable[[str], Any], class_of: Callable[[type], Type]) -> None:
        self._lookup, self._class_of = lookup, class_of
        self.where: SourceRange | None = None

    def read(self, node: ast.expr | None) -> Type:
        """The type that an expression writes. Raises RuntimeError for what is no type."""
        match node:
            case None | ast.Constant(value=None):
                return NONE
            case ast.Constant(value=str() as text):
                return self.read(ast.parse(text, mode="eval").body)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return union_of((self.read(left), self.read(right)))
            case ast.Subscript(value=base, slice=inner):
                return self._generic(base, inner)
            case ast.Name(id=name) if name in _BY_NAME and self._plain(name):
                return _BY_NAME[name]
        return self.of(self._evaluated(node), node)

    def _plain(self, name: str) -> bool:
        """Whether *name* is no other thing where the annotation stands."""
        try:
            found = self._lookup(name)
        except KeyError:
            return True
        return found in _PLAIN if isinstance(found, type) else True

    def _evaluated(self, node: Any) -> Any:
        match node:
            case ast.Name(id=name):
                try:
                    return self._lookup(name)
                except KeyError:
                    if hasattr(builtins, name):
                        return getattr(builtins, name)
                    found = getattr(typing, name, None)
                    if found is None:
                        raise self._unknown(node) from None
                    return found
            case ast.Attribute(value=base, attr=name):
                owner = self._evaluated(base)
                if not hasattr(owner, name):
                    raise self._unknown(node)
                return getattr(owner, name)
        raise self._unknown(node)

    def _unknown(self, node: Any) -> RuntimeError:
        return compile_error(self.where, f"Unknown type name '{ast.unparse(node)}'")

    def _generic(self, base: ast.expr, inner: ast.expr) -> Type:
        name = base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")
        parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        if re.fullmatch(r"BroadcastingList\d", name):
            return list_of(self.read(parts[0]))
        if name not in _GENERIC:
            found = self._evaluated(base)
            name = getattr(found, "__name__", getattr(found, "_name", "")) or ""
        if name in ("Tuple", "tuple") and isinstance(inner, ast.Tuple) and not inner.elts:
            return tuple_of(())
        return self._made(name, [self.read(part) for part in parts], base)

    def _made(self, name: str, parts: list[Type], node: Any) -> Type:
        match name:
            case "List" | "list":
                return list_of(parts[0])
            case "Dict" | "dict":
                return dict_of(*parts)
            case "Tuple" | "tuple":
                return tuple_of(parts)
            case "Optional":
                return optional_of(parts[0])
            case "Union" | "UnionType":
                return union_of(parts)
            case "Future":
                return future_of(parts[0])
            case "Final":
                return parts[0]
        raise self._unknown(node)

    def of(self, found: Any, node: Any = None) -> Type:
        """The type that a Python object says."""
        try:
            if found in _PLAIN:
                return _PLAIN[found]
        except TypeError:  # what has no hash
            pass
        if isinstance(found, str):
            return self.read(ast.parse(found, mode="eval").body)
        for bare in (is_list, is_dict, is_tuple, is_optional, is_union):
            bare(found)  # refuses what says nothing of what is within
        origin = get_origin(found)
        if origin is not None and get_args(found):
            parts = [self.of(part) for part in get_args(found)]
            if origin in (typing.Union, types.UnionType):
                return union_of(parts)
            name = "Future" if origin is Future else origin.__name__
            return self._made(name, parts, node or ast.Constant(str(found)))
        if isinstance(found, type) and (
            found.__module__ != "builtins" or issubclass(found, enum.Enum)
        ):
            if issubclass(found, Tensor):
                return TENSOR
            return self._class_of(found)
        if getattr(found, "__name__", "") in ("Generator",):
            return GENERATOR
        raise self._unknown(node or ast.Name(getattr(found, "__name__", str(found))))


def broadcast_length(node: ast.expr | None) -> int:
    """How many elements one number stands for, by an annotation; 0 where it is no such list."""
    match node:
        case ast.Constant(value=str() as text):
            return broadcast_length(ast.parse(text, mode="eval").body)
        case ast.BinOp(left=inner) | ast.Subscript(value=ast.Name(id="Optional"), slice=inner):
            return broadcast_length(inner)
        case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name)):
            found = re.fullmatch(r"BroadcastingList(\d)", name)
            return int(found[1]) if found else 0
    return 0


def type_comment(text: str) -> tuple[list[ast.expr], ast.expr] | None:
    """The types of arguments and the result in the ``# type:`` comment of a function's source."""
    lines = text.splitlines()
    one = next(
        (m for line in lines if (m := re.match(r"\s*#\s*type:\s*(\(.*\)\s*->.*)$", line))), None
    )
    if one is None:
        one = next(
            (m for line in lines if (m := re.search(r":\s*#\s*type:\s*(\(.*\)\s*->.*)$", line))),
            None,
        )
    if one is None:
        return None
    given, _, result = one[1].rpartition("->")
    arguments: Any = ast.parse(f"f{given.strip()}", mode="eval").body
    return arguments.args, ast.parse(result.strip(), mode="eval").body
