"""``torch.onnx._internal.exporter._core``: an exported program as a graph of ONNX's operators."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, cast

from ....export.exported_program import ExportedProgram
from ....export.graph_signature import ConstantArgument, InputKind, OutputKind
from ....fx import Node as ProgramNode
from ....fx.node import map_arg
from ....tensor import Tensor
from ._building import Builder, Node, Value
from ._errors import ConversionError, DispatchError
from ._graph import Graph
from ._registration import translation_of
from ._scripting import Symbolic, recording
from ._torchlib import ops

__all__ = ["translated"]

_STORED = (InputKind.PARAMETER, InputKind.BUFFER, InputKind.CONSTANT_TENSOR)
assert ops  # its import registers the translations


def translated(
    program: ExportedProgram,
    version: int,
    custom: Mapping[Any, Callable[..., Any]] | None = None,
    domains: Mapping[str, int] | None = None,
) -> Graph:
    """The graph of a *program* of functional operators.

    :param version: of ONNX's operators.
    :param custom: translations by operator, which go before those that are there.
    :param domains: versions of operators of other domains.

    Raises ConversionError, its cause what went wrong.
    """
    return _Translation(program, version, custom or {}, domains or {}).run()


class _Translation:
    def __init__(
        self,
        program: ExportedProgram,
        version: int,
        custom: Mapping[Any, Callable[..., Any]],
        domains: Mapping[str, int],
    ) -> None:
        self.program = program
        self.custom = custom
        self.builder = Builder(version)
        self.graph = Graph(version, domains)
        #: What nodes of the program give: values, lists of them, or plain data.
        self.values: dict[ProgramNode, Any] = {}

    def run(self) -> Graph:
        specs = iter(self.program.graph_signature.input_specs)
        for node in self.program.graph.nodes:
            try:
                if node.op == "placeholder":
                    self._input(node, next(specs))
                elif node.op == "call_function":
                    self._call(node)
                elif node.op == "output":
                    self._outputs(node)
                else:
                    raise DispatchError(f"a graph with a node {node.op}")
            except Exception as error:
                raise ConversionError(
                    f"Error when translating node {node.format_node()}. "
                    "See the stack trace for more information."
                ) from error
        graph = self.graph
        graph.nodes = self.builder.nodes
        graph.domains |= self.builder.domains
        graph.initializers += self.builder.constants
        graph.remove_unused()
        return graph

    def _input(self, node: ProgramNode, spec: Any) -> None:
        if isinstance(spec.arg, ConstantArgument):
            self.values[node] = spec.arg.value
            return
        if spec.kind in _STORED:
            hidden = spec.kind is InputKind.CONSTANT_TENSOR or spec.persistent is False
            held = self.program.constants if hidden else self.program.state_dict
            tensor = held[spec.target]
            value = Value(spec.target, tensor.dtype, tensor.shape)
            self.graph.initializers.append(value)
            self.graph.tensors[value] = tensor
        elif spec.kind is InputKind.USER_INPUT:
            like = node.meta["val"]
            if not isinstance(like, Tensor):
                raise DispatchError(f"an input of {type(like).__name__}")
            value = Value(node.name, like.dtype, like.shape)
            self.graph.inputs.append(value)
        else:
            raise DispatchError(f"an input that is a {spec.kind.name}")
        self.graph.descriptions[value.name] = {
            "pkg.torch.export.graph_signature.InputSpec.kind": spec.kind.name,
            "pkg.torch.export.graph_signature.InputSpec.persistent": str(spec.persistent),
        }
        self.values[node] = value

    def _call(self, node: ProgramNode) -> None:
        if node.target is operator.getitem:
            found, place = cast("tuple[ProgramNode, int]", node.args)
            value = self.values[node] = self.values[found][place]
            if value is None:
                raise DispatchError(f"no translation gives result {place} of {found}")
            return
        g = self.builder
        begin, constants = len(g.nodes), len(g.constants)
        out = node.meta.get("val")
        g.begin(node, out)
        args = map_arg(node.args, self.values.__getitem__)
        kwargs = map_arg(node.kwargs, self.values.__getitem__)
        function = self.custom.get(node.target)
        if isinstance(function, Symbolic):
            result = function(g, node.target, args, kwargs)
        elif function is not None:
            function = function[0] if isinstance(function, (list, tuple)) else function
            with recording(g):
                result = function(*args, **kwargs)
        else:
            function = translation_of(node.target)
            if function is None:
                raise DispatchError(
                    f"No ONNX function found for {node.target!r}. Failure message: "
                    "No decompositions registered for the real-valued input"
                )
            result = function(g, *args, **kwargs)
        fresh = {id(v) for n in g.nodes[begin:] for v in n.outputs}
        fresh |= {id(v) for v in g.constants[constants:]}
        self.values[node] = self._named(node, out, result, fresh)

    def _named(self, node: ProgramNode, out: Any, result: Any, fresh: set[int]) -> Any:
        """*result*, its values named after the nodes that have them, with their shapes."""
        if isinstance(result, Value):
            return self._settled(result, out, node.name, fresh)
        if not isinstance(result, (list, tuple)):
            return result
        names = {user.args[1]: user.name for user in node.users if user.target is operator.getitem}
        found = []
        for i, value in enumerate(result):
            name = names.get(i, f"{node.name}__{i}")
            if isinstance(value, Value):
                value = self._settled(value, out[i] if out is not None else None, name, fresh)
            found.append(value)
        return found

    def _settled(self, value: Value, out: Any, name: str, fresh: set[int]) -> Value:
        if id(value) in fresh:
            value.name = name
            fresh.discard(id(value))
        if not isinstance(out, Tensor):
            return value
        if value.dtype is not out.dtype:
            raise DispatchError(f"{value.dtype} came out where the program has {out.dtype}")
        if value.array is None or value.array.shape == tuple(out.shape):
            value.shape = tuple(out.shape)
        return value

    def _outputs(self, node: ProgramNode) -> None:
        specs = self.program.graph_signature.output_specs
        inputs = {id(v) for v in self.graph.inputs}
        seen: set[int] = set()
        pairs = zip(specs, cast("tuple[Any, ...]", node.args[0]), strict=True)
        for place, (spec, argument) in enumerate(pairs):
            if spec.kind is not OutputKind.USER_OUTPUT:
                continue
            if argument is None:
                continue
            if not isinstance(argument, ProgramNode):
                raise AttributeError(f"'{type(argument).__name__}' object has no attribute 'name'")
            value = self.values[argument]
            if id(value) in inputs or id(value) in seen:
                value = self._copied(argument.name, value, place, id(value) not in seen)
            seen |= {id(value), id(self.values[argument])}
            self.graph.outputs.append(value)

    def _copied(self, name: str, value: Value, place: int, first: bool) -> Value:
        """A copy of what is an input, or an output already: nothing is both, or twice."""
        own = name
        if first:
            graph = self.graph
            graph.descriptions[f"{name}_orig"] = graph.descriptions.pop(value.name, {})
            value.name = f"{name}_orig"
        elif name in {v.name for v in self.graph.outputs}:
            own = f"{name}_alias_{place}"
        copy = Value(own, value.dtype, value.shape)
        self.builder.nodes.append(Node("Identity", [value], [copy], {}))
        return copy
