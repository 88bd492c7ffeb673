"""``torch._higher_order_ops.wrap``: a function that a tracer keeps as a whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._library.higher_order_operator import HigherOrderOperator

__all__ = ["wrap"]


class Wrap(HigherOrderOperator):
    """``torch.ops.higher_order.wrap``: ``func(*args, **kwargs)``."""

    def __init__(self) -> None:
        super().__init__("wrap")

    def __call__(self, func: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call *func*."""
        return func(*args, **kwargs)


wrap = Wrap()
