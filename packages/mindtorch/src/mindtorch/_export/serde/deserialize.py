"""From what the JSON of an exported program says to the program.

Programs whose sizes vary run, too: their sizes are numbers when they do.

Source: torch/_export/serde/schema.py and serialize.py, whose layout this is.
"""

from __future__ import annotations

import importlib
import json
import operator
from importlib.util import find_spec
from typing import Any, NamedTuple

import mindtorch_storage as st

from ..._ops import ops
from ..._subclasses.fake_tensor import FakeTensorMode
from ..._subclasses.symbolic_layout import has_symbols, hint_of
from ...aten import torch
from ...export.exported_program import ExportedProgram, ModuleCallEntry, ModuleCallSignature
from ...export.graph_signature import (
    ConstantArgument,
    ExportGraphSignature,
    InputKind,
    InputSpec,
    OutputKind,
    OutputSpec,
    SymBoolArgument,
    SymFloatArgument,
    SymIntArgument,
    TensorArgument,
)
from ...fx import Graph, GraphModule, Node
from ...fx.experimental._symbolic_context import with_sympy
from ...fx.node import map_arg
from ...nn import Module
from ...utils._pytree import treespec_loads
from ..verifier import verifier_of
from .schema import DTYPES, LAYOUTS, MEMORY_FORMATS, SCHEMA_VERSION

__all__ = ["deserialize", "tensor_in"]

Json = dict[str, Any]


def deserialize(
    written: Json, state_dict: Json, constants: Json, example_inputs: Any
) -> ExportedProgram:
    """The program of which a JSON says *written*.

    Raises RuntimeError for a file of another major version, NotImplementedError for an operator
    that is not there.
    """
    version = written["schema_version"]
    if version["major"] != SCHEMA_VERSION[0]:
        raise RuntimeError(
            f"Serialized schema version {version} does not match our current "
            f"schema version {SCHEMA_VERSION}."
        )
    module, said = written["graph_module"], written["range_constraints"]
    expressions = None
    if '"as_expr"' in json.dumps(module["graph"]) and find_spec("sympy") is not None:
        expressions = with_sympy(f"{__package__}.expressions").Expressions(said)
    mode = FakeTensorMode() if expressions is None else expressions.mode
    reader = _GraphReader(mode, expressions)
    root = reader.read(module["graph"], [*map(_input_name, module["signature"]["input_specs"])])
    signature = ExportGraphSignature(
        [_input_spec(*next(iter(spec.items()))) for spec in module["signature"]["input_specs"]],
        [_output_spec(*next(iter(spec.items()))) for spec in module["signature"]["output_specs"]],
    )
    if expressions is None:
        ranges: dict[Any, Any] = {
            Symbol(name): ValueRange(limits["min_val"], limits["max_val"])
            for name, limits in said.items()
        }
    else:
        ranges = expressions.ranges()
    made = ExportedProgram(
        root,
        root.graph,
        signature,
        state_dict,
        ranges,
        [_call_entry(entry) for entry in module["module_call_graph"]],
        example_inputs,
        constants,
        verifiers=list(map(verifier_of, written["verifiers"])),
    )
    if expressions is not None:
        made._guards_code = list(written.get("guards_code", ()))
    return made


class Symbol(str):
    """The name of a size that varies."""

    __slots__ = ()
    __repr__ = str.__str__


class ValueRange(NamedTuple):
    """Between what a size that varies is; None: without a bound."""

    lower: int | None
    upper: int | None

    def __repr__(self) -> str:
        lower, upper = (
            end if value is None else value
            for value, end in ((self.lower, "-int_oo"), (self.upper, "int_oo"))
        )
        return f"VR[{lower}, {upper}]"


# Values -------------------------------------------------------------------------------------------


def device_of(written: Json) -> Any:
    """A device."""
    return st.Device(written["type"], written["index"])


def tensor_in(meta: Json, memory: Any) -> Any:
    """The tensor that lies in *memory*, an untyped storage of the host, as *meta* says.

    It is moved to the device that *meta* names.
    """
    empty = torch.empty(0, dtype=DTYPES[meta["dtype"]])
    sizes, strides = _numbers(meta["sizes"]), _numbers(meta["strides"])
    made = empty.set_(memory, _number(meta["storage_offset"]), sizes, strides)
    return made.to(device_of(meta["device"]))


def _number(written: Json) -> Any:
    """A size; None where it is a symbol."""
    return written.get("as_int")


def _numbers(written: list[Json]) -> list[Any]:
    return [_number(each) for each in written]


_TYPES: dict[str, type] = {"int": int, "float": float, "bool": bool}
#: How plain values are read, by what they are written as.
_READ = {
    "as_none": lambda v: None,
    "as_int": int,
    "as_ints": list,
    "as_bool": bool,
    "as_bools": list,
    "as_float": float,
    "as_floats": lambda v: list(map(float, v)),
    "as_string": str,
    "as_strings": list,
    "as_scalar_type": DTYPES.__getitem__,
    "as_layout": LAYOUTS.__getitem__,
    "as_memory_format": MEMORY_FORMATS.__getitem__,
    "as_device": device_of,
    "as_complex": lambda v: complex(float(v["real"]), float(v["imag"])),
    "as_int_lists": lambda v: [list(each) for each in v],
    "as_float_lists": lambda v: [list(map(float, each)) for each in v],
}


# Graphs -------------------------------------------------------------------------------------------


class _GraphReader:
    """Reads a graph; its values are fake tensors of *mode* where all sizes are known."""

    def __init__(self, mode: FakeTensorMode, expressions: Any = None) -> None:
        self._mode, self._expressions = mode, expressions
        self._numbers: Json = {}
        self._graph = Graph()
        self._root = Module()
        self._nodes: dict[str, Node] = {}
        self._tensors: Json = {}

    def read(self, written: Json, names: list[str] | None = None) -> GraphModule:
        """The module of a graph.

        :param names: those of the inputs; without, what each input says.
        """
        self._tensors = written["tensor_values"]
        for kind in ("int", "float", "bool"):
            said = written.get(f"sym_{kind}_values") or {}
            self._numbers |= {name: (value, _TYPES[kind]) for name, value in said.items()}
        for i, given in enumerate(written["inputs"]):
            kind, value = next(iter(given.items()))
            name = names[i] if names is not None else _name_of(kind, value)
            node = self._graph.placeholder(name)
            node.name = name
            self._graph._graph_namespace._rename_object(node, name)
            node.meta["val"] = _READ[kind](value) if kind in _READ else self._fake(name)
            if name in self._tensors and node.meta["val"] is None:
                node.meta["sizes"] = _numbers(self._tensors[name]["sizes"])
            self._nodes[name] = node
        for call in written["nodes"]:
            self._call(call)
        outputs = tuple(self._argument(each) for each in written["outputs"])
        output = self._graph.output(outputs[0] if written["is_single_tensor_return"] else outputs)
        output.meta["val"] = map_arg(output.args[0], lambda node: node.meta["val"])
        return GraphModule(self._root, self._graph, "GraphModule")

    def _fake(self, name: str) -> Any:
        meta = self._tensors.get(name)
        if meta is None:
            if self._expressions is not None and name in self._numbers:
                return self._expressions.number(*self._numbers[name])
            return None
        if meta["layout"] != 7:
            return None
        layout: Any = None
        if self._expressions is None:
            sizes, strides = _numbers(meta["sizes"]), _numbers(meta["strides"])
            if None in sizes or None in strides:
                return None
        else:
            layout = self._expressions.layout(meta)
            # Where it depends on data, a number that stands for a size may be none.
            sizes, strides = ([max(hint_of(n), 0) for n in part] for part in layout[:2])
        with self._mode:
            made = ops.aten.empty_strided(
                sizes, strides, dtype=DTYPES[meta["dtype"]], device=device_of(meta["device"])
            )
        if layout is not None and has_symbols((*layout.sizes, *layout.strides, layout.offset)):
            made.symbols = layout
        return made.requires_grad_(meta["requires_grad"])

    def _call(self, written: Json) -> None:
        target = _target(written["target"])
        args, kwargs = [], {}
        for given in written["inputs"]:
            value = self._argument(given["arg"])
            if _is_keyword(target, given):
                kwargs[given["name"]] = value
            else:
                args.append(value)
        results = written["outputs"]
        several = len(results) != 1 or next(iter(results[0])) == "as_tensors"
        if written.get("is_hop_single_tensor_return") is False:
            several = True
        name = None if several else _name_of(*next(iter(results[0].items())))
        node = self._graph.call_function(target, tuple(args), kwargs)
        self._name(node, name or written.get("name") or node.name)
        node.meta.update(_metadata(written["metadata"]))
        if not several:
            node.meta["val"] = self._fake(node.name)
            self._bind(node)
            return
        if len(results) == 1 and "as_tensors" in results[0]:
            results = [{"as_tensor": each} for each in results[0]["as_tensors"]]
        values = []
        for i, result in enumerate(results):
            kind, value = next(iter(result.items()))
            if kind == "as_none":
                values.append(None)
                continue
            part = _name_of(kind, value)
            values.append(self._fake(part))
            if part != f"{node.name}_unused_{i}":
                got = self._graph.call_function(operator.getitem, (node, i))
                self._name(got, part)
                got.meta.update(_metadata(written["metadata"]), val=values[-1])
        if results:
            node.meta["val"] = tuple(values)
            self._bind(node)

    def _bind(self, node: Node) -> None:
        if self._expressions is not None:
            self._expressions.bind(node)

    def _name(self, node: Node, name: str) -> None:
        node.name = name
        self._graph._graph_namespace._rename_object(node, name)
        self._nodes[name] = node

    def _argument(self, written: Json) -> Any:
        kind, value = next(iter(written.items()))
        if kind in _READ:
            return _READ[kind](value)
        match kind:
            case "as_tensor":
                return self._nodes[value["name"]]
            case "as_tensors":
                return [self._nodes[each["name"]] for each in value]
            case "as_nested_tensors":
                return [[self._nodes[each["name"]] for each in inner] for inner in value]
            case "as_optional_tensor":
                return self._argument(value)
            case "as_optional_tensors":
                return [self._argument(each) for each in value]
            case "as_sym_int" | "as_sym_float" | "as_sym_bool":
                return self._symbol(value)
            case "as_sym_ints" | "as_sym_floats" | "as_sym_bools":
                return [self._symbol(each) for each in value]
            case "as_graph":
                self._root.add_module(
                    value["name"], _GraphReader(self._mode, self._expressions).read(value["graph"])
                )
                return self._graph.get_attr(value["name"])
            case "as_operator":
                return _target(value)
        raise NotImplementedError(f"torch.export.load: the file holds an argument {written}")

    def _symbol(self, written: Json) -> Any:
        kind, value = next(iter(written.items()))
        return self._nodes[value] if kind == "as_name" else value


def _name_of(kind: str, value: Any) -> str:
    """What the node of a tensor or a symbol is called."""
    name: str = value["as_name"] if kind.startswith("as_sym_") else value["name"]
    return name


def _is_keyword(target: Any, given: Json) -> bool:
    if given.get("kind"):
        return bool(given["kind"] == 2)
    schema = getattr(target, "_schema", None)  # of a file that does not say it
    return (
        any(a.name == given["name"] and a.kwarg_only for a in schema.arguments) if schema else False
    )


def _target(name: str) -> Any:
    """The function that a node calls. Raises NotImplementedError for one that is not there."""
    module, _, last = name.rpartition(".")
    try:
        if name.startswith("torch.ops."):
            found: Any = ops
            for part in name.split(".")[2:]:
                found = getattr(found, part)
            return found
        home = module.replace("torch", "mindtorch", 1) if module.startswith("torch") else module
        return getattr(importlib.import_module(home), last)
    except (AttributeError, ImportError):
        raise NotImplementedError(
            f"torch.export.load: the program calls {name}, which is not there"
        ) from None


def _metadata(written: dict[str, str]) -> Json:
    found: Json = {}
    if written.get("stack_trace"):
        found["stack_trace"] = written["stack_trace"]
    if written.get("nn_module_stack"):
        stack = (each.split(",", 2) for each in written["nn_module_stack"].split(";"))
        found["nn_module_stack"] = {key: (name, kind) for key, name, kind in stack}
    return found


# Signatures ---------------------------------------------------------------------------------------

_SYMBOLS = {
    "as_sym_int": SymIntArgument,
    "as_sym_float": SymFloatArgument,
    "as_sym_bool": SymBoolArgument,
}


def _argument_spec(written: Json) -> Any:
    kind, value = next(iter(written.items()))
    if kind == "as_tensor":
        return TensorArgument(value["name"])
    if kind in _SYMBOLS:
        return _SYMBOLS[kind](value["as_name"])
    return ConstantArgument("", _READ[kind](value))


def _input_name(written: Json) -> str:
    kind, spec = next(iter(written.items()))
    if kind == "constant_input":
        return str(spec["name"])
    arg = spec["arg"]
    return str(_argument_spec(arg).name if kind == "user_input" else arg["name"])


def _input_spec(kind: str, spec: Json) -> InputSpec:
    match kind:
        case "user_input":
            return InputSpec(InputKind.USER_INPUT, _argument_spec(spec["arg"]), None)
        case "constant_input":
            value = _argument_spec(spec["value"]).value
            return InputSpec(InputKind.USER_INPUT, ConstantArgument(spec["name"], value), None)
        case "parameter":
            arg = TensorArgument(spec["arg"]["name"])
            return InputSpec(InputKind.PARAMETER, arg, spec["parameter_name"])
        case "buffer":
            arg = TensorArgument(spec["arg"]["name"])
            return InputSpec(InputKind.BUFFER, arg, spec["buffer_name"], spec["persistent"])
        case "tensor_constant":
            arg = TensorArgument(spec["arg"]["name"])
            return InputSpec(InputKind.CONSTANT_TENSOR, arg, spec["tensor_constant_name"])
    raise NotImplementedError(f"torch.export.load: the program has an input of the kind {kind}")


def _output_spec(kind: str, spec: Json) -> OutputSpec:
    if kind == "user_output":
        return OutputSpec(OutputKind.USER_OUTPUT, _argument_spec(spec["arg"]), None)
    if kind in ("buffer_mutation", "parameter_mutation", "user_input_mutation"):
        target = next(value for key, value in spec.items() if key != "arg")
        arg = TensorArgument(spec["arg"]["name"])
        return OutputSpec(OutputKind[kind.upper()], arg, target)
    raise NotImplementedError(f"torch.export.load: the program has an output of the kind {kind}")


def _call_entry(written: Json) -> ModuleCallEntry:
    signature = written["signature"]
    if signature is None:
        return ModuleCallEntry(written["fqn"])
    specs = treespec_loads(signature["in_spec"]), treespec_loads(signature["out_spec"])
    names = signature["forward_arg_names"]
    return ModuleCallEntry(written["fqn"], ModuleCallSignature([], [], *specs, names))
