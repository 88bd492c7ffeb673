"""Poisson distributions."""

from __future__ import annotations

from typing import Any

from ..aten import torch
from ..aten.torch import Size, Tensor
from . import constraints
from .exp_family import ExponentialFamily
from .utils import _NO_DIMS, Number, _Number, broadcast_all

__all__ = ["Poisson"]


class Poisson(ExponentialFamily):
    """The number of events that happen independently at a constant rate.

    :param rate: how many on average.
    """

    arg_constraints = {"rate": constraints.nonnegative}
    support = constraints.nonnegative_integer

    @property
    def mean(self) -> Tensor:
        return self.rate

    @property
    def mode(self) -> Tensor:
        return self.rate.floor()

    @property
    def variance(self) -> Tensor:
        return self.rate

    def __init__(self, rate: Tensor | Number, validate_args: bool | None = None) -> None:
        (self.rate,) = broadcast_all(rate)
        batch_shape = Size() if isinstance(rate, _Number) else self.rate.size()
        super().__init__(batch_shape, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        return self._expand_parameters_(Poisson, batch_shape, _instance, ("rate",))

    def sample(self, sample_shape: Any = _NO_DIMS) -> Tensor:
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            return torch.poisson(self.rate.expand(shape))

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_(value)
        rate, value = broadcast_all(self.rate, value)
        return value.xlogy(rate) - rate - (value + 1).lgamma()

    @property
    def _natural_params(self) -> tuple[Tensor]:
        return (torch.log(self.rate),)

    def _log_normalizer(self, x: Tensor) -> Tensor:
        return torch.exp(x)
