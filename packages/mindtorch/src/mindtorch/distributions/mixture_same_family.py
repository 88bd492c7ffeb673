"""Mixtures of distributions of one family."""

from __future__ import annotations

from typing import Any

from ..aten import torch
from ..aten.torch import Size, Tensor
from . import constraints
from .categorical import Categorical
from .constraints import MixtureSameFamilyConstraint
from .distribution import Distribution
from .utils import _NO_DIMS

__all__ = ["MixtureSameFamily"]


class MixtureSameFamily(Distribution):
    """A mixture of the distributions of a batch.

    :param mixture_distribution: which component a value comes from.
    :param component_distribution: the components, along the last dimension of the batch.
    """

    arg_constraints: dict[str, constraints.Constraint] = {}
    has_rsample = False

    def __init__(
        self,
        mixture_distribution: Categorical,
        component_distribution: Distribution,
        validate_args: bool | None = None,
    ) -> None:
        self._mixture_distribution = mixture_distribution
        self._component_distribution = component_distribution
        if not isinstance(self._mixture_distribution, Categorical):
            raise ValueError(
                " The Mixture distribution needs to be an  instance of "
                "torch.distributions.Categorical"
            )
        if not isinstance(self._component_distribution, Distribution):
            raise ValueError(
                "The Component distribution needs to be an instance of "
                "torch.distributions.Distribution"
            )
        mixed, event = mixture_distribution.batch_shape, component_distribution.event_shape
        batch, count = (component_distribution.batch_shape[part] for part in (slice(-1), -1))
        pairs = zip(reversed(mixed), reversed(batch), strict=False)
        if any(len({*pair} | {1}) > 2 for pair in pairs):
            raise ValueError(
                f"`mixture_distribution.batch_shape` ({mixed}) is not compatible with "
                f"`component_distribution.batch_shape`({batch})"
            )
        self._num_component = mixture_distribution.logits.shape[-1]
        if self._num_component != count:
            raise ValueError(
                f"`mixture_distribution component` ({self._num_component}) does not equal "
                f"`component_distribution.batch_shape[-1]` ({count})"
            )
        self._event_ndims = len(event)
        super().__init__(batch_shape=batch, event_shape=event, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        new = self._get_checked_instance(MixtureSameFamily, _instance)
        batch_shape = Size(batch_shape)
        components = self._component_distribution.expand(batch_shape + (self._num_component,))
        return self._expanded_(
            new,
            batch_shape,
            components.event_shape,
            _component_distribution=components,
            _mixture_distribution=self._mixture_distribution.expand(batch_shape),
            _num_component=self._num_component,
            _event_ndims=self._event_ndims,
        )

    @constraints.dependent_property
    def support(self) -> Any:
        return MixtureSameFamilyConstraint(self._component_distribution.support)

    @property
    def mixture_distribution(self) -> Categorical:
        """Which component a value comes from."""
        return self._mixture_distribution

    @property
    def component_distribution(self) -> Distribution:
        """The components."""
        return self._component_distribution

    def _weighted_(self, values: Tensor) -> Tensor:
        probs = self._pad_mixture_dimensions(self.mixture_distribution.probs)
        return torch.sum(probs * values, dim=-1 - self._event_ndims)

    @property
    def mean(self) -> Tensor:
        return self._weighted_(self.component_distribution.mean)

    @property
    def variance(self) -> Tensor:
        # The law of total variance.
        within = self._weighted_(self.component_distribution.variance)
        off = self.component_distribution.mean - self._pad(self.mean)
        return within + self._weighted_(off.pow(2.0))

    def cdf(self, x: Tensor) -> Tensor:
        x = self._pad(x)
        cdf = self.component_distribution.cdf(x)
        return torch.sum(cdf * self.mixture_distribution.probs, dim=-1)

    def log_prob(self, x: Tensor) -> Tensor:
        self._check_(x)
        x = self._pad(x)
        log_prob = self.component_distribution.log_prob(x)
        weights = torch.log_softmax(self.mixture_distribution.logits, dim=-1)
        return torch.logsumexp(log_prob + weights, dim=-1)

    def sample(self, sample_shape: Any = _NO_DIMS) -> Tensor:
        with torch.no_grad():
            dim = len(sample_shape) + len(self.batch_shape)
            event = self.event_shape
            which = self.mixture_distribution.sample(sample_shape)
            shape = which.shape
            drawn = self.component_distribution.sample(sample_shape)
            index = which.reshape(shape + Size([1] * (len(event) + 1)))
            index = index.repeat(Size([1] * len(shape)) + Size([1]) + event)
            return torch.gather(drawn, dim, index).squeeze(dim)

    def _pad(self, x: Tensor) -> Tensor:
        return x.unsqueeze(-1 - self._event_ndims)

    def _pad_mixture_dimensions(self, x: Tensor) -> Tensor:
        own, mixture = len(self.batch_shape), len(self.mixture_distribution.batch_shape)
        more = 0 if mixture == 1 else own - mixture
        shape = x.shape
        return x.reshape(shape[:-1] + Size(more * [1]) + shape[-1:] + Size(self._event_ndims * [1]))

    def __repr__(self) -> str:
        inner = f"\n  {self.mixture_distribution},\n  {self.component_distribution}"
        return f"MixtureSameFamily({inner})"
