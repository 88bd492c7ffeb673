"""Negative binomial distributions."""

from __future__ import annotations

from typing import Any

from ..aten import torch
from ..aten.torch import Tensor
from ..nn.functional import logsigmoid
from . import constraints
from ._probabilities import _Parameter
from .distribution import Distribution
from .gamma import Gamma
from .utils import (
    _NO_DIMS,
    _given_of,
    broadcast_all,
    lazy_property,
)

__all__ = ["NegativeBinomial"]


class NegativeBinomial(_Parameter, Distribution):
    """The number of successes before *total_count* failures.

    :param total_count: the number of failures, which need not be whole.
    :param probs: the probability of success.
    :param logits: in its place, the log odds of success.
    """

    arg_constraints = {
        "total_count": constraints.greater_than_eq(0),
        "probs": constraints.half_open_interval(0.0, 1.0),
        "logits": constraints.real,
    }
    support = constraints.nonnegative_integer

    def __init__(
        self,
        total_count: Tensor | float,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        name, given = _given_of(probs, logits)
        self.total_count, self._param = broadcast_all(total_count, given)
        self.total_count = self.total_count.type_as(self._param)
        setattr(self, name, self._param)
        super().__init__(self._param.size(), validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        names = ("total_count", "probs", "logits")
        return self._expand_parameters_(NegativeBinomial, batch_shape, _instance, names)

    @property
    def mean(self) -> Tensor:
        return self.total_count * torch.exp(self.logits)

    @property
    def mode(self) -> Tensor:
        return ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0.0)

    @property
    def variance(self) -> Tensor:
        return self.mean / torch.sigmoid(-self.logits)

    @lazy_property
    def _gamma(self) -> Gamma:
        """The distribution of the rate of the Poisson numbers that are drawn."""
        return Gamma(
            concentration=self.total_count, rate=torch.exp(-self.logits), validate_args=False
        )

    def sample(self, sample_shape: Any = _NO_DIMS) -> Tensor:
        with torch.no_grad():
            rate = self._gamma.sample(sample_shape=sample_shape)
            return torch.poisson(rate)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_(value)
        unnormalised = self.total_count * logsigmoid(-self.logits) + value * logsigmoid(self.logits)
        normalizer = (
            -torch.lgamma(self.total_count + value)
            + torch.lgamma(1.0 + value)
            + torch.lgamma(self.total_count)
        )
        normalizer = normalizer.masked_fill(self.total_count + value == 0.0, 0.0)
        return unnormalised - normalizer
