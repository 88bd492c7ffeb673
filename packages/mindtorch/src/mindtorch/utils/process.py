"""What torch's modules ask of the process they run in, and how they tell of what happens in it."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

__all__ = ["CallbackRegistry", "cpu_count", "try_import"]


def try_import(module_name: str) -> ModuleType | None:
    """A module, imported if need be; None if there is no such module."""
    found = sys.modules.get(module_name)
    if found is None and find_spec(module_name) is not None:
        found = import_module(module_name)
    return found


def cpu_count() -> int | None:
    """The number of processors that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count()


class CallbackRegistry:
    """Functions that are called when something happens; what one raises is logged."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.callback_list: list[Callable[..., None]] = []

    def add_callback(self, cb: Callable[..., None]) -> None:
        """Call *cb*, too, from now on."""
        self.callback_list.append(cb)

    def fire_callbacks(self, *args: Any, **kwargs: Any) -> None:
        """Call them all, in the order in which they came."""
        for callback in self.callback_list:
            try:
                callback(*args, **kwargs)
            except Exception:
                logging.getLogger(__name__).exception(
                    "Exception in callback for %s registered with gpu trace", self.name
                )
