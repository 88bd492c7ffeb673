"""``torch._dynamo.backends.debugging``: what is told of the graphs of a function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..output_graph import GraphCompileReason

__all__ = ["ExplainOutput"]


@dataclass
class ExplainOutput:
    """What :func:`torch._dynamo.explain` tells.

    There are no guards here, and no times are taken: ``out_guards`` and ``compile_times`` are None.
    """

    graphs: list[Any]
    graph_count: int
    graph_break_count: int
    break_reasons: list[GraphCompileReason]
    op_count: int
    ops_per_graph: list[list[Any]] | None = None
    out_guards: list[Any] | None = None
    compile_times: str | None = None

    @classmethod
    def of(cls, graphs: list[Any], breaks: list[GraphCompileReason]) -> ExplainOutput:
        """What is told of *graphs*, which ended for those reasons."""
        ops = [[n.target for n in g.graph.nodes if n.op == "call_function"] for g in graphs]
        count = sum(len(each) for each in ops)
        return cls(graphs, len(graphs), max(len(graphs) - 1, 0), breaks, count, ops)

    def __str__(self) -> str:
        lines = [
            f"Graph Count: {self.graph_count}",
            f"Graph Break Count: {self.graph_break_count}",
            f"Op Count: {self.op_count}",
            "Break Reasons:",
        ]
        for i, reason in enumerate(self.break_reasons, 1):
            lines += [f"  Break Reason {i}:", f"    Reason: {reason.reason}", "    User Stack:"]
            lines += [f"      {frame}" for frame in reason.user_stack]
        if self.ops_per_graph is not None:
            lines.append("Ops per Graph:")
            for i, ops in enumerate(self.ops_per_graph, 1):
                lines += [f"  Ops {i}:", *(f"    {op}" for op in ops)]
        return "\n".join(lines) + "\n"
