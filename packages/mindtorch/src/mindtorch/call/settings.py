"""Process-wide switches of ``torch.*`` that change how, not what, is computed.

Kernels here are numpy's: deterministic, in full precision. So many of these switches are only
remembered and told back, as torch's CPU build does for those that concern other devices.
"""

from __future__ import annotations

from mindtorch_dispatch import ArgumentParser

from ..core import denormals, warning
from ..core import precision as precision_
from .argument_parser import TYPES
from .determinism import state, switch

__all__ = [
    "are_deterministic_algorithms_enabled",
    "get_deterministic_debug_mode",
    "get_float32_matmul_precision",
    "get_num_interop_threads",
    "is_deterministic_algorithms_warn_only_enabled",
    "is_warn_always_enabled",
    "set_deterministic_debug_mode",
    "set_float32_matmul_precision",
    "set_flush_denormal",
    "set_num_interop_threads",
    "set_warn_always",
    "use_deterministic_algorithms",
]


class _Settings:
    """What is switched on."""

    interop_threads = 1


_set_deterministic = ArgumentParser.from_signatures(
    "_set_deterministic_algorithms",
    ["_set_deterministic_algorithms(bool mode, *, bool warn_only=False)"],
    types=TYPES,
)


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Ask for deterministic algorithms, which all of mindtorch's are.

    ``put`` complains all the same, and new memory is filled: see ``determinism``. Raises TypeError
    for other than bools.
    """
    _, bound = _set_deterministic.parse((mode,), {"warn_only": warn_only})
    switch(*bound)


def set_warn_always(b: bool, /) -> None:
    """Say every time (or else once per process) what torch says once.

    Raises RuntimeError for what is no bool.
    """
    if not isinstance(b, bool):
        raise RuntimeError(f"setWarnOnlyOnce expects a bool, but got {type(b).__name__}")
    warning.said.always = b


def is_warn_always_enabled() -> bool:
    """Whether :func:`set_warn_always` is on."""
    return warning.said.always


def are_deterministic_algorithms_enabled() -> bool:
    """Whether deterministic algorithms were asked for."""
    return state.enabled


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Whether an op without a deterministic algorithm shall only warn."""
    return state.warn_only


_DEBUG_MODES = {"default": 0, "warn": 1, "error": 2}


def set_deterministic_debug_mode(debug_mode: int | str) -> None:
    """``"default"`` (0), ``"warn"`` (1) or ``"error"`` (2) on ops that are not deterministic.

    Raises TypeError for other types, RuntimeError for other values.
    """
    if not isinstance(debug_mode, (int, str)):
        raise TypeError(f"debug_mode must be str or int, but got {type(debug_mode)}")
    if isinstance(debug_mode, str):
        if debug_mode not in _DEBUG_MODES:
            raise RuntimeError(
                "invalid value of debug_mode, expected one of `default`, `warn`, `error`, "
                f"but got {debug_mode}"
            )
        debug_mode = _DEBUG_MODES[debug_mode]
    if debug_mode not in (0, 1, 2):
        raise RuntimeError(
            f"invalid value of debug_mode, expected 0, 1, or 2, but got {debug_mode}"
        )
    use_deterministic_algorithms(debug_mode > 0, warn_only=debug_mode == 1)


def get_deterministic_debug_mode() -> int:
    """The mode as a number: 0 default, 1 warn, 2 error."""
    if not state.enabled:
        return 0
    return 1 if state.warn_only else 2


def get_float32_matmul_precision() -> str:
    """What was set; products of float32 matrices are always computed in float32."""
    return precision_.get_matmul()


def set_float32_matmul_precision(precision: str) -> None:
    """``"highest"``, ``"high"`` or ``"medium"``. Raises RuntimeError for other than a string."""
    if not isinstance(precision, str):
        raise RuntimeError(
            f"set_float32_matmul_precision expects a str, but got {type(precision).__name__}"
        )
    if precision in ("highest", "high", "medium"):  # others are ignored, with torch as here
        precision_.put_matmul(precision)


def set_flush_denormal(mode: bool) -> bool:
    """Take denormal numbers for zero in this thread and those that it starts, or do not.

    Returns whether this processor and system can: Linux on x86-64 or AArch64. Raises RuntimeError
    for other than a bool.
    """
    if not isinstance(mode, bool):
        raise RuntimeError(f"flush_denormal expects a bool, but got {type(mode).__name__}")
    return denormals.flush(mode)


def get_num_interop_threads() -> int:
    """The number of threads that run independent ops."""
    return _Settings.interop_threads


def set_num_interop_threads(num: int) -> None:
    """Set the number of threads for independent ops. Raises RuntimeError below one."""
    if isinstance(num, bool) or not isinstance(num, int):
        raise RuntimeError(f"set_num_interop_threads expects an int, but got {type(num).__name__}")
    if num <= 0:
        raise RuntimeError("set_num_interop_threads expects a positive integer")
    _Settings.interop_threads = num
