"""Whether Triton is there: it compiles for GPUs, of which there are none."""

from __future__ import annotations

import functools
from typing import Any


@functools.cache
def has_triton_package() -> bool:
    """Whether kernels of Triton can be used: never."""
    return False


def get_triton_version(fallback: tuple[int, int] = (0, 0)) -> tuple[int, int]:
    """The version of Triton; *fallback* where it is not there."""
    return fallback


def _none() -> bool:
    """Whether Triton has it: there is no Triton."""
    return False


has_triton = _none
has_triton_experimental_host_tma = _none
has_triton_tensor_descriptor_host_tma = _none
has_triton_tma = _none
has_triton_tma_device = _none
has_datacenter_blackwell_tma_device = _none
has_triton_stable_tma_api = _none


def triton_backend() -> Any:
    """Refuse: there is no Triton."""
    raise ModuleNotFoundError("No module named 'triton'", name="triton")


def triton_hash_with_backend() -> str:
    """Refuse: there is no Triton."""
    found: str = triton_backend()
    return found
