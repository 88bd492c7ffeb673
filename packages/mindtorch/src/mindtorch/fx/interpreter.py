"""Runs a graph node by node (torch/fx/interpreter.py)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .codegen import _last_uses
from .node import Node, map_arg

__all__ = ["Interpreter"]


class Interpreter:
    """Override a method to do something else at a kind of node."""

    def __init__(self, module: Any, garbage_collect_values: bool = True, graph: Any = None) -> None:
        self.module = module
        self.graph = module.graph if graph is None else graph
        self.garbage_collect_values = garbage_collect_values
        self._gone = _last_uses(list(self.graph.nodes)) if garbage_collect_values else {}
        self.env: dict[Node, Any] = {}
        self.args_iter: Iterator[Any] = iter(())

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
        self.env = dict(initial_env or {})
        codegen = self.graph._codegen
        if enable_io_processing:
            args = codegen.process_inputs(*args)
        self.args_iter = iter(args)
        for node in self.graph.nodes:
            if node in self.env:
                continue
            self.env[node] = self.run_node(node)
            for gone in self._gone.get(node, ()):
                del self.env[gone]
            if node.op == "output":
                result = self.env[node]
                return codegen.process_outputs(result) if enable_io_processing else result
        return None

    def run_node(self, n: Node) -> Any:
        """The value of one node."""
        args, kwargs = self.fetch_args_kwargs_from_env(n)
        return getattr(self, n.op)(n.target, args, kwargs)

    def fetch_args_kwargs_from_env(self, n: Node) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """A node's arguments, nodes replaced by their values."""
        look_up = self.env.__getitem__
        return map_arg(n.args, look_up), map_arg(n.kwargs, look_up)

    def placeholder(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The next input. Raises RuntimeError if there is none."""
        if target.startswith("*"):
            return list(self.args_iter)
        try:
            return next(self.args_iter)
        except StopIteration:
            if args:
                return args[0]
            raise RuntimeError(
                f"Expected positional argument for parameter {target}, but one was not passed in!"
            ) from None

    def get_attr(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """An attribute of the module."""
        found: Any = self.module
        for part in target.split("."):
            found = getattr(found, part)
        return found

    def call_function(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The function's result."""
        return target(*args, **kwargs)

    def call_method(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The method's result."""
        receiver, *rest = args
        return getattr(receiver, target)(*rest, **kwargs)

    def call_module(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The submodule's result."""
        return self.get_attr(target, (), {})(*args, **kwargs)

    def output(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What is returned."""
        return args[0]
