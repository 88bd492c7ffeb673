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
    with _pop_mode_temporarily():
        graphs = [_branch(make_fx, recorder, f, operands) for f in (true_fn, false_fn)]
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


def _branch(
    make_fx: Any, recorder: Any, function: Callable[..., Any], operands: Any
) -> GraphModule:
    """The graph of *function*. Raises NotImplementedError for traced tensors that it captures."""
    graph = make_fx(lambda *args: function(*args))(*operands)
    for _, held in (*graph.named_parameters(), *graph.named_buffers()):
        node = recorder.node_of(held)
        if node is not None and node.op != "get_attr":
            raise NotImplementedError(
                f"a branch of torch.cond uses the traced tensor {node.name}, which is no operand: "
                "give it as one"
            )
    return graph


@cond_op.py_impl(FakeTensorMode)
def _cond_of_fakes(mode: Any, pred: Any, true_fn: Any, false_fn: Any, operands: Any) -> Any:
    """What a branch gives: both are alike."""
    return true_fn(*operands)


@cond_op.py_impl(FakeTensor)
def _cond_of_fake(pred: Any, true_fn: Any, false_fn: Any, operands: Any) -> Any:
    """The same outside of the mode."""
    return true_fn(*operands)
