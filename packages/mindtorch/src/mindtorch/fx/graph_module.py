"""A module whose ``forward`` is written from a graph (torch/fx/graph_module.py)."""

from __future__ import annotations

import linecache
from copy import deepcopy
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
        nodes = (n.target for n in graph.nodes if n.op in ("get_attr", "call_module"))
        attributes = dict.fromkeys(nodes)  # in the order of the graph, as people read it
        for target in attributes:
            copy_attribute(root, self, target)
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

    def add_submodule(self, target: str, m: Any) -> bool:
        """Put *m* under the name *target*, modules between made as needed; False if one is none."""
        *path, field = target.split(".")
        mod: Any = self
        for part in path:
            if not hasattr(mod, part):
                setattr(mod, part, Module())
            mod = getattr(mod, part)
            if not isinstance(mod, Module):
                return False
        mod.add_module(field, m)
        return True

    def delete_submodule(self, target: str) -> bool:
        """Take the submodule *target* away; False if there is none."""
        *path, field = target.split(".")
        mod: Any = self
        for part in path:
            mod = getattr(mod, part, None)
        if not isinstance(mod, Module) or not isinstance(getattr(mod, field, None), Module):
            return False
        delattr(mod, field)
        return True

    def delete_all_unused_submodules(self) -> None:
        """Take away the submodules that no node uses."""
        used = set()
        for node in self._graph.nodes:
            if node.op in ("call_module", "get_attr"):
                parts = node.target.split(".")
                used |= {".".join(parts[: i + 1]) for i in range(len(parts))}
                if node.op == "call_module" and isinstance(self.get_submodule(node.target), Module):
                    inner = self.get_submodule(node.target).named_modules()
                    used |= {f"{node.target}.{name}" for name, _ in inner if name}
        for name in [n for n, _ in self.named_modules() if n and n not in used]:
            self.delete_submodule(name)

    def __deepcopy__(self, memo: Any) -> GraphModule:
        holder = Module()
        holder.__dict__ = deepcopy({k: v for k, v in self.__dict__.items() if k != "_graph"}, memo)
        made = GraphModule(holder, deepcopy(self._graph))
        for name, value in holder.__dict__.items():
            made.__dict__.setdefault(name, value)
        made.training = self.training
        return made

    def __copy__(self) -> GraphModule:
        made = GraphModule(self, self._graph, self._name())
        made.training = self.training
        return made

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
        type(self).forward = scope["forward"]
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


def copy_attribute(source: Any, target: Any, name: str, only_if_missing: bool = False) -> None:
    """Give *target* the attribute (or buffer, parameter, submodule) *name* of *source*."""
    *path, field = name.split(".")
    if only_if_missing and _has(target, name):
        return
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


def _has(module: Any, name: str) -> bool:
    for part in name.split("."):
        if not hasattr(module, part):
            return False
        module = getattr(module, part)
    return True


def _is_plain_tensor(value: Any) -> bool:
    return isinstance(value, Tensor) and not isinstance(value, Parameter)


__all__ += ["CodeGen"]
