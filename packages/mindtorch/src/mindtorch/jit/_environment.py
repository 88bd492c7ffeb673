"""What the names of a script stand for while it is compiled, and what is known of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from ._graph_builder import GraphBuilder
from ._ir import Block
from ._source_range import compile_error
from ._sugared_value import Constant, Simple, Sugared
from ._types import Type, is_subtype, told

__all__ = ["Environment", "Frame"]

_NAMELESS = re.compile(r"_\d*")


class Frame:
    """The names that one block sets.

    :ivar types: the types of variables.
    :ivar sugared: what is no value of a graph: functions, modules.
    :ivar errors: why a name has no value after a branch.
    :ivar is_loop: whether it is the body of a loop.
    """

    def __init__(self, block: Block, parent: Frame | None, is_loop: bool = False) -> None:
        self.block, self.parent, self.is_loop = block, parent, is_loop
        self.types: dict[str, Type] = {}
        self.sugared: dict[str, Sugared] = {}
        self.errors: dict[str, str] = {}

    def chain(self) -> Iterator[Frame]:
        """This frame and those around it."""
        frame: Frame | None = self
        while frame is not None:
            yield frame
            frame = frame.parent

    def find(self, name: str) -> Type | Sugared | None:
        """What *name* is here."""
        for frame in self.chain():
            if name in frame.types:
                return frame.types[name]
            if name in frame.sugared:
                return frame.sugared[name]
        return None


class Environment:
    """The open frames of a function.

    :param outside: what a name stands for that no block sets; None if it is unknown.
    """

    def __init__(self, builder: GraphBuilder, outside: Callable[[str], Sugared | None]) -> None:
        self.builder, self._outside = builder, outside
        self.frame = Frame(builder.block, None)

    def push(self, block: Block, is_loop: bool = False) -> Frame:
        """Open a frame for *block*."""
        self.frame = Frame(block, self.frame, is_loop)
        return self.frame

    def pop(self) -> Frame:
        """Close the innermost frame."""
        closed = self.frame
        assert closed.parent is not None
        self.frame = closed.parent
        return closed

    def in_loop(self) -> bool:
        """Whether a loop is open."""
        return any(frame.is_loop for frame in self.frame.chain())

    def get(self, name: str) -> Sugared:
        """What *name* stands for. Raises RuntimeError if that is unknown."""
        found = self.frame.find(name)
        if isinstance(found, Type):
            return Simple(self.load(name, found))
        if found is None:
            found = self._outside(name)
        if found is None:
            reason = next((f.errors[name] for f in self.frame.chain() if name in f.errors), "")
            where = self.builder.where
            if reason:
                assert where is not None
                raise RuntimeError(f"\n{reason}and was used here:\n{where.highlight()}")
            raise compile_error(where, f"undefined value {name}")
        return found

    def load(self, name: str, type_: Type) -> Any:
        """The value that a variable has."""
        return self.builder.value("prim::Load", [], type_, name=name)

    def set(self, name: str, value: Sugared, annotated: Type | None = None) -> None:
        """Let *name* stand for *value*. Raises RuntimeError where its type must not change."""
        where, frame = self.builder.where, self.frame
        outer = frame.parent.find(name) if frame.parent is not None else None
        if isinstance(value, Constant):
            value = Simple(value.as_value(self))
        if not isinstance(value, Simple):
            if outer is not None:
                raise compile_error(
                    where,
                    f"Cannot re-assign '{name}' to a value of type {value.kind()} because "
                    f"{name} is "
                    "not a first-class value.  Only reassignments to first-class values are "
                    "allowed",
                )
            frame.sugared[name] = value
            frame.types.pop(name, None)
            return
        made = value.value
        if outer is not None:
            made = self._fitting(name, made, outer, annotated)
        if annotated is not None:
            made = self.builder.converted(made, annotated, True)
            if not is_subtype(made.type(), annotated):
                raise compile_error(
                    where,
                    f"Variable '{name}' is annotated with type {annotated} but is being "
                    "assigned to "
                    f"a value of type {made.type()}",
                )
        if not made.named and not _NAMELESS.fullmatch(name) and made.node().block is frame.block:
            self.builder.graph.set_name(made, name)
        frame.types[name] = annotated or made.type()
        frame.sugared.pop(name, None)
        self.builder.node("prim::Store", [made], [], name=name, type=frame.types[name])

    def _fitting(self, name: str, made: Any, outer: Any, annotated: Type | None) -> Any:
        where = self.builder.where
        if annotated is not None:
            raise compile_error(
                where,
                f"Attempting to declare and annotate the type of variable '{name}' that is already "
                "defined in an outer block",
            )
        if not isinstance(outer, Type):
            raise compile_error(
                where,
                f"Cannot re-assign '{name}' because it has type {outer.kind()} and {name} is not a "
                "first-class value.  Only reassignments to first-class values are allowed",
            )
        made = self.builder.converted(made, outer, True)
        if not is_subtype(made.type(), outer):
            raise compile_error(
                where,
                f"Variable '{name}' previously had type {told(outer)} but is now being "
                f"assigned to a value of type {told(made.type())}\n",
            )
        return made
