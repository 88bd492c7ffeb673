"""Autocast's switches, as ``torch.*`` has them: on or off, dtype, nesting, kept casts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mindtorch_storage as st
from mindtorch_dispatch import ArgumentParser, tls
from mindtorch_dispatch import DispatchKey as K
from mindtorch_storage.device import CUDA

from ..call.argument_parser import TYPES
from ..core.warning import warn
from ..functionality.autocast_state import DEVICES, KEYLESS, clear_casts, thread

__all__ = [
    "autocast_decrement_nesting",
    "autocast_increment_nesting",
    "clear_autocast_cache",
    "get_autocast_dtype",
    "is_any_autocast_enabled",
    "is_autocast_available",
    "is_autocast_cache_enabled",
    "is_autocast_enabled",
    "set_autocast_cache_enabled",
    "set_autocast_dtype",
    "set_autocast_enabled",
    "supported_devices",
]


def _parser(name: str, *signatures: str) -> ArgumentParser:
    return ArgumentParser.from_signatures(name, [f"{name}({s})" for s in signatures], types=TYPES)


def _kind(device_type: str) -> str:
    """The type of a device string. Raises RuntimeError with torch's text for an unknown one."""
    return st.Device(device_type).type


def _key(kind: str) -> K:
    found = DEVICES.get(kind)
    if found is None:
        raise RuntimeError(
            "unknown device type for autocast in get_autocast_dispatch_key_from_device_type"
        )
    return found[0]


_IS_ENABLED = _parser("is_autocast_enabled", "str device_type", "")


def is_autocast_enabled(*args: Any, **kwargs: Any) -> bool:
    """Whether autocast is on in this thread for a device type (for cuda, if none is named)."""
    which, bound = _IS_ENABLED.parse(args, kwargs)
    kind = CUDA if which else _kind(bound[0])
    if kind in KEYLESS:
        return kind in thread.keyless
    key = _key(kind)
    return not tls.masks(tls.state.get())[1] & key


_SET_ENABLED = _parser("set_autocast_enabled", "str device_type, bool enabled", "bool enabled")


def set_autocast_enabled(*args: Any, **kwargs: Any) -> None:
    """Switch autocast on or off in this thread for a device type (cuda, if none is named)."""
    which, bound = _SET_ENABLED.parse(args, kwargs)
    kind = CUDA if which else _kind(bound[0])
    if kind in KEYLESS:
        (thread.keyless.add if bound[-1] else thread.keyless.discard)(kind)
        return
    key = _key(kind)
    word = tls.state.get()
    included, excluded = tls.masks(word)
    tls.state.set(tls.with_masks(word, included, excluded & ~key if bound[-1] else excluded | key))


def is_any_autocast_enabled() -> bool:
    """Whether autocast is on in this thread for any device type."""
    excluded = tls.masks(tls.state.get())[1]
    return bool(thread.keyless) or any(not excluded & key for key, _ in DEVICES.values())


_GET_DTYPE = _parser("get_autocast_dtype", "str device_type")


def get_autocast_dtype(*args: Any, **kwargs: Any) -> Any:
    """The dtype that ops in reduced precision run in under autocast, for a device type."""
    kind = _kind(_GET_DTYPE.parse(args, kwargs)[1][0])
    if kind not in thread.dtypes:
        raise RuntimeError("unsupported scalarType")
    return thread.dtypes[kind]


_SET_DTYPE = _parser("set_autocast_dtype", "str device_type, ScalarType dtype")


def set_autocast_dtype(*args: Any, **kwargs: Any) -> None:
    """Choose the dtype of ops in reduced precision under autocast, for a device type."""
    device_type, dtype = _SET_DTYPE.parse(args, kwargs)[1]
    kind = _kind(device_type)
    thread.dtypes[kind] = dtype


_IS_AVAILABLE = _parser("_is_autocast_available", "str device_type")


def is_autocast_available(device_type: str) -> bool:
    """Whether autocast knows the device type."""
    return _kind(_IS_AVAILABLE.parse((device_type,), {})[1][0]) in (*DEVICES, *KEYLESS)


def supported_devices() -> list[str]:
    """The device types that autocast knows."""
    return [*DEVICES, *KEYLESS]


# The switches of single devices, which torch has given up -----------------------------------------


def _old(name: str, ours: Callable[..., Any], kind: str) -> Callable[..., Any]:
    """The switch *name* of the device type *kind*: it warns, and asks *ours*."""
    asks = name.startswith(("is_", "get_"))
    word = "" if asks else name.rpartition("_")[2]  # enabled, dtype

    def switch(*args: Any) -> Any:
        if asks and args:
            raise TypeError(f"torch.{name}() takes no arguments ({len(args)} given)")
        if not asks and len(args) != 1:
            raise TypeError(f"torch.{name}() takes exactly one argument ({len(args)} given)")
        if word == "enabled" and type(args[0]) is not bool:
            raise TypeError(f"enabled must be a bool (got {type(args[0]).__name__})")
        if word == "dtype" and not isinstance(args[0], st.DType):
            raise TypeError(f"dtype must be a torch.dtype (got {type(args[0]).__name__})")
        given = f"'{kind}', {word}" if word else f"'{kind}'"
        warn(
            f"torch.{name}({word}) is deprecated. Please use torch.{ours.__name__}({given}) "
            "instead.",
            DeprecationWarning,
        )
        return ours(kind, *args)

    switch.__name__ = switch.__qualname__ = name
    switch.__doc__ = f"Deprecated: :func:`torch.{ours.__name__}` of ``{kind!r}``."
    return switch


for _name in ("cpu", "ipu", "xla"):
    for _ours in (is_autocast_enabled, set_autocast_enabled):
        _old_name = _ours.__name__.replace("enabled", f"{_name}_enabled")
        globals()[_old_name] = _old(_old_name, _ours, _name)
for _name in ("cpu", "gpu", "ipu", "xla"):
    for _ours in (get_autocast_dtype, set_autocast_dtype):
        _old_name = _ours.__name__.replace("dtype", f"{_name}_dtype")
        globals()[_old_name] = _old(_old_name, _ours, CUDA if _name == "gpu" else _name)


# Kept casts ---------------------------------------------------------------------------------------


def autocast_increment_nesting() -> int:
    """Note that a block begins. Returns the number of open blocks."""
    thread.nesting += 1
    return thread.nesting


def autocast_decrement_nesting() -> int:
    """Note that a block ends. Returns the number of blocks still open."""
    thread.nesting -= 1
    return thread.nesting


def is_autocast_cache_enabled() -> bool:
    """Whether casts of parameters are kept until the outermost block ends."""
    return thread.cache_enabled


def set_autocast_cache_enabled(enabled: bool) -> None:
    """Keep the casts of parameters, or make them anew for every op."""
    if type(enabled) is not bool:
        raise TypeError(f"enabled must be a bool (got {type(enabled).__name__})")
    thread.cache_enabled = enabled


def clear_autocast_cache() -> None:
    """Forget the tensors that were cast: they are cast anew."""
    clear_casts()
