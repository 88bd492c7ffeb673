"""Relaxed Bernoulli distributions, whose samples have gradients."""

from __future__ import annotations

from typing import Any

from ..aten import torch
from ..aten.torch import Size, Tensor
from . import constraints
from ._probabilities import _Parameter, _Relaxed
from .distribution import Distribution
from .transformed_distribution import TransformedDistribution
from .transforms import SigmoidTransform
from .utils import (
    _NO_DIMS,
    Number,
    _given_of,
    _Number,
    broadcast_all,
    clamp_probs,
)

__all__ = ["LogitRelaxedBernoulli", "RelaxedBernoulli"]


class LogitRelaxedBernoulli(_Parameter, Distribution):
    """The log odds of relaxed Bernoulli numbers.

    :param temperature: how far from 0 and 1 the numbers are.
    :param probs: the probability of 1.
    :param logits: in its place, the log odds of 1.
    """

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.real

    def __init__(
        self,
        temperature: Tensor,
        probs: Tensor | Number | None = None,
        logits: Tensor | Number | None = None,
        validate_args: bool | None = None,
    ) -> None:
        self.temperature = temperature
        name, given = _given_of(probs, logits)
        (self._param,) = broadcast_all(given)
        setattr(self, name, self._param)
        batch_shape = Size() if isinstance(given, _Number) else self._param.size()
        super().__init__(batch_shape, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        return self._expand_parameters_(
            LogitRelaxedBernoulli, batch_shape, _instance, ("probs", "logits"), ("temperature",)
        )

    def rsample(self, sample_shape: Any = _NO_DIMS) -> Tensor:
        shape = self._extended_shape(sample_shape)
        probs = clamp_probs(self.probs.expand(shape))
        u = clamp_probs(torch.rand(shape, dtype=probs.dtype, device=probs.device))
        logistic = u.log() - (-u).log1p()
        return (logistic + probs.log() - (-probs).log1p()) / self.temperature

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_(value)
        logits, value = broadcast_all(self.logits, value)
        diff = logits - value.mul(self.temperature)
        return self.temperature.log() + diff - 2 * diff.exp().log1p()


class RelaxedBernoulli(_Relaxed, TransformedDistribution):
    """Numbers from 0 to 1 that become Bernoulli numbers as the temperature falls.

    :param temperature: how far from 0 and 1 the numbers are.
    :param probs: the probability of 1.
    :param logits: in its place, the log odds of 1.
    """

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.unit_interval
    has_rsample = True
    base_dist: LogitRelaxedBernoulli

    def __init__(
        self,
        temperature: Tensor,
        probs: Tensor | Number | None = None,
        logits: Tensor | Number | None = None,
        validate_args: bool | None = None,
    ) -> None:
        base = LogitRelaxedBernoulli(temperature, probs, logits)
        super().__init__(base, SigmoidTransform(), validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        new = self._get_checked_instance(RelaxedBernoulli, _instance)
        return super().expand(batch_shape, _instance=new)
