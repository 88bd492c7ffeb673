"""``torch.utils._exposed_in``: functions that say they live where programs find them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

__all__ = ["exposed_in"]

_T = TypeVar("_T")


def exposed_in(module: str) -> Callable[[_T], _T]:
    """A decorator: ``__module__`` is *module*, which users import the function from."""

    def mark(fn: _T) -> _T:
        fn.__module__ = module
        return fn

    return mark
