"""How tensors come to be: over a fresh ndarray, over a part of another's memory, over nothing.

Everything here skips ``Tensor.__init__`` and sets the slots directly, as the texts of
``call.fragments`` do.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..core import signature as S
from . import Tensor, blank
from .array_memory import storage_of
from .stale_grad_metadata import note_former
from .tensor_impl import UncountedAlias, add_viewer, alias_elsewhere, alias_of, counts, state_of

#: What the signatures of tensors over the same memory have in common.
_OF_MEMORY: Final = S.BACKENDS | S.PENDING | S.LAZY | S.INFERENCE | S.COW | S.FREED | S.NO_MEMORY


def wrap(array: np.ndarray[Any, Any], backend: int = S.CPU) -> Tensor:
    """A tensor that owns *array* (fresh, not shared with anyone)."""
    t = blank()
    t._a_ = array
    t._sig_ = S.of_array(array, backend)
    t._meta_ = S.STALE  # a slot that is not set costs who reads it an exception
    t._shared_ = t._state_ = t._edge_ = None
    return t


def share(array: np.ndarray[Any, Any], base: Tensor) -> Tensor:
    """A tensor over *array*, which lies in the memory of *base*: same storage, same version."""
    t = blank()
    t._a_ = array
    alias = base._shared_
    if alias is None:
        alias = alias_of(base)
    t._shared_ = alias
    if alias.viewers is not None:
        add_viewer(alias, t)
    sig = base._sig_
    t._sig_ = S.of_array(array, sig & _OF_MEMORY)
    t._meta_ = S.STALE
    t._state_ = t._edge_ = None
    if sig & S.CONTENT:
        take_content(t, base)
    return t


def take_content(t: Tensor, other: Tensor) -> None:
    """Let *t*, which has the array of *other*, consist of what *other* consists of."""
    kept = S.CONTENT | S.STRIDED
    t._sig_ = t._sig_ & ~kept | other._sig_ & kept
    t._content_ = other._content_
    if other._sig_ & S.FUNCTIONAL:  # the same memory, which either may look at in another way
        t._content_ = other._content_.twin()
        t._sig_ |= S.NO_MEMORY
    t._meta_ = S.STALE


def snapshot(t: Tensor) -> Tensor:
    """Another tensor object with everything of *t* but its hooks: for saving it."""
    s = blank()
    s._a_ = t._a_
    s._sig_ = t._sig_ & ~(S.VIEWS | S.OF_CLASS)
    s._shared_ = alias_of(t)
    add_viewer(s._shared_, s)
    s._edge_ = t._grad_edge_
    s._state_ = None
    if s._sig_ & S.CONTENT:
        take_content(s, t)
    if s._sig_ & S.DUAL:
        s.__dict__.update(t.__dict__)  # the tangents
    return s


def is_compatible(t: Tensor, value: Tensor) -> bool:
    """Whether the data of *t* may be set to *value*: both are of one layout, and on meta or not."""
    return not (t._sig_ ^ value._sig_) & (S.META | S.FUNCTIONALITIES)


def set_data(t: Tensor, value: Tensor) -> None:
    """``t.data = value``: take over its memory, keep the identity, grad and version counter."""
    if not isinstance(value, Tensor):
        raise TypeError(f"Variable data has to be a tensor, but got {type(value).__name__}")
    if not is_compatible(t, value):
        raise RuntimeError(
            "Attempted to call `variable.set_data(tensor)`, but `variable` and `tensor` have "
            "incompatible tensor type."
        )
    if value._sig_ & S.CONTENT:
        take_content(t, value)
    if t._edge_ is not None and (t._a_.shape != value._a_.shape or t._a_.dtype != value._a_.dtype):
        note_former(t, t._a_.dtype == value._a_.dtype)
    own = alias_elsewhere(t)
    if (t._sig_ & ~value._sig_) & S.INFERENCE and not counts(t):
        own = UncountedAlias()
    if (value._sig_ & ~t._sig_) & S.INFERENCE:
        state_of(t).counts = True  # with the counter that it had
    if not value._sig_ & S.SPARSE_LAYOUTS:
        own.storage = storage_of(value)
    t._a_ = value._a_
    t._meta_ = S.STALE
    t._shared_ = own
    t._sig_ = value._sig_ & ~_OF_IDENTITY | t._sig_ & _OF_IDENTITY
    t._meta_ = S.STALE


#: What a tensor is whatever memory it looks at.
_OF_IDENTITY = S.REQUIRES_GRAD | S.VIEWS | S.OF_CLASS | S.DUAL | S.FORMER
