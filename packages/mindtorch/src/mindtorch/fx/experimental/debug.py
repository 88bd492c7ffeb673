"""A breakpoint in the generated code of a module."""

from __future__ import annotations

from ..graph_module import GraphModule

__all__ = ["set_trace"]


def set_trace(gm: GraphModule) -> GraphModule:
    """Let *gm* stop in the debugger, at the begin of its generated code; gives *gm*."""

    def stopping(lines: list[str]) -> list[str]:
        return ["import pdb; pdb.set_trace()\n", *lines]

    gm.graph.on_generate_code(lambda before: stopping)
    gm.recompile()
    return gm
