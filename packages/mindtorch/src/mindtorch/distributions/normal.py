"""Normal distributions."""

from __future__ import annotations

import math
from typing import Any

from ..aten import torch
from ..aten.torch import Size, Tensor
from . import constraints
from .exp_family import ExponentialFamily
from .utils import _NO_DIMS, _Number, _standard_normal, broadcast_all

__all__ = ["Normal"]


class Normal(ExponentialFamily):
    """The Gaussian distribution.

    :param loc: the mean.
    :param scale: the standard deviation.
    """

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True
    _mean_carrier_measure = 0

    @property
    def mean(self) -> Tensor:
        return self.loc

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def stddev(self) -> Tensor:
        return self.scale

    @property
    def variance(self) -> Tensor:
        return self.stddev.pow(2)

    def __init__(
        self, loc: Tensor | float, scale: Tensor | float, validate_args: bool | None = None
    ) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        numbers = isinstance(loc, _Number) and isinstance(scale, _Number)
        batch_shape = Size() if numbers else self.loc.size()
        super().__init__(batch_shape, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        return self._expand_parameters_(Normal, batch_shape, _instance, ("loc", "scale"))

    def sample(self, sample_shape: Any = _NO_DIMS) -> Tensor:
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            return torch.normal(self.loc.expand(shape), self.scale.expand(shape))

    def rsample(self, sample_shape: Any = _NO_DIMS) -> Tensor:
        shape = self._extended_shape(sample_shape)
        eps = _standard_normal(shape, dtype=self.loc.dtype, device=self.loc.device)
        return self.loc + eps * self.scale

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_(value)
        variance = self.scale**2
        scale: Any = self.scale  # subclasses may have a number here
        log_scale = math.log(scale) if isinstance(scale, _Number) else scale.log()
        return (
            -((value - self.loc) ** 2) / (2 * variance)
            - log_scale
            - math.log(math.sqrt(2 * math.pi))
        )

    def cdf(self, value: Tensor) -> Tensor:
        self._check_(value)
        off = (value - self.loc) * self.scale.reciprocal()
        return 0.5 * (1 + torch.erf(off / math.sqrt(2)))

    def icdf(self, value: Tensor) -> Tensor:
        return self.loc + self.scale * torch.erfinv(2 * value - 1) * math.sqrt(2)

    def entropy(self) -> Tensor:
        return 0.5 + 0.5 * math.log(2 * math.pi) + torch.log(self.scale)

    @property
    def _natural_params(self) -> tuple[Tensor, Tensor]:
        square = self.scale.pow(2)
        return (self.loc / square, -0.5 * square.reciprocal())

    def _log_normalizer(self, x: Tensor, y: Tensor) -> Tensor:
        return -0.25 * x.pow(2) / y + 0.5 * torch.log(-math.pi / y)
