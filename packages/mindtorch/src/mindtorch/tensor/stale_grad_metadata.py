"""Tensors of which the node knows another shape: their data was exchanged after it was made.

A node is told once what its result is like, and gradients that come to it have to fit that, also
after ``t.data = other``, or an unrecorded ``t.t_()``. Such a tensor has a bit in its signature, so
only calls on it ask.

Source: torch csrc/autograd/variable.cpp, VariableHooks::set_data; input_metadata.h.
"""

from __future__ import annotations

from typing import Any

from mindtorch_autograd import extras_of, unwrap
from mindtorch_autograd.function import BackwardCFunction

from ..core import signature as S
from ..core.size import Size
from . import Tensor
from .tensor_impl import LEAF, Leaf
from .tensor_meta import Facts, describe

__all__ = ["expected", "expected_all", "note_former"]


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
            t._edge_ = LEAF
            t._sig_ &= ~S.FORMER
            t._meta_ = S.STALE
            return
    else:
        node, nr = unwrap(edge)
    if node._num_outputs_ == 1 and not isinstance(node, BackwardCFunction):  # else it knows
        extra = extras_of(node)
        if extra.input_metadata is None:
            extra.input_metadata = (describe(t),)
    t._sig_ |= S.FORMER
    t._meta_ = S.STALE


def expected(t: Any) -> Facts | None:
    """What the node of *t* knows of it; None for no tensor."""
    if not isinstance(t, Tensor):
        return None
    if not t._sig_ & S.FORMER:
        return describe(t)
    edge = t._edge_
    node, nr = (edge(), 0) if type(edge) is Leaf else unwrap(edge)
    known: Any = None
    if isinstance(node, BackwardCFunction):
        known = node._result_facts_
    elif node is not None and node._extra_ is not None:
        known = node._extra_.input_metadata
    if known and nr < len(known) and known[nr] is not None:
        return known[nr]
    t._sig_ &= ~S.FORMER  # it has another node by now
    t._meta_ = S.STALE
    return describe(t)


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
