"""A graph: nodes in the order in which they run.

Names, fields and texts are those of torch.fx.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from operator import attrgetter
from typing import Any, Literal

from ..core.warning import warn
from ..nn import Module, Parameter
from ._compatibility import compatibility

# Names that torch has here, though the parts of this module do without.
from .codegen import (  # see above
    CodeGen,
    PythonCode,
    _BoxedCodeGen,
    _PyTreeCodeGen,
    _PyTreeInfo,
    renamed,
)
from .function_body import (  # noqa: F401  # see above
    _parse_stack_trace,
    _ParsedStackTrace,
    inplace_methods,
    magic_methods,
    reflectable_magic_methods,
)
from .graph_checks import check_graph
from .namespace import (  # noqa: F401  # see above
    _custom_builtins,
    _CustomBuiltin,
    _Namespace,
    _register_custom_builtin,
    _snake_case,
)
from .node import (  # noqa: F401  # see above
    Argument,
    Node,
    Target,
    _get_qualified_name,
    _legal_ops,
    _type_repr,
    map_arg,
)
from .value_text import _format_target, _is_from_torch  # noqa: F401  # see above

__all__ = ["CodeGen", "Graph", "PythonCode"]

TransformCodeFunc = Callable[[list[str]], list[str]]
#: Makes the module of a root and a graph. Modules stand on graphs, and say here which class.
module_makers: list[Callable[..., Any]] = []


def module_of(root: Any, graph: Graph, *class_name: str) -> Any:
    """The module that runs *graph* with the attributes of *root*."""
    return module_makers[-1](root, graph, *class_name)


def _is_magic(x: str) -> bool:
    return x.startswith("__") and x.endswith("__")


class _InsertPoint:
    """Inside, new nodes go to another place."""

    def __init__(self, graph: Graph, new_insert: Callable[..., None]) -> None:
        self.graph = graph
        self.orig_insert, graph._insert = graph._insert, new_insert

    def __enter__(self) -> None:
        pass

    def __exit__(self, type: Any, value: Any, tb: Any) -> None:
        self.graph._insert = self.orig_insert


class _node_list:
    """The nodes of a graph, in order or reversed."""

    def __init__(self, graph: Graph, direction: Literal["_prev", "_next"] = "_next") -> None:
        assert direction in ("_next", "_prev")
        self.graph = graph
        self.direction = direction

    def __len__(self) -> int:
        return self.graph._len

    def __iter__(self) -> Iterator[Any]:
        root, direction = self.graph._root, self.direction
        node: Node = getattr(root, direction)
        while node is not root:
            following = getattr(node, direction)
            if not node._erased:
                yield node
                following = getattr(node, direction)
            node = following

    def __reversed__(self) -> Iterator[Any]:
        return iter(_node_list(self.graph, "_next" if self.direction == "_prev" else "_prev"))


@compatibility(is_backward_compatible=True)
class Graph:
    """A program as nodes; ``python_code`` writes it down, a ``GraphModule`` runs it."""

    def __init__(
        self,
        owning_module: Any = None,
        tracer_cls: Any = None,
        tracer_extras: dict[str, Any] | None = None,
    ) -> None:
        self._root = Node(self, "", "root", "", (), {})
        self._len = 0
        self._graph_namespace = _Namespace()
        self._used_names: dict[str, int] = {}
        self._insert: Callable[[Node], None] = self._root.prepend
        self._owning_module: Any = owning_module
        self._tracer_cls = tracer_cls
        self._tracer_extras = tracer_extras
        self._codegen = CodeGen()
        self._co_fields: dict[str, Any] = {}

    @property
    def owning_module(self) -> Any:
        """The module whose graph this is."""
        return self._owning_module

    @owning_module.setter
    def owning_module(self, mod: Any) -> None:
        self._owning_module = mod

    @property
    def nodes(self) -> _node_list:
        """The nodes in order."""
        return _node_list(self)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_insert": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._insert = self._root.prepend

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
        candidate = name if name is not None else self._target_to_str(target)
        unique = self._graph_namespace.create_name(candidate, None)
        node = Node(self, unique, op, target, args, kwargs, type_expr)
        self._graph_namespace.associate_name_with_obj(unique, node)
        self._insert(node)
        self._len += 1
        for hook in getattr(self.owning_module, "_create_node_hooks", ()):
            hook(node)
        return node

    def _target_to_str(self, target: Any) -> str:
        """The name that a target suggests."""
        if callable(target):
            return _snake_case(target.__name__)
        if not isinstance(target, str):
            raise AssertionError(f"Expected target to be str, got {type(target)}")
        return _snake_case(target[2:-2] if _is_magic(target) else target)

    def placeholder(
        self, name: str, type_expr: Any = None, default_value: Any = inspect.Signature.empty
    ) -> Node:
        """An input."""
        args = () if default_value is inspect.Signature.empty else (default_value,)
        return self.create_node("placeholder", name, args, type_expr=type_expr)

    def get_attr(self, qualified_name: str, type_expr: Any = None) -> Node:
        """An attribute of the module that owns the graph; warns where it has none."""
        if self.owning_module and not self._owns_(qualified_name):
            warn(
                "Attempted to insert a get_attr Node with no underlying reference in the owning "
                "GraphModule! Call GraphModule.add_submodule to add the necessary submodule, "
                "GraphModule.add_parameter to add the necessary Parameter, or "
                "nn.Module.register_buffer to add the necessary buffer",
            )
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
        """A call of a submodule of the module that owns the graph; warns where it has none."""
        if self.owning_module and self.owning_module.get_submodule(module_name) is None:
            warn(
                "Attempted to insert a call_module Node with no underlying reference in the owning "
                "GraphModule! Call GraphModule.add_submodule to add the necessary submodule",
            )
        return self.create_node("call_module", module_name, args, kwargs, type_expr=type_expr)

    def _owns_(self, path: str) -> bool:
        prefix, _, name = path.rpartition(".")
        try:
            module = self.owning_module.get_submodule(prefix)
        except AttributeError:
            warn(f"Failed to fetch module {prefix}!")
            return False
        value = getattr(module, name, None)
        return isinstance(value, (Module, Parameter)) or name in getattr(module, "_buffers", {})

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
            if node.op == "output" and node not in val_map:
                value = map_arg(node.args[0], val_map.__getitem__)
                return (value, node) if return_output_node else value
            if node not in val_map:
                val_map[node] = self.node_copy(node, val_map.__getitem__)
        return None

    def __deepcopy__(self, memo: Any = None) -> Graph:
        made = Graph(tracer_cls=self._tracer_cls, tracer_extras=self._tracer_extras)
        mapping: dict[Node, Node] = memo if memo is not None else {}
        copied = made.graph_copy(self, mapping, return_output_node=True)
        made._codegen = self._codegen
        made._co_fields = dict(self._co_fields)
        if copied is not None:
            value, old = copied
            output = made.output(value, old.type)
            output.meta = dict(old.meta)
        return made

    def process_inputs(self, *args: Any) -> Any:
        """The values of the placeholders from the arguments of a call."""
        return self._codegen.process_inputs(*args)

    def process_outputs(self, out: Any) -> Any:
        """What a call returns from what the graph does."""
        return self._codegen.process_outputs(out)

    # Editing ------------------------------------------------------------------------------------

    def erase_node(self, to_erase: Node) -> None:
        """Take a node out. Raises RuntimeError while it is used, and for one of another graph."""
        if to_erase.users:
            raise RuntimeError(
                f"Tried to erase Node {to_erase} but it still had {len(to_erase.users)} users in "
                f"the graph: {to_erase.users}!"
            )
        if to_erase.graph is not self:
            raise RuntimeError(f"Attempting to remove {to_erase} from wrong graph!")
        if to_erase._erased:
            warn(f"erase_node({to_erase}) on an already erased node")
            return
        for hook in getattr(self.owning_module, "_erase_node_hooks", ()):
            hook(to_erase)
        to_erase._unlink_()
        to_erase._erased = True
        self._len -= 1
        to_erase._update_((), {})

    def inserting_before(self, n: Node | None = None) -> _InsertPoint:
        """New nodes go before *n* (the beginning, if None)."""
        if n is None:
            return self.inserting_after(self._root)
        assert n.graph is self, "Node to insert before is not in graph."
        return _InsertPoint(self, n.prepend)

    def inserting_after(self, n: Node | None = None) -> _InsertPoint:
        """New nodes go after *n* (the end, if None)."""
        if n is None:
            return self.inserting_before(self._root)
        assert n.graph is self, "Node to insert after is not in graph."
        return _InsertPoint(self, n.append)

    def eliminate_dead_code(self, is_impure_node: Callable[[Node], bool] | None = None) -> bool:
        """Take out nodes that nobody uses and that change nothing; says whether there were any.

        :param is_impure_node: what says of a node that it changes something.
        """
        self.lint()
        impure = is_impure_node or Node.is_impure
        changed = False
        for node in reversed(list(self.nodes)):
            if not node.users and not impure(node) and node.op != "output":
                self.erase_node(node)
                changed = True
        if self.owning_module is not None:
            for child in self.owning_module.children():
                graph = getattr(child, "graph", None)
                if isinstance(graph, Graph):
                    changed |= graph.eliminate_dead_code(is_impure_node)
        return changed

    def find_nodes(self, *, op: str, target: Any = None, sort: bool = True) -> list[Any]:
        """The nodes of a kind, in order. Functions are asked for by target."""
        assert not (op == "call_function" and target is None), (
            "target must not be None for call_function op"
        )
        return [n for n in self.nodes if n.op == op and (target is None or n.target == target)]

    def output_node(self) -> Node:
        """The node that says what is returned."""
        node: Node = next(iter(reversed(self.nodes)))
        assert node.op == "output"
        return node

    def _clear_nodes(self) -> None:
        for node in reversed(list(self.nodes)):
            node.meta.clear()
            self.erase_node(node)

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
        row = attrgetter("op", "name", "target", "args", "kwargs")
        head = ["opcode", "name", "target", "args", "kwargs"]
        print(tabulate([row(node) for node in self.nodes], headers=head))

    def lint(self) -> None:
        """Check that the graph is well formed. Raises RuntimeError, ValueError."""
        check_graph(self)

    # Writing ------------------------------------------------------------------------------------

    def python_code(
        self,
        root_module: str,
        *,
        verbose: bool = False,
        include_stride: bool = False,
        include_device: bool = False,
        colored: bool = False,
        expanded_def: bool = False,
        record_func: bool = False,
        additional_meta: list[str] | None = None,
    ) -> PythonCode:
        """The program as Python source, and the globals it needs.

        :param verbose: say dtypes, shapes and lines of the program where they are known.
        """
        namespace = _Namespace()
        with renamed(self.nodes, namespace):
            return self._codegen._gen_python_code(
                self.nodes,
                root_module,
                namespace,
                verbose=verbose,
                include_stride=include_stride,
                include_device=include_device,
                colored=colored,
                expanded_def=expanded_def,
                record_func=record_func,
                additional_meta=additional_meta,
            )

    def set_codegen(self, codegen: CodeGen) -> None:
        """How inputs and outputs are written."""
        self._codegen = codegen

    @contextmanager
    def _generating_(self, before: TransformCodeFunc | None) -> Iterator[None]:
        try:
            yield
        finally:
            self._codegen._body_transformer = before

    def on_generate_code(
        self, make_transformer: Callable[[TransformCodeFunc | None], TransformCodeFunc]
    ) -> Any:
        """Change the lines of the body whenever they are written.

        :param make_transformer: gets the transformer of before, gives the one that holds now.

        As a context manager, the one of before comes back at the end.
        """
        before = self._codegen._body_transformer
        self._codegen._body_transformer = make_transformer(before)
        return self._generating_(before)

    def __str__(self) -> str:
        lines = [f"    {n.format_node()}" for n in self.nodes]
        return "\n".join(["graph():", *lines])


for _defined in (
    CodeGen, PythonCode, _BoxedCodeGen, _CustomBuiltin, _Namespace, _ParsedStackTrace,
    _PyTreeCodeGen, _PyTreeInfo,
):  # fmt: skip
    _defined.__module__ = __name__  # where programs and pickles look for them
