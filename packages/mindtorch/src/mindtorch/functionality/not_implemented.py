"""What Autograd records of ops that torch has no formula for: a node that refuses.

Such an op may be called with tensors that require grad, also in place and with ``out=``; only who
asks for a gradient through it is told that there is none.

Source: torch csrc/autograd/autograd_not_implemented_fallback.cpp, gen_variable_type.py.
"""

from __future__ import annotations

from typing import Any

from mindtorch_autograd import Node, grad_mode, next_key
from mindtorch_autograd.node import Extras

from ..backends.composites import below_autograd
from ..call.dispatch_entry import Call
from ..call.forms import gradient_name
from ..call.overload import INPLACE, OUT, Overload
from ..core import signature as S
from ..core.errors import out_needs_no_grad, several_changed_views
from ..tensor import Leaf, Tensor, base_of
from ..tensor.edges import gradient_edge
from .saving import attach, describe_all, note_rare
from .view_history import check_inplace, creation_of, rebase

__all__ = ["recording_refusal"]


class _Refusing(Node):
    """The node of one op, whose gradients are asked for in vain."""

    __slots__ = ("_num_outputs_", "op")

    def __init__(self, op: str, edges: tuple[Any, ...]) -> None:
        self.op, self._edges_ = op, edges
        self._num_outputs_ = 1
        self._key_ = next_key()  # after the edges
        self._saved_ = ()
        self._extra_ = None

    def name(self) -> str:
        """torch's full C++ name."""
        return "torch::autograd::NotImplemented"

    def apply(self, *grads: Any) -> Any:
        """Refuse."""
        raise RuntimeError(f"derivative for {self.op} is not implemented")


#: The class as users see it, which takes its name from torch's.
_NotImplemented = type("NotImplemented", (_Refusing,), {"__slots__": (), "__module__": "builtins"})


def recording_refusal(overload: Overload, sig: int, inner: Call) -> Call:
    """*inner*, whose differentiable results have a node that refuses.

    An op whose formulas torch knows to be none (``set_``) has an edge for each tensor, others only
    for those that require grad.
    """
    row, kind = overload.row, overload.kind
    listed = kind == INPLACE and not overload.grad
    op = overload.base if listed else f"aten::{overload.base}"
    written = (overload.mutable_position,) if kind == INPLACE else overload.out_positions
    run = below_autograd(inner) if kind == OUT else inner  # which may resize what requires grad
    leaves = tuple(i for i in range(overload.n_outputs) if row.is_leaf(i))
    refuse_target = check_inplace if kind == INPLACE else _refuse_leaf(gradient_name(row))

    def call(*args: Any) -> Any:
        tensors = _tensors(args)
        requiring = [t for t in tensors if t._sig_ & S.REQUIRES_GRAD]
        if not requiring:
            return inner(*args)
        for i in written:
            refuse_target(args[i])
        node = _NotImplemented(op, tuple(map(gradient_edge, tensors if listed else requiring)))
        result = run(*args)
        if written:
            changed = [args[i] for i in written if _is_differentiable(args[i])]
            if len(changed) > 1:
                node._num_outputs_ = len(changed)
                node._extra_ = Extras()
                node._extra_.input_metadata = describe_all(changed)
            for i, t in enumerate(changed):
                if i and base_of(t) is not None:
                    raise several_changed_views()
                rebase(t, node)
        elif isinstance(result, Tensor):
            if _is_differentiable(result):
                attach(result, node)
        elif not all(r is None for r in result):  # as a handler may answer
            attach(_flat(result), node, leaves)
        if sig & grad_mode.RARE:
            note_rare(node, result, [], None)
        return result

    return call


def _flat(results: Any) -> Any:
    """The tensors of *results*, some of which may be lists of them."""
    if not any(isinstance(r, list) for r in results):
        return results
    return [t for r in results for t in (r if isinstance(r, list) else (r,))]


def _tensors(args: tuple[Any, ...]) -> list[Tensor]:
    """The tensors of a call in order, those in lists too."""
    found = []
    for a in args:
        found += [t for t in (a if isinstance(a, (tuple, list)) else (a,)) if isinstance(t, Tensor)]
    return found


def _is_differentiable(t: Tensor) -> bool:
    return t._a_.dtype.kind not in "biu"


def _refuse_leaf(name: str) -> Any:
    """What refuses, with ``out=``, a target that an op in place would not be let change either."""

    def refuse(t: Tensor) -> None:
        base = None if t._state_ is None else base_of(t)
        edge = t._edge_ if base is None else base._edge_
        is_leaf = t._sig_ & S.REQUIRES_GRAD and (edge is None or type(edge) is Leaf)
        if is_leaf or base is not None and creation_of(t):
            raise out_needs_no_grad(name)

    return refuse
