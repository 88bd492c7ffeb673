"""Makes one way out of several: what stands after a ``return`` or ``break`` is guarded.

Source: torch/csrc/jit/frontend/exit_transforms.cpp.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

from ._ir import Block, Graph, Node, Value
from ._ssa import replace_inputs
from ._types import BOOL, Type, unified

__all__ = ["transform_exits"]


class Status(Enum):
    """Whether a block is left before its end."""

    WILL = auto()
    MIGHT = auto()
    WONT = auto()
    THROWS = auto()


class Exit(NamedTuple):
    """How a block is left.

    :ivar left: whether it was left, as a value; None where *status* says it.
    """

    status: Status
    left: Value | None = None
    values: tuple[Value, ...] = ()


_WONT, _THROWS = Exit(Status.WONT), Exit(Status.THROWS)


def transform_exits(graph: Graph) -> None:
    """Take out statements that leave a loop or the function."""
    for kind in ("prim::LoopContinuation", "prim::ReturnStmt"):
        _Transformer(graph, kind).block(graph.block)
    _inline_consecutive_ifs(graph.block)


class _Transformer:
    """Takes out the statements of one kind."""

    def __init__(self, graph: Graph, kind: str) -> None:
        self._graph, self._kind = graph, kind
        self._constants: dict[str, Value] = {}

    def _first(self, key: str, kind: str, type_: Type, constant: object = None) -> Value:
        """A node at the start of the graph, once each."""
        found = self._constants.get(key)
        if found is None:
            node = self._graph.block.add(Node(kind, [], "", constant), 0)
            found = self._constants[key] = self._graph.add_value(node, type_)
        return found

    def _bool(self, value: bool) -> Value:
        return self._first(str(value), "prim::Constant", BOOL, value)

    def _empty(self, like: Value) -> Value:
        return self._first(f"empty {like.type()}", "prim::Uninitialized", like.type())

    def _left(self, found: Exit) -> Value:
        return found.left or self._bool(found.status is Status.WILL)

    def _is_target(self, block: Block) -> bool:
        loop = block.owner is not None and block.owner.kind() == "prim::Loop"
        return loop if self._kind == "prim::LoopContinuation" else block.owner is None

    def block(self, block: Block) -> Exit:
        """Transform *block*; how it is left."""
        found = self._nodes(block, 0)
        if not self._is_target(block):
            return found
        returned = block.returned
        if found.status is Status.WILL:
            returned._inputs = list(found.values)
        elif found.status is Status.MIGHT:
            node = block.add(Node("prim::If", [self._left(found)], ""))
            node._blocks = [Block(self._graph, node), Block(self._graph, node)]
            self._outputs(node, list(found.values), list(returned.inputs()))
            returned._inputs = list(node.outputs())
        return _WONT

    def _nodes(self, block: Block, at: int) -> Exit:
        found = _WONT
        while at < len(block.items):
            node = block.items[at]
            kind = node.kind()
            after = block.items[at + 1 :]
            if kind == "prim::RaiseException":
                found = _THROWS
            elif kind == self._kind:
                found = Exit(Status.WILL, None, tuple(node.inputs()))
                block.items.remove(node)
            elif kind == "prim::If":
                found = self._if(node)
            elif kind == "prim::Loop":
                found = self._loop(node)
            elif kind == "prim::With":
                found = self._with(node)
            at = len(block.items) - len(after)  # constants may have come in before
            if found.status in (Status.WILL, Status.THROWS):
                self._delete_after(block, at)
                return found
            if found.status is Status.MIGHT:
                rest = any(each.kind() != "prim::Constant" for each in block.items[at:])
                return self._guard(block, at, found) if rest else found
        return found

    def _delete_after(self, block: Block, at: int) -> None:
        if at >= len(block.items):
            return
        before = len(block.items)
        outputs = [self._empty(value) for value in block.outputs()]
        if block.owner is None:
            at += len(block.items) - before
        del block.items[at:]
        block.returned._inputs = outputs

    def _guard(self, block: Block, at: int, found: Exit) -> Exit:
        """Run what is left of *block* only where it was not left."""
        remaining = block.items[at:]
        outputs = list(block.outputs())
        empty = [self._empty(value) for value in outputs]
        node = Node("prim::If", [self._left(found)], "")
        node._blocks = [Block(self._graph, node), Block(self._graph, node)]
        rest = node._blocks[1]
        del block.items[len(block.items) - len(remaining) :]
        for each in remaining:
            rest.add(each)
        block.add(node)
        self._outputs(node, empty, outputs)
        block.returned._inputs = list(node.outputs())
        after = self._nodes(rest, 0)
        return self._joined(node, Exit(Status.WILL, None, found.values), after)

    def _if(self, node: Node) -> Exit:
        first, second = (self.block(each) for each in node.blocks())
        return self._joined(node, first, second)

    def _joined(self, node: Node, first: Exit, second: Exit) -> Exit:
        statuses = {first.status, second.status}
        if statuses == {Status.THROWS}:
            return _THROWS
        if statuses <= {Status.WONT, Status.THROWS}:
            return _WONT
        if first.status in (Status.WONT, Status.THROWS):
            empty = tuple(self._empty(value) for value in second.values)
            first = first._replace(values=empty)
        if second.status in (Status.WONT, Status.THROWS):
            empty = tuple(self._empty(value) for value in first.values)
            second = second._replace(values=empty)
        if statuses <= {Status.WILL, Status.THROWS}:
            made = Exit(Status.WILL)
        else:
            (left,) = self._outputs(node, [self._left(first)], [self._left(second)])
            made = Exit(Status.MIGHT, left)
        values = self._outputs(node, list(first.values), list(second.values))
        return made._replace(values=tuple(values))

    def _outputs(self, node: Node, first: list[Value], second: list[Value]) -> list[Value]:
        """Let *node*, a branch, give more values."""
        made = []
        for one, other in zip(first, second, strict=True):
            kind = unified(one.type(), other.type(), True)
            made.append(self._graph.add_value(node, kind))
            for block, value in zip(node.blocks(), (one, other), strict=True):
                block.returned._inputs.append(value)
        return made

    def _loop(self, node: Node) -> Exit:
        (body,) = node.blocks()
        found = self.block(body)
        if found.status in (Status.WONT, Status.THROWS):
            return _WONT
        left = self._left(found)
        given = [self._bool(False), *map(self._empty, found.values)]
        made = []
        for start, value in zip(given, (left, *found.values), strict=True):
            node._inputs.append(start)
            self._graph.add_value(body.param, start.type())
            body.returned._inputs.append(value)
            made.append(self._graph.add_value(node, start.type()))
        test = body.add(Node("prim::If", [left], ""))
        test._blocks = [Block(self._graph, test), Block(self._graph, test)]
        again = body.returned._inputs[0]
        body.returned._inputs[0] = self._outputs(test, [self._bool(False)], [again])[0]
        return Exit(Status.MIGHT, made[0], tuple(made[1:]))

    def _with(self, node: Node) -> Exit:
        (body,) = node.blocks()
        found = self.block(body)
        if found.status in (Status.WONT, Status.THROWS):
            return found
        values = [*found.values, *([found.left] if found.left else [])]
        made = []
        for value in values:
            body.returned._inputs.append(value)
            made.append(self._graph.add_value(node, value.type()))
        left = made.pop() if found.left else None
        return Exit(found.status, left, tuple(made))


def _inline_consecutive_ifs(block: Block) -> None:
    """Join a branch to one that asks right after it what the first has decided."""
    block.items.sort(key=lambda node: node.kind() != "prim::Constant")
    at = 0
    while at < len(block.items):
        node = block.items[at]
        if at + 1 < len(block.items) and _joined(block, node, block.items[at + 1]):
            continue
        for inner in node.blocks():
            _inline_consecutive_ifs(inner)
        at += 1


def _joined(block: Block, first: Node, second: Node) -> bool:
    if first.kind() != "prim::If" or second.kind() != "prim::If":
        return False
    condition = second._inputs[0]
    if condition.node() is not first:
        return False
    at = first._outputs.index(condition)
    decided = [inner.returned._inputs[at].toIValue() for inner in first.blocks()]
    if not all(isinstance(each, bool) for each in decided) or decided[0] == decided[1]:
        return False
    known: dict[int, Value] = {}
    graph = block.graph
    for inner, holds in zip(first.blocks(), decided, strict=True):
        chosen = second._blocks[0 if holds else 1]
        # What the first decides is known in the block.
        own = dict(zip(map(id, first.outputs()), inner.outputs(), strict=True))
        replace_inputs(chosen, own)
        for node in chosen.items:
            inner.add(node)
        inner.returned._inputs += list(chosen.outputs())
    for value in second.outputs():
        made = graph.add_value(first, value.type())
        if value.named:
            graph.set_name(made, value.debugName())
        known[id(value)] = made
    block.items.remove(second)
    replace_inputs(block, known)
    return True
