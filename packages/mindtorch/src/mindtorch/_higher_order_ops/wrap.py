"""``torch._higher_order_ops.wrap``: functions that a tracer keeps as a whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._library.higher_order_operator import HigherOrderOperator
from ..amp.autocast_mode import autocast
from ..autograd.grad_mode import set_grad_enabled

__all__ = ["wrap", "wrap_with_autocast", "wrap_with_set_grad_enabled"]


class Wrap(HigherOrderOperator):
    """``torch.ops.higher_order.wrap``: ``func(*args, **kwargs)``."""

    def __init__(self) -> None:
        super().__init__("wrap")

    def __call__(self, func: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call *func*."""
        return func(*args, **kwargs)


class WrapWithSetGradEnabled(HigherOrderOperator):
    """A function that runs with gradients on or off."""

    def __init__(self) -> None:
        super().__init__("wrap_with_set_grad_enabled")

    def __call__(
        self, enable_grad: bool, wrapped_func: Callable[..., Any], *args: Any, **kwargs: Any
    ) -> Any:
        """Call *wrapped_func*."""
        with set_grad_enabled(enable_grad):
            return wrapped_func(*args, **kwargs)


class WrapWithAutocast(HigherOrderOperator):
    """A function that runs in a block of ``torch.autocast``."""

    def __init__(self) -> None:
        super().__init__("wrap_with_autocast")

    def __call__(
        self,
        device_type: str,
        dtype: Any,
        enabled: bool,
        cache_enabled: bool | None,
        wrapped_func: Callable[..., Any],
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        """Call *wrapped_func*."""
        with autocast(device_type, dtype, enabled, cache_enabled):
            return wrapped_func(*args, **kwargs)


wrap = Wrap()
wrap_with_set_grad_enabled = WrapWithSetGradEnabled()
wrap_with_autocast = WrapWithAutocast()
