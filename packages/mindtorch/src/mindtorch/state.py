"""What hangs off a tensor: its edge marker, its alias, its rare state."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .tensor import Tensor


#: The edge of a leaf that requires grad: its AccumulateGrad node, held weakly.
#: The node holds the leaf, so a strong reference would close a cycle that keeps memory alive.
Leaf = weakref.ref


class _Nothing:
    __slots__ = ("__weakref__",)


#: The edge of a leaf whose node was not made yet: a reference to nothing.
LEAF: Any = Leaf(_Nothing())


class Alias:
    """What all tensors over the same memory share.

    The defaults are attributes of the class: most aliases live and die with nothing set, and one
    is made for every tensor that is viewed, saved or changed.
    """

    #: Counts in-place changes.
    value = 0
    #: The count at the last change of gradient history (0: never), so that a view can tell whether
    #: its edge is still true.
    rebased = 0
    #: Somebody holds on to this memory as a gradient, so backward may not give it away.
    claimed = False
    #: numpy sees this memory, so it may not be replaced by other.
    lent = False
    storage: Any = None


#: The dtype of a gradient where nobody said which: the tensor's own.
SAME: Any = "same"


class State:
    """The rare belongings of a tensor, made when the first of them is set; see :class:`Alias`."""

    grad: Any = None
    #: What dtype ``grad`` may have; None: any.
    grad_dtype: Any = SAME
    hooks: Any = None
    post_accumulate_hooks: Any = None
    retain_grad_hook: Any = None
    #: The tensor that this one is a view of.
    base: Any = None
    #: The count of the alias when the edge of this view was last true.
    attr_version = 0
    #: How the view came to be, where in-place ops on it are forbidden.
    creation = ""
    name: str | None = None


def state_of(t: Tensor) -> State:
    """The :class:`State` of *t*, made when first needed."""
    state = t._state
    if type(state) is State:
        return state
    fresh = State()
    state = t._state  # see Note [Made once]
    if type(state) is State:
        return state
    if state is not None:  # so far a plain view that only knew its base
        fresh.base = state
        fresh.attr_version = 0
    t._state = fresh
    return fresh


def base_of(t: Tensor) -> Tensor | None:
    """The tensor that *t* is a view of, or None."""
    state = t._state
    return state.base if type(state) is State else state


def is_leaf(t: Tensor) -> bool:
    """Whether *t* is at the beginning of the graph."""
    edge = t._grad_edge
    return edge is None or type(edge) is Leaf


def alias_of(t: Tensor) -> Alias:
    """The alias (version counter and storage) of *t*, made when first needed.

    Note [Made once]: threads that need it at the same time get the same one. CPython changes
    threads where something is called or a loop turns; so what is needed is made first, and
    between the look and the answer nothing is called.
    """
    alias = t._shared
    if alias is None:
        made = Alias()
        alias = t._shared
        if alias is None:
            alias = t._shared = made
    return alias
