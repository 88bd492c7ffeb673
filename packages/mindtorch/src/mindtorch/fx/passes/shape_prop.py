"""``ShapeProp``: run a graph and note the shape of every value (torch/fx/passes/shape_prop.py)."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...constants import channels_last, channels_last_3d, contiguous_format
from ...tensor import Tensor
from ..interpreter import Interpreter
from ..node import Node, map_aggregate

__all__ = ["ShapeProp", "TensorMetadata"]


class TensorMetadata(NamedTuple):
    """What is known of a tensor in a graph."""

    shape: Any
    dtype: Any
    requires_grad: bool
    stride: tuple[int, ...]
    memory_format: Any
    is_quantized: bool
    qparams: dict[str, Any]


def _extract_tensor_metadata(result: Any, include_contiguity: bool = True) -> TensorMetadata:
    formats = (contiguous_format, channels_last, channels_last_3d) if include_contiguity else ()
    dims = {channels_last: 4, channels_last_3d: 5}
    layout = next(
        (
            f
            for f in formats
            if dims.get(f, result.dim()) == result.dim() and result.is_contiguous(memory_format=f)
        ),
        None,
    )
    return TensorMetadata(
        result.shape, result.dtype, result.requires_grad, result.stride(), layout, False, {}
    )


class ShapeProp(Interpreter):
    """``ShapeProp(module).propagate(*args)``: every node gets ``meta["tensor_meta"]``."""

    def run_node(self, n: Node) -> Any:
        """The value of one node; its shape goes into the node."""
        try:
            result = super().run_node(n)
        except Exception as error:
            raise RuntimeError(
                f"ShapeProp error for: node={n.format_node()} with meta={n.meta}"
            ) from error
        found = False

        def extract(value: Any) -> Any:
            nonlocal found
            if not isinstance(value, Tensor):
                return value
            found = True
            return _extract_tensor_metadata(value)

        meta = map_aggregate(result, extract)
        if found:
            n.meta["tensor_meta"] = meta
        n.meta["type"] = type(result)
        return result

    def propagate(self, *args: Any) -> Any:
        """Run the graph; returns its result."""
        return super().run(*args)
