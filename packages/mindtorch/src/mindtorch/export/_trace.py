"""``torch.export._trace``: draws the graph of a module's call.

The module runs once, on tensors without numbers, and every operator is written down before
autograd sees it. Parameters, buffers and other tensors of the module become arguments of the graph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib.util import find_spec
from inspect import Parameter as FunctionParameter
from inspect import signature
from typing import Any

from .._dynamo.exc import UserError, UserErrorType
from .._export.passes.replace_with_hop_pass import Switches, replace_with_hop_pass
from .._export.verifier import TrainingIRVerifier
from .._ops import ops
from .._subclasses.fake_tensor import FakeTensorMode
from ..aten.symbolic_numbers import SymInt
from ..backends import cudnn
from ..core.compiling import exporting
from ..fx import GraphModule, Node
from ..fx.experimental._call_stack import PLACE, CallStack
from ..fx.experimental._symbol_nodes import symbols_in_builtins
from ..fx.experimental._symbolic_context import with_sympy
from ..fx.experimental.proxy_tensor import trace
from ..fx.passes.runtime_assert import insert_deferred_runtime_asserts
from ..nn import Module
from ..nn.utils.stateless import _reparametrize_module
from ..tensor import Tensor
from ..utils import _pytree as pytree
from ._placeholders import name_branches, name_placeholders
from ._said_of_shapes import check_shapes, combined
from ._unlift import flat_inputs
from .dynamic_shapes import is_static
from .exported_program import ExportedProgram, ModuleCallEntry, ModuleCallSignature
from .graph_signature import (
    ConstantArgument,
    ExportGraphSignature,
    InputKind,
    InputSpec,
    OutputKind,
    OutputSpec,
    TensorArgument,
    argument_of,
)

__all__ = ["export_module"]

#: The values that a program may be called with, beside tensors.
_PLAIN = (int, float, bool, str, complex, type(None))
AFTER_ERROR = (
    "\n\nThe error above occurred when calling torch.export.export. If you would like to view some "
    "more information about this error, and get a list of all other errors that may occur in your "
    "export call, you can replace your `export()` call with `draft_export()`."
)


class _Places(CallStack):
    """What nodes know: where they are called, and what is switched on there."""

    def describe(self) -> dict[str, Any]:
        return {**super().describe(), _SWITCHES: Switches.now()}


_SWITCHES = "switches"
#: Where environments of symbols are defined.
_ENVIRONMENTS = f"{__package__.rpartition('.')[0]}.fx.experimental._shape_env"


def export_module(
    mod: Module,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any] | None,
    dynamic_shapes: Any,
    kept: tuple[str, ...],
    prefer_deferred: bool = False,
) -> ExportedProgram:
    """The program of ``mod(*args, **kwargs)``.

    :param dynamic_shapes: which sizes vary. Raises UserError where the program says otherwise.
    :param kept: the modules whose signatures are kept. Raises NotImplementedError for any.
    :param prefer_deferred: check in each run what is assumed of sizes, where that can be.
    """
    if not isinstance(args, tuple):
        raise UserError(
            UserErrorType.INVALID_INPUT,
            f"Expecting `args` to be a tuple of example positional inputs, got {type(args)}"
            + AFTER_ERROR,
        )
    if kept:
        raise NotImplementedError("torch.export.export(preserve_module_call_signature=...)")
    kwargs = dict(kwargs or {})
    names = _names_of_arguments(mod, args, kwargs)
    inputs = flat_inputs(names[: len(args)], args, kwargs)
    _, in_spec = pytree.tree_flatten((args, kwargs))
    for _, _, value in inputs:
        if not isinstance(value, (Tensor, *_PLAIN)):
            raise ValueError(
                f"Unsupported input type {type(value)}. Export only supports pytree containers of "
                "basic types (Tensor, int, float, ...) as input. To register a custom dataclass, "
                "use torch.export.register_dataclass. To register a custom container type, use "
                "torch.utils._pytree.register_pytree_node. To register a constant input, use "
                "torch.utils._pytree.register_constant"
            )
    varying = None
    if dynamic_shapes and not is_static(dynamic_shapes):
        varying = with_sympy(f"{__package__}._varying_sizes").VaryingSizes(
            combined(mod.forward, args, kwargs),
            dynamic_shapes,
            _sources(mod, args, kwargs),
            prefer_deferred,
        )
    elif dynamic_shapes:
        check_shapes(combined(mod.forward, args, kwargs), dynamic_shapes)
    flat = {_joined(n, path): value for n, path, value in inputs}
    drawing = _Drawing(mod, flat, in_spec, varying)
    graph_module, input_specs, constants = drawing.draw()
    output_specs = [
        OutputSpec(OutputKind.USER_OUTPUT, argument_of(value), None)
        for value in graph_module.graph.output_node().args[0]
    ]
    ranges = drawing.unbacked_ranges()
    if varying is not None:
        ranges |= varying.ranges(graph_module, len(input_specs) - len(flat))
    call = ModuleCallSignature([], [], in_spec, drawing.out_spec, names)
    others = [name for name, _ in mod.named_modules(remove_duplicate=False) if name]
    program = ExportedProgram(
        graph_module,
        graph_module.graph,
        ExportGraphSignature(input_specs, output_specs),
        mod.state_dict(keep_vars=True),
        ranges,
        [ModuleCallEntry("", call), *map(ModuleCallEntry, others)],
        (args, kwargs),
        constants,
        verifiers=[TrainingIRVerifier],
    )
    if varying is not None:
        program._guards_code = varying.guards_code()
    return program


# Arguments ----------------------------------------------------------------------------------------


def _names_of_arguments(mod: Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[str]:
    """What each argument is called. Raises TypeError where ``forward`` does not take them."""
    bound = signature(mod.forward).bind(*args, **kwargs)
    names = []
    for name, value in bound.arguments.items():
        kind = bound.signature.parameters[name].kind
        if kind is FunctionParameter.VAR_POSITIONAL:
            names += [f"{name}_{i}" for i in range(len(value))]
        elif name not in kwargs and kind is not FunctionParameter.VAR_KEYWORD:
            names.append(name)
    return [*names, *kwargs]


def _joined(name: str, path: tuple[Any, ...]) -> str:
    """A name for the leaf at *path* of an argument."""
    keys = [getattr(k, "key", getattr(k, "idx", getattr(k, "name", k))) for k in path]
    return "_".join(re.sub(r"[^a-zA-Z0-9]+", "_", str(part)) for part in (name, *keys))


def _sources(mod: Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[str]:
    """The code that gives each leaf of the arguments, by the names of parameters."""
    found = []
    bound = signature(mod.forward).bind(*args, **kwargs)
    for name, value in bound.arguments.items():
        named = bound.signature.parameters[name].kind is FunctionParameter.VAR_KEYWORD
        parts = value.items() if named else [(name, value)]
        for key, part in parts:
            leaves = pytree.tree_leaves_with_path(part)
            found += [f"L['{key}']{pytree.keystr(path)}" for path, _ in leaves]
    return found


def _name_inputs(gm: GraphModule, specs: list[InputSpec], names: list[str]) -> None:
    """Name the graph's arguments after what they are.

    :param names: those of the user's arguments.
    """
    prefixes = {InputKind.PARAMETER: "p_", InputKind.BUFFER: "b_", InputKind.CONSTANT_TENSOR: "c_"}
    wanted: list[str] = []
    users = iter(names)
    for spec in specs:
        if spec.kind is InputKind.USER_INPUT:
            name = next(users)
        else:
            target = str(spec.target).removeprefix("self_")
            name = prefixes[spec.kind] + re.sub(r"[^a-zA-Z0-9]", "_", target)
        number, found = 0, name.lower()
        while found in wanted:
            number += 1
            found = f"{name.lower()}_{number}"
        wanted.append(found)
    for spec, name in zip(specs, wanted, strict=True):
        spec.arg.name = name
    name_placeholders(gm, wanted)


# The graph ----------------------------------------------------------------------------------------


class _Drawing:
    """Draws one call of *mod*.

    :param inputs: the user's arguments, flat.
    :param varying: what is said of their sizes; None where these are numbers.
    """

    def __init__(self, mod: Module, inputs: dict[str, Any], in_spec: Any, varying: Any) -> None:
        self.mod, self.inputs, self.in_spec, self.varying = mod, inputs, in_spec, varying
        self.out_spec: Any = None
        self.parameters = dict(mod.named_parameters(remove_duplicate=False))
        self.buffers = dict(mod.named_buffers(remove_duplicate=False))
        self.states: dict[str, Any] = {**self.parameters, **self.buffers}
        #: The mode in which the call is drawn.
        self.mode = _mode_of_numbers() if varying is None else varying.mode
        #: The buffers that the call makes anew, in the order of the outputs behind the user's.
        self.assigned: list[str] = []

    def draw(self) -> tuple[GraphModule, list[InputSpec], dict[str, Any]]:
        """The graph, what goes into it, and the tensors that are neither parameter nor buffer."""
        varying = self.varying
        symbolic: AbstractContextManager[None] = nullcontext()
        if varying is None:
            mode = self.mode
            values = self.inputs.values()
            inputs = [mode.from_tensor(v) if isinstance(v, Tensor) else v for v in values]
        else:
            mode, inputs, symbolic = self.mode, varying.stand_ins(), symbols_in_builtins()
        states = [mode.from_tensor(t, static_shapes=True) for t in self.states.values()]
        outside = Switches.now()
        with mode, exporting(), cudnn.flags(enabled=False), _attributes_kept(self.mod), symbolic:
            gm = trace(self._call, (*states, *inputs), {}, True, _Places(self.mod))
        self._write_back(gm)
        specs, constants = self._lift(gm)
        env = mode.shape_env
        if varying is not None or env is not None and env.depends_on_data:
            insert_deferred_runtime_asserts(gm, env, "exported program", export=True)
        if varying is not None:
            varying.check()
        _name_inputs(gm, specs, list(self.inputs))
        name_branches(gm)
        _tell_what_is_cast(gm)
        for node in list(gm.graph.nodes):  # what they switch, each node knows
            if _SWITCHES not in node.meta and getattr(node.target, "__name__", "") == _SWITCH:
                gm.graph.erase_node(node)
        replace_with_hop_pass(gm, lambda node: node.meta.get(_SWITCHES, outside), outside)
        _forget_switches(gm)
        return gm, specs, constants

    def unbacked_ranges(self) -> dict[Any, Any]:
        """The ranges of symbols that depend on data."""
        env = self.mode.shape_env
        return {} if env is None else env.unbacked_ranges()

    def _call(self, *flat: Any) -> tuple[Any, ...]:
        count = len(self.states)
        states = dict(zip(self.states, flat[:count], strict=True))
        with _reparametrize_module(self.mod, dict(states)):  # which is told of new buffers
            args, kwargs = pytree.tree_unflatten(list(flat[count:]), self.in_spec)
            results, self.out_spec = pytree.tree_flatten(self.mod(*args, **kwargs))
            after = dict(self.mod.named_buffers(remove_duplicate=False))
        self.assigned = [n for n in self.buffers if after.get(n) is not states[n]]
        return (*results, *(after[name] for name in self.assigned))

    def _write_back(self, gm: GraphModule) -> None:
        """Copy what the call has assigned into the buffers."""
        output = gm.graph.output_node()
        results = list(output.args[0])
        placeholders = dict(zip(self.states, gm.graph.nodes))
        at = len(results) - len(self.assigned)
        with gm.graph.inserting_before(output):
            for name, value in zip(self.assigned, results[at:], strict=True):
                made = gm.graph.call_function(
                    ops.aten.copy_.default, (placeholders[name], value), name="copy__default"
                )
                made.meta.update(
                    {
                        **{k: made.prev.meta[k] for k in PLACE if k in made.prev.meta},
                        "val": value.meta["val"],
                    }
                )
        output.args = (tuple(results[:at]),)

    def _lift(self, gm: GraphModule) -> tuple[list[InputSpec], dict[str, Any]]:
        """Let constants of the graph be arguments, behind the buffers."""
        hidden = set(self.buffers) - set(self.mod.state_dict())
        specs = [InputSpec(InputKind.PARAMETER, TensorArgument(""), n) for n in self.parameters]
        specs += [
            InputSpec(InputKind.BUFFER, TensorArgument(""), n, persistent=n not in hidden)
            for n in self.buffers
        ]
        constants = {name: self.buffers[name] for name in self.buffers if name in hidden}
        names = _names_of_tensors(self.mod)
        lifted: dict[str, Node] = {}
        count = 0
        first = list(gm.graph.nodes)[len(specs)]
        for node in [n for n in gm.graph.nodes if n.op == "get_attr"]:
            value = getattr(gm, node.target)
            if isinstance(value, GraphModule):
                continue
            name = names.get(id(value))
            if name is None:
                name = names[id(value)] = f"lifted_tensor_{count}"
                count += 1
            if name not in lifted:
                constants[name] = value
                with gm.graph.inserting_before(first):
                    lifted[name] = gm.graph.placeholder(f"c_{name}")
                lifted[name].meta["val"] = node.meta["val"]
                specs.append(InputSpec(InputKind.CONSTANT_TENSOR, TensorArgument(""), name))
            node.replace_all_uses_with(lifted[name])
            gm.graph.erase_node(node)
        for value in self.inputs.values():
            tensor = isinstance(value, Tensor)
            arg: Any = TensorArgument("") if tensor else ConstantArgument("", value)
            specs.append(InputSpec(InputKind.USER_INPUT, arg, None))
        values = (
            *self.states.values(),
            *(constants[name] for name in lifted),
            *self.inputs.values(),
        )
        for node, value in zip(gm.graph.nodes, values):
            if not isinstance(value, Tensor):
                if not isinstance(node.meta.get("val"), SymInt):
                    node.meta["val"] = value
            elif value.requires_grad:
                node.meta["val"].requires_grad_()
        return specs, constants


def _mode_of_numbers() -> FakeTensorMode:
    """A mode in which sizes of arguments are numbers; what depends on data is a symbol.

    Without sympy there are no symbols, and what depends on data is refused.
    """
    env = None
    if find_spec("sympy") is not None:
        env = with_sympy(_ENVIRONMENTS).ShapeEnv(trace_asserts=True)
    return FakeTensorMode(
        allow_non_fake_inputs=True, export=True, shape_env=env, static_shapes=True
    )


#: The function that switches gradients.
_SWITCH = "_set_grad_enabled"


def _names_of_tensors(mod: Module) -> dict[int, str]:
    """The tensors that are attributes of modules, and neither parameter nor buffer."""
    return {
        id(value): f"{prefix}.{name}" if prefix else name
        for prefix, module in mod.named_modules()
        for name, value in vars(module).items()
        if isinstance(value, Tensor)
    }


def _tell_what_is_cast(gm: GraphModule) -> None:
    """Say before each cast what it was made for: another dtype might need none, or another."""
    for node in list(gm.graph.nodes):
        if node.op == "call_function" and str(node.target).startswith("aten.to."):
            given = node.args[0].meta["val"]
            facts = {"dtype": given.dtype, "device": given.device, "layout": given.layout}
            with gm.graph.inserting_before(node):
                told = gm.graph.call_function(
                    ops.aten._assert_tensor_metadata.default,
                    (node.args[0],),
                    facts,
                    name="_assert_tensor_metadata_default",
                )
            told.meta.update(
                {k: node.meta[k] for k in node.meta if k not in ("val", "tensor_meta")}
            )


def _forget_switches(gm: GraphModule) -> None:
    for part in gm.modules():
        for node in part.graph.nodes if isinstance(part, GraphModule) else ():
            node.meta.pop(_SWITCHES, None)


@contextmanager
def _attributes_kept(mod: Module) -> Iterator[None]:
    """Inside, attributes of modules may change; afterwards they are as before."""
    before = [(module, dict(vars(module))) for module in mod.modules()]
    try:
        yield
    finally:
        for module, attributes in before:
            vars(module).clear()
            vars(module).update(attributes)
