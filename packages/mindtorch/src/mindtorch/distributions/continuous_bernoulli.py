"""Continuous Bernoulli distributions."""

from __future__ import annotations

import math
from typing import Any

from .. import special
from ..aten import torch
from ..aten.torch import Size, Tensor
from ..nn.functional import binary_cross_entropy_with_logits
from . import constraints
from ._probabilities import _Parameter
from .exp_family import ExponentialFamily
from .utils import (
    _NO_DIMS,
    Number,
    _given_of,
    _Number,
    broadcast_all,
    clamp_probs,
    lazy_property,
    logits_to_probs,
)

__all__ = ["ContinuousBernoulli"]


class ContinuousBernoulli(_Parameter, ExponentialFamily):
    """Numbers from 0 to 1 whose density is proportional to ``p**x * (1 - p)**(1 - x)``.

    :param probs: the parameter p, from 0 to 1.
    :param logits: in its place, its log odds.
    :param lims: between which values of p Taylor series are used, the formulas being unstable.
    """

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.unit_interval
    _mean_carrier_measure = 0
    has_rsample = True

    def __init__(
        self,
        probs: Tensor | Number | None = None,
        logits: Tensor | Number | None = None,
        lims: tuple[float, float] = (0.499, 0.501),
        validate_args: bool | None = None,
    ) -> None:
        _, given = _given_of(probs, logits)
        (param,) = broadcast_all(given)
        if probs is None:
            self.logits = param
        else:
            # Checked before it is kept off 0 and 1.
            if validate_args is not None and not self.arg_constraints["probs"].check(param).all():
                raise ValueError("The parameter probs has invalid values")
            self.probs = param = clamp_probs(param)
        self._param = param
        batch_shape = Size() if isinstance(given, _Number) else param.size()
        self._lims = lims
        super().__init__(batch_shape, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        names = ("probs", "logits")
        return self._expand_parameters_(
            ContinuousBernoulli, batch_shape, _instance, names, same=("_lims",)
        )

    def _outside_unstable_region(self) -> Tensor:
        return torch.max(torch.le(self.probs, self._lims[0]), torch.gt(self.probs, self._lims[1]))

    def _cut_probs(self) -> Tensor:
        """The probabilities, with a stable one in place of those near one half."""
        return torch.where(
            self._outside_unstable_region(),
            self.probs,
            self._lims[0] * torch.ones_like(self.probs),
        )

    def _cont_bern_log_norm(self) -> Tensor:
        """The logarithm of the constant that makes the density integrate to one."""
        cut = self._cut_probs()
        below = torch.where(torch.le(cut, 0.5), cut, torch.zeros_like(cut))
        above = torch.where(torch.ge(cut, 0.5), cut, torch.ones_like(cut))
        log_norm = torch.log(torch.abs(torch.log1p(-cut) - torch.log(cut))) - torch.where(
            torch.le(cut, 0.5), torch.log1p(-2.0 * below), torch.log(2.0 * above - 1.0)
        )
        x = torch.pow(self.probs - 0.5, 2)
        taylor = math.log(2.0) + (4.0 / 3.0 + 104.0 / 45.0 * x) * x
        return torch.where(self._outside_unstable_region(), log_norm, taylor)

    @property
    def mean(self) -> Tensor:
        cut = self._cut_probs()
        means = cut / (2.0 * cut - 1.0) + 1.0 / (torch.log1p(-cut) - torch.log(cut))
        x = self.probs - 0.5
        taylor = 0.5 + (1.0 / 3.0 + 16.0 / 45.0 * torch.pow(x, 2)) * x
        return torch.where(self._outside_unstable_region(), means, taylor)

    @property
    def stddev(self) -> Tensor:
        return torch.sqrt(self.variance)

    @property
    def variance(self) -> Tensor:
        cut = self._cut_probs()
        variances = cut * (cut - 1.0) / torch.pow(1.0 - 2.0 * cut, 2) + 1.0 / torch.pow(
            torch.log1p(-cut) - torch.log(cut), 2
        )
        x = torch.pow(self.probs - 0.5, 2)
        taylor = 1.0 / 12.0 - (1.0 / 15.0 - 128.0 / 945.0 * x) * x
        return torch.where(self._outside_unstable_region(), variances, taylor)

    @lazy_property
    def probs(self) -> Tensor:
        return clamp_probs(logits_to_probs(self.logits, is_binary=True))

    def _uniform_(self, sample_shape: Any) -> Tensor:
        shape = self._extended_shape(sample_shape)
        return torch.rand(shape, dtype=self.probs.dtype, device=self.probs.device)

    def sample(self, sample_shape: Any = _NO_DIMS) -> Tensor:
        u = self._uniform_(sample_shape)
        with torch.no_grad():
            return self.icdf(u)

    def rsample(self, sample_shape: Any = _NO_DIMS) -> Tensor:
        return self.icdf(self._uniform_(sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_(value)
        logits, value = broadcast_all(self.logits, value)
        return (
            -binary_cross_entropy_with_logits(logits, value, reduction="none")
            + self._cont_bern_log_norm()
        )

    def cdf(self, value: Tensor) -> Tensor:
        self._check_(value)
        cut = self._cut_probs()
        cdfs = (torch.pow(cut, value) * torch.pow(1.0 - cut, 1.0 - value) + cut - 1.0) / (
            2.0 * cut - 1.0
        )
        inner = torch.where(self._outside_unstable_region(), cdfs, value)
        return torch.where(
            torch.le(value, 0.0),
            torch.zeros_like(value),
            torch.where(torch.ge(value, 1.0), torch.ones_like(value), inner),
        )

    def icdf(self, value: Tensor) -> Tensor:
        cut = self._cut_probs()
        return torch.where(
            self._outside_unstable_region(),
            (torch.log1p(-cut + value * (2.0 * cut - 1.0)) - torch.log1p(-cut))
            / (torch.log(cut) - torch.log1p(-cut)),
            value,
        )

    def entropy(self) -> Tensor:
        log_probs0 = torch.log1p(-self.probs)
        log_probs1 = torch.log(self.probs)
        return self.mean * (log_probs0 - log_probs1) - self._cont_bern_log_norm() - log_probs0

    @property
    def _natural_params(self) -> tuple[Tensor]:
        return (self.logits,)

    def _log_normalizer(self, x: Tensor) -> Tensor:
        """A Taylor series where x is near 0, for which the formula is unstable."""
        low, high = self._lims[0] - 0.5, self._lims[1] - 0.5
        outside = torch.max(torch.le(x, low), torch.gt(x, high))
        cut = torch.where(outside, x, low * torch.ones_like(x))
        log_norm = torch.log(torch.abs(special.expm1(cut))) - torch.log(torch.abs(cut))
        taylor = 0.5 * x + torch.pow(x, 2) / 24.0 - torch.pow(x, 4) / 2880.0
        return torch.where(outside, log_norm, taylor)
