"""An activation with learnt slopes."""

from __future__ import annotations

from typing import Any

from ...core.operators import ops
from ...tensor import Tensor
from .. import functional as F
from .. import init as initialize
from ..parameter import Parameter
from .module import Module

__all__ = ["PReLU"]


class PReLU(Module):
    """The input, times a learnt slope where it is negative; one slope, or one for each channel."""

    __constants__ = ["num_parameters"]

    def __init__(
        self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None
    ) -> None:
        self.num_parameters = num_parameters
        super().__init__()
        self.init = init
        self.weight = Parameter(ops.empty(num_parameters, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """The slopes as they begin."""
        initialize.constant_(self.weight, self.init)

    def forward(self, input: Tensor) -> Tensor:
        return F.prelu(input, self.weight)

    def extra_repr(self) -> str:
        return f"num_parameters={self.num_parameters}"
