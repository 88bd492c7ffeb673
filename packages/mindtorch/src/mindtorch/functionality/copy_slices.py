"""The node of a tensor that was changed through a view of it."""

from __future__ import annotations

from typing import Any

from mindtorch_autograd import Node

from ..core.constants import contiguous_format


class CopySlices(Node):
    """Gradient of a base of which a view was changed in place.

    ``_saved_`` is the node of the change, the window that it changed (shape, strides, offset; or
    the steps that make it of the base), and the geometry of the base.

    Source: torch csrc/autograd/functions/tensor.cpp, CopySlices.
    """

    __slots__ = ()
    __module__ = "builtins"
    _takes_edges_ = True

    def name(self) -> str:
        """torch's full C++ name."""
        return "torch::autograd::CopySlices"

    def apply(self, grad: Any, edges: Any = None) -> Any:
        """Hand the gradient of the window through the change, and that of the rest as it is."""
        node, window, (base_shape, base_strides, base_offset) = self._saved_
        if callable(window[0]):
            whole = _at(base_offset, grad, base_shape, base_strides)
            whole.copy_(grad)
            part = whole
            for step in window:
                part = step(part)
        else:
            shape, strides, offset = window
            whole = grad.new_empty_strided(base_shape, base_strides)
            whole.copy_(grad)
            part = whole.as_strided(shape, strides, offset - base_offset)
        given = part.clone(memory_format=contiguous_format)
        if edges is None or not node._takes_edges_:
            out = node.apply(given)
        else:
            wanted = zip(node._edges_, edges, strict=True)
            some = tuple([None if mine is None else edge for edge, mine in wanted])
            out = node.apply(given, edges=some)
        if len(node._edges_) == 1:
            out = (out,)
        if out[0] is None or (edges is not None and edges[0] is None):
            whole = None
        else:
            part.copy_(out[0])
        rest = tuple(out[1:])
        return (whole, *rest) if rest else whole


def _at(offset: int, grad: Any, shape: Any, strides: Any) -> Any:
    """An empty tensor, as far from the beginning of its memory as the base is from its own's."""
    if not offset:
        return grad.new_empty_strided(shape, strides)
    span = offset + 1 + sum((n - 1) * s for n, s in zip(shape, strides, strict=True))
    return grad.new_empty(span).as_strided(shape, strides, offset).detach()


__all__ = ["CopySlices"]
