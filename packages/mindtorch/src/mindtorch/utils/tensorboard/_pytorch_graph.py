"""The graph of a module for TensorBoard, as ``torch.fx`` traces it."""

from __future__ import annotations

from typing import Any

from tensorboard.compat.proto.config_pb2 import RunMetadata
from tensorboard.compat.proto.graph_pb2 import GraphDef
from tensorboard.compat.proto.step_stats_pb2 import DeviceStepStats, StepStats
from tensorboard.compat.proto.versions_pb2 import VersionDef

from ... import fx
from ...aten.torch import Tensor
from ._proto_graph import node_proto


class _Shapes(fx.Interpreter):
    """Runs a graph and notes what each node gives."""

    def __init__(self, module: Any) -> None:
        super().__init__(module)
        self.shapes: dict[Any, list[int] | None] = {}

    def run_node(self, n: Any) -> Any:
        result = super().run_node(n)
        self.shapes[n] = list(result.shape) if isinstance(result, Tensor) else None
        return result


def _name(node: Any, root: str) -> str:
    if node.op in ("call_module", "get_attr"):
        return f"{root}/{str(node.target).replace('.', '/')}/{node.name}"
    if node.op == "placeholder":
        return f"input/{node.name}"
    if node.op == "output":
        return f"output/{node.name}"
    return f"{root}/{node.name}"


def _kind(node: Any, module: Any) -> str:
    if node.op == "call_module":
        return type(module.get_submodule(node.target)).__name__
    if node.op == "call_function":
        return str(getattr(node.target, "__name__", node.target))
    if node.op == "call_method":
        return str(node.target)
    return {"placeholder": "IO Node", "output": "IO Node"}.get(node.op, node.op)


def graph(
    model: Any, args: Any, verbose: bool = False, use_strict_trace: bool = True
) -> tuple[GraphDef, RunMetadata]:
    """The graph of *model* when it is called with *args*.

    :raises Exception: what ``torch.fx`` says of a module that it cannot trace.
    """
    try:
        traced = fx.symbolic_trace(model)
    except Exception as e:
        print(e)
        print("Error occurs, No graph saved")
        raise
    values = args if isinstance(args, (tuple, list)) else (args,)
    training = model.training
    seen = _Shapes(traced)
    try:
        traced.eval()
        seen.run(*values)
    finally:
        model.train(training)
    if verbose:
        print(traced.graph)
    root = type(model).__name__
    names = {node: _name(node, root) for node in traced.graph.nodes}
    nodes = [
        node_proto(
            name=names[node],
            op=_kind(node, traced),
            input=[names[each] for each in node.all_input_nodes],
            outputsize=seen.shapes.get(node),
            attributes="" if node.op != "call_module" else repr(traced.get_submodule(node.target)),
        )
        for node in traced.graph.nodes
    ]
    stepstats = RunMetadata(
        step_stats=StepStats(dev_stats=[DeviceStepStats(device="/device:CPU:0")])
    )
    return GraphDef(node=nodes, versions=VersionDef(producer=22)), stepstats
