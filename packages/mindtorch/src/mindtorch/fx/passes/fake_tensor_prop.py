"""``FakeTensorProp``: run a graph on tensors without data."""

from __future__ import annotations

from typing import Any

from ..._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from ...tensor import Tensor
from .._compatibility import compatibility
from ..interpreter import Interpreter
from ..node import Node, map_aggregate

__all__ = ["FakeTensorProp"]


@compatibility(is_backward_compatible=False)
class FakeTensorProp(Interpreter):
    """``FakeTensorProp(module).propagate(*args)``: every node gets ``meta["val"]``."""

    def __init__(self, module: Any, mode: Any = None) -> None:
        super().__init__(module)
        self._mode: Any = FakeTensorMode() if mode is None else mode

    def run_node(self, n: Node) -> Any:
        """The value of one node, without data; noted in the node."""
        result = super().run_node(n)

        def extract(value: Any) -> Any:
            return value if isinstance(value, (FakeTensor, int, float, bool)) else None

        meta = map_aggregate(result, extract)
        if meta is not None:
            n.meta["val"] = meta
        return result

    def propagate(self, *args: Any) -> Any:
        """Run the graph on what *args* are without their data."""
        fakes = [self._mode.from_tensor(a) if isinstance(a, Tensor) else a for a in args]
        return self.propagate_dont_convert_inputs(*fakes)

    def propagate_dont_convert_inputs(self, *args: Any) -> Any:
        """Run the graph on *args*, which have no data already."""
        with self._mode:
            return super().run(*args)
