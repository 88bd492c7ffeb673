"""Functions of one's own for programs of views."""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def functions(torch: Any) -> dict[str, Any]:
    """Functions of one's own that make views, hand through what they are given, or change it."""

    class Halves(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.view(-1)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g.reshape(2, -1)

    class Same(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 3

    class Both(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x[:1], x[1:]

        @staticmethod
        def backward(ctx: Any, a: Any, b: Any) -> Any:
            return torch.cat([a, b])

    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 2

    return {"view": Halves, "same": Same, "views": Both, "double_": Double}
