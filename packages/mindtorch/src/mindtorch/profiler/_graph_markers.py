"""Which node of an fx graph each event of a trace belongs to, by the markers between the events.

A graph's code that was made with ``enrich_profiler_metadata`` opens a range ``## FILE ##`` around
itself and one ``## NUMBER ##`` around the code of each node. What the numbers stand for is in
:data:`mindtorch.fx.traceback._FX_METADATA_REGISTRY`.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from ..fx.traceback import _FX_METADATA_REGISTRY

__all__ = ["map_recorded_events_to_aten_ops_with_stack_trace"]


def _marked(event: dict[str, Any]) -> str | None:
    """What stands in an event's marker; None if it is no marker."""
    name = event.get("name", "")
    if event.get("cat") == "cpu_op" and name.startswith("## ") and name.endswith(" ##"):
        return str(name[3:-3])
    return None


def map_recorded_events_to_aten_ops_with_stack_trace(traced_data: dict[str, Any]) -> None:
    """Write into each event of a Chrome trace the name and the line of the node that it ran for.

    The innermost node of the event's own thread counts; events outside of all nodes stay as
    they are.
    """
    moments: list[tuple[Any, str, str | None, dict[str, Any]]] = []
    for event in traced_data.get("traceEvents", []):
        if "ts" not in event or "dur" not in event:
            continue
        mark = _marked(event)
        if mark is None:
            moments.append((event["ts"], "event", None, event))
        elif mark.endswith(".py") or mark.lstrip("-").isdigit():
            moments.append((event["ts"], "open", mark, event))
            moments.append((event["ts"] + event["dur"], "close", mark, event))

    files: dict[Any, list[tuple[str, Any]]] = defaultdict(list)
    nodes: dict[Any, list[tuple[str, Any]]] = defaultdict(list)
    for _, what, mark, event in sorted(moments, key=lambda moment: moment[0]):
        thread = event.get("tid")
        if mark is None:
            known = next((node for _, node in reversed(nodes[thread]) if node), None)
            _augment(event, known)
            continue
        opened = files[thread] if mark.endswith(".py") else nodes[thread]
        if what == "close":
            last = max((i for i, (name, _) in enumerate(opened) if name == mark), default=None)
            if last is not None:
                del opened[last]
        elif opened is files[thread]:
            opened.append((mark, _FX_METADATA_REGISTRY.get(mark)))
        elif files[thread] and files[thread][-1][1]:
            of_nodes = files[thread][-1][1].get("node_metadata", {})
            if int(mark) in of_nodes:
                opened.append((mark, of_nodes[int(mark)]))


def _augment(event: dict[str, Any], node: dict[str, Any] | None) -> None:
    """Write down what is known of *node* in the arguments of *event*."""
    if node is None:
        return
    arguments = event.setdefault("args", {})
    arguments["stack_trace"] = node.get("stack_trace", "No model stack trace available")
    if node.get("name"):
        arguments["node_name"] = node["name"]
