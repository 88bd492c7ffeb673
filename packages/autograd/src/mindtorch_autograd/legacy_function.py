"""``InplaceFunction`` and ``NestedIOFunction``: bases of Functions in torch's old style.

Their instances can be made and asked for attributes; nothing can be computed with them, for the
style in which a Function is an instance is gone.
"""

from __future__ import annotations

from typing import Any

from mindtorch_autograd import function_errors
from mindtorch_autograd.function import Function

__all__ = ["InplaceFunction", "NestedIOFunction"]


class InplaceFunction(Function):
    """Remembers whether it was asked to work in place."""

    __module__ = "torch.autograd.function"

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace


class NestedIOFunction(Function):
    """Functions over nested lists of values; calling one is refused, as of all instances."""

    __module__ = "torch.autograd.function"

    def forward_extended(self, *input: Any) -> None:
        """For subclasses."""
        raise NotImplementedError

    def backward_extended(self, *grad_output: Any) -> None:
        """For subclasses."""
        raise NotImplementedError

    def __call__(self, *input: Any) -> Any:
        """Refuse: the legacy style is gone."""
        raise function_errors.legacy_function()
