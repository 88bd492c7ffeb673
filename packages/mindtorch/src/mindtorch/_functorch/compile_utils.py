"""``torch._functorch.compile_utils``: calls that come again are made once, and other passes."""

from __future__ import annotations

import operator
from typing import Any

from .._ops import OpOverload, ops
from ..fx.graph import Graph
from ..fx.graph_module import GraphModule
from ..fx.node import Node
from ..tensor import Tensor
from ..utils import _pytree as pytree

__all__ = [
    "fx_graph_cse",
    "get_aten_target",
    "get_outputs",
    "get_placeholders",
    "raise_getitems",
    "rand_ops",
    "strip_overloads",
]

aten = ops.aten

#: Operators that give other numbers each time.
rand_ops = [
    getattr(aten, name)
    for name in (
        *("dropout", "_fused_dropout", "_standard_gamma", "bernoulli", "multinomial"),
        *("native_dropout", "normal", "poisson", "binomial", "rrelu", "rand_like", "rand"),
        *("randint", "randn", "randperm"),
    )
]


def get_aten_target(node: Node) -> Any:
    """What *node* calls; the operator, where that is one of its overloads."""
    packet = getattr(node.target, "overloadpacket", None)
    return node.target if packet is None else packet


def fx_graph_cse(fx_g: Graph) -> Graph:
    """A copy of *fx_g* in which a call that comes again with the same arguments is made once.

    Random calls, ``empty``, and what shares memory with a result of the graph come as often as
    before, and so does a call after something that changes a tensor in place.
    """
    new_graph = Graph()
    copies: dict[Node, Node] = {}
    made: dict[Any, tuple[Any, int]] = {}
    shown = _sharing_memory_with_results(fx_g)
    changes = 0
    for node in fx_g.nodes:
        key = None if _comes_each_time(node) or node in shown else _call_of(node, copies)
        if _changes_tensors(node):
            changes += 1
        if key is not None and made.get(key, (None, -1))[1] == changes:
            copies[node] = made[key][0]
            continue
        copies[node] = new_graph.node_copy(node, copies.__getitem__)
        if key is not None:
            made[key] = copies[node], changes
    return new_graph


def _comes_each_time(node: Node) -> bool:
    """Whether *node* is no call, or one whose result differs each time."""
    if node.op in ("placeholder", "output", "get_attr"):
        return True
    target = get_aten_target(node)
    return target is aten.empty or target in rand_ops or target is aten._local_scalar_dense


def _changes_tensors(node: Node) -> bool:
    """Whether *node* changes an argument in place."""
    if isinstance(node.target, OpOverload):
        return bool(node.target._schema.is_mutable)
    name = node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "")
    return (name.endswith("_") and not name.endswith("__")) or node.kwargs.get("out") is not None


def _memory_of(node: Node) -> Any:
    """The storage of what *node* gave when it was traced; None where that is not known."""
    value = node.meta.get("val")
    if not isinstance(value, Tensor):
        return None
    try:
        return value.untyped_storage()._cdata
    except NotImplementedError:  # a sparse tensor has no storage of its own
        return None


def _sharing_memory_with_results(graph: Graph) -> set[Node]:
    """The nodes whose values lie in the memory of a result of *graph*."""
    results = {_memory_of(node) for node in _end(graph).all_input_nodes} - {None}
    return {node for node in graph.nodes if _memory_of(node) in results}


def _call_of(node: Node, copies: dict[Node, Node]) -> Any:
    """What the call is known by: its target and the copies of its arguments, numbers by type."""

    def known(argument: Any) -> tuple[Any, str]:
        leaves, spec = pytree.tree_flatten(argument)
        ready = [copies.get(leaf, leaf) if isinstance(leaf, Node) else leaf for leaf in leaves]
        return tuple([(type(leaf), leaf) for leaf in ready]), repr(spec)

    try:
        key = node.op, node.target, known(node.args), known(node.kwargs)
        hash(key)
    except TypeError:  # a slice, for one
        return None
    return key


def get_placeholders(graph: Graph) -> list[Node]:
    """The nodes of the arguments of *graph*."""
    return [node for node in graph.nodes if node.op == "placeholder"]


def get_outputs(graph: Graph) -> list[Any]:
    """What *graph* returns, without the nests that it stands in."""
    leaves: list[Any] = pytree.tree_leaves(_end(graph).args[0])
    return leaves


def _end(graph: Graph) -> Node:
    return next(node for node in reversed(graph.nodes) if node.op == "output")


def raise_getitems(gm: GraphModule) -> GraphModule:
    """Put what picks a part of a result right behind the call that gave it; *gm* again."""
    picks = [n for n in gm.graph.nodes if n.target is operator.getitem and _picks_a_part(n)]
    for node in reversed(picks):
        node.args[0].append(node)
    gm.recompile()
    return gm


def _picks_a_part(node: Node) -> bool:
    return node.op == "call_function" and isinstance(node.args[0], Node)


def strip_overloads(gm: GraphModule) -> None:
    """Let the calls of *gm* name operators in place of their overloads."""
    for node in gm.graph.nodes:
        if isinstance(node.target, OpOverload):
            node.target = node.target.overloadpacket
    gm.recompile()
