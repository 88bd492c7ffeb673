"""Memory that several devices share; there is none."""

from __future__ import annotations

from typing import Any


def is_nvshmem_available() -> bool:
    """Whether NVSHMEM is there: no."""
    return False


def _refuse(*args: Any, **kwargs: Any) -> Any:
    raise RuntimeError("symmetric memory needs devices that share memory, and there are none")


empty = rendezvous = enable_symm_mem_for_group = get_symm_mem_workspace = _refuse
