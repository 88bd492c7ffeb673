"""Which ways of computing attention may be taken: what ``sdpa_kernel`` switches.

The host has two: one operator (``flash``), and op by op (``math``). Accelerators have one operator
where ``flash`` or ``mem_efficient`` may be taken. cuDNN's is told back.
"""

from __future__ import annotations

from typing import Any

from ..call.dispatch_entry import forget_resolved_calls
from .switching import Remembered

__all__ = [
    "cudnn",
    "flash",
    "get_priority_order",
    "math",
    "mem_efficient",
    "reduction",
    "set_priority_order",
]

#: The name of torch's setter is the same for all of them.
_SETTER = "set_sdp_use_math"


class _Choice(Remembered):
    """A switch that decides what attention does: calls have that built in."""

    def set(self, value: Any) -> None:
        """Set it; calls of attention that were worked out before are forgotten."""
        before = self.value
        super().set(value)
        if value is not before:
            forget_resolved_calls(lambda overload: overload.base == "scaled_dot_product_attention")


flash, math, mem_efficient = (_Choice(True, _SETTER) for _ in range(3))
cudnn, reduction = Remembered(True, _SETTER), Remembered(False, _SETTER)

#: The numbers of ``SDPBackend``, the preferred one first. The host's choice does not depend on it.
_order = [1, 2, 0, 3, 4]


def get_priority_order() -> list[int]:
    """In which order the ways are preferred, by their numbers."""
    return list(_order)


def set_priority_order(order: Any) -> None:
    """Prefer these first; what stands behind as many of them as are given stays."""
    if not isinstance(order, (list, tuple)):
        raise RuntimeError("Expected tuple or list")
    for i, number in enumerate(order):
        if not isinstance(number, int):
            raise RuntimeError(f"expected int at position {i}, but got: {type(number).__name__}")
    _order[: len(order)] = order
