"""Modules without the work of initializing them."""

from __future__ import annotations

import inspect
from typing import Any

from ..modules import Module


def skip_init(module_cls: Any, *args: Any, **kwargs: Any) -> Any:
    """A *module_cls* whose parameters hold what their memory held.

    It is made on the meta device, so its class must take ``device``.
    """
    if not issubclass(module_cls, Module):
        raise RuntimeError(f"Expected a Module; got {module_cls}")
    if "device" not in inspect.signature(module_cls).parameters:
        raise RuntimeError("Module must support a 'device' arg to skip initialization")
    device = kwargs.pop("device", "cpu")
    kwargs["device"] = "meta"
    return module_cls(*args, **kwargs).to_empty(device=device)
