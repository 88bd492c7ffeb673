"""Counts of exchanges; and names that refuse."""

from __future__ import annotations

from mindtorch.core.unavailable import offer_listed

from ._comm_mode import CommDebugMode as CommDebugMode

offer_listed(globals())
__all__ = ["CommDebugMode", "visualize_sharding"]
