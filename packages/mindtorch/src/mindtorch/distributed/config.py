"""Switches of the package."""

from __future__ import annotations

__all__ = ["compile_on_one_rank", "use_torchcomms"]

compile_on_one_rank: bool = False
use_torchcomms: bool = False
