"""A pass as a class."""

from __future__ import annotations

import abc
from typing import Any, NamedTuple

from ..._compatibility import compatibility
from ...graph_module import GraphModule

__all__ = ["PassBase", "PassResult"]


@compatibility(is_backward_compatible=False)
class PassResult(NamedTuple):
    """The module, and whether the pass changed it."""

    graph_module: Any
    modified: bool


@compatibility(is_backward_compatible=False)
class PassBase(abc.ABC):
    """Override ``call``; ``requires`` and ``ensures`` check the module before and after it."""

    def __call__(self, graph_module: GraphModule) -> PassResult | None:
        self.requires(graph_module)
        result = self.call(graph_module)
        self.ensures(graph_module)
        return result

    @abc.abstractmethod
    def call(self, graph_module: GraphModule) -> PassResult | None:
        """Change the module."""

    def requires(self, graph_module: GraphModule) -> None:  # noqa: B027  # may do nothing
        """Check the module before the pass."""

    def ensures(self, graph_module: GraphModule) -> None:  # noqa: B027  # may do nothing
        """Check the module after the pass."""
