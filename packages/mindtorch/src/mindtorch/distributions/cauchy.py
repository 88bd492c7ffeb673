"""Cauchy distributions."""

from __future__ import annotations

import math
from typing import Any

from ..aten import torch
from ..aten.torch import Size, Tensor, inf, nan
from . import constraints
from .distribution import Distribution
from .utils import _NO_DIMS, _Number, broadcast_all

__all__ = ["Cauchy"]


class Cauchy(Distribution):
    """The distribution of the ratio of two centred normal numbers.

    :param loc: mode and median.
    :param scale: half width at half maximum.
    """

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(
        self, loc: Tensor | float, scale: Tensor | float, validate_args: bool | None = None
    ) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        numbers = isinstance(loc, _Number) and isinstance(scale, _Number)
        batch_shape = Size() if numbers else self.loc.size()
        super().__init__(batch_shape, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        return self._expand_parameters_(Cauchy, batch_shape, _instance, ("loc", "scale"))

    def _filled_(self, number: float) -> Tensor:
        return torch.full(
            self._extended_shape(), number, dtype=self.loc.dtype, device=self.loc.device
        )

    @property
    def mean(self) -> Tensor:
        return self._filled_(nan)

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def variance(self) -> Tensor:
        return self._filled_(inf)

    def rsample(self, sample_shape: Any = _NO_DIMS) -> Tensor:
        shape = self._extended_shape(sample_shape)
        eps = self.loc.new(shape).cauchy_()
        return self.loc + eps * self.scale

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_(value)
        return (
            -math.log(math.pi) - self.scale.log() - (((value - self.loc) / self.scale) ** 2).log1p()
        )

    def cdf(self, value: Tensor) -> Tensor:
        self._check_(value)
        return torch.atan((value - self.loc) / self.scale) / math.pi + 0.5

    def icdf(self, value: Tensor) -> Tensor:
        return torch.tan(math.pi * (value - 0.5)) * self.scale + self.loc

    def entropy(self) -> Tensor:
        return math.log(4 * math.pi) + self.scale.log()
