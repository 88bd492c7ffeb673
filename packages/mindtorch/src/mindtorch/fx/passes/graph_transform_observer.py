"""What a pass does to a graph: noted in the nodes and drawn, before and after."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from .._compatibility import compatibility
from ..graph import Graph
from ..graph_module import GraphModule
from ..node import Node
from ..traceback import NodeSource, NodeSourceAction
from .graph_drawer import FxGraphDrawer

__all__ = ["GraphTransformObserver"]

_T = TypeVar("_T")


@compatibility(is_backward_compatible=False)
class GraphTransformObserver:
    """Inside, nodes of *gm* note by which pass they were made or put in the place of others.

    :param passname: the name of the pass.
    :param subsystem: what the pass belongs to.
    :param log_url: a folder for drawings of the graph before and after, if it changes. Without it
        nothing is observed.
    """

    __pass_count = 0

    def __init__(
        self,
        gm: GraphModule,
        passname: str,
        subsystem: str | None = None,
        log_url: str | None = None,
    ) -> None:
        self.gm = gm
        self.passname = passname
        self.subsystem = subsystem
        self.log_url = log_url
        self.active = log_url is not None
        if not self.active:
            return
        GraphTransformObserver.__pass_count += 1
        self.erased_nodes: set[str] = set()
        self.created_nodes: set[str] = set()
        self.name_to_node: dict[str, Node] = {}
        #: Copies of the module that are made meanwhile, which are observed as well.
        self.copied_gms: list[GraphModule] = []
        self._node_creation_hook = self.get_node_creation_hook()
        self._node_erase_hook = self.get_node_erase_hook()
        self._node_replace_hook = self.get_node_replace_hook()
        self._deepcopy_hook = self.get_deepcopy_hook()
        self.input_dot_graph = self._drawn()

    @classmethod
    def get_current_pass_count(cls) -> int:
        """How many passes were observed."""
        return cls.__pass_count

    def _drawn(self) -> Any:
        drawer = FxGraphDrawer(
            self.gm, self.passname, ignore_getattr=True, ignore_parameters_and_buffers=True
        )
        return drawer.get_dot_graph()

    def apply_gm_pass(self, pass_fn: Callable[[GraphModule], _T]) -> _T | None:
        """What *pass_fn* gives for the module, observed."""
        with self:
            return None if self._check_disable_pass() else pass_fn(self.gm)

    def apply_graph_pass(self, pass_fn: Callable[[Graph], _T]) -> _T | None:
        """What *pass_fn* gives for the graph, observed."""
        with self:
            return None if self._check_disable_pass() else pass_fn(self.gm.graph)

    def _check_disable_pass(self) -> bool:
        """Whether the pass is left out: a compiler may say so, and there is none."""
        return False

    def __enter__(self) -> GraphTransformObserver:
        if self.active:
            for kind, hook in self._hooks().items():
                getattr(self.gm, f"_register_{kind}_hook")(hook)
            self.name_to_node.update((node.name, node) for node in self.gm.graph.nodes)
        return self

    def __exit__(self, *error: object) -> None:
        if not self.active:
            return
        for module in (self.gm, *self.copied_gms):
            for kind, hook in self._hooks().items():
                getattr(module, f"_unregister_{kind}_hook")(hook)
        if self.created_nodes or self.erased_nodes:
            self._write("input", self.input_dot_graph, self.erased_nodes)
            self._write("output", self._drawn(), self.created_nodes)

    def _hooks(self) -> dict[str, Callable[..., None]]:
        """What a module calls, by what happens."""
        return {
            "create_node": self._node_creation_hook,
            "erase_node": self._node_erase_hook,
            "replace_node": self._node_replace_hook,
            "deepcopy": self._deepcopy_hook,
        }

    def _write(self, which: str, drawn: Any, changed: set[str]) -> None:
        """Write a drawing; nodes that are changed are yellow."""
        for node in drawn.get_node_list():
            color = "yellow" if node.get_name() in changed else "grey"
            node.obj_dict["attributes"]["fillcolor"] = color
        assert self.log_url is not None
        count = GraphTransformObserver.__pass_count
        name = f"pass_{count}_{self.passname}_{which}_graph.dot"
        drawn.write(str(Path(self.log_url) / name))

    def _note(self, node: Node, old: Node | None, *actions: NodeSourceAction) -> None:
        node.meta["from_node"] = [NodeSource(old, self.passname, list(actions))]

    def get_node_creation_hook(self) -> Callable[[Node], None]:
        """What is called with a node that is made."""

        def on_node_creation(node: Node) -> None:
            self.created_nodes.add(node.name)
            self.name_to_node[node.name] = node
            self._note(node, None, NodeSourceAction.CREATE)

        return on_node_creation

    def get_node_erase_hook(self) -> Callable[[Node], None]:
        """What is called with a node that is taken out."""

        def on_node_erase(node: Node) -> None:
            self.erased_nodes.add(node.name)
            self.name_to_node.pop(node.name, None)

        return on_node_erase

    def get_node_replace_hook(self) -> Callable[[Node, str, Node], None]:
        """What is called with a node that another is put in the place of, for a user of it."""

        def on_node_replace(old: Node, new: str, user: Node) -> None:
            node = self.name_to_node.get(new)
            if node is None:
                return
            actions = [NodeSourceAction.REPLACE]
            if new in self.created_nodes:
                actions.append(NodeSourceAction.CREATE)
            self._note(node, old, *actions)

        return on_node_replace

    def get_deepcopy_hook(self) -> Callable[[GraphModule], None]:
        """What is called with a copy of the module."""

        def on_deepcopy(gm: GraphModule) -> None:
            self.copied_gms.append(gm)

        return on_deepcopy
