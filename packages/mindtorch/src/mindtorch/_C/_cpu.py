"""``torch._C._cpu``: what the processor can do."""

from __future__ import annotations

from typing import Any

from ..cpu import _init_amx, get_capabilities

__all__ = ["_get_cpu_capability", "_init_amx"]


def _get_cpu_capability() -> dict[str, Any]:
    """The capabilities of the processor by name, as ``torch.cpu.get_capabilities`` has them."""
    return dict(get_capabilities())
