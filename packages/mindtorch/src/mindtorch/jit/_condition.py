"""What a condition of a script decides, and what is known of names where it holds or fails."""

from __future__ import annotations

import ast
from typing import Any

from ._ir import Value
from ._types import NONE, Type, is_subtype, members, union_of

__all__ = ["Condition", "canonical_none", "instance_refinements", "none_refinements"]

Known = dict[str, Type]


class Condition:
    """A condition.

    :ivar static: what it is, where that is known when it is compiled.
    :ivar known: the types of names where it holds, and where it fails.
    """

    def __init__(
        self,
        made: Value | None = None,
        holds: Known | None = None,
        fails: Known | None = None,
        static: bool | None = None,
    ) -> None:
        self._made, self.static = made, static
        self.known: tuple[Known, Known] = (holds or {}, fails or {})

    def value(self, e: Any) -> Value:
        """It as a value of the graph."""
        if self._made is None:
            self._made = e.builder.constant(self.static)
        return self._made

    def when(self, holds: bool) -> Known:
        """What is known where it holds, or fails."""
        return self.known[0] if holds else self.known[1]

    def negated(self, e: Any) -> Condition:
        """The opposite."""
        holds, fails = self.known
        if self.static is not None:
            return Condition(None, fails, holds, not self.static)
        return Condition(e.builder.call("aten::__not__", [self.value(e)]), fails, holds)

    def joined(self, other: Condition, is_or: bool) -> Condition:
        """*other*, after this one: both hold, or one of them."""
        both = {**self.when(not is_or), **other.when(not is_or)}
        either = {
            name: union_of((kind, other.when(is_or)[name]))
            for name, kind in self.when(is_or).items()
            if name in other.when(is_or)
        }
        static = other.static
        known = (either, both) if is_or else (both, either)
        return Condition(other._made, *known, static=static)

    def with_value(self, made: Value) -> Condition:
        """What is known is the same, the value is *made*."""
        return Condition(made, *self.known)


def canonical_none(first: Type, second: Type) -> bool | None:
    """Whether both are None, where their types say; else None."""
    if first == NONE and second == NONE:
        return True
    for one, other in ((first, second), (second, first)):
        if one == NONE and not _can_be_none(other):
            return False
    return None


def _can_be_none(kind: Type) -> bool:
    return kind.base in ("Optional", "Any", "None") or NONE in members(kind)


def none_refinements(
    made: Value, left: ast.expr, first: Value, right: ast.expr, second: Value, is_: bool
) -> Condition:
    """The condition that a name is None, or is not."""
    for node, value, other in ((left, first, second), (right, second, first)):
        kind: Type = value.type()
        if isinstance(node, ast.Name) and other.type() == NONE and NONE in members(kind):
            rest = union_of(each for each in members(kind) if each != NONE)
            held, failed = {node.id: NONE}, {node.id: rest}
            if is_:
                return Condition(made, {} if kind.base == "Optional" else held, failed)
            return Condition(made, failed, {} if kind.base == "Optional" else held)
    return Condition(made)


def instance_refinements(node: ast.expr, kind: Type, wanted: list[Type]) -> tuple[Known, Known]:
    """What is known of a name of which ``isinstance`` was asked, if it is one and if it is not."""
    if not isinstance(node, ast.Name):
        return {}, {}
    found = [m for m in members(kind) if any(is_subtype(m, each) for each in wanted)]
    if kind.base == "Any" or not found:
        return {node.id: union_of(wanted)}, {}
    rest = [m for m in members(kind) if m not in found]
    held = {node.id: union_of(found)}
    return held, {node.id: union_of(rest)} if rest else {}
