"""``make_fx``: run a function once and write down every operator it calls.

The function runs on its arguments, or on fake tensors in their place, under a dispatch mode, so the
graph holds what autograd, composite ops and subclasses came to, backward calls among it. Which
nodes appear, and under which names, follows torch/fx/experimental/proxy_tensor.py.
"""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import count
from typing import Any

from mindtorch_dispatch import DispatchKey
from mindtorch_dispatch.modes import DISPATCH, PRE_DISPATCH, Stack
from mindtorch_storage import UntypedStorage

from ... import nn
from ..._library.opaque_object import is_opaque_reference_type
from ..._ops import ops
from ..._subclasses.data_dependent import gives_symbol
from ..._subclasses.fake_tensor import FakeTensor, FakeTensorMode, maybe_get_fake_mode
from ...aten.symbolic_numbers import SymInt, settled
from ...core.tags import Tag
from ...core.unavailable import offer_listed
from ...tensor import Tensor
from ...utils import _pytree as pytree
from ...utils._python_dispatch import TorchDispatchMode, _disable_current_modes
from ..codegen import _PyTreeCodeGen, _PyTreeInfo
from ..graph import Graph
from ..graph_module import GraphModule
from ..node import Node
from ..passes.shape_prop import _extract_tensor_metadata
from ._call_stack import PLACE, CallStack
from ._control_flow import draw_with
from ._pre_dispatch import PreDispatchTorchFunctionMode
from ._symbol_nodes import SymbolNodes, inside_operator, py_sym_types
from ._symbolic_context import Source, with_sympy
from ._unbacked_bindings import bind

__all__ = ["get_proxy_mode", "make_fx"]

_VALUE_READ = (
    "It appears that you're trying to get value out of a tracing tensor with {} - erroring out! "
    "It's likely that this is caused by data-dependent control flow or similar.  It may be "
    "possible to trace this with dynamic shapes; try setting tracing_mode='symbolic' in your "
    "make_fx call."
)


class _Recorder:
    """A graph in the making: which node stands for which tensor."""

    def __init__(self, stack: CallStack | None = None) -> None:
        self.graph = Graph()
        self.root = nn.Module()
        self._stack = stack
        self._nodes: dict[int, Node] = {}
        #: The memory of a tensor finds it again in what autograd has saved of it.
        self._by_memory: dict[int, Node] = {}
        self._kept: list[Tensor] = []  # no id is used twice
        #: Inputs that are no tensors, but opaque objects: their nodes stand for them.
        self.objects: dict[int, Node] = {}
        self._constants: dict[int, str] = {}
        self._fake = FakeTensorMode()
        #: Where symbolic numbers come from.
        self.symbols = SymbolNodes(self.graph)
        self.symbols.tensor_node = self.node_of
        if stack is not None:
            self.symbols.describe = stack.describe

    def call(self, func: Any, args: Any, kwargs: Any) -> Node:
        """A node of the operator *func*, named for it."""
        name = self.graph._target_to_str(func.overloadpacket.__name__)
        node = self.graph.call_function(func, args, kwargs, name=name)
        if self._stack is not None:
            node.meta.update(self._stack.describe())
        return node

    def looks(self, value: Tensor) -> Tensor:
        """A fake tensor with the shape, strides and dtype of *value*; of its mode if it is one."""
        with _disable_current_modes():
            if isinstance(value, FakeTensor):
                return value.detach()
            with self._fake:
                return ops.aten.empty_strided(
                    list(value.shape), list(value.stride()), dtype=value.dtype, device=value.device
                )

    def track(self, value: Any, node: Node) -> None:
        """*node* stands for *value*; results of several get a ``getitem`` each."""
        if isinstance(value, Tensor):
            self._nodes[id(value)] = node
            self._by_memory.setdefault(id(value._a_), node)
            self._kept.append(value)
            self.symbols.of_tensor(value, node)
            node.meta["val"] = self.looks(value)
            node.meta["tensor_meta"] = _extract_tensor_metadata(value)
        elif isinstance(value, py_sym_types):
            self.symbols.of_number(value, node)
        elif isinstance(value, (tuple, list)):
            node.meta["val"] = pytree.tree_map_only(Tensor, self.looks, value)
            place = {key: node.meta[key] for key in PLACE if key in node.meta}
            for i, item in enumerate(value):
                part = self.graph.call_function(operator.getitem, (node, i))
                part.meta.update(place)
                self.track(item, part)

    def node_of(self, value: Tensor) -> Node | None:
        """The node that stands for a tensor, if it was traced."""
        return self._nodes.get(id(value)) or self._by_memory.get(id(value._a_))

    def argument(self, value: Any) -> Any:
        """*value* as a node's argument: tensors that were not traced are constants.

        Raises NotImplementedError for a storage, which no graph can hold.
        """
        if isinstance(value, UntypedStorage):
            raise NotImplementedError(f"argument of type: {type(value)}")
        if isinstance(value, py_sym_types):
            return self.symbols.node_of(value)
        if not isinstance(value, Tensor):
            return self.objects.get(id(value), value)
        return self.node_of(value) or self._constant(value)

    def arguments(self, values: Any) -> Any:
        """The same for nested values."""
        return pytree.tree_map(self.argument, values)

    def _constant(self, value: Tensor) -> Node:
        name = self._constants.get(id(value))
        if name is None:
            kind = "param" if isinstance(value, nn.Parameter) else "tensor"
            number = sum(n.startswith(f"_{kind}_constant") for n in self._constants.values())
            name = self._constants[id(value)] = f"_{kind}_constant{number}"
            self._kept.append(value)
            if kind == "param":
                self.root.register_parameter(name, value)  # type: ignore[arg-type]  # a parameter, by its kind
            else:
                self.root.register_buffer(name, value)
        node = self.graph.get_attr(name)
        node.meta["val"] = self.looks(value)
        return node


class ProxyTorchDispatchMode(TorchDispatchMode):
    """Writes every operator into a graph and runs it.

    :param pre_dispatch: see operators before autograd and composite ops take them apart.
    """

    _may_precede_autograd_ = True
    _writes_graph_ = True

    def __init__(
        self,
        recorder: _Recorder,
        decompositions: dict[Any, Callable[..., Any]],
        pre_dispatch: bool = False,
    ) -> None:
        super().__init__(DispatchKey.PreDispatch if pre_dispatch else None)
        self.recorder = recorder
        self.decompositions = decompositions

    @property
    def symbols(self) -> SymbolNodes:
        """Where what is computed of symbols is written down."""
        return self.recorder.symbols

    def __torch_dispatch__(
        self,
        func: Any,
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        """Write *func* down, and run it."""
        kwargs = kwargs or {}
        decomposition = self.decompositions.get(func)
        if decomposition is not None:
            with self:
                made = decomposition(*args, **kwargs)
            if made is not NotImplemented:
                return made
        name = str(func)
        if Tag.data_dependent_output in func.tags and not gives_symbol(func, args):
            return self._read(func, args)
        args, kwargs = pytree.tree_map_only(SymInt, settled, (args, kwargs))
        recorder = self.recorder
        recorded = func
        if name == "aten.lift_fresh.default":
            recorded = _lift_fresh_copy()
        node_args = recorder.arguments(args)
        node_kwargs = recorder.arguments(kwargs)
        with inside_operator(args, kwargs):
            result = func(*args, **kwargs)
        node = recorder.call(recorded, node_args, node_kwargs)
        base = func.overloadpacket.__name__
        if base.endswith("_") and not base.startswith("_") and isinstance(args[0], Tensor):
            recorder.track(args[0], node)  # later uses come after the change
        recorder.track(result, node)
        bind(node, result)
        return result

    def _read(self, func: Any, args: Any) -> Any:
        for value in args:
            node = self.recorder.node_of(value) if isinstance(value, Tensor) else None
            while node is not None and str(node.target) == "aten.lift_fresh_copy.default":
                node = node.args[0]
            if node is not None and node.op != "get_attr":
                raise RuntimeError(_VALUE_READ.format(func))
        return func(*args)


def _lift_fresh_copy() -> Any:
    return ops.aten.lift_fresh_copy.default


def get_proxy_mode() -> ProxyTorchDispatchMode | None:
    """The capture in progress in this thread, if any."""
    for mode in reversed((*DISPATCH.modes, *PRE_DISPATCH.modes)):
        if isinstance(mode, ProxyTorchDispatchMode):
            return mode
    return None


get_innermost_proxy_mode = get_proxy_mode


@contextmanager
def disable_proxy_modes_tracing() -> Iterator[ProxyTorchDispatchMode | None]:
    """Inside, captures of this thread see nothing; gives the innermost of them, if any."""
    stacks = [(stack, _without_captures(stack)) for stack in (DISPATCH, PRE_DISPATCH)]
    captures = [mode for _, taken in stacks for mode, _ in taken if _is_capture(mode)]
    try:
        yield captures[0] if captures else None
    finally:
        for stack, taken in stacks:
            if any(_is_capture(mode) for mode, _ in taken):
                while len(stack):
                    stack.pop()
                for mode, slot in reversed(taken):
                    _put_back(stack, mode, slot)


def _is_capture(mode: Any) -> bool:
    return isinstance(mode, ProxyTorchDispatchMode)


def _without_captures(stack: Stack) -> list[tuple[Any, str | None]]:
    """Take captures off *stack*; what lay there, the uppermost first, with the names of slots."""
    if not any(map(_is_capture, stack.modes)):
        return []
    taken = []
    while len(stack):
        taken.append(stack.pop())
    for mode, slot in reversed(taken):
        if not _is_capture(mode):
            _put_back(stack, mode, slot)
    return taken


def _put_back(stack: Stack, mode: Any, slot: str | None) -> None:
    if slot is None:
        stack.push(mode)
    else:
        stack.set(slot, mode)


def get_isolated_graphmodule(
    func: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    tracing_mode: str = "real",
    decomposition_table: dict[Any, Callable[..., Any]] | None = None,
) -> GraphModule:
    """The graph of ``func(*args, **kwargs)``, of which captures in progress see nothing.

    Its inputs are one list of the leaves of *args* and *kwargs*.
    """
    wrapped, flat_args = wrapper_and_args_for_make_fx(func, args, kwargs)
    with disable_proxy_modes_tracing():
        made: GraphModule = make_fx(wrapped, decomposition_table, tracing_mode)(flat_args)
    return made


def is_sym_node(node: Node) -> bool:
    """Whether *node* stands for a number that is computed of sizes."""
    if not hasattr(node, "meta"):
        raise AssertionError("All nodes traced with proxy_tensor should have meta")
    return "val" in node.meta and isinstance(node.meta["val"], py_sym_types)


@contextmanager
def maybe_enable_thunkify() -> Iterator[None]:
    """Inside, symbols of sizes are computed when they are needed: there are none."""
    yield


@contextmanager
def maybe_disable_thunkify() -> Iterator[None]:
    """Inside, symbols of sizes are computed at once: there are none."""
    yield


def wrapper_and_args_for_make_fx(
    func: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Callable[[list[Any]], Any], list[Any]]:
    """A function of one flat list that calls *func*, and that list: recorders take no keywords."""
    flat_args, spec = pytree.tree_flatten((args, kwargs))

    def wrapped(flat_args: list[Any]) -> Any:
        given, named = pytree.tree_unflatten(flat_args, spec)
        return func(*given, **named)

    return wrapped, flat_args


def make_fx(
    f: Callable[..., Any],
    decomposition_table: dict[Any, Callable[..., Any]] | None = None,
    tracing_mode: str = "real",
    _allow_non_fake_inputs: bool = False,
    *,
    pre_dispatch: bool = False,
    record_module_stack: bool = False,
    _allow_fake_constant: bool = False,
    _error_on_data_dependent_ops: bool = True,
    record_stack_traces: bool = False,
    proxy_module_inputs: bool = False,
    _disable_torch_fn_metadata_mode: bool = False,
) -> Callable[..., GraphModule]:
    """A function that runs *f* on its arguments and returns the graph of what was called.

    :param decomposition_table: operator -> function that is called, and traced, in its place.
    :param tracing_mode: ``"real"``: the operators run. ``"fake"``: on tensors without numbers.
        ``"symbolic"``: and sizes are symbols; the graph is for all sizes for which what the
        function asked of them has the same answer.
    :param _allow_non_fake_inputs: with ``"fake"``: let *f* use tensors that are no arguments.
    :param pre_dispatch: write down composite operators, not what they come to.

    :param record_module_stack: of a module *f*: nodes know which modules call them, and where
        (``nn_module_stack`` and ``stack_trace`` in their ``meta``).

    The other parameters say how torch traces symbols of sizes, and what its nodes know of the
    program; they are accepted.

    Raises RuntimeError where *f* reads a number out of a traced tensor.
    """
    if tracing_mode not in ("real", "fake", "symbolic"):
        raise AssertionError(f"tracing_mode must be real/fake/symbolic, got {tracing_mode}")

    @functools.wraps(f if hasattr(f, "__name__") else _nameless)
    def capture(*args: Any) -> GraphModule:
        stack = CallStack(f) if record_module_stack and isinstance(f, nn.Module) else None
        without_numbers: AbstractContextManager[Any] = nullcontext()
        mode: FakeTensorMode | None = None
        if tracing_mode != "real":
            args, mode = _stand_ins(args, _allow_non_fake_inputs, tracing_mode == "symbolic")
            without_numbers = mode
        with without_numbers:
            made = trace(f, args, decomposition_table or {}, pre_dispatch, stack)
        if mode is not None and mode.shape_env is not None:
            made.shape_env = mode.shape_env
        return made

    return capture


def trace(
    f: Callable[..., Any],
    args: tuple[Any, ...],
    decomposition_table: dict[Any, Callable[..., Any]],
    pre_dispatch: bool,
    stack: CallStack | None,
) -> GraphModule:
    """The graph of ``f(*args)``; parameters as those of :func:`make_fx`.

    :param stack: tells of each node where it was called.
    """
    recorder = _Recorder(stack)
    names, defaults = _parameters(f, len(args))
    nested = any(not pytree.tree_is_leaf(a) for a in args)
    _, in_spec = pytree.tree_flatten(args)
    for i, arg in enumerate(args):
        for leaf in pytree.tree_leaves(arg):
            default = defaults[i] if not nested else ...
            label = names[i] if nested else f"{names[i]}_1"
            node = _placeholder(recorder.graph, label, default, nested)
            if isinstance(leaf, (Tensor, *py_sym_types)):
                recorder.track(leaf, node)
            elif is_opaque_reference_type(type(leaf)):
                recorder.objects[id(leaf)] = node
    functions = PreDispatchTorchFunctionMode(recorder.graph) if pre_dispatch else nullcontext()
    with functions, ProxyTorchDispatchMode(recorder, decomposition_table, pre_dispatch):
        outputs = f(*args)
    if nested:
        flat, out_spec = pytree.tree_flatten(outputs)
        recorder.graph.output([recorder.argument(v) for v in flat])
        recorder.graph.set_codegen(
            _PyTreeCodeGen(_PyTreeInfo(names[: len(args)], in_spec, out_spec))
        )
    else:
        recorder.graph.output(recorder.arguments(outputs), _annotation(f))
    recorder.symbols.finish()
    return GraphModule(recorder.root, recorder.graph, _name(f))


def _nameless() -> None: ...


def _annotation(f: Callable[..., Any]) -> Any:
    """What *f* says of its result; None where it takes any number of arguments."""
    code = getattr(inspect.unwrap(f), "__code__", None)
    if code is None or code.co_flags & inspect.CO_VARARGS:
        return None
    return getattr(f, "__annotations__", {}).get("return")


def _stand_ins(
    args: Any, allow_non_fake_inputs: bool, symbolic: bool
) -> tuple[Any, FakeTensorMode]:
    """*args* as fake tensors, and their mode: that of an argument that is one already.

    :param symbolic: make symbols of their sizes, and of whole numbers among them.
    """
    modes = map(maybe_get_fake_mode, pytree.tree_leaves(args))
    mode = next((m for m in modes if m is not None), None)
    if mode is None:
        env = with_sympy(f"{__package__}._shape_env").ShapeEnv() if symbolic else None
        mode = FakeTensorMode(allow_non_fake_inputs=allow_non_fake_inputs, shape_env=env)
    numbers = count()

    def stand_in(value: Any) -> Any:
        if isinstance(value, Tensor) and not isinstance(value, FakeTensor):
            return mode.from_tensor(value, source=Source(f"input{next(numbers)}"))
        if symbolic and type(value) is int:
            source = Source(f"input{next(numbers)}")
            symbol = mode.shape_env.create_symbol(value, source, positive=None)
            return mode.shape_env.create_symintnode(symbol, hint=value, source=source)
        return value

    return pytree.tree_map(stand_in, args), mode


def _placeholder(graph: Graph, label: str, default: Any, nested: bool) -> Node:
    if nested:  # the target is the name that the unpacked leaf gets
        name = graph._graph_namespace.create_name(f"{label}_1", None)
        graph._graph_namespace._used_names.discard(name)
        label = name
    given = inspect.Signature.empty if default is ... else default
    return graph.placeholder(label, default_value=given)


def _parameters(f: Callable[..., Any], n: int) -> tuple[list[str], list[Any]]:
    """The names of *f*'s parameters and their defaults (``...`` for none)."""
    plain = inspect.unwrap(f)
    code = getattr(plain, "__code__", None)
    if code is None or code.co_flags & inspect.CO_VARARGS:
        return [f"arg{i}" for i in range(n)], [...] * n
    parameters = list(inspect.signature(f).parameters.values())
    if len(parameters) != n:
        raise RuntimeError(
            f"Tracing expected {len(parameters)} arguments but got {n} concrete arguments"
        )
    empty = inspect.Parameter.empty
    return [p.name for p in parameters], [
        ... if p.default is empty else p.default for p in parameters
    ]


def _name(f: Any) -> str:
    plain = inspect.unwrap(f)
    code = getattr(plain, "__code__", None)
    if code is None or code.co_flags & inspect.CO_VARARGS:
        return "<lambda>"  # torch gives it parameters by wrapping it in one
    return str(f.__name__)


draw_with(make_fx, ProxyTorchDispatchMode)

_OWN = list(__all__)
offer_listed(globals())
__all__ = _OWN
