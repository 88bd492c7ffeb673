"""Calls that the compiler of scripts knows itself: ``isinstance``, ``annotate``, ``range``.

Source: torch/csrc/jit/frontend/ir_emitter.cpp, emitApplySpecialForm.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from ._condition import Condition, instance_refinements
from ._ir import Value
from ._source_range import compile_error
from ._sugared_value import (
    Arguments,
    Builtin,
    Cast,
    Counter,
    ExceptionClass,
    Range,
    Several,
    Simple,
    Special,
    Sugared,
    Zipped,
)  # fmt: skip
from ._types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    STR,
    Type,
    dict_of,
    future_of,
    is_subtype,
    members,
)  # fmt: skip

__all__ = ["NAMES", "call_special"]

#: Names that mean the same in every script.
NAMES: dict[str, Sugared] = {
    "int": Cast("int", "aten::Int", INT), "float": Cast("float", "aten::Float", FLOAT),
    "bool": Cast("bool", "aten::Bool", BOOL), "str": Cast("str", "aten::str", STR),
    "complex": Cast("complex", "aten::Complex", COMPLEX),
    **{
        n: Builtin(f"aten::{n}")
        for n in "len hex oct round hash all any divmod sum ord chr bin pow sorted".split()
    },
    **{n: Builtin(f"prim::{n}") for n in "min max abs id".split()},
    **{
        n: Special(n)
        for n in "print tuple getattr hasattr isinstance list dict range zip enumerate".split()
    },
    "AssertionError": ExceptionClass(""),
}  # fmt: skip

Form = Callable[[Any, ast.Call, Type | None], Any]


def call_special(e: Any, called: Special, node: ast.Call, hint: Type | None) -> Any:
    """What the call is, a sugared value or a condition; None for what is called as others are."""
    form = _FORMS.get(called.name)
    if isinstance(called, Cast) or form is None:
        return None
    made = form(e, node, hint)
    e.at(node)
    return made


def _print(e: Any, node: ast.Call, hint: Type | None) -> Sugared:
    given = [e.value(each) for each in node.args]
    e.at(node)
    e.builder.node("prim::Print", given, [])
    return Simple(e.builder.constant(None))


def _isinstance(e: Any, node: ast.Call, hint: Type | None) -> Condition:
    tested, kinds = node.args
    value: Value = e.value(tested)
    e.at(node)
    wanted = [_kind(e, each) for each in (kinds.elts if isinstance(kinds, ast.Tuple) else [kinds])]
    given: Type = value.type()
    if given.base == "Any":
        possible = None
    else:
        of = [any(_is_one(member, each) for each in wanted) for member in members(given)]
        possible = True if all(of) else None if any(of) else False
    known = instance_refinements(
        tested, given, [k for k in wanted if k.args or k.base not in ("List", "Tuple", "Dict")]
    )
    if possible is not None:
        return Condition(None, {}, {}, possible)
    made = e.builder.value("prim::isinstance", [value], BOOL, types=_Types(wanted))
    return Condition(made, *known)


class _Types(list[Type]):
    """Types as an attribute of a node."""

    def __str__(self) -> str:
        return f"[{', '.join(map(str, self))}]"


def _kind(e: Any, node: ast.expr) -> Type:
    if isinstance(node, ast.Name) and node.id in ("list", "tuple", "dict"):
        return Type({"list": "List", "tuple": "Tuple", "dict": "Dict"}[node.id])
    found: Type = e.reader.read(node)
    return found


def _is_one(kind: Type, wanted: Type) -> bool:
    if wanted.base in ("List", "Tuple", "Dict") and not wanted.args:
        return kind.base in (wanted.base, "NamedTuple" if wanted.base == "Tuple" else "")
    return is_subtype(kind, wanted) and not (kind != wanted and wanted.base == "number")


def _annotate(e: Any, node: ast.Call, hint: Type | None) -> Sugared:
    kind: Type = e.reader.read(node.args[0])
    value = e.value(node.args[1], kind)
    e.at(node)
    value = e.builder.converted(value, kind, True)
    if not is_subtype(value.type(), kind):
        raise compile_error(
            e.where,
            f"expected an expression of type {kind} but found {value.type()}",
        )
    if value.type() == NONE and kind.base == "Optional":
        value = e.builder.constant(None)
        value.set_type(kind)
    return Simple(value)


def _hasattr(e: Any, node: ast.Call, hint: Type | None) -> Condition:
    owner = e.sugared(node.args[0])
    e.at(node)
    return Condition(static=owner.has_attr(e, ast.literal_eval(node.args[1])))


def _getattr(e: Any, node: ast.Call, hint: Type | None) -> Sugared:
    owner = e.sugared(node.args[0])
    e.at(node)
    name = node.args[1]
    if not isinstance(name, ast.Constant) or not isinstance(name.value, str):
        raise compile_error(e.where, "getattr's second argument must be a string literal")
    if len(node.args) == 3 and not owner.has_attr(e, name.value):
        found: Sugared = e.sugared(node.args[2])
        return found
    found = owner.attr(e, name.value)
    return found


def _range(e: Any, node: ast.Call, hint: Type | None) -> Sugared:
    given = [e.value(each) for each in node.args]
    e.at(node)
    given = [e.builder.converted(each, INT, True) for each in given]
    if len(given) == 1:
        return Range(None, given[0], None)
    step = given[2] if len(given) == 3 else e.builder.constant(1)
    return Range(given[0], given[1], step)


def _zip(e: Any, node: ast.Call, hint: Type | None) -> Sugared:
    return Zipped([e.sugared(each).iterated(e) for each in node.args])


def _enumerate(e: Any, node: ast.Call, hint: Type | None) -> Sugared:
    over = e.sugared(node.args[0]).iterated(e)
    rest = [*node.args[1:], *(word.value for word in node.keywords)]
    start = e.value(rest[0]) if rest else None
    items = over.elements(e)
    if items is not None:
        first = start.toIValue() if start is not None else 0
        return Several(
            [Several([Simple(e.builder.constant(first + i)), it]) for i, it in enumerate(items)]
        )
    return _Enumerated([Counter(start), over])


class _Enumerated(Zipped):
    def elements(self, e: Any) -> list[Sugared] | None:
        return None


def _tuple(e: Any, node: ast.Call, hint: Type | None) -> Sugared:
    if not node.args:
        return Simple(e.builder.tuple([]))
    found: list[Sugared] = e.sugared(node.args[0]).iterated(e).unpacked(e, None)
    return Simple(Several(found).as_value(e))


def _list(e: Any, node: ast.Call, hint: Type | None) -> Sugared:
    if not node.args:
        return Simple(e.value(ast.copy_location(ast.List([], ast.Load()), node), hint))
    over = e.sugared(node.args[0]).iterated(e)
    items = over.elements(e)
    if items is not None:
        values = [item.as_value(e) for item in items]
        return Simple(e.builder.list(values, values[0].type()))
    if isinstance(over, Simple):
        return Simple(e.builder.call("aten::list", [over.value]))
    names = ast.copy_location(ast.Name("_", ast.Load()), node)
    loop = ast.comprehension(ast.Name("_", ast.Store()), node.args[0], [], 0)
    return Simple(
        e.value(
            ast.fix_missing_locations(ast.copy_location(ast.ListComp(names, [loop]), node)), hint
        )
    )


def _dict(e: Any, node: ast.Call, hint: Type | None) -> Sugared:
    if not node.args and not node.keywords:
        return Simple(e.value(ast.copy_location(ast.Dict([], []), node), hint))
    if node.args:
        return Simple(e.builder.call("aten::dict", [e.value(node.args[0])]))
    made: list[Value] = []
    for word in node.keywords:
        made += [e.builder.constant(word.arg), e.value(word.value)]
    return Simple(e.builder.value("prim::DictConstruct", made, dict_of(STR, made[1].type())))


def _is_scripting(e: Any, node: ast.Call, hint: Type | None) -> Condition:
    return Condition(static=True)


def _never(e: Any, node: ast.Call, hint: Type | None) -> Condition:
    return Condition(static=False)


def _fork(e: Any, node: ast.Call, hint: Type | None) -> Sugared:
    called = e.sugared(node.args[0])
    rest = ast.copy_location(ast.Call(node.func, node.args[1:], node.keywords), node)
    args, kwargs = e.arguments(rest)
    e.at(node)
    result = called.call(e, Arguments(args, kwargs)).as_value(e)
    made = result.node()
    inputs = list(made.inputs())
    made.block.items.remove(made)
    value = e.builder.value("prim::forkedCall", inputs, future_of(result.type()), call=_Call(made))
    return Simple(value)


class _Call:
    """The call that a fork runs, as an attribute of a node."""

    def __init__(self, node: Any) -> None:
        self.node = node

    def __str__(self) -> str:
        return str(self.node.kind())


def _unwrap_optional(e: Any, node: ast.Call, hint: Type | None) -> Sugared:
    value = e.value(node.args[0])
    return Simple(e.builder.call("aten::_unwrap_optional", [value]))


_FORMS: dict[str, Form] = {
    "print": _print, "isinstance": _isinstance, "annotate": _annotate, "hasattr": _hasattr,
    "getattr": _getattr, "range": _range, "zip": _zip, "enumerate": _enumerate, "tuple": _tuple,
    "list": _list, "dict": _dict, "is_scripting": _is_scripting, "is_tracing": _never,
    "fork": _fork, "unwrap_optional": _unwrap_optional, "never": _never,
}  # fmt: skip
