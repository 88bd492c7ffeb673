"""Geometric distributions."""

from __future__ import annotations

from typing import Any

from ..aten import torch
from ..aten.torch import Size, Tensor
from ..nn.functional import binary_cross_entropy_with_logits
from . import constraints
from ._probabilities import _Probabilities
from .distribution import Distribution
from .utils import (
    _NO_DIMS,
    Number,
    _given_of,
    _Number,
    broadcast_all,
)

__all__ = ["Geometric"]


class Geometric(_Probabilities, Distribution):
    """The number of failures before the first success.

    :param probs: the probability of success, above 0.
    :param logits: in its place, the log odds of success.
    """

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.nonnegative_integer

    def __init__(
        self,
        probs: Tensor | Number | None = None,
        logits: Tensor | Number | None = None,
        validate_args: bool | None = None,
    ) -> None:
        name, given = _given_of(probs, logits)
        (param,) = broadcast_all(given)
        setattr(self, name, param)
        batch_shape = Size() if isinstance(given, _Number) else param.size()
        super().__init__(batch_shape, validate_args=validate_args)
        if self._validate_args and probs is not None:
            value = self.probs  # 0 is one of the unit interval, but nothing ever succeeds then
            if not (value > 0).all():
                invalid = value.data[~(value > 0)]
                raise ValueError(
                    f"Expected parameter probs ({type(value).__name__} of shape "
                    f"{tuple(value.shape)}) of distribution {self!r} to be positive but found "
                    f"invalid values:\n{invalid}"
                )

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        return self._expand_parameters_(Geometric, batch_shape, _instance, ("probs", "logits"))

    @property
    def mean(self) -> Tensor:
        return 1.0 / self.probs - 1.0

    @property
    def mode(self) -> Tensor:
        return torch.zeros_like(self.probs)

    @property
    def variance(self) -> Tensor:
        return (1.0 / self.probs - 1.0) / self.probs

    def sample(self, sample_shape: Any = _NO_DIMS) -> Tensor:
        shape = self._extended_shape(sample_shape)
        tiny = torch.finfo(self.probs.dtype).tiny
        with torch.no_grad():
            u = self.probs.new(shape).uniform_(tiny, 1)
            return (u.log() / (-self.probs).log1p()).floor()

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_(value)
        failures, probs = broadcast_all(value, self.probs)
        # No failure at all is certain, where each trial succeeds: not 0 times infinity.
        failing = probs.masked_fill((failures == 0) & (probs == 1), 0).neg()
        return self.probs.log() + failures * failing.log1p()

    def entropy(self) -> Tensor:
        return (
            binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none") / self.probs
        )
