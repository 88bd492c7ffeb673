"""``torch.utils.swap_tensors``: two tensors become each other, under the names that hold them."""

from __future__ import annotations

import copyreg
import weakref
from typing import Any

from ..core.compiling import end_graph
from ..core.signature import STALE
from ..tensor import Tensor
from ..tensor.tensor_impl import Leaf, State, add_viewer, alias_of

__all__ = ["set_base", "swap_tensors", "take_over"]

_SLOTS = ("_a_", "_sig_", "_edge_", "_shared_", "_state_")


def swap_tensors(t1: Any, t2: Any) -> None:
    """Exchange all that two tensors are: class, attributes, memory, gradient, history.

    Whoever holds one of them holds the other's contents then. A graph that ends at a leaf which
    was swapped refuses to run. Unlike torch's, values that a graph keeps, and the base that a
    view of theirs names, are found by the object, not by its contents: swap before a forward pass
    or after its backward pass, as torch advises too.

    Raises RuntimeError where a weak reference knows one of them, or where their classes' slots
    differ. Source: torch/utils/__init__.py, swap_tensors.
    """
    end_graph("swapping tensors")  # which knows its results by weak references
    known = [_Known(t) for t in (t1, t2)]
    for name, t, own in (("t1", t1, known[0]), ("t2", t2, known[1])):
        if any(each not in own.references for each in weakref.getweakrefs(t)):
            raise RuntimeError(f"Cannot swap {name} because it has weakref associated with it")
        if not isinstance(t, Tensor):
            raise AttributeError(f"'{type(t).__name__}' object has no attribute '_use_count'")
    slots = _slots_of(t1)
    if set(slots) != set(_slots_of(t2)):
        raise RuntimeError("Cannot swap t1 and t2 if they have different slots")
    if t1 is t2:
        return
    leaves = _leaf_node(t1), _leaf_node(t2)
    t1.__class__, t2.__class__ = t2.__class__, t1.__class__
    t1.__dict__, t2.__dict__ = t2.__dict__, t1.__dict__
    for name in (*_SLOTS, *slots):
        _swap_attribute(t1, t2, name)
    t1._meta_ = t2._meta_ = STALE
    known[0].tell(t2)
    known[1].tell(t1)
    for node, holder in zip(leaves, (t2, t1), strict=True):
        if node is not None:
            node._variable = holder
            node.register_prehook(_refuse)


def take_over(t: Any, other: Any) -> None:
    """Make *t*, of which nothing is known yet, a second holder of all that *other* is.

    Both have the same memory, version and history then; attributes of a program's stay.
    """
    alias_of(other)  # one for both, also if it is first needed later
    known = _Known(other)
    t.__class__ = type(other)
    for name in (*_SLOTS, "_content_"):
        value = getattr(other, name, _ABSENT)
        if value is not _ABSENT:
            setattr(t, name, value)
    t._meta_ = STALE
    if known.memory.viewers is not None:
        add_viewer(known.memory, t)
    if known.is_first:
        known.storage._first = weakref.ref(t)


_ABSENT = object()


def set_base(t: Any, base: Any) -> None:
    """Let *t*, a view, be one of *base*, which has what its base has."""
    state = t._state_
    if type(state) is State:
        state.base = base
    else:
        t._state_ = (base, *state[1:]) if type(state) is tuple else base


class _Known:
    """The weak references by which the memory of a tensor knows it: no concern of a program's.

    Python has one reference for all who ask without a callback, so a program's own is among them.

    :ivar references: all of them.
    """

    def __init__(self, t: Any) -> None:
        self.memory: Any = getattr(t, "_shared_", None)
        memory = self.memory
        self.storage: Any = getattr(memory, "known_storage", None)
        claim, first = getattr(memory, "claimed", None), getattr(self.storage, "_first", None)
        viewers: Any = getattr(memory, "viewers", None)
        self.claims, self.is_first = ((type(r) is weakref.ref and r() is t) for r in (claim, first))
        self.views = viewers is not None and viewers.get(id(t)) is t
        self.number = id(t)
        self.references: list[Any] = [claim] * self.claims + [first] * self.is_first
        if self.views:
            self.references += [r for r in viewers.valuerefs() if r() is t]

    def tell(self, now: Any) -> None:
        """Let the memory know *now*, the tensor that has it, in place of the one that had it."""
        if self.claims:
            self.memory.claimed = weakref.ref(now)
        if self.is_first:
            self.storage._first = weakref.ref(now)
        if self.views:
            del self.memory.viewers[self.number]
            add_viewer(self.memory, now)


def _slots_of(t: Any) -> list[str]:
    """The slots of the classes derived from Tensor."""
    return [name for name in copyreg._slotnames(type(t)) if name not in _SLOTS]  # type: ignore[attr-defined]  # not in the stubs


def _leaf_node(t: Any) -> Any:
    """The node that fills ``t.grad``, if a graph holds it."""
    edge = t._edge_
    if edge is None and type(t._state_) is State:
        edge = t._state_.leaf
    return edge() if type(edge) is Leaf and getattr(edge(), "_is_accumulator_", False) else None


def _swap_attribute(t1: Any, t2: Any, name: str) -> None:
    absent = object()
    one, other = getattr(t1, name, absent), getattr(t2, name, absent)
    for t, value in ((t1, other), (t2, one)):
        if value is not absent:
            setattr(t, name, value)
        elif hasattr(t, name):
            delattr(t, name)


def _refuse(grads: Any) -> None:
    raise RuntimeError(
        "Trying to execute AccumulateGrad node that was poisoned by swap_tensors this can happen "
        "when you try to run backward on a tensor that was swapped. For a module m with "
        "`torch.__future__.set_swap_module_params_on_conversion(True)` you should not change the "
        "device or dtype of the module (e.g. `m.cpu()` or `m.half()`) between running forward and "
        "backward. To resolve this, please only change the device/dtype before running forward "
        "(or after both forward and backward)."
    )
