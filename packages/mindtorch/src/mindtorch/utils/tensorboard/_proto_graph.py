"""Nodes of a graph as TensorBoard's messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tensorboard.compat.proto.attr_value_pb2 import AttrValue
from tensorboard.compat.proto.node_def_pb2 import NodeDef
from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto


def attr_value_proto(dtype: object, shape: Sequence[int] | None, s: str | None) -> dict[str, Any]:
    """The attributes of a node."""
    attr = {}
    if s is not None:
        attr["attr"] = AttrValue(s=s.encode(encoding="utf_8"))
    if shape is not None:
        shapes = AttrValue.ListValue(shape=[tensor_shape_proto(shape)])
        attr["_output_shapes"] = AttrValue(list=shapes)
    return attr


def tensor_shape_proto(outputsize: Sequence[int]) -> TensorShapeProto:
    """A shape."""
    return TensorShapeProto(dim=[TensorShapeProto.Dim(size=d) for d in outputsize])


def node_proto(
    name: str,
    op: str = "UnSpecified",
    input: list[str] | str | None = None,
    dtype: Any = None,
    shape: tuple[int, ...] | None = None,
    outputsize: Sequence[int] | None = None,
    attributes: str = "",
) -> NodeDef:
    """A node: its name, what it does, and the nodes whose results it takes."""
    sources = input if isinstance(input, list) else [] if input is None else [input]
    attr = attr_value_proto(dtype, outputsize, attributes)
    return NodeDef(name=name.encode(), op=op, input=sources, attr=attr)
