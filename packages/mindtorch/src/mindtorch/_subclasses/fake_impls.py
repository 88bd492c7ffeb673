"""``torch._subclasses.fake_impls``: which operators say what their results look like."""

from __future__ import annotations

from typing import Any

from .._C import _dispatch_has_computed_kernel_for_dispatch_key

__all__ = ["has_meta", "is_builtin"]


def is_builtin(op: Any) -> bool:
    """Whether an operator is torch's own."""
    return op.namespace in ("aten", "prims", "prim")


def has_meta(func: Any) -> bool:
    """Whether an operator runs on the meta device."""
    return _dispatch_has_computed_kernel_for_dispatch_key(func.name(), "Meta")
