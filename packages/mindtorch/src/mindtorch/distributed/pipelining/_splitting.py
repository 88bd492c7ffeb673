"""Cuts the graph of an exported model at its marks; each part gets the parameters that it uses."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, NamedTuple

from ... import library
from ..._ops import ops
from ...export._modules_of_program import ModulesOfGraph
from ...export.unflatten import InterpreterModule
from ...fx import Graph, GraphModule, Node
from ...fx._attributes import _get_attr_via_attr_list
from ...fx.node import _side_effectful_functions
from ...fx.passes.split_module import split_module
from ...nn import Module, Parameter
from ...tensor import Tensor

__all__ = ["PP_SUBMOD_PREFIX", "aten_pipe_split_alias", "get_submod_name", "split"]

PP_SUBMOD_PREFIX = "submod_pp"

# An operator, so that a trace has it; it does something, so that nobody drops it.
library.define("pippy::_pipe_split", "() -> ()")


def _pipe_split() -> None:
    return None


library.impl("pippy::_pipe_split", "BackendSelect", _pipe_split)
library.register_fake("pippy::_pipe_split", _pipe_split)
aten_pipe_split_alias = ops.pippy._pipe_split.default
_side_effectful_functions.add(aten_pipe_split_alias)


def get_submod_name(stage_idx: int) -> str:
    """What the module of a stage is called."""
    return f"{PP_SUBMOD_PREFIX}_{stage_idx}"


def _is_mark(node: Node) -> bool:
    return node.op == "call_function" and node.target is aten_pipe_split_alias


def split(traced: GraphModule, model: Module) -> GraphModule:
    """Cut the graph of a model: a graph that calls a module for each part.

    :param model: the model that was traced, which says by what names a parameter goes.

    Raises AssertionError for a state that is no tensor.
    """
    seen: dict[Any, Node] = {}
    for node in list(traced.graph.nodes):
        if node.op == "get_attr":
            first = seen.setdefault(node.target, node)
            if first is not node:
                node.replace_all_uses_with(first)
                traced.graph.erase_node(node)
    traced.recompile()
    marks = 0

    def part(node: Node) -> int:
        nonlocal marks
        marks += _is_mark(node)
        return marks

    made = split_module(traced, model, part, partition_affix="pp")
    made.graph.eliminate_dead_code()
    for module in made.modules():
        if isinstance(module, GraphModule) and module is not made:
            for node in [node for node in module.graph.nodes if _is_mark(node)]:
                module.graph.erase_node(node)
    _move_states(made, model)
    made.delete_all_unused_submodules()
    for module in made.modules():
        if isinstance(module, GraphModule):
            module.graph.lint()
            module.recompile()
    return made


def _names(model: Module) -> dict[int, list[str]]:
    """All names of each parameter and buffer."""
    found: dict[int, list[str]] = defaultdict(list)
    states = [*model.named_parameters(remove_duplicate=False)]
    for name, tensor in [*states, *model.named_buffers(remove_duplicate=False)]:
        found[id(tensor)].append(name)
    return found


class _State(NamedTuple):
    """A parameter or buffer of a part."""

    value: Tensor
    names: list[str]
    is_buffer: bool


def _move_states(root: GraphModule, model: Module) -> None:
    """Give parameters and buffers to the parts that use them, which took them as arguments."""
    names = _names(model)
    states: dict[str, dict[Node, _State]] = defaultdict(dict)
    for node in [node for node in root.graph.nodes if node.op == "get_attr"]:
        *path, last = str(node.target).split(".")
        owner = _get_attr_via_attr_list(root, path)
        value = getattr(owner, last)
        if not isinstance(value, Tensor):
            raise AssertionError(f"Expected '{node.target}' to be {Tensor} but got {type(value)}.")
        state = _State(value, names.get(id(value)) or [str(node.target)], last in owner._buffers)
        for user in list(node.users):
            if user.op != "call_module":
                raise AssertionError(f"Expected user.op to be 'call_module', got {user.op}")
            states[str(user.target)][_input(root, user, node)] = state
    for node in [node for node in root.graph.nodes if node.op == "call_module"]:
        name = str(node.target)
        part = root.get_submodule(name)
        inputs = [each for each in part.graph.nodes if each.op == "placeholder"]
        node.args = tuple(
            arg for arg, each in zip(node.args, inputs, strict=True) if each not in states[name]
        )
        root.add_module(name, _in_modules(part, states[name]))
    for node in [node for node in root.graph.nodes if node.op == "get_attr"]:
        root.graph.erase_node(node)
    root._parameters.clear()
    root._buffers.clear()


def _input(root: GraphModule, call: Node, node: Node) -> Node:
    """The placeholder of the part that is called which stands for *node*."""
    part: Any = root.get_submodule(str(call.target))
    inputs = [each for each in part.graph.nodes if each.op == "placeholder"]
    return inputs[call.args.index(node)]


def _in_modules(part: Any, states: dict[Node, _State]) -> GraphModule:
    """A part as modules that call each other, as they did in the model, with their states."""
    named = {node: _by_use(node, state.names) for node, state in states.items()}
    graphs = ModulesOfGraph(part, named)
    root: Any = Module()
    root.graph = Graph()
    graphs.build(root, InterpreterModule)
    by_name = {name: state for state in states.values() for name in state.names}
    order = list(by_name)
    for name, attribute in sorted(graphs.uses(), key=lambda use: order.index(use[0])):
        owner: Module = root
        *path, last = attribute.split(".")
        for each in path:
            if each not in owner._modules:
                owner.add_module(each, Module())
            owner = owner.get_submodule(each)
        state = by_name[name]
        if isinstance(state.value, Parameter):
            owner.register_parameter(last, state.value)
        elif state.is_buffer:
            owner.register_buffer(last, state.value)
        else:
            setattr(owner, last, state.value)
    for module in root.modules():
        if isinstance(module, InterpreterModule) and len(module.graph.nodes):
            module.finalize()
    made = GraphModule(root, root.graph)
    for own in (made._parameters, made._buffers):  # in the model's order, as optimizers see them
        for name in [name for name in order if name in own]:
            own[name] = own.pop(name)
    return made


def _by_use(node: Node, names: list[str]) -> list[str]:
    """The names of a state, first that of the module that uses it."""
    users = [_path(user) for user in node.users]
    return sorted(names, key=lambda name: -users.count(name.rpartition(".")[0]))


def _path(node: Node) -> str:
    """The module that a node was called in."""
    stack = list(node.meta.get("nn_module_stack", {}).values())
    return str(stack[-1][0]) if stack else ""
