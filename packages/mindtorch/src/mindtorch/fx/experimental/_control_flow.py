"""Control flow in graphs that ``make_fx`` draws: a branch is a graph of its own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..._higher_order_ops.cond import cond_op
from ..._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from ...utils._python_dispatch import _pop_mode_temporarily
from ..graph_module import GraphModule

__all__ = ["draw_with"]


def draw_with(make_fx: Callable[..., Any], mode: type) -> None:
    """Let *mode*, under which :func:`make_fx` runs functions, draw control flow."""
    cond_op.py_impl(mode)(partial(_draw_cond, make_fx))


def _draw_cond(
    make_fx: Any, mode: Any, pred: Any, true_fn: Any, false_fn: Any, operands: Any
) -> Any:
    """A call of two graphs, and what one of them gives."""
    recorder = mode.recorder
    key = getattr(mode, "_dispatch_key", None)  # that of what sees operators before autograd
    draw = partial(make_fx, pre_dispatch=key is not None)
    with _pop_mode_temporarily(key):
        graphs = [_branch(draw, f, operands) for f in (true_fn, false_fn)]
        captured = _captured(recorder, graphs)
        for graph in graphs:
            _lift(graph, captured)
        operands = (*operands, *captured)
        counts = [len(g(*operands)) for g in graphs]
        if counts[0] != counts[1]:
            raise RuntimeError(
                "Expected to return same number of outputs but got:"
                f"\n  true branch returns {counts[0]} item(s)"
                f"\n  false branch returns {counts[1]} item(s)"
            )
        result = cond_op(pred, *graphs, operands)
    number = sum(name.startswith("true_graph_") for name in recorder.root._modules)
    nodes = []
    for name, graph in zip(("true_graph", "false_graph"), graphs, strict=True):
        recorder.root.register_module(f"{name}_{number}", graph)
        nodes.append(recorder.graph.get_attr(f"{name}_{number}"))
    given = (recorder.argument(pred), *nodes, recorder.arguments(tuple(operands)))
    recorder.track(result, recorder.graph.call_function(cond_op, given))
    return result


def _branch(draw: Any, function: Callable[..., Any], operands: Any) -> GraphModule:
    """The graph of *function*. Raises RuntimeError for one that changes what it is given."""
    before = [operand._version for operand in operands]
    graph: GraphModule = draw(lambda *args: function(*args))(*operands)
    if before != [operand._version for operand in operands]:
        raise RuntimeError("torch.cond's branch might be modifying the input!")
    return graph


def _captured(recorder: Any, graphs: list[GraphModule]) -> list[Any]:
    """The traced tensors that branches use and are not given; first those that all of them use."""
    found: dict[int, tuple[int, Any]] = {}
    for graph in graphs:
        for _, held in (*graph.named_parameters(), *graph.named_buffers()):
            node = recorder.node_of(held)
            if node is not None and node.op != "get_attr":
                users, _ = found.get(id(held), (0, None))
                found[id(held)] = users + 1, held
    return [held for _, held in sorted(found.values(), key=lambda pair: -pair[0])]


def _lift(graph: GraphModule, captured: list[Any]) -> None:
    """Let *graph* take *captured* behind its own arguments."""
    held = {
        id(tensor): name for name, tensor in (*graph.named_parameters(), *graph.named_buffers())
    }
    uses = graph.graph.find_nodes(op="get_attr")
    placeholders = graph.graph.find_nodes(op="placeholder")
    for at, tensor in enumerate(captured, len(placeholders)):
        place = list(graph.graph.nodes)[at]
        with graph.graph.inserting_before(place):
            made = graph.graph.placeholder(f"arg{at}_1")
        for node in uses:
            if node.target == held.get(id(tensor)):
                made.meta.update(node.meta)
                node.replace_all_uses_with(made)
                graph.graph.erase_node(node)
        if id(tensor) in held:
            delattr(graph, held[id(tensor)])
    graph.recompile()


@cond_op.py_impl(FakeTensorMode)
def _cond_of_fakes(mode: Any, pred: Any, true_fn: Any, false_fn: Any, operands: Any) -> Any:
    """What a branch gives: both are alike."""
    return true_fn(*operands)


@cond_op.py_impl(FakeTensor)
def _cond_of_fake(pred: Any, true_fn: Any, false_fn: Any, operands: Any) -> Any:
    """The same outside of the mode."""
    return true_fn(*operands)
