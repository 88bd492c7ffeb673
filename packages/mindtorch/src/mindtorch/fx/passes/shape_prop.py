"""``ShapeProp``: run a graph and note the shape of every value (torch/fx/passes/shape_prop.py)."""

from __future__ import annotations

import contextlib
from typing import Any, NamedTuple

from ...core.constants import channels_last, channels_last_3d, contiguous_format
from ...tensor import Tensor
from .._compatibility import compatibility
from ..interpreter import Interpreter
from ..node import Node, map_aggregate

__all__ = ["ShapeProp", "TensorMetadata"]


@compatibility(is_backward_compatible=True)
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


@compatibility(is_backward_compatible=True)
class ShapeProp(Interpreter):
    """``ShapeProp(module).propagate(*args)``: every node gets ``meta["tensor_meta"]``."""

    def __init__(self, gm: Any, fake_mode: Any = None) -> None:
        super().__init__(gm)
        self.fake_mode = fake_mode
        self.real_module = self.module

    def run_node(self, n: Node) -> Any:
        """The value of one node; its shape goes into the node."""
        try:
            with self.fake_mode or contextlib.nullcontext():
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
        if self.fake_mode is not None:
            args = tuple(
                self.fake_mode.from_tensor(a) if isinstance(a, Tensor) else a for a in args
            )
        return super().run(*args)
