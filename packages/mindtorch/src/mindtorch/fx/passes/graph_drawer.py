"""Graphs as pictures, through the package pydot."""

from __future__ import annotations

import hashlib
import itertools
import operator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ...core.pickling import torch_module
from ...nn import Module
from ...tensor import Tensor
from .._compatibility import compatibility
from ..graph import _parse_stack_trace
from ..graph_module import GraphModule
from ..node import Node, _format_arg, _get_qualified_name
from ..operator_schemas import normalize_function
from .shape_prop import TensorMetadata

__all__ = ["FxGraphDrawer"]

pydot: Any = None
if find_spec("pydot") is not None:  # it need not be installed
    pydot = import_module("pydot")
HAS_PYDOT = pydot is not None

_COLOR_MAP = {
    "placeholder": '"AliceBlue"',
    "call_module": "LemonChiffon1",
    "get_param": "Yellow2",
    "get_attr": "LightGrey",
    "output": "PowderBlue",
}
_HASH_COLOR_MAP = (
    "CadetBlue1 Coral DarkOliveGreen1 DarkSeaGreen1 GhostWhite Khaki1 LavenderBlush1 LightSkyBlue "
    "MistyRose1 MistyRose2 PaleTurquoise2 PeachPuff1 Salmon Thistle1 Thistle3 Wheat1"
).split()
_WEIGHT_TEMPLATE = {
    "fillcolor": "Salmon",
    "style": '"filled,rounded"',
    "fontcolor": "#000000",
}
#: How graphviz writes the end of a line.
_LINE = r"\n"


@compatibility(is_backward_compatible=False)
class FxGraphDrawer:
    """Draws a module's graph, and those of the graph modules that it calls.

    :param ignore_getattr: leave out nodes that read attributes.
    :param ignore_parameters_and_buffers: leave out the tensors of submodules.
    :param skip_node_names_in_args: leave out arguments that are nodes: edges show them.
    :param parse_stack_trace: show where in the program a node was made.
    :param dot_graph_shape: the shape of nodes in graphviz.
    :param normalize_args: show arguments by the names of their parameters.

    Raises RuntimeError where pydot is not installed.
    """

    def __init__(
        self,
        graph_module: GraphModule,
        name: str,
        ignore_getattr: bool = False,
        ignore_parameters_and_buffers: bool = False,
        skip_node_names_in_args: bool = True,
        parse_stack_trace: bool = False,
        dot_graph_shape: str | None = None,
        normalize_args: bool = False,
    ) -> None:
        if pydot is None:
            raise RuntimeError(
                "FXGraphDrawer requires the pydot package to be installed. Please install pydot "
                "through your favorite Python package manager."
            )
        self._name = name
        self.dot_graph_shape = "record" if dot_graph_shape is None else dot_graph_shape
        self.normalize_args = normalize_args
        settings = (
            ignore_getattr,
            ignore_parameters_and_buffers,
            skip_node_names_in_args,
            parse_stack_trace,
        )
        self._dot_graphs = {name: self._to_dot(graph_module, name, *settings)}
        for node in graph_module.graph.nodes:
            called = self._get_leaf_node(graph_module, node) if node.op == "call_module" else None
            if isinstance(called, GraphModule):
                inner = f"{name}_{node.target}"
                self._dot_graphs[inner] = self._to_dot(called, inner, *settings)

    def get_dot_graph(self, submod_name: str | None = None) -> Any:
        """The drawing of the graph, or of that of a submodule, as pydot has it."""
        if submod_name is None:
            return self.get_main_dot_graph()
        return self.get_submod_dot_graph(submod_name)

    def get_main_dot_graph(self) -> Any:
        """The drawing of the graph."""
        return self._dot_graphs[self._name]

    def get_submod_dot_graph(self, submod_name: str) -> Any:
        """The drawing of a submodule's graph."""
        return self._dot_graphs[f"{self._name}_{submod_name}"]

    def get_all_dot_graphs(self) -> dict[str, Any]:
        """All drawings by name."""
        return self._dot_graphs

    def _get_node_style(self, node: Node) -> dict[str, str]:
        """How a node looks: its colour is that of its kind, or of what is called."""
        color = _COLOR_MAP.get(node.op)
        if color is None:
            called = node._pretty_print_target(node.target).encode()
            number = int(hashlib.md5(called, usedforsecurity=False).hexdigest()[:8], 16)
            color = _HASH_COLOR_MAP[number % len(_HASH_COLOR_MAP)]
        return {"shape": self.dot_graph_shape, **_WEIGHT_TEMPLATE, "fillcolor": color}

    def _get_leaf_node(self, module: Module, node: Node) -> Any:
        """The submodule that a node calls."""
        return operator.attrgetter(str(node.target))(module)

    def _typename(self, target: Any) -> str:
        """What is called, as text."""
        if isinstance(target, Module):
            kind = type(target)
            return f"{torch_module(kind.__module__)}.{kind.__qualname__}"
        return target if isinstance(target, str) else _get_qualified_name(target)

    def _shorten_file_name(self, full_file_name: str, truncate_to_last_n: int = 2) -> str:
        """The last parts of a path."""
        return "/".join(full_file_name.split("/")[-truncate_to_last_n:])

    def _get_node_label(
        self,
        module: GraphModule,
        node: Node,
        skip_node_names_in_args: bool,
        parse_stack_trace: bool,
    ) -> str:
        """What is written in a node."""
        label = f"{{name=%{node.name}|op_code={node.op}{_LINE}"
        if node.op == "call_module":
            called = self._get_leaf_node(module, node)
            names = [name for name in getattr(called, "__constants__", ()) if hasattr(called, name)]
            facts = _LINE.join(f"{name}: {getattr(called, name)}" for name in names)
            label += f"{_LINE}{self._typename(called)}{_LINE}|{facts}{_LINE}"
        else:
            label += f"|target={self._typename(node.target)}{_LINE}"
            args, kwargs = self._arguments(node)
            label += _listed("args=(", ")", list(args), skip_node_names_in_args)
            named = [f"{key}: {value}" for key, value in kwargs.items()]
            label += _listed(r"kwargs=\{", r"\}", named, skip_node_names_in_args)
            label += f"|num_users={len(node.users)}{_LINE}"
        label += self._tensor_meta_to_label(node.meta.get("tensor_meta"))
        place = (
            _parse_stack_trace(node.stack_trace) if parse_stack_trace and node.stack_trace else None
        )
        if place is not None:
            file = self._shorten_file_name(place.file)
            where = f"{file}:{place.lineno} {place.code}".replace("{", r"\{").replace("}", r"\}")
            label += f"|file={where}{_LINE}"
        return label + "}"

    def _arguments(self, node: Node) -> tuple[Any, dict[str, str]]:
        """The arguments of a node as texts."""
        args, kwargs = node.args, dict(node.kwargs)
        if self.normalize_args and node.op == "call_function":
            found = normalize_function(
                node.target,
                args,
                kwargs,
                normalize_to_only_use_kwargs=True,
            )
            if found is not None:
                args, kwargs = found.args, found.kwargs
        return (
            tuple(_format_arg(arg, max_list_len=8) for arg in args),
            {key: _format_arg(value, max_list_len=8) for key, value in kwargs.items()},
        )

    def _tensor_meta_to_label(self, tm: object) -> str:
        """What is known of a node's result. Raises RuntimeError for what is no tensor."""
        if tm is None or isinstance(tm, TensorMetadata):
            return "" if tm is None else self._stringify_tensor_meta(tm)
        if isinstance(tm, dict):
            return "".join(f"{k}{self._tensor_meta_to_label(v)}" for k, v in tm.items())
        if isinstance(tm, (list, tuple)):
            return "".join(map(self._tensor_meta_to_label, tm))
        raise RuntimeError(f"Unsupported tensor meta type {type(tm)}")

    def _stringify_tensor_meta(self, tm: TensorMetadata) -> str:
        """What is known of a tensor, a line each."""
        facts = {
            "dtype": tm.dtype,
            "shape": tuple(tm.shape),
            "requires_grad": tm.requires_grad,
            "stride": tm.stride,
        }
        return "".join(f"|{name}={fact}{_LINE}" for name, fact in facts.items())

    def _get_tensor_label(self, t: Tensor) -> str:
        """Dtype and shape."""
        return f"{t.dtype}{list(t.shape)}{_LINE}"

    def _to_dot(
        self,
        graph_module: GraphModule,
        name: str,
        ignore_getattr: bool,
        ignore_parameters_and_buffers: bool,
        skip_node_names_in_args: bool,
        parse_stack_trace: bool,
    ) -> Any:
        """The drawing of a module's graph."""
        drawn = pydot.Dot(name, rankdir="TB")
        shown = [n for n in graph_module.graph.nodes if not (ignore_getattr and n.op == "get_attr")]
        for node in shown:
            label = self._get_node_label(
                graph_module, node, skip_node_names_in_args, parse_stack_trace
            )
            drawn.add_node(pydot.Node(node.name, label=label, **self._get_node_style(node)))
            if node.op == "call_module" and not ignore_parameters_and_buffers:
                called = self._get_leaf_node(graph_module, node)
                if not isinstance(called, GraphModule):
                    self._add_tensors(drawn, node, called)
        for node in shown:
            for user in node.users:
                drawn.add_edge(pydot.Edge(node.name, user.name))
        return drawn

    def _add_tensors(self, drawn: Any, node: Node, called: Module) -> None:
        """Draw the parameters and buffers of a submodule."""
        kinds = (
            ("parameter", called.named_parameters()),
            ("buffer", called.named_buffers()),
        )
        for kind, (name, tensor) in itertools.chain.from_iterable(
            zip(itertools.repeat(kind), named, strict=False) for kind, named in kinds
        ):
            path = f"{node.name}.{name}"
            label = f"{{{path}|op_code=get_{kind}{self._get_tensor_label(tensor)}}}"
            drawn.add_node(
                pydot.Node(path, label=label, **_WEIGHT_TEMPLATE, shape=self.dot_graph_shape)
            )
            drawn.add_edge(pydot.Edge(path, node.name))


def _listed(before: str, after: str, parts: list[str], skip_nodes: bool) -> str:
    """Arguments as graphviz writes them: several have a line each."""
    parts = [part for part in parts if not (skip_nodes and "%" in part)]
    if not parts:
        return ""
    if len(parts) == 1:
        return f"|{before}{parts[0]},{after}"
    return f"|{before}\\l" + "".join(f"{part},{_LINE}" for part in parts) + f"{after}\\l"
