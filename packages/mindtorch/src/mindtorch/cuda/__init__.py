"""``torch.cuda`` of a build without CUDA: there is no device, and every use of one says so."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, NoReturn

__all__ = [
    "current_device",
    "current_stream",
    "default_stream",
    "device_count",
    "empty_cache",
    "get_arch_list",
    "get_device_capability",
    "get_device_name",
    "get_device_properties",
    "get_rng_state",
    "get_rng_state_all",
    "init",
    "initial_seed",
    "ipc_collect",
    "is_available",
    "is_bf16_supported",
    "is_initialized",
    "is_tf32_supported",
    "manual_seed",
    "manual_seed_all",
    "max_memory_allocated",
    "max_memory_reserved",
    "mem_get_info",
    "memory_allocated",
    "memory_reserved",
    "memory_stats",
    "seed",
    "seed_all",
    "set_device",
    "synchronize",
]


def is_available() -> bool:
    """False: there is no CUDA here."""
    return False


is_initialized = is_bf16_supported = is_tf32_supported = is_available


def device_count() -> int:
    """0."""
    return 0


def init() -> NoReturn:
    """Raises AssertionError: there is no CUDA here."""
    raise AssertionError("Torch not compiled with CUDA enabled")


def _needs_a_device(*args: Any, **kwargs: Any) -> NoReturn:
    """Raises AssertionError: there is no CUDA here."""
    init()


current_device = current_stream = default_stream = get_device_capability = _needs_a_device
get_device_name = get_device_properties = get_rng_state = initial_seed = _needs_a_device
ipc_collect = mem_get_info = synchronize = _needs_a_device


def set_device(device: Any) -> None:
    """Raises AssertionError for any device; a negative index changes nothing."""
    index = device if isinstance(device, int) else getattr(device, "index", 0)
    if index is None or index >= 0:
        init()


def _for_later(*args: Any, **kwargs: Any) -> None:
    """Nothing: torch keeps such calls for the first use of a device, which never comes."""


empty_cache = manual_seed = manual_seed_all = seed = seed_all = _for_later


def memory_allocated(device: Any = None) -> int:
    """0 bytes."""
    return 0


max_memory_allocated = memory_reserved = max_memory_reserved = memory_allocated


def memory_stats(device: Any = None) -> OrderedDict[str, Any]:
    """No statistics."""
    return OrderedDict()


def get_arch_list() -> list[str]:
    """No architectures."""
    return []


get_rng_state_all = get_arch_list
