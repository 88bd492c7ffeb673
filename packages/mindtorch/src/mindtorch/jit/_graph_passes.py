"""Cleans a graph up: computes what is constant, takes out what nobody uses, orders results.

Source: torch/csrc/jit/passes (constant_propagation, dead_code_elimination, constant_pooling,
canonicalize, lower_tuples).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ._exit_transforms import transform_exits
from ._graph_builder import constant_type
from ._ir import Block, Graph, Node, Value
from ._prim_ops import OPS, PRIM
from ._ssa import canonicalize_loops, convert_to_ssa, replace_inputs, with_blocks_to_nodes
from ._types import Type, is_subtype

__all__ = ["clean_constants", "clean_up", "nodes_of"]

#: Operators on numbers and texts that are computed where what goes in is constant.
_FOLDED = frozenset(
    "add sub mul div floordiv remainder pow neg eq ne lt le gt ge __not__ __is__ __isnot__ Int "
    "Float Bool str __and__ __or__ __xor__ len round floor ceil sqrt log exp upper lower "
    "__contains__ startswith endswith strip replace ord chr".split()
)
_FOLDED_PRIM = frozenset("min max abs".split())
_EFFECTS = frozenset(
    "prim::RaiseException prim::Print prim::Enter prim::Exit prim::SetAttr prim::CallFunction "
    "prim::CallMethod prim::ReturnStmt aten::warn aten::manual_seed aten::set_grad_enabled "
    "prim::LoopContinuation prim::forkedCall aten::wait aten::save".split()
)
_PLAIN = (bool, int, float, str, complex)


def clean_up(graph: Graph, result: Type) -> None:
    """Make of what was emitted the graph that programs see, which gives a *result*."""
    convert_to_ssa(graph)
    transform_exits(graph)
    if not graph.block.returned._inputs:  # it always raises an error
        empty = graph.block.add(Node("prim::Uninitialized", [], ""), 0)
        graph.add_output(graph.add_value(empty, result))
    with_blocks_to_nodes(graph, graph.block)
    canonicalize_loops(graph, graph.block)
    _lower_tuples(graph.block, {})
    while _propagate(graph, graph.block):
        pass
    _lower_tuples(graph.block, {})
    eliminate_dead_code(graph)
    _pool(graph)
    _order_outputs(graph)


def clean_constants(graph: Graph) -> None:
    """Take out what nobody uses, and let each constant be there once."""
    eliminate_dead_code(graph)
    _pool(graph)


def nodes_of(block: Block) -> Iterator[Node]:
    """All nodes, those in blocks of others after them."""
    for node in block.items:
        yield node
        for inner in node.blocks():
            yield from nodes_of(inner)


# -- tuples ----------------------------------------------------------------------------------------


def _lower_tuples(block: Block, known: dict[int, Value]) -> None:
    """Read the elements of tuples from what they were made of."""
    for node in (*block.items, block.returned):
        node._inputs = [known.get(id(value), value) for value in node.inputs()]
        kind = node.kind()
        if kind in ("prim::TupleUnpack", "prim::TupleIndex"):
            made = node._inputs[0].node()
            if made.kind() == "prim::TupleConstruct":
                if kind == "prim::TupleUnpack":
                    known.update(zip(map(id, node.outputs()), made.inputs(), strict=True))
                elif isinstance(at := node._inputs[1].toIValue(), int):
                    known[id(node.output())] = made._inputs[at]
        for inner in node.blocks():
            _lower_tuples(inner, known)


# -- constants -------------------------------------------------------------------------------------


def _constant(value: Value) -> bool:
    return value.node().kind() == "prim::Constant"


def _propagate(graph: Graph, block: Block) -> bool:
    """Compute what is constant; whether something was."""
    known: dict[int, Value] = {}
    changed = False
    at = 0
    while at < len(block.items):
        node = block.items[at]
        node._inputs = [known.get(id(value), value) for value in node.inputs()]
        kind = node.kind()
        for inner in node.blocks():
            replace_inputs(inner, known)
            changed |= _propagate(graph, inner)
        if kind == "prim::If" and isinstance(node._inputs[0].toIValue(), bool):
            chosen = node._blocks[0 if node._inputs[0].toIValue() else 1]
            for each in chosen.items:
                each.block = block
            block.items[at : at + 1] = chosen.items
            known.update(zip(map(id, node.outputs()), chosen.outputs(), strict=True))
            changed = True
            continue
        if kind == "prim::If":
            changed |= _same_outputs(node, known)
        elif kind == "prim::Loop":
            if node._inputs[1].toIValue() is False or node._inputs[0].toIValue() == 0:
                known.update(zip(map(id, node.outputs()), node._inputs[2:], strict=True))
                del block.items[at]
                changed = True
                continue
            changed |= _unchanged_outputs(node, known)
        else:
            made = _folded(node)
            if made is not None:
                folded = Node("prim::Constant", [], "", made[0])
                folded.block = block
                value = graph.add_value(folded, node.output().type())
                if node.output().named:
                    graph.set_name(value, node.output().debugName())
                known[id(node.output())] = value
                block.items[at] = folded
                changed = True
        at += 1
    if known:
        replace_inputs(block, known)
        _forward(graph.block, known)
    return changed


def _forward(block: Block, known: dict[int, Value]) -> None:
    replace_inputs(block, known)


def _same_outputs(node: Node, known: dict[int, Value]) -> bool:
    """Take out results that both branches give alike."""
    first, second = node.blocks()
    changed = False
    for at in reversed(range(len(node._outputs))):
        one, other = first.returned._inputs[at], second.returned._inputs[at]
        same = one is other or (
            _constant(one)
            and _constant(other)
            and isinstance(one.toIValue(), (*_PLAIN, type(None)))
            and type(one.toIValue()) is type(other.toIValue())
            and one.toIValue() == other.toIValue()
        )
        if same and (one is other or one.node().block is not first):
            known[id(node._outputs[at])] = one
        elif same:
            copied = Node("prim::Constant", [], "", one.toIValue())
            assert node.block is not None
            graph = node.block.graph
            graph.block.add(copied, 0)
            known[id(node._outputs[at])] = graph.add_value(copied, one.type())
        else:
            continue
        del node._outputs[at], first.returned._inputs[at], second.returned._inputs[at]
        changed = True
    return changed


def _unchanged_outputs(node: Node, known: dict[int, Value]) -> bool:
    """Take out what a loop carries and never sets."""
    (body,) = node.blocks()
    changed = False
    for at in reversed(range(len(node._outputs))):
        inner, result = body.param._outputs[at + 1], body.returned._inputs[at + 1]
        start = node._inputs[at + 2]
        if result is not inner and result is not start:
            continue
        known[id(node._outputs[at])] = start
        replace_inputs(body, {id(inner): start})
        del node._outputs[at], body.param._outputs[at + 1], body.returned._inputs[at + 1]
        del node._inputs[at + 2]
        changed = True
    return changed


def _folded(node: Node) -> tuple[Any] | None:
    library, _, name = node.kind().partition("::")
    if name == "unchecked_cast" and _constant(node._inputs[0]):
        return (node._inputs[0].toIValue(),)
    if name == "isinstance" and _constant(node._inputs[0]):
        given = constant_type(node._inputs[0].toIValue())
        kinds: list[Type] = node.attributes["types"]
        return None if given is None else (any(is_subtype(given, each) for each in kinds),)
    known = name in _FOLDED if library == "aten" else library == "prim" and name in _FOLDED_PRIM
    if not known or not all(map(_constant, node.inputs())):
        return None
    values = [value.toIValue() for value in node.inputs()]
    if not all(isinstance(each, (*_PLAIN, type(None))) for each in values):
        return None
    try:
        found = (OPS if library == "aten" else PRIM)[name](*values)
    except Exception:
        return None
    kind: Type = node.output().type()
    cast = {"int": int, "float": float, "bool": bool}.get(kind.base)
    if not isinstance(found, _PLAIN):
        return None
    return (cast(found) if cast is not None and not isinstance(found, complex) else found,)


# -- dead code -------------------------------------------------------------------------------------


def eliminate_dead_code(graph: Graph) -> None:
    """Take out what has no effect and what nobody uses."""
    while _sweep(graph):
        pass


def _sweep(graph: Graph) -> bool:
    used = {id(value) for value in graph.block.outputs()}
    for node in nodes_of(graph.block):
        used.update(map(id, node.inputs()))
        for block in node.blocks():
            used.update(map(id, block.outputs()))
    return _swept(graph.block, used)


def has_effects(node: Node) -> bool:
    """Whether *node* does more than give values."""
    if node.kind() in _EFFECTS or node.writes:
        return True
    return any(has_effects(each) for block in node.blocks() for each in block.items)


def _swept(block: Block, used: set[int]) -> bool:
    kept, changed = [], False
    for node in block.items:
        for inner in node.blocks():
            changed |= _swept(inner, used)
        if node.kind() == "prim::If":
            changed |= _drop_outputs(node, used, 0)
        elif node.kind() == "prim::Loop":
            changed |= _drop_outputs(node, used, 1)
        if has_effects(node) or any(id(value) in used for value in node.outputs()):
            kept.append(node)
        else:
            changed = True
    block.items = kept
    return changed


def _drop_outputs(node: Node, used: set[int], first: int) -> bool:
    changed = False
    for at in reversed(range(len(node._outputs))):
        if id(node._outputs[at]) in used:
            continue
        if first:
            (body,) = node.blocks()
            inner = body.param._outputs[at + 1]
            if id(inner) in used:
                uses = [n for n in nodes_of(body) if inner in n._inputs]
                if uses or body.returned._inputs.count(inner) > (
                    body.returned._inputs[at + 1] is inner
                ):
                    continue
            del body.param._outputs[at + 1], node._inputs[at + 2]
        for block in node.blocks():
            del block.returned._inputs[at + first]
        del node._outputs[at]
        changed = True
    return changed


# -- order -----------------------------------------------------------------------------------------


def _pool(graph: Graph) -> None:
    """Let each constant be there once, at the start."""
    found: dict[Any, Value] = {}
    known: dict[int, Value] = {}
    order: list[Node] = []

    def visit(block: Block) -> None:
        kept = []
        for node in block.items:
            for inner in node.blocks():
                visit(inner)
            if node.kind() != "prim::Constant":
                kept.append(node)
                continue
            value = node.constant
            plain = isinstance(value, (*_PLAIN, type(None), list))
            key = (str(node.output().type()), type(value), repr(value) if plain else id(value))
            if key in found:
                known[id(node.output())] = found[key]
            else:
                found[key] = node.output()
                node.block = graph.block
                order.append(node)
        block.items = kept

    visit(graph.block)
    graph.block.items[:0] = order[::-1]
    replace_inputs(graph.block, known)


def _order_outputs(graph: Graph) -> None:
    """Put the results of branches and loops in the order in which they are used first."""
    places: dict[int, int] = {}
    users: dict[int, list[Node]] = {}

    def visit(block: Block) -> None:
        for node in (*block.items, block.returned):
            places[id(node)] = len(places)
            for inner in node.blocks():
                visit(inner)
            for value in node.inputs():
                users.setdefault(id(value), []).append(node)

    def first_use(value: Value) -> tuple[int, int]:
        found = users.get(id(value), ())
        uses = [(places[id(node)], node._inputs.index(value)) for node in found]
        return min(uses, default=(len(places) + 1, 0))

    visit(graph.block)
    for node in nodes_of(graph.block):  # those outside first: they order what those within give
        if node.kind() in ("prim::If", "prim::Loop"):
            outputs = node._outputs
            _permute(node, sorted(range(len(outputs)), key=lambda i: first_use(outputs[i])))


def _permute(node: Node, order: list[int]) -> None:
    offset = 1 if node.kind() == "prim::Loop" else 0
    node._outputs = [node._outputs[i] for i in order]
    for block in node.blocks():
        given = block.returned._inputs
        given[offset:] = [given[i + offset] for i in order]
        if offset:
            block.param._outputs[1:] = [block.param._outputs[i + 1] for i in order]
    if offset:
        node._inputs[2:] = [node._inputs[i + 2] for i in order]
