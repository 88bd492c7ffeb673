"""Stacks of modes: objects that see calls before anybody else, one pair of stacks per thread.

A *dispatch mode* sees operators at the Python key: while one is on the stack, the keys ``Python``
and ``PythonTLSSnapshot`` are in the thread's included set. A *function mode* sees calls of the
Python API: while one is on the stack, a flag is in the state word's extra component. So a thread
without modes has a state word without either, and its calls pay nothing.

What a mode *is* is not known here; whoever joins the packages calls it. While a mode's own code
runs it is off the stack (:func:`without_top`), so that its calls reach the next mode below.

Infrastructure modes (fake, proxy, functional) have one slot each, below all other modes.

Tracing that is to see composite ops whole has a stack of its own at the PreDispatch key, above
autograd and all else.
Source: torch c10/core/impl/TorchDispatchModeTLS.cpp, torch/csrc/utils/python_arg_parser.cpp.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from . import tls
from .keys import DispatchKey

__all__ = ["DISPATCH", "FUNCTION", "INFRA", "MODE_KEYS", "PRE_DISPATCH", "Stack", "without_top"]

#: The keys that a dispatch mode brings into every call.
MODE_KEYS: int = DispatchKey.Python | DispatchKey.PythonTLSSnapshot
#: The infrastructure slots, lowest first.
INFRA: tuple[str, ...] = ("FAKE", "PROXY", "FUNCTIONAL")

_EMPTY: tuple[Any, ...] = ()


class Stack:
    """A thread's modes of one sort, the newest on top."""

    __slots__ = ("_modes", "_note", "_slots")

    def __init__(self, name: str, note: Any) -> None:
        self._modes: ContextVar[tuple[Any, ...]] = ContextVar(f"{name}_modes", default=_EMPTY)
        self._slots: ContextVar[tuple[Any, ...]] = ContextVar(f"{name}_slots", default=_EMPTY)
        self._note = note

    def __len__(self) -> int:
        slots = self._slots.get()
        return len(self._modes.get()) + sum(m is not None for m in slots)

    @property
    def modes(self) -> tuple[Any, ...]:
        """All modes, lowest first."""
        return (*(m for m in self._slots.get() if m is not None), *self._modes.get())

    @property
    def top(self) -> Any:
        """The mode that sees calls first, None where there is none."""
        modes = self._modes.get()
        return modes[-1] if modes else next(iter(reversed(self.modes)), None)

    def push(self, mode: Any) -> None:
        """Put *mode* on top."""
        before = self._modes.get()
        self._modes.set((*before, mode))
        if not before:
            self._note(True)

    def pop(self) -> tuple[Any, str | None]:
        """Take the topmost mode off; with the name of its slot, None for an ordinary one.

        Raises IndexError on an empty stack.
        """
        modes = self._modes.get()
        if modes:
            self._modes.set(modes[:-1])
            self._changed()
            return modes[-1], None
        slots = self._slots.get()
        for at in range(len(slots) - 1, -1, -1):
            if slots[at] is not None:
                return self.unset(INFRA[at]), INFRA[at]
        raise IndexError("pop from an empty stack of modes")

    def at(self, index: int) -> Any:
        """The mode number *index* from below. Raises IndexError."""
        return self.modes[index]

    def set(self, slot: str, mode: Any) -> None:
        """Put an infrastructure mode into its slot."""
        slots = list(self._slots.get() or (None,) * len(INFRA))
        slots[INFRA.index(slot)] = mode
        self._slots.set(tuple(slots))
        self._note(True)

    def get(self, slot: str) -> Any:
        """The infrastructure mode in *slot*, or None."""
        slots = self._slots.get()
        return slots[INFRA.index(slot)] if slots else None

    def unset(self, slot: str) -> Any:
        """Empty *slot* and return what was there."""
        slots = list(self._slots.get() or (None,) * len(INFRA))
        at = INFRA.index(slot)
        mode, slots[at] = slots[at], None
        self._slots.set(tuple(slots) if any(m is not None for m in slots) else _EMPTY)
        self._changed()
        return mode

    def _changed(self) -> None:
        if not self._modes.get() and not self._slots.get():
            self._note(False)


def _noting(keys: int) -> Callable[[bool], None]:
    """Who puts *keys* into every call of the thread while there are modes, and takes them out."""

    def note(active: bool) -> None:
        word = tls.state.get()
        included, excluded = tls.masks(word)
        included = included | keys if active else included & ~keys
        tls.state.set(tls.with_masks(word, included, excluded))

    return note


def _note_function(active: bool) -> None:
    word = tls.state.get()
    more = tls.extra(word)
    more = more | tls.FUNCTION_MODE if active else more & ~tls.FUNCTION_MODE
    tls.state.set(tls.with_extra(word, more))


#: This thread's dispatch modes.
DISPATCH = Stack("dispatch", _noting(MODE_KEYS))
#: This thread's modes that see operators before autograd does.
PRE_DISPATCH = Stack("pre_dispatch", _noting(int(DispatchKey.PreDispatch)))
#: This thread's function modes.
FUNCTION = Stack("function", _note_function)


class without_top:
    """``with without_top(stack) as mode:`` the topmost mode is off the stack inside.

    Afterwards it lies on top of whatever the stack is then.
    """

    __slots__ = ("_mode", "_slot", "_stack")

    def __init__(self, stack: Stack) -> None:
        self._stack = stack

    def __enter__(self) -> Any:
        self._mode, self._slot = self._stack.pop()
        return self._mode

    def __exit__(self, *exc_info: object) -> None:
        if self._slot is None:
            self._stack.push(self._mode)
        else:
            self._stack.set(self._slot, self._mode)
