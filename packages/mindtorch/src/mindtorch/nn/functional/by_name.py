"""``nn.functional`` as a program finds it, for those of its functions that call others.

A program may put a function of its own there, to count or to change what is computed: whoever calls
a function by its name in the namespace calls that one.
"""

from __future__ import annotations

from sys import modules
from typing import Any

__all__ = ["functional"]


class _Namespace:
    """The package that this module is of, which is not whole yet when its modules are imported."""

    def __getattr__(self, name: str) -> Any:
        return getattr(modules[__package__], name)


functional: Any = _Namespace()
