"""One run of a function or module as a graph of TorchScript: ``torch.jit._get_trace_graph``.

The sizes that a program reads, which are operators in torch, are numbers here.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from mindtorch_storage import Device, DType

from .. import backends, nn
from ..aten import torch
from ..core.constants import LAYOUTS, MEMORY_FORMATS, layout, memory_format
from ..core.dtype_codes import code_of
from ..fx.experimental.proxy_tensor import get_proxy_mode
from ..fx.node import Node as FxNode
from ..tensor import Tensor
from ..utils._pytree import tree_flatten
from ._export_module import _drawn
from ._ir import Graph, NamedType, TensorType, Value
from ._tracing import TracingState, tracing

__all__ = ["trace_graph"]

#: Convolutions, which torch records as the one operator that they all are: dimensions, transposed.
_CONVOLUTIONS = {f"aten::conv{n}d": (n, False) for n in (1, 2, 3)} | {
    "aten::conv_transpose1d": (1, True),
    "aten::conv_transpose2d": (2, True),
    "aten::conv_transpose3d": (3, True),
}


def trace_graph(
    called: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Graph, Any]:
    """The graph of one call, in which what a module holds goes in after the arguments."""
    root = called if isinstance(called, nn.Module) else None
    scopes = _Scopes()
    with tracing(scopes):
        drawn, result = _drawn(called, root, args, kwargs)
    made = _Builder(scopes, drawn)
    for leaf, node in zip(tree_flatten((args, kwargs))[0], made.placeholders(), strict=True):
        made.values[node] = made.graph.add_input(TensorType(leaf))
    seen: set[int] = set()
    for held in () if root is None else root.state_dict(keep_vars=True).values():
        if isinstance(held, Tensor) and id(held) not in seen:
            seen.add(id(held))
            made.held[id(held)] = made.graph.add_input(TensorType(held))
    for node in drawn.graph.nodes:
        made.add(node)
    made.graph.drop_unused()
    return made.graph, result


class _Scopes(TracingState):
    """Which scopes are open, and behind which node of the graph that is drawn each was opened."""

    def __init__(self) -> None:
        self._open: list[str] = []
        self._changes: dict[str, str] = {}
        self._scope = ""

    def push_scope(self, name: str) -> None:
        """Open a scope."""
        self._open.append(name)
        self._changed()

    def pop_scope(self) -> None:
        """Close the scope that was opened last."""
        self._open.pop()
        self._changed()

    def current_scope(self) -> str:
        """The name of the scope that was opened last."""
        return self._open[-1] if self._open else ""

    def _changed(self) -> None:
        mode = get_proxy_mode()
        if mode is not None:
            last = next(iter(reversed(mode.recorder.graph.nodes)), None)
            self._changes["" if last is None else last.name] = "/".join(self._open)

    def after(self, name: str) -> str:
        """The scope behind the node *name*; asked of one node after the other."""
        self._scope = self._changes.get(name, self._scope)
        return self._scope


class _Builder:
    """A graph of TorchScript from one of operators."""

    def __init__(self, scopes: _Scopes, drawn: Any) -> None:
        self.graph = Graph()
        self.values: dict[Any, Value] = {}
        self.held: dict[int, Value] = {}
        self._drawn, self._scopes = drawn, scopes
        self._lists: dict[Any, list[Value]] = {}
        #: Values whose types do not say that they want gradients.
        self._wanting: set[int] = set()
        self._scope = scopes.after("")

    def placeholders(self) -> list[Any]:
        """The nodes of the arguments."""
        return [node for node in self._drawn.graph.nodes if node.op == "placeholder"]

    def add(self, node: Any) -> None:
        """Add what *node* does."""
        if node.op == "get_attr":
            self._add_held(node)
        elif node.op == "output":
            self.graph.add_output(self._result(node.args[0]))
        elif node.op == "call_function":
            if node.target is operator.getitem:
                self.values[node] = self._lists[node.args[0]][node.args[1]]
            else:
                self._add_call(node)
        self._scope = self._scopes.after(node.name)

    def _result(self, found: Any) -> Value:
        """What comes out of the graph: one value, of a tuple or list where there are several."""
        if isinstance(found, FxNode):
            return self.values[found]
        parts = [self._result(one) for one in _items(found)]
        if isinstance(found, list):
            return self._node("prim::ListConstruct", parts, [NamedType("Tensor[]")])[0]
        kind = NamedType("(" + ", ".join(str(part.type()) for part in parts) + ")")
        return self._node("prim::TupleConstruct", parts, [kind])[0]

    def _add_held(self, node: Any) -> None:
        tensor = getattr(self._drawn, node.target)
        found = self.held.get(id(tensor))
        self.values[node] = self._constant(tensor) if found is None else found

    def _add_call(self, node: Any) -> None:
        schema = node.target._schema
        kind = schema.name
        given = dict(zip((a.name for a in schema.arguments), node.args)) | node.kwargs
        full = [
            (given.get(a.name, a.default_value if a.has_default_value() else None), a)
            for a in schema.arguments
        ]
        if kind in _CONVOLUTIONS and not isinstance(full[4][0], str):
            inputs = self._convolution(kind, {a.name: v for v, a in full})
            kind = "aten::_convolution"
        else:
            inputs = [self._value(v, str(a.real_type), a.N) for v, a in full]
        example = node.meta["val"]
        wanted = kind != "aten::detach" and any(self._wants_gradient(v) for v in inputs)
        if wanted and kind == "aten::_convolution":  # recorded below autograd in torch
            (self.values[node],) = self._node(kind, inputs, [TensorType(example, False)])
            self._wanting.add(id(self.values[node]))
            return
        if not isinstance(example, (list, tuple)):
            (self.values[node],) = self._node(kind, inputs, [TensorType(example, wanted)])
        elif str(schema.returns[0].real_type) == "List[Tensor]":
            (whole,) = self._node(kind, inputs, [NamedType("Tensor[]")])
            types = [TensorType(one, wanted) for one in example]
            self._lists[node] = self._node("prim::ListUnpack", [whole], types)
            self.values[node] = whole
        else:
            types = [
                NamedType("int") if one is None else TensorType(one, wanted) for one in example
            ]
            self._lists[node] = self._node(kind, inputs, types)

    def _wants_gradient(self, value: Value) -> bool:
        node = value.node()
        if node.kind() == "prim::ListConstruct":
            return any(self._wants_gradient(one) for one in node.inputs())
        return value.requires_grad() or id(value) in self._wanting

    def _convolution(self, kind: str, given: dict[str, Any]) -> list[Value]:
        """What goes into the one operator that all convolutions are."""
        n, transposed = _CONVOLUTIONS[kind]

        def numbers(name: str, default: int) -> Value:
            found = given.get(name, default)
            listed = [found] * n if isinstance(found, int) else list(found)
            return self._value(listed * (n if len(listed) == 1 else 1), "List[int]")

        inputs = [self._value(given[name], "Tensor") for name in ("input", "weight", "bias")]
        inputs += [numbers("stride", 1), numbers("padding", 0), numbers("dilation", 1)]
        inputs += [self._value(transposed, "bool"), numbers("output_padding", 0)]
        inputs.append(self._value(given["groups"], "int"))
        cudnn = backends.cudnn
        flags = (cudnn.benchmark, cudnn.deterministic, cudnn.enabled, cudnn.allow_tf32)
        return inputs + [self._value(bool(flag), "bool") for flag in flags]

    def _value(self, given: Any, kind: str, n: int | None = None) -> Value:
        """What stands for an argument: *kind* is its type in the schema, *n* how many it takes."""
        if isinstance(given, FxNode):
            return self.values[given]
        kind = kind.removeprefix("Optional[").removesuffix("]") if "Optional[" in kind else kind
        if kind.startswith("List[") and given is not None:
            inner = kind[5:].removesuffix("]").replace("SymInt", "int")
            items = [given] * (n or 1) if isinstance(given, (int, float)) else list(given)
            made = [self._value(item, inner) for item in items]
            return self._node("prim::ListConstruct", made, [NamedType(f"{inner}[]")])[0]
        if kind == "Tensor" and isinstance(given, (bool, int, float, complex)):
            wide = torch.float64 if isinstance(given, float) else None
            return self._constant(torch.tensor(given, dtype=wide))
        if kind == "float" and isinstance(given, int):
            given = float(given)
        return self._constant(_plain(given))

    def _constant(self, value: Any) -> Value:
        kind = TensorType(value) if isinstance(value, Tensor) else NamedType(_name_of(value))
        return self.graph.add_node("prim::Constant", [], [kind], self._scope, value)[0]

    def _node(self, kind: str, inputs: list[Value], types: list[Any]) -> list[Value]:
        return self.graph.add_node(kind, inputs, types, self._scope)


def _items(found: Any) -> Any:
    return found.values() if isinstance(found, dict) else found


def _plain(value: Any) -> Any:
    """A constant as scripts have it: dtypes, layouts and memory formats are numbers."""
    if isinstance(value, DType):
        return code_of(value)
    if isinstance(value, layout):
        return LAYOUTS.index(value)
    if isinstance(value, memory_format):
        return MEMORY_FORMATS.index(value)
    return value


def _name_of(value: Any) -> str:
    return "Device" if isinstance(value, Device) else type(value).__name__
