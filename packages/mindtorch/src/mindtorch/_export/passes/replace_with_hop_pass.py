"""Parts of a graph that ran with other switches than the rest, as operators of functions.

A graph has no ``with`` blocks: what the program ran without gradients, or under autocast, becomes
a graph of its own that ``wrap_with_set_grad_enabled`` or ``wrap_with_autocast`` calls.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from operator import getitem
from typing import Any, NamedTuple

from mindtorch_autograd import grad_mode

from ..._higher_order_ops.wrap import wrap_with_autocast, wrap_with_set_grad_enabled
from ...amp import switches
from ...functionality.autocast_state import DEVICES
from ...fx import Graph, GraphModule, Node
from ...fx.passes.utils.common import placeholder_like
from ...fx.passes.utils.fuser_utils import erase_nodes, fuse_as_graphmodule

__all__ = ["Switches", "replace_with_hop_pass"]


class Switches(NamedTuple):
    """What a thread has switched on: gradients, and autocast by device (None where it is off)."""

    grad: bool
    autocast: tuple[tuple[str, Any], ...]

    @classmethod
    def now(cls) -> Switches:
        """Those of this thread."""
        return cls(
            grad_mode.is_grad_enabled(),
            tuple(
                (device, _autocast_dtype(device) if switches.is_autocast_enabled(device) else None)
                for device in DEVICES
            ),
        )

    def calls(self, outside: Switches) -> list[tuple[Any, tuple[Any, ...]]]:
        """The operators that switch from *outside* to these, the innermost first."""
        found: list[tuple[Any, tuple[Any, ...]]] = []
        if self.grad != outside.grad:
            found.append((wrap_with_set_grad_enabled, (self.grad,)))
        for (device, dtype), (_, before) in zip(self.autocast, outside.autocast, strict=True):
            if dtype != before:
                shown = _autocast_dtype(device) if dtype is None else dtype
                found.append((wrap_with_autocast, (device, shown, dtype is not None, None)))
        return found


def _autocast_dtype(device: str) -> Any:
    return switches.get_autocast_dtype(device)


def replace_with_hop_pass(
    gm: GraphModule, switches_of: Callable[[Node], Switches], outside: Switches
) -> None:
    """Wrap the calls of *gm* that ran with other switches than *outside*.

    :param switches_of: what was on when a node was called.
    """
    calls = [node for node in gm.graph.nodes if node.op == "call_function"]
    count = 0
    for inside, group in groupby(calls, key=lambda n: _of_call(n, switches_of)):
        wrappers = inside.calls(outside)
        if wrappers:
            count += 1
            _wrap(gm, list(group), wrappers, f"submod_{count}")
    gm.recompile()


def _of_call(node: Node, switches_of: Callable[[Node], Switches]) -> Switches:
    while node.target is getitem and isinstance(node.args[0], Node):  # belongs to its call
        node = node.args[0]
    return switches_of(node)


def _wrap(gm: GraphModule, nodes: list[Node], wrappers: list[Any], name: str) -> None:
    inner, inputs, outputs = fuse_as_graphmodule(gm, nodes, name, always_return_tuple=True)
    for operator, options in wrappers[:-1]:
        inner = _calling(operator, options, inner, inputs, name)
    gm.add_submodule(name, inner)
    operator, options = wrappers[-1]
    named = outputs[0].name if outputs else operator._name
    with gm.graph.inserting_before(nodes[0]):
        part = gm.graph.get_attr(name)
        call = gm.graph.call_function(operator, (*options, part, *inputs))
        for made in (part, call):
            if "nn_module_stack" in nodes[0].meta:
                made.meta["nn_module_stack"] = dict(nodes[0].meta["nn_module_stack"])
        call.meta["val"] = tuple(node.meta.get("val") for node in outputs)
        results = []
        for i, node in enumerate(outputs):
            result = gm.graph.call_function(getitem, (call, i))
            result.meta.update(node.meta)
            results.append(result)
    for node, result in zip(outputs, results, strict=True):
        node.replace_all_uses_with(result)
    erase_nodes(gm, nodes)
    call.name = named
    gm.graph._graph_namespace._rename_object(call, named)


def _calling(
    operator: Any, options: tuple[Any, ...], inner: GraphModule, inputs: Any, name: str
) -> GraphModule:
    """A module that calls *inner* through *operator*."""
    graph = Graph()
    given = [placeholder_like(graph, node) for node in inputs]
    part = graph.get_attr(name)
    graph.output(graph.call_function(operator, (*options, part, *given)))
    return GraphModule({name: inner}, graph, name)
