"""Per-thread dispatch state: which keys are forced into a call's set, and which out of it.

The state is one integer in :data:`state`: 0 while a thread has torch's default masks, otherwise
an id shifted left that stands for ``(included, excluded, extra)``. Equal states have equal
ids, so ``table[signature | state.get()]`` is all that a call needs in order to respect guards,
modes and pipelines, and the common case ORs a zero. ``ContextVar.get`` takes a third of the time
of a ``threading.local`` attribute.

A new thread starts at 0. Exclusion wins over inclusion.
"""

from __future__ import annotations

import os
from contextvars import ContextVar
from threading import Lock
from typing import Any

from .keys import DEFAULT_EXCLUDED, DEFAULT_INCLUDED
from .keyset import DispatchKeySet, mask_of, with_members

__all__ = [
    "FUNCTION_MODE",
    "NO_FUNCTION",
    "NO_FUNCTION_SUBCLASS",
    "STATE_SHIFT",
    "STREAMED",
    "TAPED",
    "TRACED",
    "TRANSFORMED",
    "apply_tls_masks",
    "current_masks",
    "decoded",
    "exclude_keys",
    "extra",
    "include_keys",
    "masks",
    "state",
    "with_excluded",
    "with_extra",
    "with_included",
    "with_masks",
]

#: State ids live above this bit; what is below belongs to the caller's own signature.
STATE_SHIFT = 132

#: Flags of the extra component that the mode stacks use (:mod:`mindtorch_dispatch.modes`): a
#: function mode is active; subclasses do not override functions; nobody does.
FUNCTION_MODE, NO_FUNCTION_SUBCLASS, NO_FUNCTION = 2, 4, 8

#: Flag of the extra component: calls report to the thread's trace.
TRACED = 1
#: Flag of the extra component: a stream that is not its device's default one is current.
STREAMED = 16
#: Flag of the extra component: a function is being transformed, and makes tensors of its own.
TRANSFORMED = 32
#: Flag of the extra component: a gradient formula runs to have its calls noted.
TAPED = 64

#: The thread's state word. Set it only to values that functions of this module returned.
state: ContextVar[int] = ContextVar("mindtorch_dispatch_state", default=0)

_Key = tuple[int, int, int]
_DEFAULT: _Key = (DEFAULT_INCLUDED, DEFAULT_EXCLUDED, 0)
_ids: dict[_Key, int] = {_DEFAULT: 0}
_decoded: dict[int, _Key] = {0: _DEFAULT}
_lock = Lock()
if hasattr(os, "register_at_fork"):  # who held it does not run in the child
    os.register_at_fork(after_in_child=_lock._at_fork_reinit)  # type: ignore[attr-defined]  # not in the stubs


def _intern(key: _Key) -> int:
    """The state word of a (included, excluded, extra)."""
    word = _ids.get(key)
    if word is None:
        with _lock:
            word = _ids.get(key)
            if word is None:
                word = len(_ids) << STATE_SHIFT
                _decoded[word] = key
                _ids[key] = word
    return word


def masks(word: int) -> tuple[int, int]:
    """The (included, excluded) masks of a state word (bits below the id are ignored)."""
    included, excluded, _ = _decoded[word >> STATE_SHIFT << STATE_SHIFT]
    return included, excluded


def decoded(word: int) -> tuple[int, int, int]:
    """The (included, excluded, extra) of a state word (bits below the id are ignored)."""
    return _decoded[word >> STATE_SHIFT << STATE_SHIFT]


def extra(word: int) -> int:
    """The caller-defined component of a state word."""
    return _decoded[word >> STATE_SHIFT << STATE_SHIFT][2]


def with_masks(word: int, included: int, excluded: int) -> int:
    """The state *word* with other masks."""
    return _intern((included, excluded, _decoded[word][2]))


def with_included(word: int, mask: int) -> int:
    """The state *word* with the keys of *mask* included too."""
    included, excluded, more = _decoded[word]
    return _intern((included | mask, excluded, more))


def with_excluded(word: int, mask: int) -> int:
    """The state *word* with the keys of *mask* excluded too.

    A functionality key or ``Autograd`` stands for all its keys.
    """
    included, excluded, more = _decoded[word]
    return _intern((included, excluded | with_members(mask), more))


def with_extra(word: int, more: int) -> int:
    """The state *word* with another extra component.

    The component is opaque here: whoever joins the packages keeps flags in it that a call's
    resolution depends on (active modes, tracing). Keep the number of distinct values small: a
    state is remembered for ever.
    """
    included, excluded, _ = _decoded[word]
    return _intern((included, excluded, more))


def current_masks() -> tuple[DispatchKeySet, DispatchKeySet]:
    """This thread's (included, excluded) key sets."""
    included, excluded, _ = _decoded[state.get()]
    return DispatchKeySet.from_mask(included), DispatchKeySet.from_mask(excluded)


def apply_tls_masks(keyset: DispatchKeySet) -> DispatchKeySet:
    """*keyset* as this thread dispatches it: included keys added, then excluded ones taken out."""
    included, excluded, _ = _decoded[state.get()]
    return DispatchKeySet.from_mask((keyset.mask | included) & ~excluded)


class _Guard:
    """Changes one mask for the time of a ``with`` block; may be entered again while entered.

    Leaving takes back exactly what entering changed, as torch's guards do, so guards that are
    left out of order (in generators) do not undo each other.
    """

    __slots__ = ("_changed", "mask")

    def __init__(self, *keys: Any) -> None:
        #: The keys as a mask.
        self.mask = mask_of(*keys)
        self._changed: list[int] = []


class include_keys(_Guard):
    """``with include_keys(key, …):`` the keys join every call's set (unless excluded)."""

    __slots__ = ()

    def __enter__(self) -> include_keys:
        word = state.get()
        included, excluded, more = _decoded[word]
        self._changed.append(self.mask & ~included)
        try:
            state.set(_intern((included | self.mask, excluded, more)))
        except BaseException:  # an interrupt: nobody will leave
            state.set(word)
            raise
        return self

    def __exit__(self, *exc_info: object) -> None:
        if self._changed:  # leaving once more does nothing
            included, excluded, more = _decoded[state.get()]
            state.set(_intern((included & ~self._changed.pop(), excluded, more)))


class exclude_keys(_Guard):
    """``with exclude_keys(key, …):`` no call is dispatched to the keys.

    A functionality key or ``Autograd`` stands for all its keys.
    """

    __slots__ = ()

    def __init__(self, *keys: Any) -> None:
        super().__init__(*keys)
        self.mask = with_members(self.mask)

    def __enter__(self) -> exclude_keys:
        word = state.get()
        included, excluded, more = _decoded[word]
        self._changed.append(self.mask & ~excluded)
        try:
            state.set(_intern((included, excluded | self.mask, more)))
        except BaseException:
            state.set(word)
            raise
        return self

    def __exit__(self, *exc_info: object) -> None:
        if self._changed:
            included, excluded, more = _decoded[state.get()]
            state.set(_intern((included, excluded & ~self._changed.pop(), more)))
