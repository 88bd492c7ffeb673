"""Says of an object whether its interface is promised to stay (``torch.fx._compatibility``)."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any, TypeVar

_T = TypeVar("_T")

#: Objects that promise to stay as they are.
_BACK_COMPAT_OBJECTS: dict[Any, None] = {}
#: All that were marked, with or without the promise.
_MARKED_WITH_COMPATIBILITY: dict[Any, None] = {}


def compatibility(is_backward_compatible: bool) -> Callable[[_T], _T]:
    """A decorator that notes the promise, and says so in the docstring."""
    note = "API is backwards-compatible" if is_backward_compatible else "API may change"

    def mark(fn: _T) -> _T:
        doc = textwrap.dedent(getattr(fn, "__doc__", None) or "")
        fn.__doc__ = f"{doc}\n\n.. note::\n    {note}.\n"
        if is_backward_compatible:
            _BACK_COMPAT_OBJECTS.setdefault(fn)
        _MARKED_WITH_COMPATIBILITY.setdefault(fn)
        return fn

    return mark
