"""The thread's modes, and the guards that switch overriding off."""

from __future__ import annotations

from enum import Enum
from typing import Any

from mindtorch_dispatch import exclude_keys, tls
from mindtorch_dispatch.modes import DISPATCH, FUNCTION, INFRA, MODE_KEYS

from ..call.points import OF_TENSOR
from ..overrides.function_points import OF_MODULES
from ..tensor.disabled import disabled_torch_dispatch as _disabled_torch_dispatch_impl
from ..tensor.disabled import disabled_torch_function as _disabled_torch_function_impl
from ..utils.device_modes import function_stack

__all__ = [
    "DisableTorchFunction",
    "DisableTorchFunctionSubclass",
    "_DisableTorchDispatch",
    "_EnableTorchFunction",
    "_TorchDispatchModeKey",
    "_TorchFunctionState",
    "_disabled_torch_dispatch_impl",
    "_disabled_torch_function_impl",
    "_get_dispatch_mode",
    "_get_dispatch_stack_at",
    "_get_function_stack_at",
    "_get_torch_function_state",
    "_is_torch_function_all_disabled",
    "_is_torch_function_enabled",
    "_is_torch_function_mode_enabled",
    "_len_torch_dispatch_stack",
    "_len_torch_function_stack",
    "_pop_torch_dispatch_stack",
    "_pop_torch_function_stack",
    "_push_on_torch_dispatch_stack",
    "_push_on_torch_function_stack",
    "_set_dispatch_mode",
    "_set_torch_function_state",
    "_unset_dispatch_mode",
]

# ``__torch_function__`` ---------------------------------------------------------------------------

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


def _len_torch_function_stack() -> int:
    """How many function modes are on the stack."""
    return len(function_stack())


def _push_on_torch_function_stack(mode: Any) -> None:
    """Put a function mode on top."""
    OF_TENSOR.begin()
    OF_MODULES.begin()
    FUNCTION.push(mode)


def _pop_torch_function_stack() -> Any:
    """Take the topmost function mode off."""
    if not len(FUNCTION):
        raise RuntimeError("trying to pop from empty mode stack")
    OF_MODULES.end()
    OF_TENSOR.end()
    return FUNCTION.pop()[0]


def _get_function_stack_at(level: int) -> Any:
    """The function mode number *level* from below."""
    stack = function_stack()
    if not 0 <= level < len(stack):
        raise RuntimeError("Tried to get stack at idx that's too big")
    return stack[level]


# ``__torch_dispatch__`` ---------------------------------------------------------------------------


class _TorchDispatchModeKey(Enum):
    """The slots of infrastructure modes."""

    FAKE = 0
    PROXY = 1
    FUNCTIONAL = 2


assert tuple(k.name for k in _TorchDispatchModeKey) == INFRA


class _DisableTorchDispatch(exclude_keys):
    """``with _DisableTorchDispatch():`` neither modes nor subclasses see operators."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(MODE_KEYS)


def _len_torch_dispatch_stack() -> int:
    """How many dispatch modes are on the stack, infrastructure modes counted."""
    return len(DISPATCH)


def _push_on_torch_dispatch_stack(mode: Any) -> None:
    """Put a dispatch mode on top, or into its slot if it has one."""
    slot = getattr(mode, "_mode_key", None)
    if slot is None:
        DISPATCH.push(mode)
    else:
        _set_dispatch_mode(mode)


def _pop_torch_dispatch_stack(mode_key: _TorchDispatchModeKey | None = None) -> Any:
    """Take the topmost dispatch mode off, or the one in a slot."""
    if mode_key is not None:
        return _unset_dispatch_mode(mode_key)
    if not len(DISPATCH):
        raise RuntimeError("trying to pop from empty mode stack")
    return DISPATCH.pop()[0]


def _get_dispatch_stack_at(level: int) -> Any:
    """The dispatch mode number *level* from below."""
    if not 0 <= level < len(DISPATCH):
        raise RuntimeError("Tried to get stack at idx that's too big")
    return DISPATCH.at(level)


def _set_dispatch_mode(mode: Any) -> None:
    """Put an infrastructure mode into its slot."""
    key = mode._mode_key
    if DISPATCH.get(key.name) is not None:
        raise AssertionError(f"trying to set the current {key.name} mode, but one already exists")
    DISPATCH.set(key.name, mode)


def _get_dispatch_mode(key: _TorchDispatchModeKey) -> Any:
    """The infrastructure mode in a slot, or None."""
    return DISPATCH.get(key.name)


def _unset_dispatch_mode(key: _TorchDispatchModeKey) -> Any:
    """Empty a slot and return what was there."""
    return DISPATCH.unset(key.name)
