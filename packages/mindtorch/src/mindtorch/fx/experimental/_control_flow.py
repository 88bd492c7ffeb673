"""Control flow in graphs that ``make_fx`` draws: a branch is a graph of its own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from ..._higher_order_ops.cond import cond_op
from ..._higher_order_ops.map import map_impl
from ..._higher_order_ops.scan import scan_op
from ..._higher_order_ops.while_loop import while_loop_op
from ..._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from ...tensor import Tensor
from ...utils._python_dispatch import _pop_mode_temporarily
from ..graph_module import GraphModule

__all__ = ["draw_with"]


def draw_with(make_fx: Callable[..., Any], mode: type) -> None:
    """Let *mode*, under which :func:`make_fx` runs functions, draw control flow."""
    cond_op.py_impl(mode)(partial(_draw_cond, make_fx))
    while_loop_op.py_impl(mode)(partial(_draw_loop, make_fx))
    map_impl.py_impl(mode)(partial(_draw_map, make_fx))
    scan_op.py_impl(mode)(partial(_draw_scan, make_fx))


class _Drawn(NamedTuple):
    """A call of control flow that is drawn.

    :ivar functions: they, by the names that their graphs get.
    :ivar operands: what the functions are given.
    :ivar arguments: those of the operator, by the graphs, and what these use beside their own.
    """

    op: Any
    functions: dict[str, Callable[..., Any]]
    operands: tuple[Any, ...]
    arguments: Callable[[list[GraphModule], list[Any]], tuple[Any, ...]]


def _draw_cond(
    make_fx: Any, mode: Any, pred: Any, true_fn: Any, false_fn: Any, operands: Any
) -> Any:
    """A call of two graphs, and what one of them gives."""

    def arguments(graphs: list[GraphModule], captured: list[Any]) -> tuple[Any, ...]:
        given = (*operands, *captured)
        counts = [len(g(*given)) for g in graphs]
        if counts[0] != counts[1]:
            raise RuntimeError(
                "Expected to return same number of outputs but got:"
                f"\n  true branch returns {counts[0]} item(s)"
                f"\n  false branch returns {counts[1]} item(s)"
            )
        return (pred, *graphs, given)

    functions = {"true_graph": true_fn, "false_graph": false_fn}
    return _draw(make_fx, mode, _Drawn(cond_op, functions, operands, arguments))


def _draw_loop(
    make_fx: Any, mode: Any, cond_fn: Any, body_fn: Any, carried: Any, additional: Any
) -> Any:
    """A call of the graphs of a condition and of a body, and what is carried in the end."""
    if not all(isinstance(each, Tensor) for each in carried):
        raise NotImplementedError("torch.while_loop in a graph carries tensors, and no numbers")

    def arguments(graphs: list[GraphModule], captured: list[Any]) -> tuple[Any, ...]:
        return (*graphs, tuple(carried), (*additional, *captured))

    functions = {"while_loop_cond_graph": cond_fn, "while_loop_body_graph": body_fn}
    drawn = _Drawn(while_loop_op, functions, (*carried, *additional), arguments)
    return _draw(make_fx, mode, drawn)


def _draw_map(make_fx: Any, mode: Any, f: Any, xs: Any, pos_args: Any) -> Any:
    """A call of the graph of a function of one slice, and what it gives for all of them."""
    with _pop_mode_temporarily(getattr(mode, "_dispatch_key", None)):
        slices = [x.select(0, 0) for x in xs]

    def arguments(graphs: list[GraphModule], captured: list[Any]) -> tuple[Any, ...]:
        return (*graphs, list(xs), [*pos_args, *captured])

    drawn = _Drawn(map_impl, {"body_graph": f}, (*slices, *pos_args), arguments)
    return _draw(make_fx, mode, drawn)


def _draw_scan(make_fx: Any, mode: Any, f: Any, init: Any, xs: Any, additional: Any) -> Any:
    """A call of the graph of one step, and what is carried and given by all of them."""
    with _pop_mode_temporarily(getattr(mode, "_dispatch_key", None)):
        slices = [x.select(0, 0) for x in xs]

    def arguments(graphs: list[GraphModule], captured: list[Any]) -> tuple[Any, ...]:
        return (*graphs, list(init), list(xs), (*additional, *captured))

    drawn = _Drawn(scan_op, {"scan_combine_graph": f}, (*init, *slices, *additional), arguments)
    return _draw(make_fx, mode, drawn)


def _draw(make_fx: Any, mode: Any, drawn: _Drawn) -> Any:
    recorder = mode.recorder
    key = getattr(mode, "_dispatch_key", None)  # that of what sees operators before autograd
    draw = partial(make_fx, pre_dispatch=key is not None)
    with _pop_mode_temporarily(key):
        graphs = [_branch(draw, f, drawn) for f in drawn.functions.values()]
        captured = _captured(recorder, graphs)
        for graph in graphs:
            _lift(recorder, graph, captured)
        arguments = drawn.arguments(graphs, captured)
        result = drawn.op(*arguments)
    first = next(iter(drawn.functions))
    number = sum(name.startswith(f"{first}_") for name in recorder.root._modules)
    nodes = {}
    for name, graph in zip(drawn.functions, graphs, strict=True):
        recorder.root.register_module(f"{name}_{number}", graph)
        nodes[id(graph)] = recorder.graph.get_attr(f"{name}_{number}")
    given = tuple(nodes.get(id(each)) or recorder.arguments(each) for each in arguments)
    recorder.track(result, recorder.graph.call_function(drawn.op, given))
    return result


def _branch(draw: Any, function: Callable[..., Any], drawn: _Drawn) -> GraphModule:
    """The graph of *function*. Raises RuntimeError for one that changes what it is given."""
    tensors = [operand for operand in drawn.operands if isinstance(operand, Tensor)]
    before = [tensor._version for tensor in tensors]
    graph: GraphModule = draw(lambda *args: function(*args))(*drawn.operands)
    if before != [tensor._version for tensor in tensors]:
        raise RuntimeError(f"torch.{drawn.op.name()}'s branch might be modifying the input!")
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


def _lift(recorder: Any, graph: GraphModule, captured: list[Any]) -> None:
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
        made.meta["val"] = recorder.looks(tensor)
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


@while_loop_op.py_impl(FakeTensorMode)
def _loop_of_fakes(mode: Any, cond_fn: Any, body_fn: Any, carried: Any, additional: Any) -> Any:
    """What one turn gives: all are alike."""
    return body_fn(*carried, *additional)


@while_loop_op.py_impl(FakeTensor)
def _loop_of_fake(cond_fn: Any, body_fn: Any, carried: Any, additional: Any) -> Any:
    """The same outside of the mode."""
    return body_fn(*carried, *additional)


@map_impl.py_impl(FakeTensorMode)
def _map_of_fakes(mode: Any, f: Any, xs: Any, pos_args: Any) -> Any:
    """What the first slice gives, as often as there are slices."""
    with mode:
        return _map_of_fake(f, xs, pos_args)


@map_impl.py_impl(FakeTensor)
def _map_of_fake(f: Any, xs: Any, pos_args: Any) -> Any:
    """The same outside of the mode."""
    count = xs[0].shape[0]
    found = f(*(x.select(0, 0) for x in xs), *pos_args)
    return tuple(each.expand(count, *each.shape) for each in found)


@scan_op.py_impl(FakeTensorMode)
def _scan_of_fakes(mode: Any, f: Any, init: Any, xs: Any, additional: Any) -> Any:
    """What the first step gives, its outputs as often as there are slices."""
    with mode:
        return _scan_of_fake(f, init, xs, additional)


@scan_op.py_impl(FakeTensor)
def _scan_of_fake(f: Any, init: Any, xs: Any, additional: Any) -> Any:
    """The same outside of the mode."""
    count = xs[0].shape[0]
    found = f(*init, *(x.select(0, 0) for x in xs), *additional)
    outputs = found[len(init) :]
    return (*found[: len(init)], *(y.expand(count, *y.shape).clone() for y in outputs))
