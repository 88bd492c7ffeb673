"""Single operators as programs, and models of ONNX run by its reference implementation."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import mindtorch
import ml_dtypes
import onnx
from mindtorch.export.graph_signature import (
    InputKind,
    InputSpec,
    OutputKind,
    OutputSpec,
    TensorArgument,
)
from mindtorch.fx import Graph
from mindtorch.onnx._internal.exporter._core import translated
from mindtorch.utils._pytree import tree_leaves, tree_map
from onnx.reference import ReferenceEvaluator

__all__ = ["array_of", "checked", "model_of_call", "run"]


def array_of(tensor: Any) -> Any:
    """The elements of *tensor* as an ndarray."""
    tensor = tensor.detach().resolve_conj().contiguous()
    if tensor.dtype is mindtorch.bfloat16:
        return tensor.float().numpy().astype(ml_dtypes.bfloat16)
    return tensor.numpy()


def program_of_call(op: Any, args: Any, kwargs: Any, results: list[Any]) -> Any:
    """A program of one node: *op* called with the tensors among its arguments as inputs."""
    graph, inputs = Graph(), []

    def placed(value: Any) -> Any:
        if not isinstance(value, mindtorch.Tensor):
            return value
        node = graph.placeholder(f"x{len(inputs)}")
        node.meta["val"] = value
        inputs.append((node, value))
        return node

    args, kwargs = tree_map(placed, (list(args), dict(kwargs)))
    call = graph.call_function(op, tuple(args), kwargs)
    call.meta["val"] = results if len(results) != 1 or isinstance(results, tuple) else results[0]
    several = isinstance(call.meta["val"], (list, tuple))
    outs = []
    for i, result in enumerate(results):
        if not isinstance(result, mindtorch.Tensor):
            continue
        out = call
        if several:
            out = graph.call_function(_getitem, (call, i))
            out.meta["val"] = result
        outs.append(out)
    graph.output(tuple(outs))
    signature = SimpleNamespace(
        input_specs=[
            InputSpec(InputKind.USER_INPUT, TensorArgument(node.name), None) for node, _ in inputs
        ],
        output_specs=[
            OutputSpec(OutputKind.USER_OUTPUT, TensorArgument(out.name), None) for out in outs
        ],
    )
    program = SimpleNamespace(graph=graph, graph_signature=signature, state_dict={}, constants={})
    return program, [value for _, value in inputs]


from operator import getitem as _getitem


def model_of_call(op: Any, args: Any, kwargs: Any, results: Any, version: int = 20) -> Any:
    """The model of one call of *op*, and its inputs as arrays."""
    single = isinstance(results, mindtorch.Tensor)
    program, inputs = program_of_call(op, args, kwargs, [results] if single else tuple(results))
    graph = translated(program, version)
    return graph.proto(), [array_of(v) for v in inputs]


def checked(model: Any) -> Any:
    """*model*, which ONNX's checker takes."""
    onnx.checker.check_model(model, full_check=True)
    return model


def run(model: Any, arrays: Any) -> list[Any]:
    """What the reference implementation gives for *arrays*."""
    names = [i.name for i in model.graph.input]
    return ReferenceEvaluator(model).run(None, dict(zip(names, arrays, strict=True)))


def leaves(value: Any) -> list[Any]:
    """The tensors in *value*."""
    return [v for v in tree_leaves(value) if isinstance(v, mindtorch.Tensor)]
