"""``torch._decomp``: ops made of others, for compilers; refused when called."""

from __future__ import annotations

from typing import Any

from ..core.unavailable import COMPILER, offer

decomposition_table: dict[Any, Any] = {}
offer(
    globals(),
    COMPILER,
    "core_aten_decompositions get_decompositions register_decomposition remove_decompositions",
)
