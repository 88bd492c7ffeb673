"""Types of TorchScript: what they are called, which is one of which, and what two have in common.

Source: torch aten/src/ATen/core/jit_type.h, type.cpp.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

__all__ = [
    "ANY", "BOOL", "COMPLEX", "DEVICE", "FLOAT", "FieldNames", "GENERATOR", "INFERRED",
    "INFERRED_TENSOR", "INT", "NONE", "NUMBER", "STR",
    "TENSOR", "Type", "bound", "class_type", "dict_of", "future_of", "is_subtype", "list_of",
    "match_variables", "optional_of", "parsed", "told", "tuple_of", "unified", "union_of",
]  # fmt: skip


@dataclass(frozen=True)
class Type:
    """One type.

    :ivar base: ``Tensor``, ``List``, ``Class``: which kind of type it is.
    :ivar args: the types within.
    :ivar name: the qualified name of a class, the name of a variable of a schema.
    :ivar definition: what the compiler knows of a class, an enum or a named tuple.
    """

    base: str
    args: tuple[Type, ...] = ()
    name: str = ""
    definition: Any = field(default=None, compare=False, hash=False, repr=False)

    def kind(self) -> str:
        """The name of the class of such types."""
        return _KINDS.get(self.base, f"{self.base.capitalize()}Type")

    @property
    def annotation_str(self) -> str:
        """The type as source writes it."""
        if self.name:
            return self.name
        if self.base in _GENERIC:
            inner = ", ".join(each.annotation_str for each in self.args)
            return f"{self.base}[{inner or '()'}]"
        return _SOURCE.get(self.base, self.base)

    def __str__(self) -> str:
        if self.name:
            return self.name
        inner = [str(each) for each in self.args]
        if self.base == "List":
            return f"{inner[0]}[]"
        if self.base == "Optional":
            return f"{inner[0]}?"
        if self.base == "Tuple":
            return f"({', '.join(inner)})"
        if self.base in ("Future", "Await"):
            return f"{self.base}[{inner[0]}]"
        if self.base in _GENERIC:
            return f"{self.base}({', '.join(inner)})"
        return _SOURCE.get(self.base, self.base) if self.base != "number" else "Scalar"

    def getElementType(self) -> Type:
        """The type of the elements of a list or optional."""
        return self.args[0]

    def elements(self) -> list[Type]:
        """The types of the elements of a tuple."""
        return list(self.args)

    @property
    def element(self) -> Type:
        """The type of the elements of a list, or what an optional is if not None."""
        return self.args[0]


@dataclass(frozen=True)
class FieldNames:
    """The names of the elements of an operator's tuple."""

    names: list[str]


_GENERIC = frozenset({"List", "Dict", "Tuple", "Optional", "Union", "Future", "Await"})
_SOURCE = {"None": "NoneType"}
_KINDS = {
    "str": "StringType", "None": "NoneType", "Device": "DeviceObjType", "number": "NumberType",
    "Module": "ClassType", "NamedTuple": "TupleType",
}  # fmt: skip

TENSOR, INT, FLOAT, BOOL = Type("Tensor"), Type("int"), Type("float"), Type("bool")
COMPLEX, STR, NONE, DEVICE = Type("complex"), Type("str"), Type("None"), Type("Device")
INFERRED: Any = FieldNames([])
#: The type of an argument of which nothing is said.
INFERRED_TENSOR = Type("Tensor", definition=INFERRED)
NUMBER, ANY, GENERATOR = Type("number"), Type("Any"), Type("Generator")
_NUMBERS = (INT, FLOAT, COMPLEX)


def told(kind: Type) -> str:
    """How errors call a type."""
    return kind.annotation_str + (" (inferred)" if kind.definition is INFERRED else "")


def list_of(element: Type) -> Type:
    """A list of *element*."""
    return Type("List", (element,))


def dict_of(key: Type, value: Type) -> Type:
    """A dict from *key* to *value*."""
    return Type("Dict", (key, value))


def tuple_of(elements: Iterable[Type]) -> Type:
    """A tuple of these."""
    return Type("Tuple", tuple(elements))


def future_of(element: Type) -> Type:
    """A future of *element*."""
    return Type("Future", (element,))


def optional_of(element: Type) -> Type:
    """*element* or None."""
    if element.base in ("Optional", "Any", "None"):
        return element
    if element.base == "Union":
        return union_of((*element.args, NONE))
    return Type("Optional", (element,))


def class_type(name: str, definition: Any, base: str = "Class") -> Type:
    """A class, module, enum or named tuple by its qualified name."""
    args = tuple(definition.types) if base == "NamedTuple" else ()
    return Type(base, args, name, definition)


def union_of(types: Iterable[Type]) -> Type:
    """One of these: an optional where there is one beside None."""
    found: list[Type] = []
    for each in types:
        for one in each.args if each.base == "Union" else members(each):
            if not any(is_subtype(one, other) for other in found):
                found = [other for other in found if not is_subtype(other, one)] + [one]
    if len(found) == 1:
        return found[0]
    rest = [each for each in found if each != NONE]
    if len(rest) == 1:
        return Type("Optional", (rest[0],))
    return Type("Union", tuple(found))


def members(kind: Type) -> tuple[Type, ...]:
    """What a value of *kind* may be: the types of an optional or a union."""
    if kind.base == "Optional":
        return (*members(kind.args[0]), NONE)
    return kind.args if kind.base == "Union" else (kind,)


def is_subtype(kind: Type, other: Type) -> bool:
    """Whether every value of *kind* is one of *other*."""
    if kind == other or other.base == "Any":
        return True
    if kind.base in ("Optional", "Union"):
        return other.base in ("Optional", "Union") and all(
            is_subtype(each, other) for each in members(kind)
        )
    if other.base in ("Optional", "Union"):
        return any(is_subtype(kind, each) for each in members(other))
    if other.base == "number":
        return kind in _NUMBERS
    if other.base == "AnyEnumType":
        return kind.base == "Enum"
    if other.base == "AnyClassType":
        return kind.base in ("Class", "Module")
    if other.base in ("AnyListType", "AnyTupleType"):
        return kind.base == other.base[3:-4]
    if other.base == "List" and other.args[0] == ANY and kind.base == "List":
        return True
    if other.base == "Tuple" and kind.base in ("Tuple", "NamedTuple"):
        return len(kind.args) == len(other.args) and all(map(is_subtype, kind.args, other.args))
    if other.base == "Future" and kind.base == "Future":
        return is_subtype(kind.args[0], other.args[0])
    if other.base == "Interface" and kind.base in ("Class", "Module"):
        return bool(other.definition.is_met_by(kind))
    return False


def unified(first: Type, second: Type, default_to_union: bool = False) -> Type | None:
    """The type of what is either; None if there is none but a union."""
    if is_subtype(first, second):
        return second
    if is_subtype(second, first):
        return first
    if first == NONE:
        return optional_of(second)
    if second == NONE:
        return optional_of(first)
    for one, other in ((first, second), (second, first)):
        if one.base == "Optional" and other.base != "Optional":
            inner = unified(one.element, other)
            if inner is not None:
                return optional_of(inner)
    if first.base == second.base == "Tuple" and len(first.args) == len(second.args):
        inner_types = [unified(*pair) for pair in zip(first.args, second.args, strict=True)]
        if all(inner_types):
            return tuple_of(each for each in inner_types if each)
    return union_of((first, second)) if default_to_union else None


# -- schemas ---------------------------------------------------------------------------------------

_NAMES = {
    "SymInt": INT, "ScalarType": INT, "Layout": INT, "MemoryFormat": INT,
    "QScheme": Type("QScheme"),
    "Scalar": NUMBER, "DeviceObjType": DEVICE, "NoneType": NONE, "Dimname": STR,
    "DeviceIndex": INT, "SymBool": BOOL, "None": NONE,
}  # fmt: skip
_PLAIN = frozenset(
    "Tensor int float bool complex str Device Generator Stream Storage Any AnyEnumType "
    "AnyClassType AnyListType AnyTupleType number".split()
)
_TOKEN = re.compile(r"\s*([A-Za-z_][\w.]*|->|\d+|[()\[\]?!|*,=]|\S)")


@cache
def parsed(text: str) -> tuple[Type, int]:
    """The type that a schema writes as *text*, and the length of a list that one number may fill.

    What it says of aliases is dropped.
    """
    tokens = _TOKEN.findall(text)
    kind, position, length = _parse(tokens, 0)
    if position != len(tokens):
        raise RuntimeError(f"a type of a schema: {text}")
    return kind, length


def _parse(tokens: list[str], at: int) -> tuple[Type, int, int]:
    word, at = tokens[at], at + 1
    length = 0
    if word in ("Dict", "Future", "Await", "RRef", "Tuple", "Optional") and tokens[at] == "(":
        inner, at = _several(tokens, at)
        kind = Type(word, tuple(inner))
    elif word == "(":
        inner, at = _several(tokens, at - 1)
        kind = tuple_of(inner)
    elif word in _PLAIN:
        kind = Type(word)
    else:
        kind = _NAMES.get(word) or Type("Var", (), word)
    while at < len(tokens):
        if tokens[at] == "(":  # what it aliases
            at = tokens.index(")", at) + 1
        elif tokens[at] == "[":
            if tokens[at + 1].isdigit():
                length, at = int(tokens[at + 1]), at + 1
            kind, at = list_of(kind), at + 2
        elif tokens[at] == "?":
            kind, at = Type("Optional", (kind,)), at + 1
        else:
            break
    return kind, at, length


def _several(tokens: list[str], at: int) -> tuple[list[Type], int]:
    found: list[Type] = []
    at += 1
    while tokens[at] != ")":
        kind, at, _ = _parse(tokens, at)
        found.append(kind)
        if tokens[at] == ",":
            at += 1
    return found, at + 1


def match_variables(formal: Type, actual: Type, known: dict[str, Type]) -> str:
    """Learn what the variables of *formal* stand for; why it cannot be, or nothing."""
    if formal.base == "Var":
        found = known.get(formal.name)
        if found is None:
            known[formal.name] = actual
        elif not is_subtype(actual, found):
            both = unified(found, actual)
            if both is None:
                return (
                    f"Type variable '{formal.name}' previously matched to type {found} is matched "
                    f"to type {actual}"
                )
            known[formal.name] = both
        return ""
    if formal.base == "Optional":
        if actual.base == "Optional":
            return match_variables(formal.element, actual.element, known)
        return "" if actual == NONE else match_variables(formal.element, actual, known)
    if formal.base == actual.base and len(formal.args) == len(actual.args):
        return next(
            filter(None, (match_variables(*p, known) for p in zip(formal.args, actual.args))), ""
        )
    if formal.base == "List" and actual.base in ("Tuple", "NamedTuple") and has_variable(formal):
        both = _joined(actual.args)
        if both is not None:
            return match_variables(formal.element, both, known)
    return f"Cannot match {told(formal)} to {told(actual)}" if has_variable(formal) else ""


def _joined(types: tuple[Type, ...]) -> Type | None:
    if not types:
        return None
    joined: Type | None = types[0]
    for each in types[1:]:
        joined = joined and unified(joined, each)
    return joined


def has_variable(kind: Type) -> bool:
    """Whether *kind* names a variable."""
    return kind.base == "Var" or any(map(has_variable, kind.args))


def bound(kind: Type, known: dict[str, Type]) -> Type | None:
    """*kind* with its variables' types; None if one is not known."""
    if kind.base == "Var":
        return known.get(kind.name)
    if not has_variable(kind):
        return kind
    args = [bound(each, known) for each in kind.args]
    if any(each is None for each in args):
        return None
    given = tuple(each for each in args if each is not None)
    make: Callable[..., Type] = optional_of if kind.base == "Optional" else Type
    return make(*given) if kind.base == "Optional" else Type(kind.base, given, kind.name)
