"""What is known of a node while it runs, carried over to the nodes that a new trace makes of it."""

from __future__ import annotations

import copy
import functools
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from typing import Any

from ._compatibility import compatibility

__all__ = [
    "NodeSource", "NodeSourceAction", "annotate", "annotate_fn", "format_stack",
    "get_current_meta", "get_current_replay_node", "get_graph_provenance_json",
    "has_preserved_node_meta", "preserve_node_meta", "reset_grad_fn_seq_nr", "set_current_meta",
    "set_current_replay_node", "set_grad_fn_seq_nr", "set_stack_trace",
]  # fmt: skip

#: What is known of the nodes of a graph whose code was made with ``enrich_profiler_metadata``, by
#: the name of the file that the code says it is from.
_FX_METADATA_REGISTRY: dict[str, dict[str, Any]] = {}

current_meta: dict[str, Any] = {}
current_replay_node: Any = None
should_preserve_node_meta = False
GRADIENT_ACC_SPECIAL_STACK = "Gradient addition node due to multiple use of tensor around:"


@compatibility(is_backward_compatible=False)
class NodeSourceAction(Enum):
    """What a pass did with a node."""

    CREATE = "create"
    REPLACE = "replace"


@compatibility(is_backward_compatible=False)
class NodeSource:
    """Which node of which graph a node was made of, by which pass."""

    class NodeInfo:
        """A node's name, target and graph."""

        def __init__(self, name: str, target: str, graph_id: int) -> None:
            self.name = name
            self.target = target
            self.graph_id = graph_id

    def __init__(
        self,
        node: Any,
        pass_name: str = "",
        action: NodeSourceAction | list[NodeSourceAction] | None = None,
    ) -> None:
        self.pass_name = pass_name
        self.action = [] if action is None else action if isinstance(action, list) else [action]
        for each in self.action:
            assert isinstance(each, NodeSourceAction)
        self.node_info = (
            self.NodeInfo(node.name, node._pretty_print_target(node.target), id(node.graph))
            if node
            else None
        )
        self.from_node: list[NodeSource] = (
            copy.deepcopy(node.meta["from_node"]) if node and "from_node" in node.meta else []
        )

    @property
    def name(self) -> str:
        """The node's name."""
        return self.node_info.name if self.node_info else ""

    @property
    def target(self) -> str:
        """What the node called."""
        return self.node_info.target if self.node_info else ""

    @property
    def graph_id(self) -> int:
        """Which graph the node was in; -1 for none."""
        return self.node_info.graph_id if self.node_info else -1

    def __repr__(self) -> str:
        return self.print_readable()

    def _get_action_string(self) -> str:
        return "+".join(a.name.lower() for a in self.action)

    def print_readable(self, indent: int = 0) -> str:
        """The node and those that it came from, one line each."""
        if indent > 9:
            return ""
        result = " " * (indent * 4) + (
            f"(name={self.name}, pass_name={self.pass_name}, action={self._get_action_string()}, "
            f"graph_id={self.graph_id})\n"
        )
        return result + "".join(s.print_readable(indent + 1) for s in self.from_node)

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values."""
        return {
            **{key: getattr(self, key) for key in ("name", "target", "graph_id", "pass_name")},
            "action": self._get_action_string(),
            "from_node": [s.to_dict() for s in self.from_node],
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NodeSource) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(str(self.to_dict()))

    @classmethod
    def _from_dict(cls, d: dict[str, Any] | None) -> NodeSource | None:
        if d is None:
            return None
        assert isinstance(d, dict), f"Expected a dict, got {type(d)}"
        made = cls.__new__(cls)
        made.pass_name = d.get("pass_name", "")
        names = (d.get("action") or "").split("+")
        made.action = [NodeSourceAction[n.upper()] for n in names if n]
        made.node_info = (
            cls.NodeInfo(d.get("name", ""), d.get("target", ""), d.get("graph_id", -1))
            if d.get("name")
            else None
        )
        made.from_node = [s for s in map(cls._from_dict, d.get("from_node", [])) if s is not None]
        return made


@compatibility(is_backward_compatible=False)
@contextmanager
def preserve_node_meta(enable: bool = True) -> Iterator[None]:
    """Inside, an Interpreter's nodes hand what is known of them on to the nodes it makes."""
    global should_preserve_node_meta, current_meta
    before, meta = should_preserve_node_meta, current_meta.copy()
    try:
        should_preserve_node_meta = enable
        yield
    finally:
        should_preserve_node_meta = before
        current_meta = meta


@compatibility(is_backward_compatible=False)
def set_stack_trace(stack: list[str]) -> None:
    """Say where in the program the nodes that come now are from."""
    if should_preserve_node_meta and stack:
        current_meta["stack_trace"] = "".join(stack)


@compatibility(is_backward_compatible=False)
@contextmanager
def annotate(annotation_dict: dict[str, Any]) -> Iterator[None]:
    """Inside, nodes that are made have these entries in ``meta["custom"]``."""
    global current_meta
    had = "custom" in current_meta
    old = copy.copy(current_meta.get("custom", {}))
    try:
        current_meta["custom"] = {**old, **annotation_dict}
        yield
    finally:
        if had:
            current_meta["custom"] = old
        else:
            current_meta.pop("custom", None)


@compatibility(is_backward_compatible=False)
def annotate_fn(
    annotation_dict: dict[str, Any],
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator: the nodes of a function have these entries in ``meta["custom"]``."""

    def decorate(func: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(func)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with annotate(annotation_dict):
                return func(*args, **kwargs)

        return wrapper

    return decorate


@compatibility(is_backward_compatible=False)
def set_grad_fn_seq_nr(seq_nr: int) -> None:
    """Say which node of autograd the nodes that come now are from."""
    if should_preserve_node_meta:
        current_meta["grad_fn_seq_nr"] = [*current_meta.get("grad_fn_seq_nr", []), seq_nr]
        current_meta["in_grad_fn"] = current_meta.get("in_grad_fn", 0) + 1


@compatibility(is_backward_compatible=False)
def reset_grad_fn_seq_nr() -> None:
    """Take back the last :func:`set_grad_fn_seq_nr`."""
    if not should_preserve_node_meta:
        return
    level = current_meta.get("in_grad_fn", 0)
    assert level > 0, f"Expected current_level > 0, got {level}"
    if level > 1:
        left = current_meta["grad_fn_seq_nr"][:-1]
        current_meta.update(in_grad_fn=level - 1, grad_fn_seq_nr=left)
        return
    for name in ("in_grad_fn", "grad_fn_seq_nr"):
        del current_meta[name]


@compatibility(is_backward_compatible=False)
def format_stack() -> list[str]:
    """Where in the program this is."""
    if should_preserve_node_meta:
        return [current_meta.get("stack_trace", "")]
    return traceback.format_list(traceback.extract_stack()[:-1])


@compatibility(is_backward_compatible=False)
def has_preserved_node_meta() -> bool:
    """Whether nodes hand on what is known of them."""
    return should_preserve_node_meta


@compatibility(is_backward_compatible=False)
@contextmanager
def set_current_meta(node: Any, pass_name: str = "") -> Iterator[None]:
    """Inside, nodes that are made come from *node*."""
    global current_meta
    if not (should_preserve_node_meta and node.meta):
        yield
        return
    source = NodeSource(node, pass_name, NodeSourceAction.CREATE)
    before, current_meta = current_meta, {**node.meta, "from_node": [source]}
    try:
        yield
    finally:
        current_meta = before


@compatibility(is_backward_compatible=False)
def get_current_meta() -> dict[str, Any]:
    """What nodes that are made get."""
    return current_meta


@compatibility(is_backward_compatible=False)
@contextmanager
def set_current_replay_node(node: Any) -> Iterator[None]:
    """Inside, *node* is the one that is run."""
    global current_replay_node
    before, current_replay_node = current_replay_node, node
    try:
        yield
    finally:
        current_replay_node = before


@compatibility(is_backward_compatible=False)
def get_current_replay_node() -> Any:
    """The node that is run."""
    return current_replay_node


@compatibility(is_backward_compatible=False)
def get_graph_provenance_json(graph: Any) -> dict[str, Any]:
    """For each node of a graph, those that it came from, as plain values."""
    return {
        node.name: [s.to_dict() for s in node.meta["from_node"]] if "from_node" in node.meta else []
        for node in graph.nodes
        if node.op != "output"
    }


def _get_custom_metadata(gm: Any) -> str:
    """``meta["custom"]`` of all nodes of a module and of its graphs inside, a line each."""
    lines = [
        str((node.op, node.name, node.meta["custom"]))
        for module in gm.modules()
        if hasattr(module, "graph")
        for node in module.graph.nodes
        if node.meta.get("custom")
    ]
    return "\n".join(lines)
