"""Turns variables of a script into values: loads and stores go, blocks give what they set.

Source: torch/csrc/jit/frontend/convert_to_ssa.cpp, canonicalize_modified_loop.cpp.
"""

from __future__ import annotations

from typing import Any

from ._ir import Block, Graph, Node, Value
from ._types import BOOL, INT, TENSOR, Type, unified

__all__ = ["clone_into", "convert_to_ssa", "copy_block", "replace_inputs", "with_blocks_to_nodes"]

Frames = list[dict[str, Type]]
_MOST = (1 << 63) - 1


def convert_to_ssa(graph: Graph) -> None:
    """Turn loads and stores of variables into values."""
    _Stores(graph).block(graph.block, [{}])
    _erase(graph.block, [{}], {})


def _find(frames: Frames, name: str) -> Type | None:
    return next((frame[name] for frame in reversed(frames) if name in frame), None)


class _Stores:
    """Gives branches and loops the variables that they set as inputs and outputs."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def block(self, block: Block, frames: Frames) -> dict[str, Type]:
        """Do so in *block*; what it sets itself."""
        for node in list(block.items):
            kind = node.kind()
            if kind == "prim::Store":
                frames[-1][node.attributes["name"]] = node.attributes["type"]
            elif kind == "prim::If":
                self._if(block, node, frames)
            elif kind == "prim::Loop":
                self._loop(block, node, frames)
            elif kind == "prim::With":
                self.block(node._blocks[0], frames)
        return frames[-1]

    def _if(self, block: Block, node: Node, frames: Frames) -> None:
        first, second = (self.block(each, [*frames, {}]) for each in node.blocks())
        at = block.items.index(node) + 1
        names = {n for n in first if n in second or _find(frames, n) is not None}
        names |= {n for n in second if n in first or _find(frames, n) is not None}
        for name in sorted(names):
            kinds = [own.get(name) or _find(frames, name) for own in (first, second)]
            kind = unified(kinds[0], kinds[1], True)  # type: ignore[arg-type]  # there are both
            for inner, type_ in zip(node.blocks(), kinds, strict=True):
                inner.returned._inputs.append(self._load(inner, name, type_))
            made = self._named(node, kind, name)
            at = self._store(block, at, made, name)
            frames[-1][name] = made.type()

    def _loop(self, block: Block, node: Node, frames: Frames) -> None:
        entry, body = node._blocks
        self.block(entry, [*frames, {}])
        own = self.block(body, [*frames, {}])
        names = sorted(n for n in own if _find(frames, n) is not None)
        at = block.items.index(node)
        starts: list[Value] = []
        for i, name in enumerate(names):
            outer = _find(frames, name)
            kind = unified(outer, own[name], True)  # type: ignore[arg-type]  # the outer one is there
            starts.append(self._load(block, name, outer, at + i))
            self._store(body, 0, self._named(body.param, kind, name), name)
        at = block.items.index(node)
        condition = clone_into(entry, block, at)
        node._inputs += [condition, *starts]
        self._leave(body, entry, names, own)
        node._blocks = [body]
        carried = [self._load(body, name, own[name]) for name in names]
        body.returned._inputs = [clone_into(entry, body, len(body.items)), *carried]
        at = block.items.index(node) + 1
        for name, inner in zip(names, list(body.inputs())[1:], strict=True):
            at = self._store(block, at, self._named(node, inner.type(), name), name)
            frames[-1][name] = inner.type()

    def _leave(self, block: Block, entry: Block, names: list[str], own: dict[str, Type]) -> None:
        """Turn ``break`` and ``continue`` into what the loop goes on with."""
        for node in list(block.items):
            if node.kind() in ("prim::If", "prim::With"):
                for inner in node.blocks():
                    self._leave(inner, entry, names, own)
            elif node.kind() in ("prim::BreakStmt", "prim::ContinueStmt"):
                at = block.items.index(node)
                del block.items[at:]
                if node.kind() == "prim::BreakStmt":
                    stop = block.add(Node("prim::Constant", [], "", False))
                    condition = self._graph.add_value(stop, BOOL)
                else:
                    condition = clone_into(entry, block, at)
                given = [condition, *(self._load(block, name, own[name]) for name in names)]
                block.add(Node("prim::LoopContinuation", given, ""))

    def _load(self, block: Block, name: str, type_: Any, at: int | None = None) -> Value:
        node = Node("prim::Load", [], "")
        node.attributes["name"] = name
        block.add(node, at)
        return self._graph.add_value(node, type_)

    def _store(self, block: Block, at: int, value: Value, name: str) -> int:
        node = Node("prim::Store", [value], "")
        node.attributes = {"name": name, "type": value.type()}
        block.add(node, at)
        return at + 1

    def _named(self, node: Node, type_: Any, name: str) -> Value:
        made = self._graph.add_value(node, type_)
        if name.strip("_0123456789"):
            self._graph.set_name(made, name)
        return made


def clone_into(source: Block, target: Block, at: int) -> Value:
    """Copy the nodes of *source* into *target*; the copy of what comes out."""
    made: dict[int, Value] = {}
    copy_block(source, target, at, made)
    (result,) = source.outputs()
    return made.get(id(result), result)


def copy_block(source: Block, target: Block, at: int | None, made: dict[int, Value]) -> None:
    """Copy the nodes of *source* into *target*.

    :param made: what stands for values of *source*, by identity; the copies come in.
    """
    for node in source.items:
        _cloned(node, target, at, made)
        at = None if at is None else at + 1


def _cloned(node: Node, target: Block, at: int | None, made: dict[int, Value]) -> None:
    given = [made.get(id(value), value) for value in node.inputs()]
    copy = target.add(Node(node.kind(), given, "", node.constant), at)
    copy.attributes, copy.where = dict(node.attributes), node.where
    copy.writes, copy.schema = node.writes, node.schema
    for value in node.outputs():
        made[id(value)] = target.graph.add_value(copy, value.type())
    for block in node.blocks():
        inner = Block(target.graph, copy)
        copy._blocks.append(inner)
        for value in block.inputs():
            made[id(value)] = target.graph.add_value(inner.param, value.type())
        for each in block.items:
            _cloned(each, inner, None, made)
        inner.returned._inputs = [made.get(id(v), v) for v in block.outputs()]


def _erase(block: Block, frames: list[dict[str, Value]], known: dict[int, Value]) -> None:
    """Take out loads and stores, in the order that they run."""
    kept = []
    for node in block.items:
        node._inputs = [known.get(id(value), value) for value in node.inputs()]
        kind = node.kind()
        if kind == "prim::Store":
            frames[-1][node.attributes["name"]] = node.input()
            continue
        if kind == "prim::Load":
            name = node.attributes["name"]
            known[id(node.output())] = next(f[name] for f in reversed(frames) if name in f)
            continue
        if (
            kind == "prim::EmptyListLiteral"
        ):  # its type was never said: no variable's name is its own
            node._kind = "prim::ListConstruct"
            graph = block.graph
            (made,) = node._outputs
            if made.named:
                node._outputs = []
                known[id(made)] = graph.add_value(node, made.type())
        for inner in node.blocks():
            _erase(inner, frames if kind == "prim::With" else [*frames, {}], known)
        kept.append(node)
    block.items = kept
    returned = block.returned
    returned._inputs = [known.get(id(value), value) for value in returned.inputs()]


def replace_inputs(block: Block, known: dict[int, Value]) -> None:
    """Put other values in the place of those that *known* has by identity, in all blocks."""

    def last(value: Value) -> Value:
        while id(value) in known:
            value = known[id(value)]
        return value

    for node in (*block.items, block.returned):
        node._inputs = [last(value) for value in node.inputs()]
        for inner in node.blocks():
            replace_inputs(inner, known)


def with_blocks_to_nodes(graph: Graph, block: Block) -> None:
    """Put what stands in a ``with`` between two nodes: of entering and of leaving."""
    known: dict[int, Value] = {}
    kept: list[Node] = []
    for node in block.items:
        for inner in node.blocks():
            with_blocks_to_nodes(graph, inner)
        if node.kind() != "prim::With":
            kept.append(node)
            continue
        (inner,) = node.blocks()
        (bound,) = inner.inputs()
        enter = Node("prim::Enter", list(node.inputs()), "")
        enter.where = node.where
        made = graph.add_value(enter, bound.type())
        if bound.named:
            graph.set_name(made, bound.debugName())
        known[id(bound)] = made
        leave = Node("prim::Exit", list(node.inputs()), "")
        graph.add_value(leave, TENSOR)
        for each in (enter, *inner.items, leave):
            each.block = block
            kept.append(each)
        for outer, value in zip(node.outputs(), inner.outputs(), strict=True):
            known[id(outer)] = value
    block.items = kept
    if known:
        replace_inputs(block, known)


def canonicalize_loops(graph: Graph, block: Block) -> None:
    """Write loops that both count and ask as loops that ask, with a counter of their own."""
    for node in list(block.items):
        for inner in node.blocks():
            canonicalize_loops(graph, inner)
        if node.kind() == "prim::Loop":
            _canonicalize(graph, block, node)


def _canonicalize(graph: Graph, block: Block, node: Node) -> None:
    body = node._blocks[0]
    most, start = node._inputs[:2]
    if most.toIValue() == _MOST:
        return
    if start.toIValue() is True and body.returned._inputs[0].toIValue() is True:
        return
    at = block.items.index(node)

    def add(
        where: Block, kind: str, given: list[Value], type_: Type, constant: Any = None
    ) -> Value:
        nonlocal at
        made = Node(kind, given, "", constant)
        where.add(made, at if where is block else None)
        at += where is block
        return graph.add_value(made, type_)

    zero = add(block, "prim::Constant", [], INT, 0)
    one = add(block, "prim::Constant", [], INT, 1)
    first = add(block, "aten::gt", [most, zero], BOOL)
    if start.toIValue() is not True:
        first = add(block, "aten::__and__", [first, start], BOOL)
    node._inputs[:2] = [add(block, "prim::Constant", [], INT, _MOST), first]
    node._inputs.append(zero)
    graph.add_value(node, INT)
    counter = graph.add_value(body.param, INT)
    (index, *_) = body.inputs()
    replace_inputs(body, {id(index): counter})
    if index.named:
        graph.set_name(counter, index.debugName().partition(".")[0])
        index.named = False
    after = add(body, "aten::add", [counter, one], INT)
    again = add(body, "aten::lt", [after, most], BOOL)
    again = add(body, "aten::__and__", [again, body.returned._inputs[0]], BOOL)
    body.returned._inputs[0] = again
    body.returned._inputs.append(after)
