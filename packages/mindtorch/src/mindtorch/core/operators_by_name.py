"""Operators as ``torch.ops`` has them, by their full names."""

from __future__ import annotations

from typing import Any


def operator_named(name: str) -> Any:
    """``torch.ops``' object for a qualified name: ``aten::add.Tensor``."""
    from .._ops import ops  # not before somebody looks at operators

    namespace, _, rest = name.partition("::")
    base, _, overload = rest.partition(".")
    return getattr(getattr(getattr(ops, namespace), base), overload or "default")
