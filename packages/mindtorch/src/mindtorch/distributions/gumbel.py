"""Gumbel distributions."""

from __future__ import annotations

import math
from typing import Any

from ..aten import torch
from ..aten.torch import Tensor
from . import constraints
from .transformed_distribution import TransformedDistribution
from .transforms import AffineTransform, ExpTransform
from .uniform import Uniform
from .utils import _Number, broadcast_all, euler_constant

__all__ = ["Gumbel"]


class Gumbel(TransformedDistribution):
    """The distribution of the largest of many numbers.

    :param loc: the mode.
    :param scale: the scale.
    """

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real

    def __init__(
        self, loc: Tensor | float, scale: Tensor | float, validate_args: bool | None = None
    ) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        finfo = torch.finfo(self.loc.dtype)
        low: Any = finfo.tiny
        high: Any = 1 - finfo.eps
        if not (isinstance(loc, _Number) and isinstance(scale, _Number)):
            low, high = torch.full_like(self.loc, low), torch.full_like(self.loc, high)
        base = Uniform(low, high, validate_args=validate_args)
        # -log(-log(u)), scaled and moved.
        log, minus = ExpTransform().inv, AffineTransform(0, -torch.ones_like(self.scale))
        moved = AffineTransform(loc, -self.scale)
        transforms = [log, minus, ExpTransform().inv, moved]
        super().__init__(base, transforms, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        return self._expand_with_(Gumbel, batch_shape, _instance, "loc", "scale")

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_(value)
        depth = (self.loc - value) / self.scale
        return depth - depth.exp() - self.scale.log()

    @property
    def mean(self) -> Tensor:
        return self.loc + self.scale * euler_constant

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def stddev(self) -> Tensor:
        return (math.pi / math.sqrt(6)) * self.scale

    @property
    def variance(self) -> Tensor:
        return self.stddev.pow(2)

    def entropy(self) -> Tensor:
        return self.scale.log() + (1 + euler_constant)
