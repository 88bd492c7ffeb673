"""Texts about graphs."""

from __future__ import annotations

from typing import Any

from ._compatibility import compatibility


def _format_graph_code(name: str, filename: str, graph_str: str) -> str:
    return f"TRACED GRAPH\n {name} {filename} {graph_str}\n"


@compatibility(is_backward_compatible=False)
def lazy_format_graph_code(name: str, gm: Any, maybe_id: int | None = None, **kwargs: Any) -> str:
    """The readable source of a module, under its name."""
    shown = name if maybe_id is None else f"{name} {maybe_id}"
    return _format_graph_code(
        f"===== {shown} =====\n", gm.forward.__code__.co_filename,
        gm.print_readable(print_output=False, **kwargs),
    )  # fmt: skip


@compatibility(is_backward_compatible=False)
def first_call_function_nn_module_stack(graph: Any) -> dict[str, Any] | None:
    """The modules around the first call of a function that knows them."""
    for node in graph.nodes:
        if node.op == "call_function" and "nn_module_stack" in node.meta:
            stack: dict[str, Any] = node.meta["nn_module_stack"]
            return stack
    return None


@compatibility(is_backward_compatible=False)
def get_node_context(node: Any, num_nodes: int = 2) -> str:
    """The nodes before a node and itself, a line each."""
    lines: list[str] = []
    at = node
    while at.op != "root" and len(lines) <= num_nodes:
        lines.insert(0, at.format_node())
        at = at.prev
    return "\n".join(lines)
