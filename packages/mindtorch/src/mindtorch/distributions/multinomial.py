"""Multinomial distributions."""

from __future__ import annotations

from typing import Any

from ..aten import torch
from ..aten.torch import Size, Tensor, inf
from . import constraints
from ._probabilities import _OfCategorical
from .binomial import Binomial
from .categorical import Categorical
from .distribution import Distribution
from .utils import _NO_DIMS, broadcast_all

__all__ = ["Multinomial"]


class Multinomial(_OfCategorical, Distribution):
    """How often each outcome came in *total_count* trials.

    :param total_count: the number of trials.
    :param probs: weights of the outcomes over the last dimension.
    :param logits: in their place, unnormalised log probabilities.
    """

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    total_count: int

    @property
    def mean(self) -> Tensor:
        return self.probs * self.total_count

    @property
    def variance(self) -> Tensor:
        return self.total_count * self.probs * (1 - self.probs)

    def __init__(
        self,
        total_count: int = 1,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        single = self._categorical = Categorical(probs=probs, logits=logits)
        self._binomial = Binomial(total_count=total_count, probs=self.probs)
        super().__init__(single.batch_shape, single.param_shape[-1:], validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        new = self._get_checked_instance(Multinomial, _instance)
        batch, event = Size(batch_shape), self.event_shape
        return self._expanded_(
            new,
            batch,
            event,
            _categorical=self._categorical.expand(batch),
            _binomial=self._binomial.expand(batch + event),
            total_count=self.total_count,
        )

    @constraints.dependent_property(is_discrete=True, event_dim=1)
    def support(self) -> Any:
        return constraints.multinomial(self.total_count)

    def sample(self, sample_shape: Any = _NO_DIMS) -> Tensor:
        sample_shape = Size(sample_shape)
        drawn = self._categorical.sample(Size((self.total_count,)) + sample_shape)
        drawn = drawn.movedim(0, -1)  # the trials last
        counts = drawn.new(self._extended_shape(sample_shape)).zero_()
        counts.scatter_add_(-1, drawn, torch.ones_like(drawn))
        return counts.type_as(self.probs)

    def entropy(self) -> Tensor:
        n = torch.tensor(self.total_count)
        first = n * self._categorical.entropy() - torch.lgamma(n + 1)
        support = self._binomial.enumerate_support(expand=False)[1:]
        probs = torch.exp(self._binomial.log_prob(support))
        second = (probs * torch.lgamma(support + 1)).sum([0, -1])
        return first + second

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_(value)
        logits, value = broadcast_all(self.logits, value)
        logits = logits.clone(memory_format=torch.contiguous_format)
        all_ = torch.lgamma(value.sum(-1) + 1)
        each = torch.lgamma(value + 1).sum(-1)
        logits[(value == 0) & (logits == -inf)] = 0  # what is impossible did not come
        return all_ - each + (logits * value).sum(-1)
