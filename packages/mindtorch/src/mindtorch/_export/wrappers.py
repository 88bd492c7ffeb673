"""``torch._export.wrappers``: marks for export, which captures nothing here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["mark_subclass_constructor_exportable_experimental"]


def mark_subclass_constructor_exportable_experimental(
    constructor_subclass: Callable[..., None],
) -> Callable[..., None]:
    """Let export see that a subclass of Tensor is made: a decorator of its ``__init__``.

    Raises RuntimeError for another function.
    """
    if not (callable(constructor_subclass) and constructor_subclass.__name__ == "__init__"):
        raise RuntimeError(
            "torch._export.wrappers.mark_constructor_exportable_experimental can only be applied "
            "on subclass tensor.__init__But, you are adding it on "
            f"{constructor_subclass.__name__} which is not supported. If __init__ doesn't exist on "
            "your subclass, please add it. Look at DTensor.__init__ implementation for example"
        )

    def wrapper(*args: Any, **kwargs: Any) -> None:
        constructor_subclass(*args, **kwargs)

    return wrapper
