"""What layers have in common whose weight is rounded together with the norm that follows.

In training the norm still has the statistics of the batch: the weight is multiplied by what the
running statistics give, rounded, and the result divided by the same again.
"""

from __future__ import annotations

from typing import Any, Self

from ...... import nn

__all__ = ["NormFolded"]


class NormFolded(nn.Module):
    """A layer with a norm ``bn`` that may be frozen."""

    bn: Any
    weight: Any
    bias: Any
    freeze_bn: bool

    def begin(self, bias: bool) -> None:
        """Give the parameters their first values."""
        if not bias:
            self.register_parameter("bias", None)
        self.reset_bn_parameters()
        if self.training and not self.freeze_bn:
            self.update_bn_stats()
        else:
            self.freeze_bn_stats()

    def reset_running_stats(self) -> None:
        """Forget the statistics of the norm."""
        self.bn.reset_running_stats()

    def reset_bn_parameters(self) -> None:
        """Give the norm its first parameters, and the bias random ones."""
        self.bn.reset_running_stats()
        nn.init.uniform_(self.bn.weight)
        nn.init.zeros_(self.bn.bias)
        if self.bias is not None:
            fan_in, _ = nn.init._calculate_fan_in_and_fan_out(self.weight)
            bound = 1 / fan_in**0.5
            nn.init.uniform_(self.bias, -bound, bound)

    def update_bn_stats(self) -> Any:
        """Let the norm follow the batches."""
        self.freeze_bn = False
        self.bn.training = True
        return self

    def freeze_bn_stats(self) -> Any:
        """Let the norm keep its statistics."""
        self.freeze_bn = True
        self.bn.training = False
        return self

    def train(self, mode: bool = True) -> Self:
        """Switch to training or evaluation: a norm that is frozen stays so."""
        self.training = mode
        if not self.freeze_bn:
            for module in self.children():
                module.train(mode)
        return self
