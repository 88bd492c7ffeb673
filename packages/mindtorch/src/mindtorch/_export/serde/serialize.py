"""``torch._export.serde.serialize``: from exported programs to what their JSON says.

Source: torch/_export/serde/schema.py and serialize.py, whose layout this is.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import mindtorch_storage as st

from ..._library.higher_order_operator import HigherOrderOperator
from ..._library.op_overload import OpOverload
from ...aten import symbolic_numbers
from ...aten.symbolic_numbers import SymBool, SymFloat, SymInt
from ...core.constants import layout, memory_format
from ...export.graph_signature import (
    ConstantArgument,
    InputKind,
    InputSpec,
    OutputKind,
    OutputSpec,
    SymBoolArgument,
    SymFloatArgument,
    SymIntArgument,
)
from ...fx import Graph, GraphModule, Node
from ...fx.experimental._symbolic_context import with_sympy
from ...tensor import Tensor
from ...utils._pytree import treespec_dumps
from .schema import DTYPES, LAYOUTS, MEMORY_FORMATS, OPSET_VERSION, SCHEMA_VERSION, number_of

__all__ = ["serialize", "tensor_meta"]

Json = dict[str, Any]
_POSITIONAL, _KEYWORD = 1, 2
#: What torch says of the version that wrote a file.
_WRITER = "2.13.0"


def serialize(program: Any) -> Json:
    """What the JSON of an exported program says.

    Raises NotImplementedError for a graph with something in it that files cannot hold.
    """
    signature = program.graph_signature
    return {
        "graph_module": {
            "graph": _GraphWriter(program.graph_module).write(),
            "signature": {
                "input_specs": list(map(_input_spec, signature.input_specs)),
                "output_specs": list(map(_output_spec, signature.output_specs)),
            },
            "module_call_graph": [
                {"fqn": e.fqn, "signature": e.signature and _call_signature(e.signature)}
                for e in program.module_call_graph
            ],
            "metadata": {},
            "treespec_namedtuple_fields": {},
        },
        "opset_version": OPSET_VERSION,
        "range_constraints": {
            str(expr): {"min_val": _end(limits.lower), "max_val": _end(limits.upper)}
            for expr, limits in program.range_constraints.items()
        },
        "schema_version": dict(zip(("major", "minor"), SCHEMA_VERSION, strict=True)),
        "verifiers": [program.dialect],
        "torch_version": _WRITER,
        "guards_code": list(program._guards_code),
    }


def _end(bound: Any) -> int | None:
    """One end of a range; None where there is none."""
    return None if math.isinf(bound) else int(bound)


# Values -------------------------------------------------------------------------------------------


def tensor_meta(t: Any) -> Json:
    """What is said of a tensor: dtype, sizes, strides, and where it is."""
    return {
        "dtype": number_of(t.dtype, DTYPES),
        "sizes": list(map(_size, t.shape)),
        "requires_grad": t.requires_grad,
        "device": _device(t.device),
        "strides": list(map(_size, t.stride())),
        "storage_offset": {"as_int": t.storage_offset()},
        "layout": number_of(t.layout, LAYOUTS),
    }


def _size(size: Any) -> Json:
    """A size, which may be a symbol."""
    return {"as_int": size} if isinstance(size, int) else _number(size)


def _number(value: Any) -> Json:
    """What is said of a symbolic number."""
    said: Json = with_sympy(f"{__package__}.expressions").written(value)
    return said


def _device(device: Any) -> Json:
    return {"type": device.type, "index": device.index}


def _float(value: float) -> Any:
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


#: How values are written, by type; the first that fits.
_KINDS: tuple[tuple[Any, str, Callable[[Any], Any]], ...] = (
    (bool, "as_bool", bool),
    (int, "as_int", int),
    (float, "as_float", _float),
    (complex, "as_complex", lambda v: {"real": v.real, "imag": v.imag}),
    (str, "as_string", str),
    (st.DType, "as_scalar_type", lambda v: number_of(v, DTYPES)),
    (st.Device, "as_device", _device),
    (memory_format, "as_memory_format", lambda v: number_of(v, MEMORY_FORMATS)),
    (layout, "as_layout", lambda v: number_of(v, LAYOUTS)),
)


def _plain(value: Any) -> Json:
    """A value that is no node."""
    if value is None:
        return {"as_none": True}
    for kind, name, write in _KINDS:
        if isinstance(value, kind):
            return {name: write(value)}
    raise NotImplementedError(f"torch.export.save: files cannot hold {value!r}")


#: Values of which a node stands for one, with what else may stand there.
_SYMBOLS = ((SymBool, bool, "bool"), (SymInt, int, "int"), (SymFloat, float, "float"))


def _symbol(value: Any) -> str | None:
    for symbolic, plain, name in _SYMBOLS:
        if isinstance(value, (symbolic, plain)):
            return name
    return None


# Graphs -------------------------------------------------------------------------------------------


class _GraphWriter:
    """Writes the graph of *module*."""

    def __init__(self, module: GraphModule) -> None:
        self._module = module
        self._graph: Graph = module.graph
        self._tensors: Json = {}
        self._numbers: Json = {"int": {}, "bool": {}, "float": {}}

    def write(self) -> Json:
        """The graph."""
        inputs, nodes = [], []
        outputs: list[Any] = []
        for node in self._graph.nodes:
            if node.op == "placeholder":
                inputs.append(self._placeholder(node))
            elif node.op == "call_function" and not _is_part(node):
                nodes.append(self._call(node))
            elif node.op == "output":
                values = node.args[0]
                values = values if isinstance(values, (tuple, list)) else (values,)
                outputs = [self._argument(value) for value in values]
        single = not isinstance(self._graph.output_node().args[0], (tuple, list))
        return {
            "inputs": inputs,
            "outputs": outputs,
            "nodes": nodes,
            "tensor_values": self._tensors,
            "sym_int_values": self._numbers["int"],
            "sym_bool_values": self._numbers["bool"],
            "is_single_tensor_return": single,
            "custom_obj_values": {},
            "sym_float_values": self._numbers["float"],
        }

    def _placeholder(self, node: Node) -> Json:
        value = node.meta.get("val")
        given = isinstance(value, (Tensor, SymInt))
        return self._result(node.name, value) if given else _plain(value)

    def _result(self, name: str, value: Any) -> Json:
        """What a node *name* is, of which *value* is known; its facts are noted."""
        if value is None:
            return {"as_none": True}
        if isinstance(value, Tensor):
            self._tensors[name] = tensor_meta(value)
            return {"as_tensor": {"name": name}}
        kind = _symbol(value)
        if kind is None:
            raise NotImplementedError(f"torch.export.save: the result {name} is {value!r}")
        plain = isinstance(value, (bool, int, float))
        self._numbers[kind][name] = {f"as_{kind}": value} if plain else _number(value)
        return {f"as_sym_{kind}": {"as_name": name}}

    def _call(self, node: Node) -> Json:
        target: Any = node.target
        if isinstance(target, OpOverload):
            inputs, outputs = self._operator_inputs(node), self._operator_outputs(node)
        elif isinstance(target, HigherOrderOperator):
            inputs = [
                {"name": name, "arg": self._argument(value), "kind": _POSITIONAL}
                for name, value in (*(("", a) for a in node.args), *node.kwargs.items())
            ]
            outputs = self._parts(node, node.meta["val"])
        else:
            names = "abcdefgh"
            inputs = [
                {"name": name, "arg": self._argument(value), "kind": _POSITIONAL}
                for name, value in zip(names, node.args)
            ]
            outputs = [self._result(node.name, node.meta.get("val"))]
        higher = isinstance(target, HigherOrderOperator)
        return {
            "target": _target(target),
            "inputs": inputs,
            "outputs": outputs,
            "metadata": _metadata(node),
            "is_hop_single_tensor_return": False if higher else None,
            "name": node.name,
        }

    def _operator_inputs(self, node: Node) -> list[Json]:
        target: Any = node.target
        arguments = target._schema.arguments
        positional = [
            {"name": a.name, "arg": self._argument(v, str(a.type)), "kind": _POSITIONAL}
            for a, v in zip(arguments, node.args)
        ]
        types = {a.name: str(a.type) for a in arguments}
        keywords = [
            {"name": name, "arg": self._argument(value, types[name]), "kind": _KEYWORD}
            for name, value in node.kwargs.items()
        ]
        return positional + keywords

    def _operator_outputs(self, node: Node) -> list[Json]:
        target: Any = node.target
        returns, value = target._schema.returns, node.meta.get("val")
        if not returns:
            return []
        if len(returns) > 1:
            return self._parts(node, value)
        if isinstance(value, (tuple, list)):
            return [{"as_tensors": [part["as_tensor"] for part in self._parts(node, value)]}]
        return [self._result(node.name, value)]

    def _parts(self, node: Node, values: Any) -> list[Json]:
        """The results of a call that has several, by the nodes that take them out."""
        names = {user.args[1]: user.name for user in node.users if user.target is operator.getitem}
        return [
            self._result(names.get(i, f"{node.name}_unused_{i}"), value)
            for i, value in enumerate(values)
        ]

    def _argument(self, value: Any, kind: str = "") -> Json:
        """An argument, of which the schema says that it is of *kind*."""
        if isinstance(value, Node):
            return self._node(value)
        if isinstance(value, (tuple, list)):
            return self._list(list(value), kind)
        return _plain(value)

    def _node(self, node: Node) -> Json:
        if node.op == "get_attr":
            part = getattr(self._module, str(node.target))
            return {"as_graph": {"name": node.target, "graph": _GraphWriter(part).write()}}
        value = node.meta.get("val")
        if isinstance(value, Tensor):
            return {"as_tensor": {"name": node.name}}
        if node.op == "placeholder" and not isinstance(
            value, SymInt
        ):  # a value that is the same in each call
            return _plain(value)
        return {f"as_sym_{_symbol(value)}": {"as_name": node.name}}

    def _list(self, values: list[Any], kind: str) -> Json:
        if not values:
            return {"as_tensors" if "Tensor" in kind else "as_ints": []}
        if any(v is None for v in values):
            return {"as_optional_tensors": [self._argument(v) for v in values]}
        written = [self._argument(v) for v in values]
        kinds = {next(iter(each)) for each in written}
        if len(kinds) == 1 and "as_tensor" not in kinds and not kinds & _SINGLE:
            name = kinds.pop()
            return {f"{name}s": [each[name] for each in written]}
        if kinds == {"as_tensor"}:
            return {"as_tensors": [each["as_tensor"] for each in written]}
        symbolic = next((k for k in kinds if k.startswith("as_sym_")), None)
        if symbolic is None and kinds <= {"as_int", "as_float"}:
            return {"as_floats": [_float(float(v)) for v in values]}
        if symbolic is None:
            raise NotImplementedError(f"torch.export.save: files cannot hold {values!r}")
        return {f"{symbolic}s": [each.get(symbolic, each) for each in written]}


#: Kinds of arguments of which there are no lists.
_SINGLE = frozenset(("as_graph", "as_device", "as_scalar_type", "as_layout", "as_memory_format"))


def _is_part(node: Node) -> bool:
    """Whether *node* takes one of several results out of a call."""
    call = node.args[0] if node.target is operator.getitem else None
    return isinstance(call, Node) and isinstance(call.meta.get("val"), (tuple, list))


def _target(target: Any) -> str:
    if isinstance(target, OpOverload):
        return f"torch.ops.{target}"
    if isinstance(target, HigherOrderOperator):
        return f"torch.ops.higher_order.{target._name}"
    if getattr(symbolic_numbers, target.__name__, None) is target:
        return f"torch.{target.__name__}"
    module = target.__module__.replace("mindtorch", "torch", 1)
    return f"{module}.{target.__name__}"


def _metadata(node: Node) -> dict[str, str]:
    found = {}
    if "stack_trace" in node.meta:
        found["stack_trace"] = node.meta["stack_trace"]
    if "nn_module_stack" in node.meta:
        stack = node.meta["nn_module_stack"].items()
        found["nn_module_stack"] = ";".join(f"{key},{name},{kind}" for key, (name, kind) in stack)
    return found


# Signatures ---------------------------------------------------------------------------------------


def _named(spec: InputSpec | OutputSpec) -> Json:
    """A parameter or buffer under the name of its kind: ``buffer_name``."""
    word = spec.kind.name.lower().replace("constant_tensor", "tensor_constant").split("_")
    noun = "_".join(word[: 2 if word[0] == "tensor" else 1])
    return {"arg": {"name": spec.arg.name}, f"{noun}_name": spec.target}


_SPECS = {
    SymIntArgument: "as_sym_int",
    SymFloatArgument: "as_sym_float",
    SymBoolArgument: "as_sym_bool",
}


def _spec_argument(arg: Any) -> Json:
    """An input or output that is a tensor or a symbol."""
    kind = _SPECS.get(type(arg))
    return {"as_tensor": {"name": arg.name}} if kind is None else {kind: {"as_name": arg.name}}


def _input_spec(spec: InputSpec) -> Json:
    match spec.kind:
        case InputKind.USER_INPUT if isinstance(spec.arg, ConstantArgument):
            return {"constant_input": {"name": spec.arg.name, "value": _plain(spec.arg.value)}}
        case InputKind.USER_INPUT:
            return {"user_input": {"arg": _spec_argument(spec.arg)}}
        case InputKind.PARAMETER:
            return {"parameter": _named(spec)}
        case InputKind.BUFFER:
            return {"buffer": {**_named(spec), "persistent": spec.persistent}}
        case InputKind.CONSTANT_TENSOR:
            return {"tensor_constant": _named(spec)}
    raise NotImplementedError(f"torch.export.save: the input {spec}")


def _output_spec(spec: OutputSpec) -> Json:
    if spec.kind is OutputKind.USER_OUTPUT:
        if isinstance(spec.arg, ConstantArgument):
            return {"user_output": {"arg": _plain(spec.arg.value)}}
        return {"user_output": {"arg": _spec_argument(spec.arg)}}
    if spec.kind in (OutputKind.BUFFER_MUTATION, OutputKind.PARAMETER_MUTATION):
        return {spec.kind.name.lower(): _named(spec)}
    if spec.kind is OutputKind.USER_INPUT_MUTATION:
        return {
            "user_input_mutation": {
                "arg": {"name": spec.arg.name},
                "user_input_name": spec.target,
            }
        }
    raise NotImplementedError(f"torch.export.save: the output {spec}")


def _call_signature(signature: Any) -> Json:
    return {
        "inputs": [],
        "outputs": [],
        "in_spec": treespec_dumps(signature.in_spec, 1),
        "out_spec": treespec_dumps(signature.out_spec, 1),
        "forward_arg_names": signature.forward_arg_names,
    }
