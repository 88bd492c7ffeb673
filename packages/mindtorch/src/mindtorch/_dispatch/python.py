"""``torch._dispatch.python``: kernels in Python on and off, and functionalization held off."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .. import _C
from ..core.unavailable import COMPILER, offer
from ..func.functional_tensors import _disable_functionalization, _enable_functionalization
from ..functionality.functionalization_levels import reapplies_views

__all__ = ["enable_pre_dispatch", "enable_python_dispatcher", "no_python_dispatcher"]

no_python_dispatcher = _C._DisablePythonDispatcher
enable_python_dispatcher = _C._EnablePythonDispatcher
enable_pre_dispatch = _C._EnablePreDispatch


@contextmanager
def suspend_functionalization() -> Iterator[None]:
    """In the block, ``torch._enable_functionalization`` has no effect."""
    on = _C._dispatch_tls_is_dispatch_key_included(_C.DispatchKey.Functionalize)
    views = reapplies_views()
    if on:
        _disable_functionalization()
    try:
        yield
    finally:
        if on:
            _enable_functionalization(reapply_views=views)


offer(globals(), COMPILER, "enable_crossref_functionalize", public=" ")
