"""Memory that several devices share; there is none."""

from __future__ import annotations

from typing import Any


def is_nvshmem_available() -> bool:
    """Whether NVSHMEM is there: no."""
    return False


def _refuse(*args: Any, **kwargs: Any) -> Any:
    raise RuntimeError("symmetric memory needs devices that share memory, and there are none")


empty = rendezvous = enable_symm_mem_for_group = get_symm_mem_workspace = _refuse


class _SymmetricMemory:
    """Memory that several devices share; making one raises RuntimeError."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """Raise RuntimeError."""
        _refuse()

    @staticmethod
    def has_multicast_support(device_type: Any, device_idx: int) -> bool:
        """Whether devices write to several at once: no."""
        return False


_SymmetricMemory.__module__ = "torch._C._distributed_c10d"
