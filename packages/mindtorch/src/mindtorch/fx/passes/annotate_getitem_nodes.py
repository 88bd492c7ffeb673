"""Types of items, from the types of what they are taken from."""

from __future__ import annotations

import operator
from typing import Any

from ..graph import Graph


def annotate_getitem_nodes(graph: Graph) -> None:
    """Give items of typed tuples, lists, dictionaries and named tuples their types."""
    for node in graph.nodes:
        if node.target is not operator.getitem:
            continue
        container, index = node.args
        kind: Any = container.type
        if kind is None:
            continue
        args: Any = getattr(kind, "__args__", None)
        if getattr(kind, "_name", "") == "Tuple" or getattr(kind, "__origin__", None) is tuple:
            node.type = args[index] if args and len(args) > 1 and args[1] is not ... else args[0]
        elif getattr(kind, "__origin__", None) is list:
            assert len(args) == 1
            node.type = args[0]
        elif getattr(kind, "__origin__", None) is dict:
            node.type = args[1]
        elif hasattr(kind, "_fields"):
            node.type = kind.__annotations__[kind._fields[index]]
