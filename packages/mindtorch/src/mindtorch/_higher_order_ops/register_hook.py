"""``torch._higher_order_ops.register_hook``: a hook on a tensor as an operator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._library.higher_order_operator import HigherOrderOperator

__all__ = ["RegisterHookOp", "register_hook_op"]


class RegisterHookOp(HigherOrderOperator):
    """``torch.ops.higher_order.register_hook``: *hook_body* gets the gradient and *freevars*."""

    def __init__(self) -> None:
        super().__init__("register_hook", cacheable=True)

    def __call__(self, tensor: Any, hook_body: Callable[..., Any], *freevars: Any) -> Any:
        """Register it; gives *tensor*."""
        tensor.register_hook(lambda grad: hook_body(grad, *freevars))
        return tensor


register_hook_op = RegisterHookOp()
