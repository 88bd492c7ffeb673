"""Runs a graph node by node, or makes it anew."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from . import traceback as fx_traceback
from ._compatibility import compatibility
from ._lazy_graph_module import _make_graph_module
from ._symbolic_trace import Tracer
from .function_body import last_uses
from .graph import Graph
from .graph_module import GraphModule
from .node import Node, map_aggregate, map_arg
from .proxy import Proxy

__all__ = ["Interpreter", "Transformer"]


@compatibility(is_backward_compatible=True)
class Interpreter:
    """Override a method to do something else at a kind of node.

    :param garbage_collect_values: let go of values that no later node needs.
    :param graph: run this graph, with the modules and attributes of *module*.
    """

    def __init__(self, module: Any, garbage_collect_values: bool = True, graph: Any = None) -> None:
        self.module = module
        self.submodules = dict(module.named_modules())
        self.graph: Graph = module.graph if graph is None else graph
        self.env: dict[Node, Any] = {}
        self.name = "Interpreter"
        self.garbage_collect_values = garbage_collect_values
        self.extra_traceback = True
        self.args_iter: Iterator[Any] = iter(())
        if garbage_collect_values:
            self.user_to_last_uses = last_uses(list(self.graph.nodes))

    @compatibility(is_backward_compatible=True)
    def run(
        self,
        *args: Any,
        initial_env: dict[Node, Any] | None = None,
        enable_io_processing: bool = True,
    ) -> Any:
        """The result of the graph for *args*.

        :param initial_env: values of nodes that are not run.
        :param enable_io_processing: take nested arguments apart as the graph's code does.
        """
        self.env = {} if initial_env is None else initial_env
        self.args_iter = iter(self.graph.process_inputs(*args) if enable_io_processing else args)
        for node in [n for n in self.graph.nodes if n not in self.env]:
            value = self._step_(node)
            if node.op == "output":
                return self.graph.process_outputs(value) if enable_io_processing else value
        return None

    def _step_(self, node: Node) -> Any:
        """Run one node and note its value; forget those that it was the last to need."""
        try:
            value = self.env[node] = self.run_node(node)
        except Exception as e:
            self._say_where_(e, node)
            raise
        if self.garbage_collect_values:
            for gone in self.user_to_last_uses.get(node, ()):
                del self.env[gone]
        return value

    def _say_where_(self, e: Exception, node: Node) -> None:
        """Add the node to the text of an error."""
        if not self.extra_traceback:
            return
        said = f"While executing {node.format_node()}"
        said = f"{e.args[0]}\n\n{said}" if e.args else str(said)
        said += f"\nOriginal traceback:\n{node.stack_trace}"
        if isinstance(self.module, GraphModule):
            said += (
                "\nUse tlparse to see full graph. "
                "(https://github.com/pytorch/tlparse?tab=readme-ov-file#tlparse-parse-structured-"
                "pt2-logs)"
            )
        e.args = (said, *e.args[1:])
        if isinstance(e, KeyError):
            raise RuntimeError(*e.args) from e

    @compatibility(is_backward_compatible=True)
    def boxed_run(self, args_list: list[Any]) -> Any:
        """The same for arguments in a list, which is emptied.

        :raises RuntimeError: if there are not as many as inputs; the list stays as it is.
        """
        inputs = [n for n in self.graph.nodes if n.op == "placeholder"]
        if len(args_list) != len(inputs):
            what = "extra" if len(args_list) > len(inputs) else "missing"
            raise RuntimeError(
                f"Interpreter.boxed_run expected {len(inputs)} arguments for placeholders "
                f"but received {len(args_list)} ({what} arguments)"
            )
        env = dict(zip(inputs, args_list, strict=False))
        args_list.clear()
        return self.run(initial_env=env)

    @contextmanager
    def _set_current_node(self, node: Node) -> Iterator[None]:
        with fx_traceback.set_current_meta(node, f"Interpreter_{self.__class__.__name__}"):
            yield

    @compatibility(is_backward_compatible=True)
    def run_node(self, n: Node) -> Any:
        """The value of one node."""
        with self._set_current_node(n):
            args, kwargs = self.fetch_args_kwargs_from_env(n)
            assert isinstance(args, tuple)
            assert isinstance(kwargs, dict)
            return getattr(self, n.op)(n.target, args, kwargs)

    @compatibility(is_backward_compatible=True)
    def placeholder(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The next input. Raises RuntimeError if there is none."""
        assert isinstance(target, str)
        if target[0] == "*":
            return [*self.args_iter]
        given = [*itertools.islice(self.args_iter, 1), *args[:1]]  # the default comes last
        if given:
            return given[0]
        raise RuntimeError(
            f"Expected positional argument for parameter {target}, but one was not passed in!"
        )

    @compatibility(is_backward_compatible=True)
    def get_attr(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """An attribute of the module."""
        assert isinstance(target, str)
        return self.fetch_attr(target)

    @compatibility(is_backward_compatible=True)
    def call_function(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The function's result."""
        assert not isinstance(target, str)
        return target(*args, **kwargs)

    @compatibility(is_backward_compatible=True)
    def call_method(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The method's result."""
        receiver, *rest = args
        assert isinstance(target, str)
        return getattr(receiver, target)(*rest, **kwargs)

    @compatibility(is_backward_compatible=True)
    def call_module(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The submodule's result."""
        assert isinstance(target, str)
        return self.fetch_attr(target)(*args, **kwargs)

    @compatibility(is_backward_compatible=True)
    def output(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What is returned."""
        return args[0]

    @compatibility(is_backward_compatible=True)
    def fetch_attr(self, target: str) -> Any:
        """The attribute at a path. Raises RuntimeError if there is none."""
        found, path = self.module, ""
        for atom in target.split("."):
            path = f"{path}.{atom}" if path else atom
            if not hasattr(found, atom):
                raise RuntimeError(f"Node referenced nonexistent target {path}")
            found = getattr(found, atom)
        return found

    @compatibility(is_backward_compatible=True)
    def fetch_args_kwargs_from_env(self, n: Node) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """A node's arguments, nodes replaced by their values."""
        return self.map_nodes_to_values(n.args, n), self.map_nodes_to_values(n.kwargs, n)

    @compatibility(is_backward_compatible=True)
    def map_nodes_to_values(self, args: Any, n: Node) -> Any:
        """Nodes in *args* replaced by their values. Raises RuntimeError for one without."""

        def load(arg: Node) -> Any:
            if arg not in self.env:
                raise RuntimeError(
                    f"Node {n} referenced nonexistent value {arg}! Run Graph.lint() to diagnose "
                    "such issues"
                )
            return self.env[arg]

        return map_arg(args, load)


class _TransformerTracer(Tracer):
    """Appends to a graph; every module is a leaf."""

    def __init__(self, graph: Graph, root: Any) -> None:
        super().__init__()
        self.graph = graph
        self.root = root
        self.tensor_attrs = {}

    def is_leaf_module(self, m: Any, module_qualified_name: str) -> bool:
        """Every module is one node."""
        return True


@compatibility(is_backward_compatible=True)
class Transformer(Interpreter):
    """Override a method to put something else in the place of a kind of node."""

    def __init__(self, module: GraphModule) -> None:
        super().__init__(module)
        self.new_graph = Graph()
        self.new_graph.set_codegen(module.graph._codegen)
        self.tracer = _TransformerTracer(self.new_graph, module)
        self.tracer.submodule_paths = None

    @compatibility(is_backward_compatible=True)
    def placeholder(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Proxy:
        """An input of the new graph."""
        assert isinstance(target, str)
        default = next(iter(args)) if args else inspect.Signature.empty
        return Proxy(self.new_graph.placeholder(target, default_value=default), self.tracer)

    @compatibility(is_backward_compatible=True)
    def get_attr(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Proxy:
        """An attribute, in the new graph."""
        assert isinstance(target, str)
        made: Proxy = self.tracer.create_proxy("get_attr", target, args, kwargs)
        return made

    @compatibility(is_backward_compatible=True)
    def call_module(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call of a submodule, in the new graph."""
        assert isinstance(target, str)
        submodule = self.fetch_attr(target)
        return self.tracer.call_module(submodule, submodule.forward, args, kwargs)

    @compatibility(is_backward_compatible=True)
    def call_function(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call of a function, in the new graph."""
        assert not isinstance(target, str)
        return self.tracer.create_proxy("call_function", target, args, kwargs)

    @compatibility(is_backward_compatible=True)
    def transform(self) -> GraphModule:
        """The new module."""
        with fx_traceback.preserve_node_meta():
            result = super().run(enable_io_processing=False)
        if result is not None:

            def strip(a: Any) -> Any:
                return a.node if isinstance(a, Proxy) else a

            out = self.new_graph.output(map_aggregate(result, strip))
            for old in self.graph.nodes:
                if old.op == "output":
                    out.meta.update({k: v for k, v in old.meta.items() if k not in out.meta})
        return _make_graph_module(self.module, self.new_graph)
