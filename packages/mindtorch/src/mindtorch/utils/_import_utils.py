"""Which modules can be imported."""

from __future__ import annotations

import functools
import importlib.util
from types import ModuleType


def _check_module_exists(name: str) -> bool:
    """Whether there is a module *name*; it is not imported."""
    try:
        return importlib.util.find_spec(name) is not None
    except ImportError:
        return False


@functools.lru_cache
def dill_available() -> bool:
    """Whether ``dill`` can be imported."""
    return _check_module_exists("dill")


@functools.lru_cache
def import_dill() -> ModuleType | None:
    """``dill``; None where it is not there."""
    if not dill_available():
        return None
    import dill  # type: ignore[import-not-found,import-untyped,unused-ignore]  # may be absent

    dill.extend(use_dill=False)  # it would change what pickle does
    found: ModuleType = dill
    return found
