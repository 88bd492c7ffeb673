"""The thread's modes: who sees functions, and who sees operators."""

from __future__ import annotations

from enum import Enum
from typing import Any

from mindtorch_dispatch.modes import DISPATCH, FUNCTION, INFRA

from ..aten.function_mode_points import OF_MODULES
from ..call.points import OF_TENSOR
from ..core.override_state import (
    DisableTorchFunction,
    DisableTorchFunctionSubclass,
    _DisableTorchDispatch,
    _EnableTorchFunction,
    _get_torch_function_state,
    _is_torch_function_all_disabled,
    _is_torch_function_enabled,
    _is_torch_function_mode_enabled,
    _set_torch_function_state,
    _TorchFunctionState,
)
from ..tensor.device_modes import function_stack
from ..tensor.disabled import disabled_torch_dispatch as _disabled_torch_dispatch_impl
from ..tensor.disabled import disabled_torch_function as _disabled_torch_function_impl

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
