"""``torch._export.utils``: what belongs to the nodes of an exported program, and lists of nodes."""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Callable, Iterable
from typing import Any

from .._subclasses.tracing_context import detect_fake_mode
from ..fx.graph_module import GraphModule
from ..fx.node import Node
from ..fx.passes.split_module import split_module
from ..tensor import Tensor
from ..utils._pytree import MappingKey, SequenceKey, _register_pytree_node, keystr

__all__ = [
    "get_buffer", "get_keystr", "get_lifted_tensor_constant", "get_param", "is_buffer",
    "is_lifted_tensor_constant", "is_param", "node_inline_", "node_replace_", "nodes_count",
    "nodes_filter", "nodes_first", "nodes_map", "register_dataclass_as_pytree_node",
    "remove_proxy_from_state_dict", "sequential_split",
]  # fmt: skip

# What an input of the graph stands for ------------------------------------------------------------


def is_param(program: Any, node: Node) -> bool:
    """Whether the node is a parameter of the program."""
    return node.name in program.graph_signature.inputs_to_parameters


def get_param(program: Any, node: Node) -> Any:
    """The parameter that the node is; None if it is none."""
    name = program.graph_signature.inputs_to_parameters.get(node.name)
    return None if name is None else program.state_dict[name]


def is_buffer(program: Any, node: Node) -> bool:
    """Whether the node is a buffer of the program."""
    return node.name in program.graph_signature.inputs_to_buffers


def get_buffer(program: Any, node: Node) -> Any:
    """The buffer that the node is; None if it is none."""
    name = program.graph_signature.inputs_to_buffers.get(node.name)
    if name is None:
        return None
    kept = name not in program.graph_signature.non_persistent_buffers
    return (program.state_dict if kept else program.constants)[name]


def is_lifted_tensor_constant(program: Any, node: Node) -> bool:
    """Whether the node is a constant tensor of the program."""
    return node.name in program.graph_signature.inputs_to_lifted_tensor_constants


def get_lifted_tensor_constant(program: Any, node: Node) -> Any:
    """The constant tensor that the node is; None if it is none."""
    name = program.graph_signature.inputs_to_lifted_tensor_constants.get(node.name)
    return None if name is None else program.constants[name]


def get_keystr(key_path: Any) -> str:
    """How a program writes the argument at a place of ``(args, kwargs)``."""
    first, *rest = key_path
    if not isinstance(first, SequenceKey):
        raise AssertionError(f"expected SequenceKey, got {type(first).__name__}")
    if first.idx == 0:
        return f"*args{keystr(tuple(rest))}"
    return f"{str(rest[0])[1:-1]}{keystr(tuple(rest[1:]))}"


def remove_proxy_from_state_dict(state_dict: dict[str, Any], in_place: bool) -> dict[str, Any]:
    """The state without what a trace left at its tensors."""
    if in_place:
        for value in state_dict.values():
            if hasattr(value, "proxy"):
                delattr(value, "proxy")
        return state_dict
    return {
        name: value.detach().clone() if hasattr(value, "proxy") else value
        for name, value in state_dict.items()
    }


def _detect_fake_mode_from_gm(gm: GraphModule) -> Any:
    """The mode of the fake tensors that the graph's nodes have; None if there is none."""
    inputs: list[Any] = []
    others: list[Any] = []
    for node in gm.graph.nodes:
        if node.op == "placeholder" and "val" in node.meta:
            inputs.append(node.meta["val"])
        elif not inputs:
            others.append(node.meta.get("example_value", node.meta.get("val")))
    return detect_fake_mode([v for v in inputs + others if isinstance(v, Tensor)])


def register_dataclass_as_pytree_node(
    cls: type[Any],
    flatten_fn: Callable[[Any], tuple[list[Any], Any]] | None = None,
    unflatten_fn: Callable[[Iterable[Any], Any], Any] | None = None,
    *,
    serialized_type_name: str | None = None,
    to_dumpable_context: Callable[[Any], Any] | None = None,
    from_dumpable_context: Callable[[Any], Any] | None = None,
    return_none_fields: bool = False,
) -> None:
    """Make the fields of a dataclass nodes of trees; those that are None only if asked for."""
    if not dataclasses.is_dataclass(cls):
        raise AssertionError(f"Only dataclasses can be registered with this function: {cls}")
    if (to_dumpable_context is None) ^ (from_dumpable_context is None):
        raise ValueError(
            f"Both to_dumpable_context and from_dumpable_context for {cls} must be None or "
            "registered."
        )

    def flatten(obj: Any) -> tuple[list[Any], Any]:
        values = {field.name: getattr(obj, field.name) for field in dataclasses.fields(obj)}
        given = {k: v for k, v in values.items() if v is not None or return_none_fields}
        return [*given.values()], [[*given], [k for k in values if k not in given]]

    def unflatten(values: Iterable[Any], context: Any) -> Any:
        names, empty = context
        return cls(**dict(zip(names, values, strict=False)), **dict.fromkeys(empty))

    into = flatten_fn or flatten

    def flatten_with_keys(obj: Any) -> Any:
        values, (names, _) = into(obj)
        return [(MappingKey(k), v) for k, v in zip(names, values, strict=False)], names

    _register_pytree_node(
        cls,
        into,
        unflatten_fn or unflatten,
        serialized_type_name=serialized_type_name,
        flatten_with_keys_fn=flatten_with_keys,
        to_dumpable_context=to_dumpable_context,
        from_dumpable_context=from_dumpable_context,
    )


# Lists of nodes -----------------------------------------------------------------------------------


def nodes_filter(nodes: list[Node], node_call_back: Callable[[Node], Any]) -> list[Node]:
    """The nodes for which the function is true."""
    return [node for node in nodes if node_call_back(node)]


def nodes_first(
    nodes: list[Node], node_call_back: Callable[[Node], Any] | None = None
) -> Node | None:
    """The first node for which the function is true; the first of all without one."""
    return next((n for n in nodes if node_call_back is None or node_call_back(n)), None)


def nodes_count(nodes: list[Node], node_call_back: Callable[[Node], Any]) -> int:
    """For how many nodes the function is true."""
    return len(nodes_filter(nodes, node_call_back))


def nodes_map(nodes: list[Node], node_call_back: Callable[[Node], Any]) -> list[Node]:
    """Call the function with each node; the nodes."""
    for node in nodes:
        node_call_back(node)
    return nodes


def node_replace_(old_node: Node, new_node: Node) -> None:
    """Put one node in the place of another, which is erased."""
    old_node.replace_all_uses_with(new_node)
    old_node.users.clear()
    old_node.graph.erase_node(old_node)


def sequential_split(gm: GraphModule, node_call_back: Callable[[Node], Any]) -> GraphModule:
    """A module of submodules: a new one begins with each node for which the function is true."""
    part = 0
    parts: dict[Node, int] = {}
    for node in gm.graph.nodes:
        part += bool(node_call_back(node))
        parts[node] = part
    made = split_module(
        gm, gm, parts.__getitem__, keep_original_order=True, keep_original_node_name=True
    )
    made.graph._codegen = gm.graph._codegen
    made.recompile()
    return made


def node_inline_(call_mod_node: Node) -> GraphModule:
    """Put the nodes of a submodule in the place of its call; its inputs must be nodes."""
    if call_mod_node.op != "call_module":
        raise AssertionError(f"expected call_module op, got {call_mod_node.op}")
    gm = call_mod_node.graph.owning_module
    if gm is None:
        raise AssertionError("owning_module should not be None")
    sub = getattr(gm, call_mod_node.target)
    nodes = list(sub.graph.nodes)
    inputs = nodes_filter(nodes, lambda n: n.op == "placeholder")
    for placeholder, given in zip(inputs, call_mod_node.args, strict=False):
        if not isinstance(given, Node):
            raise AssertionError(f"expected fx.Node, got {type(given)}")
        node_replace_(placeholder, given)
    with gm.graph.inserting_before(call_mod_node):
        for node in nodes:
            if node.op in ("placeholder", "output"):
                continue
            copied = gm.graph.node_copy(node)
            if node.op == "get_attr":
                copied.target = _free_name(gm, node.target)
                setattr(gm, copied.target, getattr(sub, node.target))
            node_replace_(node, copied)
    outputs = nodes_filter(nodes, lambda n: n.op == "output")
    _give_out(call_mod_node, outputs)
    gm.delete_all_unused_submodules()
    gm.recompile()
    return gm


def _free_name(gm: GraphModule, name: str) -> str:
    """*name*, or ``submod_1``, ``submod_2`` … where the module has that already."""
    number = 0
    while hasattr(gm, name):
        number += 1
        name = f"submod_{number}"
    return name


def _give_out(call: Node, outputs: list[Node]) -> None:
    """Let those who used a call of a submodule use what the submodule's output was."""
    if not outputs:
        call.graph.erase_node(call)
        return
    given = outputs[0].args[0]
    if isinstance(given, Node):
        given.users.clear()
        node_replace_(call, given)
        return
    if not isinstance(given, (list, tuple)):
        raise NotImplementedError(
            f"Unsupported output type {type(given)}. Expect it to be a Node or a list/tuple of "
            "Nodes."
        )
    for node in given:
        node.users.pop(outputs[0])
    for user in list(call.users):
        if user.op == "call_function" and user.target is operator.getitem:
            node_replace_(user, given[user.args[1]])
    call.graph.erase_node(call)
