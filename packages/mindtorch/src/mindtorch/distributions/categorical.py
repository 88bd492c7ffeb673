"""Categorical distributions."""

from __future__ import annotations

from typing import Any

from ..aten import torch
from ..aten.torch import Size, Tensor, nan
from . import constraints
from ._probabilities import _Parameter
from .distribution import Distribution
from .utils import _NO_DIMS, _given_of

__all__ = ["Categorical"]


class Categorical(_Parameter, Distribution):
    """An integer from 0 on, with a probability for each.

    :param probs: weights over the last dimension, which are made to sum to one.
    :param logits: in their place, unnormalised log probabilities.
    """

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    has_enumerate_support = True
    _is_binary_ = False

    def __init__(
        self,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        name, given = _given_of(probs, logits)
        if not given.dim():
            raise ValueError(f"`{name}` parameter must be at least one-dimensional.")
        total = given.sum(-1, keepdim=True) if name == "probs" else given.logsumexp(-1, True)
        self._param = given / total if name == "probs" else given - total
        setattr(self, name, self._param)
        self._num_events = self._param.size()[-1]
        batch_shape = self._param.size()[:-1] if self._param.ndimension() > 1 else Size()
        super().__init__(batch_shape, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        names = ("probs", "logits")
        return self._expand_parameters_(
            Categorical, batch_shape, _instance, names, same=("_num_events",)
        )

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self) -> Any:
        return constraints.integer_interval(0, self._num_events - 1)

    def _nans_(self) -> Tensor:
        return torch.full(
            self._extended_shape(), nan, dtype=self.probs.dtype, device=self.probs.device
        )

    @property
    def mean(self) -> Tensor:
        return self._nans_()

    @property
    def mode(self) -> Tensor:
        return self.probs.argmax(dim=-1)

    @property
    def variance(self) -> Tensor:
        return self._nans_()

    def sample(self, sample_shape: Any = _NO_DIMS) -> Tensor:
        if not isinstance(sample_shape, Size):
            sample_shape = Size(sample_shape)
        rows = self.probs.reshape(-1, self._num_events)
        drawn = torch.multinomial(rows, sample_shape.numel(), True).T
        return drawn.reshape(self._extended_shape(sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_(value)
        value = value.long().unsqueeze(-1)
        value, log_pmf = torch.broadcast_tensors(value, self.logits)
        return log_pmf.gather(-1, value[..., :1]).squeeze(-1)

    def entropy(self) -> Tensor:
        # Of what is impossible the product is 0, not nan.
        logits = torch.clamp(self.logits, min=torch.finfo(self.logits.dtype).min)
        return -(logits * self.probs).sum(-1)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        values = torch.arange(self._num_events, dtype=torch.long, device=self._param.device)
        values = values.view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1,) + self._batch_shape) if expand else values
