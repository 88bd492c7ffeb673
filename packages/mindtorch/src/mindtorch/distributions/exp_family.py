"""Exponential families."""

from __future__ import annotations

from typing import Any

from .. import autograd
from ..aten.torch import Tensor
from .distribution import Distribution

__all__ = ["ExponentialFamily"]


class ExponentialFamily(Distribution):
    """A distribution whose density is ``exp(<t(x), theta> - F(theta) + k(x))``.

    ``theta`` are the natural parameters, ``F`` the log normalizer and ``k`` the carrier measure.
    From them follow entropies and divergences.
    """

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        """The natural parameters."""
        raise NotImplementedError

    def _log_normalizer(self, *natural_params: Any) -> Tensor:
        """The log normalizer of natural parameters."""
        raise NotImplementedError

    @property
    def _mean_carrier_measure(self) -> float:
        """The mean of the carrier measure."""
        raise NotImplementedError

    def entropy(self) -> Tensor:
        """The entropy, from the slope of the log normalizer."""
        result: Any = -self._mean_carrier_measure
        params = [p.detach().requires_grad_() for p in self._natural_params]
        normalizer = self._log_normalizer(*params)
        slopes = autograd.grad(normalizer.sum(), params, create_graph=True)
        result += normalizer
        for param, slope in zip(params, slopes, strict=True):
            result -= (param * slope).reshape(self._batch_shape + (-1,)).sum(-1)
        return result
