"""``torch.compile`` for what stands below the compiler: modules, which can compile their calls."""

from __future__ import annotations

from .late_bound import LateBound

__all__ = ["compile"]

compile = LateBound("compile")
