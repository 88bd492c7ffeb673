"""The graph of a model and its weights; the messages of ONNX are written from it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from math import prod
from typing import Any

import onnx
from onnx import helper

from ....__about__ import __torch_version__
from ....aten import torch
from ....tensor import Tensor
from ._building import Node, Value, onnx_type
from ._versions import ir_version_of, older

__all__ = ["Graph"]

#: The version of the format itself.
IR_VERSION = 10
#: Constants up to this many elements that are equal are one.
_SMALL = 1024


class Graph:
    """A model: what goes in and comes out, nodes and weights.

    :param version: of ONNX's operators; *domains* are the versions of others.
    """

    def __init__(self, version: int, domains: Mapping[str, int]) -> None:
        self.version = version
        self.domains = dict(domains)
        self.inputs: list[Value] = []
        self.outputs: list[Value] = []
        self.nodes: list[Node] = []
        #: Parameters, buffers and constants, in the order in which they are written.
        self.initializers: list[Value] = []
        #: The tensors of those that are the program's.
        self.tensors: dict[Value, Tensor] = {}
        #: What sizes that vary are called in the model, by the names of their symbols.
        self.symbols: dict[str, str] = {}
        self.ir_version = IR_VERSION
        #: The version that the model is asked for: an older one is what ONNX's converter makes.
        self.wanted_version = version
        #: What the values of inputs and outputs are in the program.
        self.descriptions: dict[str, dict[str, str]] = {}

    # Simplifying ----------------------------------------------------------------------------------

    def remove_unused(self) -> None:
        """Drop nodes and weights that no output needs."""
        needed = {id(v) for v in self.outputs}
        kept = []
        for node in reversed(self.nodes):
            if any(id(v) in needed for v in node.outputs):
                needed.update(id(v) for v in node.inputs if v is not None)
                kept.append(node)
        self.nodes = kept[::-1]
        self.initializers = [v for v in self.initializers if id(v) in needed]

    def merge_constants(self) -> None:
        """Let small weights that are equal be one."""
        fixed = {id(v) for v in (*self.inputs, *self.outputs)}
        known: dict[Any, Value] = {}
        merged: dict[int, Value] = {}
        for value in self.initializers:
            if id(value) in fixed or prod(value.shape or ()) > _SMALL:
                continue
            key = (value.dtype.name, value.shape, self._bytes(value))
            first = known.setdefault(key, value)
            if first is not value:
                merged[id(value)] = first
        for node in self.nodes:
            node.inputs = [v if v is None else merged.get(id(v), v) for v in node.inputs]
        self.initializers = [v for v in self.initializers if id(v) not in merged]

    def _bytes(self, value: Value) -> bytes:
        """The bytes of a weight's elements."""
        tensor = self.tensors.get(value)
        return bytes(value.array.tobytes()) if tensor is None else raw(tensor)

    # Names ----------------------------------------------------------------------------------------

    def _name_values(self) -> None:
        """Let no two values have the same name: inputs, outputs and weights keep theirs."""
        taken: dict[str, Value] = {}
        between = (v for node in self.nodes for v in node.outputs)
        for value in (*self.inputs, *self.outputs, *self.initializers, *between):
            number, name = 0, value.name
            while taken.setdefault(value.name, value) is not value:
                number += 1
                value.name = f"{name}_{number}"

    def name_nodes(self) -> None:
        """Give each node a name, after what comes out of it."""
        self._name_values()
        for i, node in enumerate(self.nodes):
            first = node.outputs[0].name
            plain = first.startswith("val_")
            node.name = f"node_{node.kind}_{i}" if plain else f"node_{first}"
        counts = Counter(node.name for node in self.nodes)
        for i, node in enumerate(self.nodes):
            if counts[node.name] > 1:
                node.name = f"{node.name}_{i}"

    # Messages -------------------------------------------------------------------------------------

    def proto(
        self, *, include_initializers: bool = True, keep_initializers_as_inputs: bool = False
    ) -> Any:
        """The model as ONNX's message."""
        if self.wanted_version >= self.version:
            how = include_initializers, keep_initializers_as_inputs
            return self._message(*how, self.ir_version)
        # The first versions of the format have no weights that are not inputs as well.
        inputs_too = keep_initializers_as_inputs or self.ir_version < 4
        newer = max(self.ir_version, ir_version_of(self.version))
        model = self._message(True, inputs_too, newer)
        made = older(model, self.wanted_version, self.ir_version)
        if not include_initializers:
            del made.graph.initializer[:]
        return made

    def _message(
        self, include_initializers: bool, keep_initializers_as_inputs: bool, ir_version: int
    ) -> Any:
        self.name_nodes()
        inputs = [self.info(v) for v in self.inputs]
        if keep_initializers_as_inputs:
            inputs += [self.info(v) for v in self.initializers]
        ends = {id(v) for v in (*self.inputs, *self.outputs, *self.initializers)}
        between = [
            self.info(v)
            for node in self.nodes
            for v in node.outputs
            if id(v) not in ends and _is_known(v)
        ]
        graph = helper.make_graph(
            [self._node(n) for n in self.nodes],
            "main_graph",
            inputs,
            [self.info(v) for v in self.outputs],
            [self.tensor_proto(v) for v in self.initializers] if include_initializers else [],
            value_info=between,
        )
        used = {n.domain for n in self.nodes}
        opsets = [helper.make_opsetid("", self.version)]
        opsets += [helper.make_opsetid(d, self.domains.get(d, 1)) for d in sorted(used - {""})]
        return helper.make_model(
            graph,
            opset_imports=opsets,
            ir_version=ir_version,
            producer_name="pytorch",
            producer_version=__torch_version__,
        )

    def info(self, value: Value) -> Any:
        """A value's name, dtype and shape as ONNX's message."""
        shape = None if value.shape is None else [self._size(s) for s in value.shape]
        made = helper.make_tensor_value_info(value.name, onnx_type(value.dtype), shape)
        helper.set_metadata_props(made, self.descriptions.get(value.name, {}))
        return made

    def _size(self, size: Any) -> Any:
        """A number, or the name of a size that varies, or a computation with names."""
        if isinstance(size, int):
            return size
        return re.sub(r"[A-Za-z_]\w*", lambda m: self.symbols.get(m[0], m[0]), str(size))

    def _node(self, node: Node) -> Any:
        names = ["" if v is None else v.name for v in node.inputs]
        made = helper.make_node(
            node.kind, names, [v.name for v in node.outputs], name=node.name, domain=node.domain
        )
        for name in sorted(node.attributes):
            made.attribute.append(helper.make_attribute(name, node.attributes[name]))
        if node.origin is not None:
            helper.set_metadata_props(made, _place(node.origin))
        return made

    def tensor_proto(self, value: Value) -> Any:
        """A weight as ONNX's message."""
        made = onnx.TensorProto(name=value.name, data_type=onnx_type(value.dtype))
        made.dims.extend(value.shape or ())
        made.raw_data = self._bytes(value)
        return made


def raw(tensor: Tensor) -> bytes:
    """The bytes of a tensor's elements, in order."""
    flat = tensor.detach().cpu().contiguous().reshape(-1)
    return bytes(flat.view(torch.uint8).numpy().tobytes())


def _is_known(value: Value) -> bool:
    """Whether each size of *value* is a number or a symbol."""
    sizes = value.shape
    return sizes is not None and not any(s is None or s == -1 or type(s) is Value for s in sizes)


def _place(origin: Any) -> dict[str, str]:
    """Where in the program a node comes from."""
    stack = list((origin.meta.get("nn_module_stack") or {}).values())
    target = origin.target if isinstance(origin.target, str) else str(origin.target)
    scopes = [f"{name}: {_name_of(kind)}" for name, kind in stack]
    said = {
        "namespace": "/".join([*scopes, f"{origin.name}: {target}"]),
        "pkg.torch.onnx.class_hierarchy": repr([*(_name_of(k) for _, k in stack), target]),
        "pkg.torch.onnx.fx_node": origin.format_node() or "",
        "pkg.torch.onnx.name_scopes": repr([*(name for name, _ in stack), origin.name]),
    }
    if origin.meta.get("stack_trace"):
        said["pkg.torch.onnx.stack_trace"] = origin.meta["stack_trace"]
    return said


def _name_of(kind: Any) -> str:
    return kind if isinstance(kind, str) else f"{kind.__module__}.{kind.__qualname__}"


def rename(values: Iterable[Value], names: Iterable[str]) -> None:
    """Give *values* the first of *names*."""
    for value, name in zip(values, names):
        value.name = name
