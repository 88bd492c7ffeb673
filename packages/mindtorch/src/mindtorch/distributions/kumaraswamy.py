"""Kumaraswamy distributions."""

from __future__ import annotations

from typing import Any

from ..aten import torch
from ..aten.torch import Tensor, nan
from . import constraints
from .transformed_distribution import TransformedDistribution
from .transforms import AffineTransform, PowerTransform
from .uniform import Uniform
from .utils import broadcast_all, euler_constant

__all__ = ["Kumaraswamy"]


def _moments(a: Tensor, b: Tensor, n: int) -> Tensor:
    """The *n*-th moment for concentrations *a* and *b*."""
    first = 1 + n / a
    log_value = torch.lgamma(first) + torch.lgamma(b) - torch.lgamma(first + b)
    return b * torch.exp(log_value)


class Kumaraswamy(TransformedDistribution):
    """A distribution over the unit interval much like the beta.

    :param concentration1: the first concentration, often called alpha.
    :param concentration0: the second one, often called beta.
    """

    arg_constraints = {
        "concentration1": constraints.positive,
        "concentration0": constraints.positive,
    }
    support = constraints.unit_interval
    has_rsample = True

    def __init__(
        self,
        concentration1: Tensor | float,
        concentration0: Tensor | float,
        validate_args: bool | None = None,
    ) -> None:
        self.concentration1, self.concentration0 = broadcast_all(concentration1, concentration0)
        base = Uniform(
            torch.full_like(self.concentration0, 0),
            torch.full_like(self.concentration0, 1),
            validate_args=validate_args,
        )
        outer, inner = (c.reciprocal() for c in (self.concentration1, self.concentration0))
        complement = AffineTransform(loc=1.0, scale=-1.0)
        transforms = [PowerTransform(inner), complement, PowerTransform(outer)]
        super().__init__(base, transforms, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        return self._expand_with_(
            Kumaraswamy, batch_shape, _instance, "concentration1", "concentration0"
        )

    @property
    def mean(self) -> Tensor:
        return _moments(self.concentration1, self.concentration0, 1)

    @property
    def mode(self) -> Tensor:
        # Of the logarithm, so that nothing cancels.
        log_mode = (
            self.concentration0.reciprocal() * (-self.concentration0).log1p()
            - (-self.concentration0 * self.concentration1).log1p()
        )
        log_mode[(self.concentration0 < 1) | (self.concentration1 < 1)] = nan
        return log_mode.exp()

    @property
    def variance(self) -> Tensor:
        return _moments(self.concentration1, self.concentration0, 2) - torch.pow(self.mean, 2)

    def entropy(self) -> Tensor:
        t1 = 1 - self.concentration1.reciprocal()
        t0 = 1 - self.concentration0.reciprocal()
        harmonic = torch.digamma(self.concentration0 + 1) + euler_constant
        return t0 + t1 * harmonic - torch.log(self.concentration1) - torch.log(self.concentration0)
