"""Graphs of operators as the source of a script.

Source: torch/csrc/jit/serialization/python_print.cpp.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from keyword import iskeyword
from typing import Any

from mindtorch_storage import Device, DType

from .. import nn
from .._library.op_overload import OpOverload
from ..aten.function_mode_points import set_grad_enabled
from ..core.constants import LAYOUTS, MEMORY_FORMATS, layout, memory_format
from ..core.dtype_codes import code_of
from ..fx.graph_module import GraphModule
from ..fx.node import Node
from ..tensor import Tensor

__all__ = ["annotation", "is_name", "literal", "printed"]


def annotation(value: Any) -> str:
    """The type of *value*, tensors in tuples, lists and dicts. Raises RuntimeError for another."""
    if isinstance(value, Tensor):
        return "Tensor"
    if isinstance(value, tuple) and value:
        return "Tuple[" + ", ".join(map(annotation, value)) + "]"
    if isinstance(value, (list, dict)) and value:
        items = list(value.values()) if isinstance(value, dict) else value
        kinds = {annotation(item) for item in items}
        if len(kinds) == 1:
            return ("List[" if isinstance(value, list) else "Dict[str, ") + kinds.pop() + "]"
    raise RuntimeError(
        f"Type '{type(value).__name__}' cannot be traced. Only Tensors and (possibly nested) "
        "Lists, Dicts, and Tuples of Tensors can be traced"
    )


def is_name(text: str) -> bool:
    """Whether source may write *text* as a name; parts of a ``ModuleList`` are called ``0``."""
    return text.isidentifier() and not iskeyword(text)


def literal(value: Any, kind: str = "") -> str:
    """*value* as source; *kind* is the type that a schema gives it."""
    kind = kind.removeprefix("Optional[").removesuffix("]") if kind[:9] == "Optional[" else kind
    if isinstance(value, (list, tuple)):
        inner = kind[5:-1] if kind.startswith("List[") else ""
        items = "[" + ", ".join(literal(item, inner) for item in value) + "]"
        plain = value and not inner.startswith("Optional[")
        return items if plain or not inner else f"annotate({_type(kind)}, {items})"
    if isinstance(value, bool) or value is None:
        return repr(value)
    if isinstance(value, int):
        return repr(float(value)) if kind == "float" else repr(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else str(value)
    if isinstance(value, str):
        return '"' + value.encode("unicode_escape").decode().replace('"', '\\"') + '"'
    if isinstance(value, DType):
        return str(code_of(value))
    if isinstance(value, layout):
        return str(LAYOUTS.index(value))
    if isinstance(value, memory_format):
        return str(MEMORY_FORMATS.index(value))
    if isinstance(value, Device):
        return f'torch.device("{value}")'
    raise NotImplementedError(f"a {type(value).__name__} in a trace has no source")


def _type(kind: str) -> str:
    """The type of a schema as source writes it."""
    return kind.replace("SymInt", "int").replace("Scalar", "number")


class _Printer:
    """Writes the body of a function: its lines, and where each node's value is.

    :param root: the module whose attributes are named; None: there is none.
    """

    def __init__(self, graph: GraphModule, root: nn.Module | None, inputs: list[str]) -> None:
        self._graph = graph
        self._inputs = iter(inputs)
        self._values: dict[Node, str] = {}
        self._places = dict(_places(root, ())) if root is not None else {}
        #: Attributes that have a name of their own, by where they are.
        self._held: dict[tuple[str, ...], str] = {(): "self"}
        self._taken = {"self", *(text.partition("[")[0].strip("()") for text in inputs)}
        self.lines: list[str] = []
        self.constants: list[Tensor] = []

    def result(self) -> str:
        """Write all nodes; the source of what they return."""
        for node in self._graph.graph.nodes:
            if node.op == "placeholder":
                self._values[node] = next(self._inputs)
            elif node.op == "get_attr":
                self._values[node] = self._tensor(getattr(self._graph, node.target))
            elif node.op == "call_function" and node.target is not set_grad_enabled:
                self._values[node] = self._called(node)
            elif node.op == "output":
                return self._source(node.args[0])
            elif node.op != "call_function":  # a switch of gradients is none of a trace's
                raise NotImplementedError(f"a {node.op} in a trace has no source")
        raise AssertionError("a graph has an output")

    def _name(self, wanted: str) -> str:
        name = wanted if is_name(wanted) else f"_{wanted}"
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name

    def _tensor(self, tensor: Tensor) -> str:
        """Where a parameter, a buffer or another tensor is."""
        place = self._places.get(id(tensor))
        if place is not None:
            return self._attribute(place)
        for i, constant in enumerate(self.constants):
            if constant is tensor:
                return f"CONSTANTS.c{i}"
        self.constants.append(tensor)
        return f"CONSTANTS.c{len(self.constants) - 1}"

    def _attribute(self, place: tuple[str, ...]) -> str:
        name = self._held.get(place)
        if name is None:
            owner = self._attribute(place[:-1])
            last = place[-1]
            read = f"{owner}.{last}" if is_name(last) else f'getattr({owner}, "{last}")'
            name = self._held[place] = self._name(last)
            self.lines.append(f"{name} = {read}")
        return name

    def _called(self, node: Node) -> str:
        target = node.target
        if target is operator.getitem:
            return f"({self._source(node.args[0])})[{node.args[1]}]"
        if not isinstance(target, OpOverload):
            raise NotImplementedError(f"{target} in a trace has no source")
        arguments = target.schema.arguments
        given = [
            self._source(value, str(argument.real_type))
            for value, argument in zip(node.args, arguments, strict=False)
        ]
        kinds = {argument.name: str(argument.real_type) for argument in arguments}
        given += [f"{k}={self._source(v, kinds[k])}" for k, v in node.kwargs.items()]
        library, _, packet = target.name().partition(".")[0].partition("::")
        function = f"torch.{packet}" if library == "aten" else f"ops.{library}.{packet}"
        name = self._name(node.name)
        self.lines.append(f"{name} = {function}({', '.join(given)})")
        return name

    def _source(self, value: Any, kind: str = "") -> str:
        if isinstance(value, Node):
            return self._values[value]
        if isinstance(value, dict):
            return (
                "{" + ", ".join(f"{literal(k)}: {self._source(v)}" for k, v in value.items()) + "}"
            )
        if isinstance(value, tuple) and not kind:
            items = ", ".join(map(self._source, value))
            return f"({items},)" if len(value) == 1 else f"({items})"
        if isinstance(value, (list, tuple)) and any(isinstance(item, Node) for item in value):
            items = "[" + ", ".join(self._source(item) for item in value) + "]"
            return f"annotate({kind}, {items})" if "Optional[" in kind[5:] else items
        return literal(value, kind)


def _places(module: nn.Module, where: tuple[str, ...]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The identity of each parameter and buffer, and the names that lead to it."""
    for name, child in module._modules.items():
        if child is not None:
            yield from _places(child, (*where, name))
    for group in (module._parameters, module._buffers):
        for name, tensor in group.items():
            if tensor is not None:
                yield id(tensor), (*where, name)


def printed(
    graph: GraphModule, root: nn.Module | None, inputs: list[str]
) -> tuple[list[str], list[Tensor]]:
    """The lines of a function's body, and the tensors that it names as ``CONSTANTS``.

    :param root: the module whose parameters and buffers are ``self``'s.
    :param inputs: the source of each tensor that the graph is given.
    """
    printer = _Printer(graph, root, inputs)
    result = printer.result()
    return [*printer.lines, f"return {result}"], printer.constants
