"""What happens where the host waits for a device: nothing, a warning, an error."""

from __future__ import annotations

import warnings

from mindtorch_npu import errors, runtime, thread_state
from mindtorch_npu.runtime import lazy_init

__all__ = ["get_sync_debug_mode", "set_sync_debug_mode"]

_MODES = {"default": 0, "warn": 1, "error": 2}
#: What reads of a device ask: the mode set last, or 0 where the driver sees to it.
mode = 0
_asked = 0


def set_sync_debug_mode(debug_mode: int | str) -> None:
    """What synchronising operations do: 0 ``default``, 1 ``warn``, 2 ``error``.

    Raises RuntimeError for any other mode, AssertionError where there is no device.
    Source: torch/cuda/__init__.py; c10/cuda/CUDAFunctions.cpp, warn_or_error_on_sync.
    """
    global mode, _asked
    lazy_init()
    if isinstance(debug_mode, str):
        if debug_mode not in _MODES:
            raise errors.debug_mode_text()
        wanted = _MODES[debug_mode]
    else:
        wanted = debug_mode
    if "sync_debug" not in errors.said:
        errors.said.add("sync_debug")
        warnings.warn(
            "Synchronization debug mode is a prototype feature and does not yet detect all "
            "synchronizing operations",
            UserWarning,
            stacklevel=2,
        )
    wanted = thread_state.device_number(wanted, "set_sync_debug_mode, debug_mode type must be int")
    if wanted not in (0, 1, 2):
        raise errors.debug_mode_number()
    mode = runtime.driver().set_sync_debug_mode(wanted)
    _asked = wanted


def get_sync_debug_mode() -> int:
    """The mode set last, 0 to 2. Raises AssertionError where there is no device."""
    lazy_init()
    return _asked


def notice() -> None:
    """The host is about to wait: warn, or raise RuntimeError."""
    text = errors.called_a_synchronizing_operation()
    if mode == 2:
        raise RuntimeError(text)
    warnings.warn(text, UserWarning, stacklevel=4)
