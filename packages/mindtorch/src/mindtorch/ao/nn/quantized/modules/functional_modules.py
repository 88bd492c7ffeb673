"""``torch.ao.nn.quantized.modules.functional_modules``: arithmetic that observers can watch."""

from __future__ import annotations

from typing import Any

from mindtorch.core.unavailable import offer_listed

from ..... import nn
from .....aten import torch

__all__ = ["FXFloatFunctional", "FloatFunctional"]


class FXFloatFunctional(nn.Module):
    """Arithmetic of floats as methods of a module."""

    def forward(self, x: Any) -> Any:
        """Refuse: the methods are to be called."""
        raise RuntimeError(
            "FloatFunctional is not intended to use the 'forward'. Please use the underlying "
            "operation"
        )

    def _observed(self, result: Any) -> Any:
        """What becomes of a result."""
        return result

    def add(self, x: Any, y: Any) -> Any:
        """``x + y``."""
        return self._observed(torch.add(x, y))

    def add_scalar(self, x: Any, y: float) -> Any:
        """``x + y`` for a number, which nothing watches."""
        return torch.add(x, y)

    def mul(self, x: Any, y: Any) -> Any:
        """``x * y``."""
        return self._observed(torch.mul(x, y))

    def mul_scalar(self, x: Any, y: float) -> Any:
        """``x * y`` for a number, which nothing watches."""
        return torch.mul(x, y)

    def cat(self, x: list[Any], dim: int = 0) -> Any:
        """The tensors of a list, one after the other."""
        return self._observed(torch.cat(x, dim=dim))

    def add_relu(self, x: Any, y: Any) -> Any:
        """What is positive of ``x + y``."""
        return self._observed(nn.functional.relu(torch.add(x, y)))

    def matmul(self, x: Any, y: Any) -> Any:
        """``x @ y``."""
        return self._observed(torch.matmul(x, y))


class FloatFunctional(FXFloatFunctional):
    """The same with an observer, ``activation_post_process``, that results pass through."""

    activation_post_process: nn.Module

    def __init__(self) -> None:
        super().__init__()
        self.activation_post_process = nn.Identity()

    def _observed(self, result: Any) -> Any:
        return self.activation_post_process(result)


offer_listed(globals())
