"""``torch.autograd.variable``: the former name of tensors, and the engine as torch shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mindtorch_autograd import GradientEdge, execute, queue_callback
from mindtorch_autograd.graph import edge_of_pair
from mindtorch_autograd.graph_task import current_graph_task
from mindtorch_storage import get_default_dtype

from ..core.errors import factory_requires_grad
from ..core.operators import ops
from ..core.pickling import pickled_by_our_name
from ..core.warning import warn
from ..tensor import Tensor
from ..tensor.edges import gradient_edge

__all__ = ["Variable", "VariableMeta"]


class _EngineBase:
    """The engine behind ``backward`` and ``grad``, for those that call it themselves."""

    __module__ = "torch._C"

    def run_backward(
        self,
        tensors: Sequence[Any],
        grad_tensors: Sequence[Any],
        keep_graph: bool,
        create_graph: bool,
        inputs: Sequence[Any] = (),
        allow_unreachable: bool = False,
        accumulate_grad: bool = False,
    ) -> Any:
        """Run a backward whose gradients are all given.

        Returns the gradients of *inputs* unless *accumulate_grad*.
        """
        roots = [(_edge(t), grad) for t, grad in zip(tensors, grad_tensors, strict=True)]
        edges = [_edge(t) for t in inputs]
        options = {"keep_graph": keep_graph, "create_graph": create_graph}
        if accumulate_grad:
            execute(roots, targets=edges or None, **options)
            return None
        return tuple(execute(roots, captures=edges, **options) or ())

    def queue_callback(self, callback: Callable[[], Any]) -> None:
        """Call *callback* when the running backward is done."""
        queue_callback(callback)

    def is_checkpoint_valid(self) -> bool:
        """Whether what runs is not a backward for given ``inputs``: re-entrant checkpoints ask."""
        task = current_graph_task()
        return task is None or task.wanted is None


def _edge(t: Any) -> Any:
    return edge_of_pair(t) if isinstance(t, GradientEdge) else gradient_edge(t)


@pickled_by_our_name
class VariableMeta(type):
    """Makes every tensor an instance of :class:`Variable`."""

    def __instancecheck__(cls, other: Any) -> bool:
        return isinstance(other, Tensor)


class _LegacyVariableBase:
    __module__ = "torch._C"


class Variable(_LegacyVariableBase, metaclass=VariableMeta):
    """What tensors with gradients once were. Making one gives a tensor.

    :param data: a tensor; the result is another one over its memory, without history.
    """

    __module__ = "torch.autograd.variable"
    _execution_engine = _EngineBase()

    def __new__(
        cls, data: Any = None, requires_grad: Any = False, volatile: Any = None, **others: Any
    ) -> Any:
        for name in others:
            raise TypeError(f"'{name}' is an invalid keyword argument for this function")
        if volatile:
            warn(
                "volatile was removed and now has no effect. Use `with torch.no_grad():` instead.",
                UserWarning,
            )
        if data is None:
            result = ops.empty((0,), dtype=get_default_dtype())
        elif isinstance(data, Tensor):
            result = data.data
        else:
            raise TypeError(f"Variable data has to be a tensor, but got {type(data).__name__}")
        if requires_grad:
            if not (result.dtype.is_floating_point or result.dtype.is_complex):
                raise factory_requires_grad()
            result.requires_grad_()
        return result
