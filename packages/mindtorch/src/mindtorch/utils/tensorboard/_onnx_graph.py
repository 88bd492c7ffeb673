"""The graph of an ONNX file for TensorBoard, which needs the package ``onnx``."""

from __future__ import annotations

from typing import Any

from tensorboard.compat.proto.attr_value_pb2 import AttrValue
from tensorboard.compat.proto.graph_pb2 import GraphDef
from tensorboard.compat.proto.node_def_pb2 import NodeDef
from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto
from tensorboard.compat.proto.versions_pb2 import VersionDef


def load_onnx_graph(fname: Any) -> GraphDef:
    """The graph of the file *fname*."""
    import onnx

    return parse(onnx.load(fname).graph)


def parse(graph: Any) -> GraphDef:
    """The graph in TensorBoard's messages."""
    nodes = []
    for node in [*graph.input, *graph.output]:
        dims = [TensorShapeProto.Dim(size=d.dim_value) for d in node.type.tensor_type.shape.dim]
        shape = TensorShapeProto(dim=dims)
        nodes.append(
            NodeDef(
                name=node.name.encode("utf_8"),
                op="Variable",
                input=[],
                attr={
                    "dtype": AttrValue(type=node.type.tensor_type.elem_type),
                    "shape": AttrValue(shape=shape),
                },
            )
        )
    for node in graph.node:
        words = ", ".join(str(each) for each in node.attribute)
        text = words.replace("\n", ", ").encode("utf_8")
        nodes.append(
            NodeDef(
                name=node.output[0].encode("utf_8"),
                op=node.op_type,
                input=list(node.input),
                attr={"parameters": AttrValue(s=text)},
            )
        )
    known = {node.name for node in nodes}
    for node in nodes:
        node.input[:] = [name for name in node.input if name in known] or list(node.input)
    return GraphDef(node=nodes, versions=VersionDef(producer=22))
