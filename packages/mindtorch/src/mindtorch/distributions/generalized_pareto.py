"""Generalized Pareto distributions."""

from __future__ import annotations

from typing import Any

from ..aten import torch
from ..aten.torch import Size, Tensor, inf, nan
from . import constraints
from .distribution import Distribution
from .utils import _NO_DIMS, _Number, broadcast_all

__all__ = ["GeneralizedPareto"]


class GeneralizedPareto(Distribution):
    """The distribution of what exceeds a high threshold.

    :param loc: the threshold.
    :param scale: the scale.
    :param concentration: the shape: 0 is an exponential tail, above 0 tails are heavy.
    """

    arg_constraints = {
        "loc": constraints.real,
        "scale": constraints.positive,
        "concentration": constraints.real,
    }
    has_rsample = True

    def __init__(
        self,
        loc: Tensor | float,
        scale: Tensor | float,
        concentration: Tensor | float,
        validate_args: bool | None = None,
    ) -> None:
        self.loc, self.scale, self.concentration = broadcast_all(loc, scale, concentration)
        numbers = all(isinstance(v, _Number) for v in (loc, scale, concentration))
        batch_shape = Size() if numbers else self.loc.size()
        super().__init__(batch_shape, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        names = ("loc", "scale", "concentration")
        return self._expand_parameters_(GeneralizedPareto, batch_shape, _instance, names)

    def rsample(self, sample_shape: Any = _NO_DIMS) -> Tensor:
        shape = self._extended_shape(sample_shape)
        u = torch.rand(shape, dtype=self.loc.dtype, device=self.loc.device)
        return self.icdf(u)

    def _exponential_(self) -> tuple[Tensor, Tensor]:
        """Where the shape is 0, and the shapes with 1 in place of those."""
        zero = torch.isclose(self.concentration, torch.zeros_like(self.concentration))
        return zero, torch.where(zero, torch.ones_like(self.concentration), self.concentration)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_(value)
        z = self._z(value)
        zero, shape = self._exponential_()
        power = 1 / shape + torch.ones_like(z)
        tail = torch.where(power == 0, power, power * torch.log1p(shape * z))
        return -torch.log(self.scale) - torch.where(zero, z, tail)

    def log_survival_function(self, value: Tensor) -> Tensor:
        """The logarithm of the probability of being above *value*."""
        self._check_(value)
        z = self._z(value)
        zero, shape = self._exponential_()
        return torch.where(zero, -z, -torch.log1p(shape * z) / shape)

    def log_cdf(self, value: Tensor) -> Tensor:
        """The logarithm of :meth:`cdf`."""
        self._check_(value)
        return torch.log1p(-torch.exp(self.log_survival_function(value)))

    def cdf(self, value: Tensor) -> Tensor:
        self._check_(value)
        return torch.exp(self.log_cdf(value))

    def icdf(self, value: Tensor) -> Tensor:
        zero, shape = self._exponential_()
        logs = torch.log1p(-value)
        tail = self.loc + self.scale / shape * torch.expm1(-shape * logs)
        return torch.where(zero, self.loc - self.scale * logs, tail)

    def _z(self, x: Tensor) -> Tensor:
        return (x - self.loc) / self.scale

    @property
    def mean(self) -> Tensor:
        finite = self.concentration < 1
        shape = torch.where(finite, self.concentration, 0.5)
        return torch.where(finite, self.loc + self.scale / (1 - shape), nan)

    @property
    def variance(self) -> Tensor:
        finite = self.concentration < 0.5
        shape = torch.where(finite, self.concentration, 0.25)
        square = self.scale**2 / ((1 - shape) ** 2 * (1 - 2 * shape))
        return torch.where(finite, square + torch.zeros_like(self.loc), nan)

    def entropy(self) -> Tensor:
        answer = torch.log(self.scale) + self.concentration + 1
        return torch.broadcast_to(answer, self._batch_shape)

    @property
    def mode(self) -> Tensor:
        return self.loc

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> Any:
        lower = self.loc
        upper = torch.where(self.concentration < 0, lower - self.scale / self.concentration, inf)
        return constraints.interval(lower, upper)
