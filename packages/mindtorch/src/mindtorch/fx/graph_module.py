"""A module whose ``forward`` is written from a graph (torch/fx/graph_module.py)."""

from __future__ import annotations

import linecache
from itertools import count
from typing import Any

from ..nn import Module, Parameter
from ..tensor import Tensor
from .codegen import CodeGen, PyTreeCodeGen
from .graph import Graph

__all__ = ["GraphModule"]

_numbers = count()


class GraphModule(Module):
    """Runs a graph: ``forward`` is generated and can be read in ``code``.

    Assign ``graph``, or call :meth:`recompile` after changing it.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        # A class of its own for every instance, because forward is a method.
        for base in cls.__mro__:
            if base.__qualname__ == "GraphModuleImpl":
                return super().__new__(cls)
        made = type("GraphModuleImpl", (cls,), {})
        return super().__new__(made)

    def __init__(self, root: Any, graph: Graph, class_name: str = "GraphModule") -> None:
        super().__init__()
        self.__class__.__name__ = class_name
        attributes = {n.target for n in graph.nodes if n.op in ("get_attr", "call_module")}
        for target in sorted(attributes, key=lambda t: t.count(".")):
            _copy_attribute(root, self, target)
        self.graph = graph

    @property
    def graph(self) -> Graph:
        """The graph that ``forward`` is written from."""
        return self._graph

    @graph.setter
    def graph(self, g: Graph) -> None:
        if not isinstance(g, Graph):
            raise AssertionError(f"Expected a Graph instance, but got {type(g)}")
        self._graph = g
        g.owning_module = self
        self.recompile()

    @property
    def code(self) -> str:
        """The source of ``forward``."""
        return self._code

    def recompile(self) -> Any:
        """Write ``forward`` anew; returns the code."""
        codegen = self._graph._codegen
        if isinstance(codegen, PyTreeCodeGen):
            self._in_spec, self._out_spec = codegen.in_spec, codegen.out_spec
        made = self._graph.python_code("self")
        self._code = made.src
        name = f"<eval_with_key>.{next(_numbers)}"
        linecache.cache[name] = (len(made.src), None, made.src.splitlines(True), name)
        scope: dict[str, Any] = dict(made.globals)
        exec(compile(made.src, name, "exec"), scope)
        type(self).forward = scope["forward"]  # type: ignore[method-assign]
        return made

    def print_readable(self, print_output: bool = True, **options: Any) -> str:
        """The program with dtypes and shapes where they are known."""
        text = self._graph.python_code("self", verbose=True).src
        lines = text.strip("\n").split("\n")
        body = "\n".join("    " + line if line.strip() else "" for line in lines)
        shown = f"class {self._name()}(torch.nn.Module):\n{body.rstrip()}\n"
        if print_output:
            print(shown)
        return shown

    def _name(self) -> str:
        return type(self).__name__

    def __str__(self) -> str:
        shown = super().__str__()
        note = "# To see more debug info, please use `graph_module.print_readable()`"
        return f"{shown}\n{self._code}\n{note}"


def _copy_attribute(source: Any, target: Any, name: str) -> None:
    """Give *target* the attribute (or buffer, parameter, submodule) *name* of *source*."""
    *path, field = name.split(".")
    for part in path:
        found = getattr(target, part, None)
        if found is None:
            found = Module()
            setattr(target, part, found)
        source, target = getattr(source, part), found
    value = source[field] if isinstance(source, dict) else getattr(source, field)
    if _is_plain_tensor(value):
        target.register_buffer(field, value)
    else:
        setattr(target, field, value)


def _is_plain_tensor(value: Any) -> bool:
    return isinstance(value, Tensor) and not isinstance(value, Parameter)


__all__ += ["CodeGen"]
