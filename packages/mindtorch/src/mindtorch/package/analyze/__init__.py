"""``torch.package.analyze``: what a module needs, and where packages break."""

from __future__ import annotations

from .find_first_use_of_broken_modules import find_first_use_of_broken_modules
from .trace_dependencies import trace_dependencies

__all__ = ["find_first_use_of_broken_modules", "trace_dependencies"]
