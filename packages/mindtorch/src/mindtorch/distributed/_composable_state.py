"""What a parallelism keeps for the modules that it was applied to."""

from __future__ import annotations

import weakref

from .. import nn

__all__ = ["_State", "_get_module_state", "_insert_module_state"]


class _State:
    """What one call of a composable parallelism keeps."""


_states: weakref.WeakKeyDictionary[nn.Module, weakref.ref[_State]] = weakref.WeakKeyDictionary()


def _insert_module_state(module: nn.Module, state: _State) -> None:
    """Note that *state* is that of *module*; the module has to keep it alive.

    Raises AssertionError where the module has one.
    """
    if module in _states:
        raise AssertionError(f"Inserting {module} more than once.")
    _states[module] = weakref.ref(state)


def _get_module_state(module: nn.Module) -> _State | None:
    """The state of *module*; None if there is none, or none that is alive.

    A module that is a state is its own, unless there is one for it: wrappers have that of their
    parameters.
    """
    known = _states.get(module)
    state = None if known is None else known()
    return module if state is None and isinstance(module, _State) else state
