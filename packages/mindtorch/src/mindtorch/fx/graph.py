"""A graph: nodes in the order in which they run.

Names, fields and texts are those of torch.fx (torch/fx/graph.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .codegen import CodeGen, PythonCode
from .namespace import Namespace, snake_case
from .node import Node, is_op, map_arg, qualified_name

__all__ = ["Graph"]


class Graph:
    """A program as nodes; ``python_code`` writes it down, a ``GraphModule`` runs it."""

    def __init__(self, owning_module: Any = None, tracer_cls: Any = None) -> None:
        self._root = Node(self, "", "root", "", (), {})
        self._len = 0
        self._namespace = Namespace()
        self._insert: Callable[[Node], None] = self._root.prepend
        self.owning_module = owning_module
        self._tracer_cls = tracer_cls
        self._codegen = CodeGen()

    @property
    def nodes(self) -> NodeList:
        """The nodes in order."""
        return NodeList(self)

    # Building -----------------------------------------------------------------------------------

    def create_node(
        self,
        op: str,
        target: Any,
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
        name: str | None = None,
        type_expr: Any = None,
    ) -> Node:
        """Add a node at the insertion point. Its name follows from *name* or the target."""
        args, kwargs = args or (), kwargs or {}
        if not isinstance(args, tuple):
            raise AssertionError(f"args must be a tuple, got {type(args)}")
        if not isinstance(kwargs, dict):
            raise AssertionError(f"kwargs must be a dict, got {type(kwargs)}")
        candidate = name if name is not None else _candidate(target)
        unique = self._namespace.create_name(candidate)
        node = Node(self, unique, op, target, args, kwargs, type_expr)
        self._insert(node)
        self._len += 1
        return node

    def placeholder(self, name: str, type_expr: Any = None, default_value: Any = ...) -> Node:
        """An input."""
        args = () if default_value is ... else (default_value,)
        return self.create_node("placeholder", name, args, type_expr=type_expr)

    def get_attr(self, qualified_name: str, type_expr: Any = None) -> Node:
        """An attribute of the module that owns the graph."""
        return self.create_node("get_attr", qualified_name, type_expr=type_expr)

    def call_function(
        self,
        the_function: Callable[..., Any],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
        type_expr: Any = None,
        name: str | None = None,
    ) -> Node:
        """A call of a function."""
        return self.create_node("call_function", the_function, args, kwargs, name, type_expr)

    def call_method(
        self,
        method_name: str,
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
        type_expr: Any = None,
    ) -> Node:
        """A call of a method of the first argument."""
        return self.create_node("call_method", method_name, args, kwargs, type_expr=type_expr)

    def call_module(
        self,
        module_name: str,
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
        type_expr: Any = None,
    ) -> Node:
        """A call of a submodule of the module that owns the graph."""
        return self.create_node("call_module", module_name, args, kwargs, type_expr=type_expr)

    def output(self, result: Any, type_expr: Any = None) -> Node:
        """What the program returns."""
        return self.create_node("output", "output", (result,), type_expr=type_expr)

    def node_copy(self, node: Node, arg_transform: Callable[[Node], Any] = lambda x: x) -> Node:
        """A copy of a node of another graph."""
        args, kwargs = map_arg(node.args, arg_transform), map_arg(node.kwargs, arg_transform)
        copy = self.create_node(node.op, node.target, args, kwargs, node.name, node.type)
        copy.meta = dict(node.meta)
        return copy

    def graph_copy(
        self, g: Graph, val_map: dict[Node, Node], return_output_node: bool = False
    ) -> Any:
        """Copy the nodes of *g* here; gives what it returns, as values of this graph.

        :param val_map: nodes of *g* -> nodes here; filled with the copies.
        """
        for node in g.nodes:
            if node in val_map:
                continue
            if node.op == "output":
                value = map_arg(node.args[0], lambda n: val_map[n])
                return (value, node) if return_output_node else value
            val_map[node] = self.node_copy(node, lambda n: val_map[n])
        return None

    def __deepcopy__(self, memo: Any = None) -> Graph:
        made = Graph(tracer_cls=self._tracer_cls)
        copied = made.graph_copy(self, {}, return_output_node=True)
        if copied is not None:
            value, old = copied
            output = made.output(value, old.type)
            output.meta = dict(old.meta)
        made._codegen = self._codegen
        return made

    # Editing ------------------------------------------------------------------------------------

    def erase_node(self, to_erase: Node) -> None:
        """Take a node out. Raises RuntimeError while it is used."""
        if to_erase.users:
            raise RuntimeError(
                f"Tried to erase Node {to_erase} but it still had {len(to_erase.users)} users in "
                f"the graph: {to_erase.users}!"
            )
        if to_erase.graph is not self:
            raise RuntimeError(f"Attempting to remove {to_erase} from wrong graph!")
        if to_erase._erased:
            return
        to_erase._unlink()
        to_erase._erased = True
        to_erase._update((), {})
        self._len -= 1

    @contextmanager
    def inserting_before(self, n: Node | None = None) -> Iterator[None]:
        """New nodes go before *n* (the beginning, if None)."""
        with self._inserting(self._root.append if n is None else n.prepend):
            yield

    @contextmanager
    def inserting_after(self, n: Node | None = None) -> Iterator[None]:
        """New nodes go after *n* (the end, if None)."""
        with self._inserting(self._root.prepend if n is None else n.append):
            yield

    @contextmanager
    def _inserting(self, insert: Callable[[Node], None]) -> Iterator[None]:
        before, self._insert = self._insert, insert
        try:
            yield
        finally:
            self._insert = before

    def eliminate_dead_code(self) -> bool:
        """Take out nodes that nobody uses and that change nothing; says whether there were any."""
        changed = False
        for node in reversed(list(self.nodes)):
            if not node.users and not node.is_impure():
                self.erase_node(node)
                changed = True
        return changed

    def find_nodes(self, *, op: str, target: Any = None, sort: bool = True) -> list[Node]:
        """The nodes of a kind, in order."""
        return [n for n in self.nodes if n.op == op and (target is None or n.target == target)]

    def output_node(self) -> Node:
        """The node that says what is returned."""
        return next(n for n in reversed(list(self.nodes)) if n.op == "output")

    def print_tabular(self) -> None:
        """Print the nodes as a table. Needs the package tabulate. Raises ImportError without."""
        try:
            from tabulate import tabulate  # which need not be installed
        except ImportError:
            print(
                "`print_tabular` relies on the library `tabulate`, which could not be found on "
                "this machine. Run `pip install tabulate` to install the library."
            )
            raise
        rows = [[n.op, n.name, n.target, n.args, n.kwargs] for n in self.nodes]
        print(tabulate(rows, headers=["opcode", "name", "target", "args", "kwargs"]))

    def lint(self) -> None:
        """Check that the graph is well formed. Raises RuntimeError."""
        names: set[str] = set()
        seen: set[Node] = set()
        for node in self.nodes:
            for arg in node.all_input_nodes:
                if arg.graph is not self:
                    raise RuntimeError(
                        f"Argument '{arg}' of Node '{node}' does not belong to this Graph, but was "
                        "used as an argument! If you are copying nodes from another graph, make "
                        "sure to use ``arg_transform`` on node_copy() to remap values\n"
                        f"{self}"
                    )
                if arg not in seen:
                    raise RuntimeError(
                        f"Argument '{arg}' of Node '{node}' was used before it has been defined! "
                        "Please check that Nodes in the graph are topologically ordered\n"
                        f"{self}"
                    )
            seen.add(node)
            if node.name in names:
                raise RuntimeError(f"Node redefined name {node.name}!")
            names.add(node.name)

    # Writing ------------------------------------------------------------------------------------

    def python_code(self, root_module: str, *, verbose: bool = False) -> PythonCode:
        """The program as Python source, and the globals it needs."""
        return self._codegen.generate(self.nodes, root_module, verbose=verbose)

    def set_codegen(self, codegen: CodeGen) -> None:
        """How inputs and outputs are written."""
        self._codegen = codegen

    def __str__(self) -> str:
        return "\n".join(["graph():", *("    " + n.format_node() for n in self.nodes)])


class NodeList:
    """The nodes of a graph, in order or reversed."""

    def __init__(self, graph: Graph, forward: bool = True) -> None:
        self.graph = graph
        self.forward = forward

    def __len__(self) -> int:
        return self.graph._len

    def __iter__(self) -> Iterator[Node]:
        root = self.graph._root
        node = root._next if self.forward else root._prev
        while node is not root:
            following = node._next if self.forward else node._prev
            if not node._erased:
                yield node
            node = following

    def __reversed__(self) -> NodeList:
        return NodeList(self.graph, not self.forward)


def _candidate(target: Any) -> str:
    """The name that a target suggests."""
    if isinstance(target, str):
        if target.startswith("__") and target.endswith("__"):
            target = target[2:-2]
        return snake_case(target.replace(".", "_"))
    if is_op(target):
        return str(target.overloadpacket.__name__)
    return snake_case(qualified_name(target).rpartition(".")[2])
