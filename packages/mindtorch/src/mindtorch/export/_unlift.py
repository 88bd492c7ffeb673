"""``torch.export._unlift``: from a graph that takes its parameters as arguments to a module."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .._ops import ops
from ..fx import Graph, GraphModule, Node
from ..fx.codegen import _PyTreeCodeGen, _PyTreeInfo
from ..nn import Module, Parameter
from ..tensor import Tensor
from ..utils._pytree import (
    TreeSpec,
    keystr,
    tree_flatten,
    tree_leaves_with_path,
    tree_unflatten,
)
from ._input_guards import GuardsFn, expected_of, guards_of
from .graph_signature import InputKind, OutputKind

__all__ = ["check_values", "flat_inputs", "in_order", "unlift"]


def flat_inputs(names: list[str], args: Any, kwargs: Any) -> list[tuple[str, tuple[Any, ...], Any]]:
    """The leaves of arguments: the parameter, the path below it, and the value.

    :param names: the parameters that *args* are for; those of *kwargs* follow.
    """
    return [
        (name, path, leaf)
        for name, value in zip((*names, *kwargs), (*args, *kwargs.values()), strict=True)
        for path, leaf in tree_leaves_with_path(value)
    ]


def in_order(in_spec: TreeSpec, kwargs: dict[str, Any]) -> dict[str, Any]:
    """Arguments by keyword in the order of *in_spec*. Raises ValueError for other keywords."""
    expected = in_spec.children()[1].context
    if set(kwargs) != set(expected):
        raise ValueError(
            f"Ran into a kwarg keyword mismatch: Got the following keywords {list(kwargs)} "
            f"but expected {list(expected)}"
        )
    return {name: kwargs[name] for name in expected}


def check_values(placeholders: list[Node], in_spec: TreeSpec, flat: list[Any]) -> None:
    """Raise RuntimeError for arguments that a program was not exported for.

    Source: torch/_export/utils.py, _check_input_constraints_for_graph.
    """
    paths = [path for path, _ in tree_leaves_with_path(tree_unflatten(flat, in_spec))]
    for node, path, given in zip(placeholders, paths, flat, strict=True):
        value = node.meta.get("val")
        sizes = expected_of(node) if isinstance(value, Tensor) else node.meta.get("sizes")
        where = f"Expected input at {_place_of(path)}"
        if sizes is None:
            if "val" in node.meta and (type(given) is not type(value) or given != value):
                raise RuntimeError(f"{where} to be equal to {value}, but got {given}")
            continue
        if not isinstance(given, Tensor):
            raise RuntimeError(f"{where} to be a tensor, but got {type(given)}")
        if given.dim() != len(sizes):
            wanted = value.shape if isinstance(value, Tensor) else list(sizes)
            raise RuntimeError(
                f"Unexpected number of dimensions in input at {_place_of(path)}.shape "
                f"(expected {wanted}, got {given.shape})"
            )
        for dim, (size, got) in enumerate(zip(sizes, given.shape, strict=True)):
            if isinstance(size, int) and size != got:
                raise RuntimeError(
                    f"{where}.shape[{dim}] to be equal to {size}, but got {got}. If you meant for "
                    "this dimension to be dynamic, please re-export and specify dynamic_shapes "
                    "(e.g. with Dim.DYNAMIC)"
                )


def _place_of(path: tuple[Any, ...]) -> str:
    if path[0].idx == 0:
        return f"*args{keystr(path[1:])}"
    return f"{str(path[1])[1:-1]}{keystr(path[2:])}"


def _check_structure(in_spec: Any) -> Callable[..., Any]:
    """A hook that refuses arguments which are nested otherwise, and puts keywords in order."""

    def check(module: Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        kwargs = in_order(in_spec, kwargs)
        received = tree_flatten((args, kwargs))[1]
        if received != in_spec:
            raise ValueError(
                f"Trying to flatten user inputs with exported input tree spec: \n{in_spec}\n"
                f"but actually got inputs with tree spec of: \n{received}.\n"
                "Please check that the inputs have the same number and type of args and kwargs as "
                "the ones you used when tracing."
            )
        return args, kwargs

    return check


def unlift(program: Any, check_guards: bool) -> GraphModule:
    """The module of an :class:`~torch.export.ExportedProgram`, which shares its tensors."""
    call = program.module_call_graph[0].signature
    root = Module()
    graph = Graph()
    made: dict[Node, Node] = {}
    specs = iter(program.graph_signature.input_specs)
    nodes = list(program.graph.nodes)
    placeholders = [node for node in nodes if node.op == "placeholder"]
    for node in placeholders:
        spec = next(specs)
        if spec.kind is InputKind.USER_INPUT:
            made[node] = graph.node_copy(node)
        else:
            _assign(root, spec.target, _tensor(program, spec))
            made[node] = graph.get_attr(spec.target)
            made[node].meta = dict(node.meta)
    if check_guards and program.example_inputs is not None:
        users = [node for node in placeholders if made[node].op == "placeholder"]
        names = _names_of_inputs(program, call.forward_arg_names)
        guards = guards_of(users, names, program.range_constraints, program._guards_code)
        root.add_module("_guards_fn", GuardsFn(guards))
        given = [made[node] for node in users]
        graph.call_module("_guards_fn", tuple(given))
    for node in nodes:
        if node.op == "get_attr":  # of a part that is a graph
            root.add_module(node.target, getattr(program.graph_module, node.target))
        if node.op == "output":
            graph.output(tuple(_written_back(program, node, graph, made)))
        elif node.op != "placeholder":
            made[node] = graph.node_copy(node, made.__getitem__)
    graph.set_codegen(
        _PyTreeCodeGen(_PyTreeInfo(call.forward_arg_names, call.in_spec, call.out_spec))
    )
    module = GraphModule(root, graph, "GraphModule")
    for spec in program.graph_signature.input_specs:
        if spec.kind is InputKind.CONSTANT_TENSOR or spec.persistent is False:
            _let_go(module, spec.target, spec.kind is InputKind.BUFFER)
    module.register_forward_pre_hook(_check_structure(call.in_spec), with_kwargs=True)
    return module


def _written_back(
    program: Any, output: Node, graph: Graph, made: dict[Node, Node]
) -> Iterator[Any]:
    """The user's results; the others are copied into the tensors that they are new values of."""
    inputs = {
        spec.target or spec.arg.name: spec.arg.name for spec in program.graph_signature.input_specs
    }
    nodes = {node.name: new for node, new in made.items() if node.op == "placeholder"}
    for value, spec in zip(output.args[0], program.graph_signature.output_specs, strict=True):
        new = made[value] if isinstance(value, Node) else value
        if spec.kind is OutputKind.USER_OUTPUT:
            yield new
        else:
            target = nodes[inputs[spec.target]]
            graph.call_function(ops.aten.copy_.default, (target, new), name="copy__default")


def _names_of_inputs(program: Any, names: list[str]) -> list[str]:
    args, kwargs = program.example_inputs
    found = flat_inputs(names[: len(args)], args, kwargs)
    return [name + keystr(path) for name, path, _ in found]


def _tensor(program: Any, spec: Any) -> Any:
    states, constants = program.state_dict, program.constants
    return states[spec.target] if spec.target in states else constants[spec.target]


def _assign(root: Module, name: str, value: Any) -> None:
    """Let *value* be ``root.<name>``, which modules that are made for it lead to."""
    *path, last = name.split(".")
    for part in path:
        if part not in root._modules:
            root.add_module(part, Module())
        root = root.get_submodule(part)
    if isinstance(value, Parameter):
        root.register_parameter(last, value)
    else:
        root.register_buffer(last, value)


def _let_go(module: Module, name: str, is_buffer: bool) -> None:
    """Keep a tensor of *module* out of its state dict; one that is no buffer is an attribute."""
    path, _, last = name.rpartition(".")
    owner = module.get_submodule(path)
    if is_buffer:
        owner._non_persistent_buffers_set.add(last)
    else:
        value = owner._buffers.pop(last)
        setattr(owner, last, value)
