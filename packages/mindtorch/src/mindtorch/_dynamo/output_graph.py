"""The calls of a compiled function that wait to be run, and the graph that is made of them."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator
from contextvars import Context
from dataclasses import dataclass, field
from traceback import FrameSummary
from typing import Any, NamedTuple

from .._subclasses.fake_tensor import FakeTensorMode
from ..fx.graph import Graph
from ..fx.graph_module import GraphModule
from ..fx.node import Node
from ..nn import Module
from ..tensor import Tensor
from .call_names import Call

_Nodes = dict[str, dict[int, Node]]

__all__ = ["GraphCompileReason", "OutputGraph", "Result", "Value"]


@dataclass
class GraphCompileReason:
    """Why a graph ended.

    :ivar user_stack: where.
    :ivar graph_break: whether more of the function was to come.
    """

    reason: str
    user_stack: list[FrameSummary] = field(default_factory=list)
    graph_break: bool = True


class Value(NamedTuple):
    """What stands for a tensor in the arguments of calls.

    :ivar of: ``"input"`` or ``"call"``.
    :ivar number: of the input, or of the call whose result it is.
    """

    of: str
    number: int


class Result(NamedTuple):
    """What is known of a deferred tensor.

    :ivar tensor: a weak reference to it.
    :ivar path: where in the result of the call it is.
    """

    tensor: Any
    fake: Any
    value: Value
    path: tuple[int, ...]


class OutputGraph:
    """Calls that wait, in order, the tensors that go into them, and those that come out.

    :param context: what was switched on in the thread as it began.
    """

    def __init__(self, context: Context) -> None:
        self.context = context
        self.fake_mode = FakeTensorMode(allow_non_fake_inputs=True)
        #: Tensors that were there before.
        self.inputs: list[Any] = []
        self.calls: list[Call] = []
        #: What each call gives: fake tensors.
        self.examples: list[Any] = []
        #: By the ids of deferred tensors that are alive.
        self.results: dict[int, Result] = {}
        self._numbers: dict[int, int] = {}
        self._elements: dict[tuple[Value, int], Value] = {}
        self._fake_inputs: list[Any] = []
        self._facts: list[Any] = []

    def input(self, t: Any) -> tuple[Any, Value]:
        """The fake tensor and the value for *t*, which was there before."""
        number = self._numbers.get(id(t))
        if number is None:
            fake = self.fake_mode.from_tensor(t)
            number = self._numbers[id(t)] = len(self.inputs)
            self.inputs.append(t)
            self._fake_inputs.append(fake)
            self._facts.append((type(t), *facts(t), t.device, t.is_leaf))
        return self._fake_inputs[number], Value("input", number)

    def add(self, call: Call, example: Any = None) -> Value:
        """Let *call* wait."""
        self.calls.append(call)
        self.examples.append(example)
        return Value("call", len(self.calls) - 1)

    def element(self, result: Result) -> Value:
        """The value of *result*, taken out of what its call gives."""
        value, example = result.value, self.examples[result.value.number]
        for at in result.path:
            example = example[at]
            known = self._elements.get((value, at))
            if known is None:
                call = Call("call_function", operator.getitem, (value, at), {})
                known = self._elements[value, at] = self.add(call, example)
            value = known
        return value

    def key(self, outputs: list[Value]) -> Any:
        """What graphs of the same structure, for inputs of the same kind, have in common."""
        calls = tuple([(c.op, c.target, _frozen(c.args), _frozen(c.kwargs)) for c in self.calls])
        return calls, tuple(outputs), tuple(self._facts)

    def module(self, outputs: list[Value], names: dict[int, str]) -> GraphModule:
        """The graph, with *outputs* as its results.

        :param names: those of inputs, by their ids.
        """
        graph = Graph()
        inputs = []
        taken: set[str] = set()
        for number, t in enumerate(self.inputs):
            name = _free(names.get(id(t), f"L_tensor_{number}_"), taken)
            node = graph.placeholder(name, type_expr=Tensor)
            node.meta["example_value"] = self._fake_inputs[number]
            inputs.append(node)
        calls: dict[int, Node] = {}
        nodes: _Nodes = {"input": dict(enumerate(inputs)), "call": calls}
        for number in self._in_order():
            op, target, args, kwargs = self.calls[number]
            node = graph.create_node(op, target, _in_graph(args, nodes), _in_graph(kwargs, nodes))
            node.meta["example_value"] = self.examples[number]
            calls[number] = node
        graph.output(tuple([_in_graph(value, nodes) for value in outputs]))
        return GraphModule(Module(), graph)

    def _in_order(self) -> Iterator[int]:
        """The numbers of calls: what takes a result apart stands behind the call that made it."""
        parts: dict[int, list[int]] = {}
        for (whole, _), part in sorted(self._elements.items()):
            parts.setdefault(whole.number, []).append(part.number)

        def with_parts(number: int) -> Iterator[int]:
            yield number
            for part in parts.get(number, ()):
                yield from with_parts(part)

        elements = {part.number for part in self._elements.values()}
        for number in range(len(self.calls)):
            if number not in elements:
                yield from with_parts(number)


def facts(t: Any) -> tuple[Any, ...]:
    """What a call may change of a tensor beside its numbers."""
    return tuple(t.shape), t.stride(), t.dtype, t.requires_grad


def _free(name: str, taken: set[str]) -> str:
    name = re.sub(r"[^a-zA-Z0-9_]", "_", name)
    number, found = 0, name
    while found in taken:
        number += 1
        found = f"{name}{number}_"
    taken.add(found)
    return found


def _frozen(value: Any) -> Any:
    """*value* as part of a key: 1, 1.0 and True differ, a NaN is like another."""
    if type(value) in (list, tuple):
        return type(value), tuple([_frozen(v) for v in value])
    if type(value) is dict:
        return dict, tuple([(k, _frozen(v)) for k, v in value.items()])
    if type(value) is slice:
        return slice, _frozen((value.start, value.stop, value.step))
    if type(value) in (float, complex):
        return type(value), repr(value)
    return type(value), value


def _in_graph(value: Any, nodes: _Nodes) -> Any:
    """*value* with nodes in place of values."""
    if type(value) is Value:
        return nodes[value.of][value.number]
    if type(value) in (list, tuple):
        return type(value)([_in_graph(v, nodes) for v in value])
    if type(value) is dict:
        return {k: _in_graph(v, nodes) for k, v in value.items()}
    if type(value) is slice:
        return slice(*[_in_graph(v, nodes) for v in (value.start, value.stop, value.step)])
    return value
