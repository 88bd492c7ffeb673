"""Parts of a graph that need no input are computed once."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from mindtorch_storage.device import CUDA

from ... import nn
from ...aten import torch
from .._symbolic_trace import symbolic_trace
from ..graph import Graph
from ..graph_module import GraphModule, _copy_attr
from ..node import Node
from ..passes.split_module import split_module

__all__ = ["FoldedGraphModule", "get_unique_attr_name_in_module", "split_const_subgraphs"]


class FoldedGraphModule(GraphModule):
    """A module with a graph of its constants, which runs at the first call."""

    def __init__(
        self,
        root: nn.Module,
        graph: Graph,
        const_subgraph: Graph | None = None,
        fx_const_folded_attrs_name: str | None = None,
        device_for_folded_attrs: str = CUDA,
    ) -> None:
        super().__init__(root, graph)
        self.const_subgraph_module = (
            None if const_subgraph is None else GraphModule(root, const_subgraph)
        )
        self.has_folding_been_run = False
        self.fx_const_folded_attrs_name = fx_const_folded_attrs_name
        self.device_for_folded_attrs = device_for_folded_attrs

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not self.has_folding_been_run:
            self.run_folding()
        return super().__call__(*args)

    def run_folding(self) -> None:
        """Compute the constants, unless there are none."""
        if self.const_subgraph_module is None or self.fx_const_folded_attrs_name is None:
            return
        assert not self.has_folding_been_run
        self.has_folding_been_run = True
        folded = self.const_subgraph_module()

        def parameter(value: Any) -> Any:
            if not isinstance(value, torch.Tensor):
                value = torch.tensor(value)
            value = value.to(self.device_for_folded_attrs)
            given = (
                value
                if isinstance(value, nn.Parameter)
                else nn.Parameter(value, requires_grad=value.requires_grad)
            )
            return given

        made = (
            nn.ParameterList([parameter(v) for v in folded])
            if isinstance(folded, tuple)
            else parameter(folded)
        )
        setattr(self, self.fx_const_folded_attrs_name, made)


def _inline_module(gm: GraphModule, inline_mod_name: str, run_dce: bool = True) -> dict[Node, Node]:
    """Put the nodes of a submodule in the place of its call."""
    inner: Any = dict(gm.named_modules())[inline_mod_name]
    assert isinstance(inner, GraphModule)
    call = next(n for n in gm.graph.nodes if n.op == "call_module" and n.target == inline_mod_name)
    given = iter(call.args)
    mapping: dict[Node, Any] = {}

    def replaced(n: Node) -> Any:
        return mapping[n]

    for node in inner.graph.nodes:
        if node.op == "placeholder":
            mapping[node] = call.kwargs[node.name] if node.name in call.kwargs else next(given)
        elif node.op == "output":
            outputs = node.args[0]
            if isinstance(outputs, Node):
                call.replace_all_uses_with(mapping[outputs])
            else:
                for user in list(call.users):
                    user.replace_all_uses_with(mapping[outputs[user.args[1]]])
                    gm.graph.erase_node(user)
        else:
            with gm.graph.inserting_before(call):
                mapping[node] = gm.graph.node_copy(node, replaced)
    if run_dce:
        gm.graph.eliminate_dead_code()
    elif not call.users:
        gm.graph.erase_node(call)
    return mapping


def get_unique_attr_name_in_module(mod_traced: GraphModule, name: str) -> str:
    """A name like *name* that no attribute of the module has."""
    name = re.sub(r"\W+", "_", name, flags=re.ASCII)
    name = f"_{name}" if name[0].isdigit() else name
    while hasattr(mod_traced, name):
        stem, _, number = name.rpartition("_")
        name = f"{stem}_{int(number) + 1}" if number.isdecimal() else f"{name}_1"
    return name


def split_const_subgraphs(
    module: Any,
    skip_folding_node_fn: Callable[[Node], bool] | None = None,
    device_for_folded_attrs: str = "cpu",
) -> FoldedGraphModule:
    """The module with what needs no input taken out, to be computed at the first call.

    :param skip_folding_node_fn: nodes of which it says yes stay.
    """
    traced = module if isinstance(module, GraphModule) else symbolic_trace(module)
    const: set[Node] = set()
    found = False
    for node in traced.graph.nodes:
        if node.op in ("placeholder", "output"):
            continue
        if node.op != "get_attr" and not set(node.all_input_nodes) <= const:
            continue
        if skip_folding_node_fn and skip_folding_node_fn(node):
            continue
        if node.is_impure():
            continue
        const.add(node)
        found = found or node.op != "get_attr"
    if not found:
        return FoldedGraphModule(traced, traced.graph)
    split = split_module(traced, module, lambda node: 0 if node in const else 1)
    const_name, rest_name = "submod_0", "submod_1"
    const_gm: Any = getattr(split, const_name)
    for node in split.graph.nodes:  # what both read is read inside the constants
        if node.op == "call_module" and node.target == const_name:
            for inner, given in zip(
                [n for n in const_gm.graph.nodes if n.op == "placeholder"], node.args, strict=True
            ):
                with const_gm.graph.inserting_before(inner):
                    read = const_gm.graph.get_attr(given.target)
                _copy_attr(split, const_gm, given.target)
                read.meta = given.meta.copy()
                inner.replace_all_uses_with(read)
                const_gm.graph.erase_node(inner)
            node.args = ()
    name = get_unique_attr_name_in_module(split, "_FX_CONST_FOLDED_ATTRS")
    setattr(
        split,
        name,
        nn.ParameterList()
        if isinstance(const_gm.graph.output_node().args[0], tuple)
        else nn.Parameter(torch.randn(1)),
    )
    for node in split.graph.nodes:
        if node.op == "call_module" and node.target == const_name:
            with split.graph.inserting_before(node):
                folded = split.graph.get_attr(name)
            folded.meta = const_gm.graph.output_node().meta.copy()
            node.replace_all_uses_with(folded)
            split.graph.erase_node(node)
            break
    if hasattr(split, rest_name):
        _inline_module(split, rest_name)
    return FoldedGraphModule(split, split.graph, const_gm.graph, name, device_for_folded_attrs)
