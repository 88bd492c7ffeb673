"""``torch.autograd._functions``: two Functions of old."""

from __future__ import annotations

import math
from typing import Any

from mindtorch_autograd import Function

from ..core.warning import warn

__all__ = ["Resize", "Type"]


class Type(Function):
    """Its argument in another dtype, as ``to(dtype)``; deprecated."""

    @staticmethod
    def forward(ctx: Any, i: Any, dest_type: Any) -> Any:
        """*i* as ``i.type(dest_type)`` gives it."""
        warn(
            "`torch.autograd._functions.Type` is deprecated as of PyTorch 2.1, please use "
            "`torch.tensor.to(dtype=dtype)` instead.",
            FutureWarning,
        )
        ctx.input_type = i.dtype
        return i.type(dest_type)

    @staticmethod
    def backward(ctx: Any, grad_output: Any) -> Any:
        """The gradient in the dtype of the argument."""
        return grad_output.to(ctx.input_type), None


class Resize(Function):
    """Its argument in another shape, with as many elements."""

    @staticmethod
    def forward(ctx: Any, tensor: Any, sizes: Any) -> Any:
        """*tensor* in the shape *sizes*. Raises RuntimeError where the numbers differ."""
        count = math.prod(sizes)
        if tensor.numel() != count:
            raise RuntimeError(
                f"requested resize to {'x'.join(map(str, sizes))} ({count} elements in total), "
                f"but the given tensor has a size of {'x'.join(map(str, tensor.size()))} "
                f"({tensor.numel()} elements). autograd's resize can only change the shape of a "
                "given tensor, while preserving the number of elements. "
            )
        ctx.input_sizes = tensor.size()
        return tensor.contiguous().view(*sizes)

    @staticmethod
    def backward(ctx: Any, grad_output: Any) -> Any:
        """The gradient in the shape of the argument."""
        return grad_output.contiguous().view(ctx.input_sizes), None
