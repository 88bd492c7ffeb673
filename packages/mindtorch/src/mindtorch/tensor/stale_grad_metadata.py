"""Tensors whose gradients have to fit something else than they are.

A node is told once what its result is like, and gradients that come to it have to fit that, also
after ``t.data = other``, or an unrecorded ``t.t_()``. And a leaf may want gradients of another
dtype, or of any. Such a tensor has a bit in its signature, so only calls on it ask.

Source: torch csrc/autograd/variable.cpp, VariableHooks::set_data; input_metadata.h.
"""

from __future__ import annotations

from typing import Any

from mindtorch_autograd import extras_of, unwrap
from mindtorch_autograd.function import BackwardCFunction

from ..core import signature as S
from ..core.size import Size
from . import Tensor
from .tensor_impl import LEAF, SAME, Leaf, State
from .tensor_meta import ANY_COMPLEX, ANY_REAL, Facts, describe

__all__ = ["expected", "expected_all", "forget_leaf", "note_former"]


def note_former(t: Tensor, dtype_stays: bool = True) -> None:
    """*t* is about to get other data: its node goes on to expect what it is like now.

    The node of a leaf is forgotten where the dtype changes.
    """
    edge = t._edge_
    if edge is None:
        return
    if type(edge) is Leaf:
        node, nr = edge(), 0
        if node is None or not dtype_stays:
            forget_leaf(t)
            return
    else:
        node, nr = unwrap(edge)
    if node._num_outputs_ == 1 and not isinstance(node, BackwardCFunction):  # else it knows
        extra = extras_of(node)
        if extra.input_metadata is None:
            extra.input_metadata = (describe(t),)
    t._sig_ |= S.FORMER
    t._meta_ = S.STALE


def forget_leaf(t: Tensor) -> None:
    """Calls on the leaf *t* have another node from now on, which expects what it is like then."""
    t._edge_ = LEAF
    if wanted_dtype(t) is SAME:
        t._sig_ &= ~S.FORMER
    t._meta_ = S.STALE


def wanted_dtype(t: Tensor) -> Any:
    """The ``grad_dtype`` that a user gave the leaf *t*; ``SAME`` for none."""
    state = t._state_
    return state.grad_dtype if type(state) is State and type(t._edge_) is Leaf else SAME


def expected(t: Any) -> Facts | None:
    """What the node of *t* knows of it; None for no tensor."""
    if not isinstance(t, Tensor):
        return None
    if not t._sig_ & S.FORMER:
        return describe(t)
    wanted = wanted_dtype(t)
    known = _known(t)
    if wanted is SAME:
        if known is None:
            t._sig_ &= ~S.FORMER  # it has another node by now
            t._meta_ = S.STALE
            return describe(t)
        return known
    facts = describe(t) if known is None else known
    assert facts is not None
    if wanted is None:
        return facts._replace(np_dtype=ANY_COMPLEX if facts.dtype.is_complex else ANY_REAL)
    return facts._replace(np_dtype=wanted.np)


def _known(t: Tensor) -> Facts | None:
    """What the node of *t* was told of it; None where that was nothing."""
    edge = t._edge_
    node, nr = (edge(), 0) if type(edge) is Leaf else unwrap(edge)
    known: Any = None
    if isinstance(node, BackwardCFunction):
        known = node._result_facts_
    elif node is not None and node._extra_ is not None:
        known = node._extra_.input_metadata
    found: Facts | None = known[nr] if known and nr < len(known) else None
    return found


class _Exchanged(Facts):
    """Facts that a gradient has to fit, of a tensor that formulas know as it is now.

    :ivar now: its shape.
    """

    now: Size

    @property
    def shape(self) -> Size:
        """The shape, as of the tensor."""
        return self.now


def expected_all(tensors: Any) -> tuple[Any, ...]:
    """The same of a list's tensors."""
    found: list[Any] = []
    for t in tensors:
        facts = expected(t)
        if facts is not None and facts.sizes != t._a_.shape:
            facts = _Exchanged(*facts)
            facts.now = t.shape
        found.append(facts)
    return tuple(found)
