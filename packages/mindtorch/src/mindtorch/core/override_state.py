"""Who overrides functions and operators in this thread, and the guards that switch it off."""

from __future__ import annotations

from enum import Enum

from mindtorch_dispatch import exclude_keys, tls
from mindtorch_dispatch.modes import MODE_KEYS

from .compiling import end_graph

__all__ = [
    "DisableTorchFunction",
    "DisableTorchFunctionSubclass",
    "_DisableTorchDispatch",
    "_EnableTorchFunction",
    "_TorchFunctionState",
    "_get_torch_function_state",
    "_is_torch_function_all_disabled",
    "_is_torch_function_enabled",
    "_is_torch_function_mode_enabled",
    "_set_torch_function_state",
]

_OFF = tls.NO_FUNCTION_SUBCLASS | tls.NO_FUNCTION


class _TorchFunctionState(Enum):
    """Who overrides functions: everybody, modes only, nobody."""

    ENABLED = 0
    SUBCLASSES_DISABLED = 1
    ALL_DISABLED = 2


_FLAGS = {
    _TorchFunctionState.ENABLED: 0,
    _TorchFunctionState.SUBCLASSES_DISABLED: tls.NO_FUNCTION_SUBCLASS,
    _TorchFunctionState.ALL_DISABLED: _OFF,
}


def _set_flags(flags: int) -> int:
    word = tls.state.get()
    more = tls.extra(word)
    tls.state.set(tls.with_extra(word, more & ~_OFF | flags))
    return more & _OFF


class _StateGuard:
    """Sets who overrides functions, for the time of a ``with`` block."""

    __slots__ = ("_before",)
    _flags = 0

    def __init__(self) -> None:
        self._before: list[int] = []

    def __enter__(self) -> None:
        if self._flags & tls.NO_FUNCTION:
            end_graph("functions that modes do not see")
        self._before.append(_set_flags(self._flags | (tls.extra(tls.state.get()) & self._keeps)))

    def __exit__(self, *exc_info: object) -> None:
        _set_flags(self._before.pop())

    #: Flags that stay as they are.
    _keeps = 0


class DisableTorchFunctionSubclass(_StateGuard):
    """``with DisableTorchFunctionSubclass():`` functions run as for plain tensors; modes stay."""

    __slots__ = ()
    _flags = tls.NO_FUNCTION_SUBCLASS
    _keeps = _OFF


class DisableTorchFunction(_StateGuard):
    """``with DisableTorchFunction():`` neither subclasses nor modes override functions."""

    __slots__ = ()
    _flags = _OFF


class _EnableTorchFunction(_StateGuard):
    """``with _EnableTorchFunction():`` overriding is on again."""

    __slots__ = ()


def _is_torch_function_enabled() -> bool:
    """Whether subclasses override functions."""
    return not tls.extra(tls.state.get()) & _OFF


def _is_torch_function_all_disabled() -> bool:
    """Whether nobody overrides functions."""
    return bool(tls.extra(tls.state.get()) & tls.NO_FUNCTION)


def _is_torch_function_mode_enabled() -> bool:
    """Whether a function mode is active."""
    more = tls.extra(tls.state.get())
    return bool(more & tls.FUNCTION_MODE) and not more & tls.NO_FUNCTION


def _get_torch_function_state() -> _TorchFunctionState:
    """Who overrides functions in this thread."""
    flags = tls.extra(tls.state.get()) & _OFF
    return next(state for state, own in _FLAGS.items() if own == flags)


def _set_torch_function_state(state: _TorchFunctionState) -> None:
    """Set who overrides functions in this thread."""
    _set_flags(_FLAGS[state])


class _DisableTorchDispatch(exclude_keys):
    """``with _DisableTorchDispatch():`` neither modes nor subclasses see operators."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(MODE_KEYS)
