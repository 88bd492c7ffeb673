"""Cuts the graph of an exported model at its marks; each part gets the parameters that it uses."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from ... import library
from ..._ops import ops
from ...fx import GraphModule, Node
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


def _move_states(root: GraphModule, model: Module) -> None:
    """Give parameters and buffers to the parts that use them, which took them as arguments."""
    names = _names(model)
    for node in [node for node in root.graph.nodes if node.op == "get_attr"]:
        *path, last = str(node.target).split(".")
        owner = _get_attr_via_attr_list(root, path)
        value = getattr(owner, last)
        if not isinstance(value, Tensor):
            raise AssertionError(f"Expected '{node.target}' to be {Tensor} but got {type(value)}.")
        for user in list(node.users):
            if user.op != "call_module":
                raise AssertionError(f"Expected user.op to be 'call_module', got {user.op}")
            part = root.get_submodule(str(user.target))
            assert isinstance(part, GraphModule)
            place = user.args.index(node)
            inputs = [each for each in part.graph.nodes if each.op == "placeholder"]
            known = names.get(id(value)) or [str(node.target)]
            _take(part, inputs[place], value, known, last in owner._buffers)
            user.args = tuple(arg for arg in user.args if arg is not node)
        root.graph.erase_node(node)
    root._parameters.clear()
    root._buffers.clear()


def _take(
    part: GraphModule, placeholder: Node, value: Tensor, names: list[str], is_buffer: bool
) -> None:
    """Let an input of *part* be an attribute, by the name that the module has which uses it."""
    users = [_path(user) for user in placeholder.users]
    name = max(names, key=lambda name: sum(name.rpartition(".")[0] == path for path in users))
    owner: Module = part
    *path, last = name.split(".")
    for each in path:
        if each not in owner._modules:
            owner.add_module(each, Module())
        owner = owner.get_submodule(each)
    if isinstance(value, Parameter):
        owner.register_parameter(last, value)
    elif is_buffer:
        owner.register_buffer(last, value)
    else:
        setattr(owner, last, value)
    with part.graph.inserting_before(placeholder):
        state = part.graph.get_attr(name)
    state.meta = dict(placeholder.meta)
    placeholder.replace_all_uses_with(state)
    part.graph.erase_node(placeholder)


def _path(node: Node) -> str:
    """The module that a node was called in."""
    stack = list(node.meta.get("nn_module_stack", {}).values())
    return str(stack[-1][0]) if stack else ""
