"""Student's t distributions."""

from __future__ import annotations

import math
from typing import Any

from ..aten import torch
from ..aten.torch import Tensor, inf, nan
from . import constraints
from .chi2 import Chi2
from .distribution import Distribution
from .utils import _NO_DIMS, _standard_normal, broadcast_all

__all__ = ["StudentT"]


class StudentT(Distribution):
    """The distribution of a normal mean over its estimated standard deviation.

    :param df: the degrees of freedom.
    :param loc: the mode.
    :param scale: the scale.
    """

    arg_constraints = {
        "df": constraints.positive,
        "loc": constraints.real,
        "scale": constraints.positive,
    }
    support = constraints.real
    has_rsample = True

    @property
    def mean(self) -> Tensor:
        mean = self.loc.clone(memory_format=torch.contiguous_format)
        mean[self.df <= 1] = nan
        return mean

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def variance(self) -> Tensor:
        variance = self.df.clone(memory_format=torch.contiguous_format)
        finite = self.df > 2
        variance[finite] = self.scale[finite].pow(2) * self.df[finite] / (self.df[finite] - 2)
        variance[(self.df <= 2) & (self.df > 1)] = inf
        variance[self.df <= 1] = nan
        return variance

    def __init__(
        self,
        df: Tensor | float,
        loc: Tensor | float = 0.0,
        scale: Tensor | float = 1.0,
        validate_args: bool | None = None,
    ) -> None:
        self.df, self.loc, self.scale = broadcast_all(df, loc, scale)
        self._chi2 = Chi2(self.df)
        super().__init__(self.df.size(), validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        names = ("df", "loc", "scale")
        new = self._expand_parameters_(StudentT, batch_shape, _instance, names)
        new._chi2 = self._chi2.expand(new._batch_shape)
        return new

    def rsample(self, sample_shape: Any = _NO_DIMS) -> Tensor:
        shape = self._extended_shape(sample_shape)
        x = _standard_normal(shape, dtype=self.df.dtype, device=self.df.device)
        z = self._chi2.rsample(sample_shape)
        return self.loc + self.scale * (x * torch.rsqrt(z / self.df))

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_(value)
        deviation = (value - self.loc) / self.scale
        half, half_more = 0.5 * self.df, 0.5 * (self.df + 1.0)
        logs = self.scale.log() + 0.5 * self.df.log() + 0.5 * math.log(math.pi)
        normalizer = logs + half.lgamma() - half_more.lgamma()
        return -half_more * (deviation**2.0 / self.df).log1p() - normalizer

    def entropy(self) -> Tensor:
        log_beta = (
            torch.lgamma(0.5 * self.df) + math.lgamma(0.5) - torch.lgamma(0.5 * (self.df + 1))
        )
        slopes = torch.digamma(0.5 * (self.df + 1)) - torch.digamma(0.5 * self.df)
        return self.scale.log() + 0.5 * (self.df + 1) * slopes + 0.5 * self.df.log() + log_beta
