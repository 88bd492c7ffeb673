"""Nodes that tests put into a graph: one that raises, one that stops gradients."""

from __future__ import annotations

from typing import Any

from mindtorch_autograd import Error, Node, grad_mode, next_key

from ..autograd.graph_node import Node as Described
from ..core import signature as S
from ..core.operators import ops
from ..functionality.saving import attach, edges_of
from ..tensor import Tensor


def _checked(inputs: tuple[Any, ...], count: int) -> None:
    if len(inputs) != count:
        raise TypeError(f"expected {count} arguments, got {len(inputs)} instead")
    for index, value in enumerate(inputs):
        if value is not None and not isinstance(value, Tensor):
            raise TypeError(f"argument {index} is not a Variable")


def _recorded(inputs: tuple[Any, ...]) -> bool:
    return any(x is not None and x.requires_grad for x in inputs)


def _edges(inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Where gradients go on; nowhere in ``no_grad``, which does not keep these from recording."""
    return tuple(edges_of(inputs)) if grad_mode.is_grad_enabled() else (None,) * len(inputs)


class DelayedError:
    """Gives aliases of its arguments; a backward that reaches them raises *msg*.

    :param msg: the text of the RuntimeError.
    :param num_inputs: how many tensors a call takes.
    """

    __module__ = "builtins"

    def __init__(self, *arguments: Any) -> None:
        if len(arguments) != 2:
            raise RuntimeError(f"Requires two arguments, got {len(arguments)}")
        self._message, self._count = arguments
        if not isinstance(self._message, str):
            raise RuntimeError("argument 'msg' must be a string")
        if not isinstance(self._count, int):
            raise RuntimeError("argument 'num_inputs' must be an int")

    def __call__(self, *inputs: Any) -> Any:
        """The aliases: one tensor, or a tuple of several."""
        _checked(inputs, max(self._count, 0))
        results = tuple([None if x is None else x.data for x in inputs])
        if _recorded(inputs):
            node = Error(self._message, _edges(inputs))
            attach(results, node)
        return results[0] if len(results) == 1 else results


class UndefinedGradBackward(Node):
    """Gives no gradient."""

    __slots__ = ()
    __module__ = "builtins"

    def name(self) -> str:
        """torch's full C++ name."""
        return "torch::autograd::UndefinedGradBackward"

    def apply(self, *grads: Any) -> Any:
        """None."""
        return None


class UndefinedGrad:
    """Gives a copy of its argument, whose gradient is undefined below."""

    __module__ = "builtins"

    def __init__(self, *arguments: Any) -> None:
        if arguments:
            raise RuntimeError(f"Requires zero arguments, got {len(arguments)}")

    def __call__(self, *inputs: Any) -> Any:
        """The copy."""
        _checked(inputs, 1)
        with grad_mode.no_grad():
            result = ops.clone(inputs[0])
        if _recorded(inputs):
            node = UndefinedGradBackward()
            node._edges_ = _edges(inputs)
            node._key_ = next_key()
            node._saved_ = ()
            node._extra_ = None
            result._edge_ = node
            result._sig_ |= S.REQUIRES_GRAD
            result._meta_ = S.STALE
        return result


# torch's classes of this name are nodes that can be called; here a call makes the node.
Described.register(DelayedError)
Described.register(UndefinedGrad)
