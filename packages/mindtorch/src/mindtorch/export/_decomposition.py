"""From a program as it was drawn to one of functional operators.

The graph is run on its tensors without numbers and drawn anew, below functionalization: changes of
buffers and arguments become outputs, and operators what a table has for them. Composite operators
that are in no table stay whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from functools import partial
from typing import Any

from mindtorch_autograd import no_grad
from mindtorch_dispatch import DispatchKey

from .._decomp.core_aten import Composite, is_preservable
from .._higher_order_ops.cond import cond_op
from .._higher_order_ops.map import map_impl
from .._higher_order_ops.scan import scan_op
from .._higher_order_ops.while_loop import while_loop_op
from .._ops import ops
from .._subclasses.fake_tensor import FakeTensorMode, maybe_get_fake_mode
from .._subclasses.symbolic_layout import hint_of
from ..aten.symbolic_numbers import settled
from ..functionality.functional_tensor import functional, sync, wrapped
from ..functionality.functionalization_levels import below, entered
from ..fx import GraphModule, Interpreter, Node
from ..fx.experimental._call_stack import PLACE
from ..fx.experimental._symbol_nodes import inside_operator, py_sym_types
from ..fx.experimental._unbacked_bindings import bind
from ..fx.experimental.proxy_tensor import get_proxy_mode, trace
from ..fx.experimental.symbolic_shapes import rebind_unbacked
from ..fx.passes.runtime_assert import insert_deferred_runtime_asserts
from ..nn import Module
from ..tensor import Tensor
from ..utils._python_dispatch import TorchDispatchMode, _pop_mode_temporarily
from ..utils._pytree import tree_leaves, tree_map
from ._placeholders import name_branches, name_placeholders
from .graph_signature import (
    ExportGraphSignature,
    InputKind,
    InputSpec,
    OutputKind,
    OutputSpec,
    TensorArgument,
    argument_of,
)

__all__ = ["decomposed"]


def decomposed(
    program: Any, table: dict[Any, Callable[..., Any]]
) -> tuple[GraphModule, ExportGraphSignature, dict[str, Any]]:
    """The graph of functional operators of an ``ExportedProgram``, its signature, its constants.

    :param table: operator -> function that is called, and drawn, in its place.
    """
    signature = program.graph_signature
    old = [node for node in program.graph.nodes if node.op == "placeholder"]
    specs = {node: copy(spec) for node, spec in zip(old, signature.input_specs, strict=True)}
    order = _in_order_of_modules(specs)
    env = _environment(program.graph.nodes)
    mode = FakeTensorMode(shape_env=env, static_shapes=True)
    values = [_looks(mode, node.meta["val"]) for node in order]
    functions = {op: f for op, f in table.items() if not isinstance(f, Composite)}
    walk = _Walk(program.graph_module, old, order, table, env)
    with mode, no_grad():
        gm = trace(walk, tuple(values), functions, False, walk)  # type: ignore[arg-type]  # it describes
    inputs = [specs[node] for node in order]
    constants = dict(program.constants)
    _lift(gm, inputs, constants)
    if env is not None:
        insert_deferred_runtime_asserts(gm, env, "exported program", export=True)
    gm.graph.eliminate_dead_code()
    name_placeholders(gm, [spec.arg.name for spec in inputs])
    name_branches(gm)
    for node, value in zip(gm.graph.nodes, values):
        if not isinstance(value, Tensor):
            node.meta["val"] = value
    results = list(gm.graph.output_node().args[0])
    changes = [_change_of(inputs[i]) for i in walk.changed]
    outputs = [
        OutputSpec(kind, argument_of(value), target)
        for value, (kind, target) in zip(
            results, [*changes, *((s.kind, s.target) for s in signature.output_specs)], strict=True
        )
    ]
    return gm, ExportGraphSignature(inputs, outputs), constants


def _looks(mode: FakeTensorMode, value: Any) -> Any:
    """A tensor of *mode* that looks like *value*: those of a program may be of several modes."""
    if not isinstance(value, Tensor):
        return value
    symbols = getattr(value, "symbols", None)
    sizes, strides = (value.shape, value.stride()) if symbols is None else symbols[:2]
    with mode:
        made = ops.aten.empty_strided(
            [hint_of(size) for size in sizes],
            [hint_of(stride) for stride in strides],
            dtype=value.dtype,
            device=value.device,
        )
    made.symbols = symbols
    return made


def _environment(nodes: Iterable[Node]) -> Any:
    """Where the symbols of a program live; None where it has none."""
    for node in nodes:
        for leaf in tree_leaves(node.meta.get("val")):
            mode = maybe_get_fake_mode(leaf)
            env = leaf.node.shape_env if isinstance(leaf, py_sym_types) else None
            if mode is not None:
                env = mode.shape_env
            if env is not None:
                return env
    return None


def _in_order_of_modules(specs: dict[Node, InputSpec]) -> list[Node]:
    """Parameters, then buffers and constants as the modules stand that have them, then the rest."""
    root = Module()
    stands: dict[str, Node] = {}
    for node, spec in specs.items():
        if spec.kind is not InputKind.USER_INPUT and spec.target is not None:
            owner = root
            path, _, last = spec.target.rpartition(".")
            for part in path.split(".") if path else ():
                if part not in owner._modules:
                    owner.add_module(part, Module())
                owner = owner.get_submodule(part)
            owner._buffers[last] = None
            stands[spec.target] = node
    found = [
        stands[f"{prefix}.{name}" if prefix else name]
        for prefix, module in root.named_modules()
        for name in module._buffers
    ]
    parameters = [node for node in specs if specs[node].kind is InputKind.PARAMETER]
    others = [node for node in found if node not in parameters]
    return [*parameters, *others, *(n for n in specs if n not in parameters and n not in others)]


def _change_of(spec: InputSpec) -> tuple[OutputKind, str | None]:
    """What an output is that is the new value of an input."""
    if spec.kind is InputKind.USER_INPUT:
        return OutputKind.USER_INPUT_MUTATION, spec.arg.name
    if spec.kind is InputKind.PARAMETER:
        return OutputKind.PARAMETER_MUTATION, spec.target
    return OutputKind.BUFFER_MUTATION, spec.target


def _lift(gm: GraphModule, specs: list[InputSpec], constants: dict[str, Any]) -> None:
    """Let tensors that decompositions have made be inputs, before the user's."""
    nodes = list(gm.graph.nodes)
    at = sum(spec.kind is not InputKind.USER_INPUT for spec in specs)
    for node in nodes:
        value = getattr(gm, node.target) if node.op == "get_attr" else None
        if isinstance(value, Tensor):
            name = node.target.lstrip("_")
            while name in constants:
                name += "_"
            constants[name] = value
            with gm.graph.inserting_before(nodes[at]):
                made = gm.graph.placeholder(f"c_{name}")
            made.meta["val"] = node.meta["val"]
            node.replace_all_uses_with(made)
            gm.graph.erase_node(node)
            at_spec = sum(spec.kind is not InputKind.USER_INPUT for spec in specs)
            specs.insert(
                at_spec, InputSpec(InputKind.CONSTANT_TENSOR, TensorArgument(f"c_{name}"), name)
            )


# Operators that are not what their schemas say ------------------------------------------------


def _dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """The operator returns its argument where it drops nothing."""
    if train and p:
        dropped: Tensor = ops.aten.native_dropout.default(input, p, train)[0]
        return dropped
    return input.clone()


def _native_batch_norm(
    input: Tensor,
    weight: Any,
    bias: Any,
    running_mean: Any,
    running_var: Any,
    training: bool,
    momentum: float,
    eps: float,
) -> Any:
    """The operator changes the running statistics, of which its schema says nothing."""
    given = (input, weight, bias)
    if running_mean is None:
        return ops.aten._native_batch_norm_legit.no_stats(*given, training, momentum, eps)
    given = (*given, running_mean, running_var)
    if not training:
        return ops.aten._native_batch_norm_legit_no_training.default(*given, momentum, eps)
    return ops.aten._native_batch_norm_legit.default(*given, training, momentum, eps)


_FORMS: dict[Any, Callable[..., Any]] = {
    ops.aten.dropout.default: _dropout,
    ops.aten.native_batch_norm.default: _native_batch_norm,
    ops.aten.detach_.default: lambda input: input,  # nothing is recorded here
}


#: Operators of graphs.
_CONTROL_FLOW = (cond_op, while_loop_op, map_impl, scan_op)


class _Walk(Interpreter):
    """Runs a program below functionalization; tells of new nodes what the old ones know.

    :param old: the program's inputs.
    :param order: these in the order in which they are given.
    :param env: where its symbols live; None where it has none.
    """

    def __init__(
        self,
        module: GraphModule,
        old: list[Node],
        order: list[Node],
        table: dict[Any, Callable[..., Any]],
        env: Any,
    ) -> None:
        super().__init__(module)
        self._table, self._env = table, env
        self._places = [order.index(node) for node in old]
        self._node: Node | None = None
        #: The inputs that the program changes, by their places.
        self.changed: list[int] = []
        self._inside: Callable[[Any], Any]
        self._outside: Callable[[Any], Any]

    def describe(self) -> dict[str, Any]:
        """Where in the exported module the operator was called that runs now."""
        meta = {} if self._node is None else self._node.meta
        return {key: meta[key] for key in PLACE if key in meta}

    def run_node(self, n: Node) -> Any:
        """Run one node."""
        self._node = n
        result = super().run_node(n)
        if "unbacked_bindings" in n.meta:
            rebind_unbacked(self._env, n, tree_map(self._outside, result))
        return result

    def call_function(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call one function; graphs of control flow are walked through as the program is."""
        if target not in _CONTROL_FLOW:
            return super().call_function(target, args, kwargs)

        def outside(value: Any) -> Any:
            return self._branch(value) if isinstance(value, GraphModule) else self._outside(value)

        with _pop_mode_temporarily(DispatchKey.PreDispatch):
            found = below(partial(target, *tree_map(outside, args)))
        return tree_map(self._inside, found)

    def _branch(self, graph: GraphModule) -> Callable[..., Any]:
        inputs = graph.graph.find_nodes(op="placeholder")
        walk = _Walk(graph, inputs, inputs, self._table, self._env)

        def call(*operands: Any) -> Any:
            results = walk(*operands)
            if walk.changed:
                raise RuntimeError("torch.cond's branch might be modifying the input!")
            shape = graph.graph.output_node().args[0]
            if isinstance(shape, Node):
                return results[0]
            return list(results) if isinstance(shape, list) else results

        return call

    def __call__(self, *flat: Any) -> tuple[Any, ...]:
        """What the changed inputs have become, and the results."""
        with entered(True) as level:

            def inside(value: Any) -> Any:
                return wrapped(value, level) if isinstance(value, Tensor) else value

            def outside(value: Any) -> Any:
                stands_for = functional(value, level)
                if stands_for is None:
                    return value
                sync(value)
                return stands_for.value

            self._inside, self._outside = inside, outside
            given = [inside(value) for value in flat]
            with _Whole(self._table, outside, inside):
                results = self.run(*(given[place] for place in self._places))
            if isinstance(results, Tensor):
                results = (results,)
            self._node = None
            after = [outside(value) for value in given]
            self.changed = [i for i, value in enumerate(after) if value is not flat[i]]
            return (*(after[i] for i in self.changed), *map(outside, results))


def _asks(op: Any) -> bool:
    """Whether *op* gives whole numbers and no tensor."""
    return all(r.type.kind() == "IntType" for r in op._schema.returns)


class _Whole(TorchDispatchMode):
    """Writes down composite operators that are in no table, and does not look into them.

    :param outside: what a functional tensor stands for.
    :param inside: a functional tensor for what is none.
    """

    _may_precede_autograd_ = True

    def __init__(
        self,
        table: dict[Any, Callable[..., Any]],
        outside: Callable[[Any], Any],
        inside: Callable[[Any], Any],
    ) -> None:
        super().__init__(DispatchKey.PreDispatch)
        self._table, self._outside, self._inside = table, outside, inside

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Run *func*, whole or not, or what the table has for it."""
        kwargs = kwargs or {}
        function = self._table.get(func) or _FORMS.get(func)
        # What asks for a size gets the symbol that the tensor knows.
        if function is None and not _asks(func) and is_preservable(func):
            return self._keep(func, *tree_map(self._outside, (args, kwargs)))
        if func not in _FORMS and not func._can_decompose():
            return settled(func(*args, **kwargs))
        with self, inside_operator(*tree_map(self._outside, (args, kwargs))):
            return (function or func.decompose)(*args, **kwargs)

    def _keep(self, func: Any, args: Any, kwargs: Any) -> Any:
        mode = get_proxy_mode()
        assert mode is not None
        recorder = mode.recorder
        given = recorder.arguments(args), recorder.arguments(kwargs)
        with _pop_mode_temporarily():
            result = below(partial(func, *args, **kwargs))
        node = recorder.call(func, *given)
        recorder.track(result, node)
        bind(node, result)
        return tree_map(self._inside, result)
