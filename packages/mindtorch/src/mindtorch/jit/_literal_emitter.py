"""Emits lists and dicts that a script writes out."""

from __future__ import annotations

import ast
from typing import Any

from ._frontend_errors import unsupported
from ._ir import Value
from ._source_range import compile_error
from ._types import STR, TENSOR, Type, dict_of, is_subtype, list_of, members, unified

__all__ = ["dict_literal", "list_literal"]


def list_literal(e: Any, node: ast.expr, items: list[ast.expr], hint: Type | None) -> Value:
    for kind in members(hint) if hint is not None else ():
        if kind.base == "List":
            hint = kind
    wanted = hint.element if hint is not None and hint.base == "List" else None
    values: list[Value] = []
    for item in items:
        if isinstance(item, ast.Starred):
            values += [s.as_value(e) for s in e.sugared(item.value).unpacked(e, None)]
        else:
            values.append(e.value(item, wanted))
    e.at(node)
    if not values and wanted is None:
        empty: Value = e.builder.value("prim::EmptyListLiteral", [], list_of(TENSOR))
        return empty
    element = wanted or values[0].type()
    if wanted is None:
        for each in values[1:]:
            both = unified(element, each.type(), True)
            element = both or element
    values = [e.builder.converted(each, element, True) for each in values]
    for each in values:
        if not is_subtype(each.type(), element):
            raise compile_error(
                e.where,
                f"List type annotation `{list_of(element).annotation_str}` did not match the "
                f"types of the given list elements",
            )
    made: Value = e.builder.list(values, element)
    return made


def dict_literal(e: Any, keys: list[Any], values: list[ast.expr], hint: Type | None) -> Value:
    for kind in members(hint) if hint is not None else ():
        if kind.base == "Dict":
            hint = kind
    wanted = hint.args if hint is not None and hint.base == "Dict" else None
    made: list[Value] = []
    for key, item in zip(keys, values, strict=True):
        if key is None:
            raise unsupported(e.source, item)
        made += [e.value(key), e.value(item, wanted[1] if wanted else None)]
    if wanted is None:
        wanted = (made[0].type(), made[1].type()) if made else (STR, TENSOR)
        for each in made[3::2]:
            both = unified(wanted[1], each.type())
            if both is None:
                raise compile_error(
                    e.where,
                    f"Dict values must be of the same type: {wanted[1]} and {each.type()}",
                )
            wanted = (wanted[0], both)
    result: Value = e.builder.value("prim::DictConstruct", made, dict_of(*wanted))
    return result
