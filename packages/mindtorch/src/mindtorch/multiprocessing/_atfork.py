"""What is to run in a child right after a fork."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

__all__ = ["register_after_fork"]


def _register(func: Callable[[], Any]) -> None:
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=func)


def register_after_fork(func: Callable[[], Any]) -> None:
    """Run *func* in every child that this process forks from now on."""
    _register(func)
