"""Categorical distributions of one-hot vectors."""

from __future__ import annotations

from typing import Any

from .. import nn
from ..aten import torch
from ..aten.torch import Size, Tensor
from . import constraints
from ._probabilities import _OfCategorical
from .categorical import Categorical
from .distribution import Distribution
from .utils import _NO_DIMS

__all__ = ["OneHotCategorical", "OneHotCategoricalStraightThrough"]


class OneHotCategorical(_OfCategorical, Distribution):
    """A vector with a single 1, with a probability for each place.

    :param probs: weights over the last dimension, which are made to sum to one.
    :param logits: in their place, unnormalised log probabilities.
    """

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support = constraints.one_hot
    has_enumerate_support = True

    def __init__(
        self,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        self._categorical = Categorical(probs, logits)
        batch_shape = self._categorical.batch_shape
        event_shape = self._categorical.param_shape[-1:]
        super().__init__(batch_shape, event_shape, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        new = self._get_checked_instance(OneHotCategorical, _instance)
        batch_shape = Size(batch_shape)
        numbers = self._categorical.expand(batch_shape)
        return self._expanded_(new, batch_shape, self.event_shape, _categorical=numbers)

    @property
    def _param(self) -> Tensor:
        return self._categorical._param

    @property
    def mean(self) -> Tensor:
        return self._categorical.probs

    @property
    def mode(self) -> Tensor:
        probs = self._categorical.probs
        mode = probs.argmax(dim=-1)
        return nn.functional.one_hot(mode, num_classes=probs.shape[-1]).to(probs)

    @property
    def variance(self) -> Tensor:
        return self._categorical.probs * (1 - self._categorical.probs)

    def sample(self, sample_shape: Any = _NO_DIMS) -> Tensor:
        sample_shape = Size(sample_shape)
        probs = self._categorical.probs
        indices = self._categorical.sample(sample_shape)
        return nn.functional.one_hot(indices, self._categorical._num_events).to(probs)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_(value)
        return self._categorical.log_prob(value.max(-1)[1])

    def entropy(self) -> Tensor:
        return self._categorical.entropy()

    def enumerate_support(self, expand: bool = True) -> Tensor:
        n = self.event_shape[0]
        values = torch.eye(n, dtype=self._param.dtype, device=self._param.device)
        values = values.view((n,) + (1,) * len(self.batch_shape) + (n,))
        return values.expand((n,) + self.batch_shape + (n,)) if expand else values


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """The same, whose samples have the gradients of the probabilities."""

    has_rsample = True

    def rsample(self, sample_shape: Any = _NO_DIMS) -> Tensor:
        drawn = self.sample(sample_shape)
        probs = self._categorical.probs  # cached
        return drawn + (probs - probs.detach())
