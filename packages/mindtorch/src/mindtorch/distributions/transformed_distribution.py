"""Distributions of transformed numbers."""

from __future__ import annotations

import functools
import math
from typing import Any

from ..aten import torch
from ..aten.torch import Size, Tensor
from . import constraints
from .distribution import Distribution
from .independent import Independent
from .transforms import ComposeTransform, Transform
from .utils import _NO_DIMS, _sum_rightmost

__all__ = ["TransformedDistribution"]


class TransformedDistribution(Distribution):
    """The distribution of what transforms make of a distribution's numbers.

    :param base_distribution: where the numbers come from.
    :param transforms: a transform, or several that are applied one after the other.
    """

    arg_constraints: dict[str, constraints.Constraint] = {}
    base_dist: Any

    def __init__(
        self,
        base_distribution: Distribution,
        transforms: Transform | list[Transform],
        validate_args: bool | None = None,
    ) -> None:
        parts = [transforms] if isinstance(transforms, Transform) else transforms
        if not isinstance(parts, list):
            raise ValueError(f"transforms must be a Transform or list, but was {transforms}")
        if not all(isinstance(part, Transform) for part in parts):
            raise ValueError("transforms must be a Transform or a list of Transforms")
        self.transforms = parts

        # The base is expanded to what the transforms' parameters broadcast to.
        whole = ComposeTransform(self.transforms)
        taken, given = whole.domain.event_dim, whole.codomain.event_dim
        batch, event = base_distribution.batch_shape, base_distribution.event_shape
        if len(batch + event) < taken:
            raise ValueError(
                "base_distribution needs to have shape with size at least "
                f"{taken}, but got {batch + event}."
            )
        shape = whole.forward_shape(batch + event)
        needed = whole.inverse_shape(shape)
        if needed != batch + event:
            base_distribution = base_distribution.expand(needed[: len(needed) - len(event)])
        if taken > len(event):
            base_distribution = Independent(base_distribution, taken - len(event))
        self.base_dist = base_distribution

        event_dim = max(given, len(event) + given - taken)
        if len(shape) < event_dim:
            raise AssertionError(
                f"forward_shape length {len(shape)} must be >= event_dim {event_dim}"
            )
        cut = len(shape) - event_dim
        super().__init__(shape[:cut], shape[cut:], validate_args=validate_args)

    def _forward_(self, value: Tensor) -> Tensor:
        """*value* of the base through all transforms."""
        return functools.reduce(lambda x, transform: transform(x), self.transforms, value)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        new = self._get_checked_instance(TransformedDistribution, _instance)
        whole = ComposeTransform(self.transforms)
        batch_shape = Size(batch_shape)
        shape = whole.inverse_shape(batch_shape + self.event_shape)
        base = self.base_dist.expand(shape[: len(shape) - len(self.base_dist.event_shape)])
        return self._expanded_(
            new, batch_shape, self.event_shape, transforms=self.transforms, base_dist=base
        )

    def _expand_with_(self, cls: type, batch_shape: Any, _instance: Any, *names: str) -> Any:
        """What ``expand`` of the subclass *cls* gives: its parameters *names* are expanded, too."""
        new = self._get_checked_instance(cls, _instance)
        for name in names:
            setattr(new, name, getattr(self, name).expand(batch_shape))
        return TransformedDistribution.expand(self, batch_shape, _instance=new)

    @constraints.dependent_property(is_discrete=False)
    def support(self) -> Any:
        if not self.transforms:
            return self.base_dist.support
        support = self.transforms[-1].codomain
        more = len(self.event_shape) - support.event_dim
        return constraints.independent(support, more) if more > 0 else support

    @property
    def has_rsample(self) -> bool:
        """Whether the base has."""
        return bool(self.base_dist.has_rsample)

    def sample(self, sample_shape: Any = _NO_DIMS) -> Tensor:
        with torch.no_grad():
            return self._forward_(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape: Any = _NO_DIMS) -> Tensor:
        return self._forward_(self.base_dist.rsample(sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_(value)
        dims = len(self.event_shape)
        slopes: Any = 0.0
        for transform in reversed(self.transforms):
            taken = transform.domain.event_dim
            dims += taken - transform.codomain.event_dim
            value, given = transform.inv(value), value
            slope = transform.log_abs_det_jacobian(value, given)
            slopes = slopes - _sum_rightmost(slope, dims - taken)
        of_base = self.base_dist.log_prob(value)
        return slopes + _sum_rightmost(of_base, dims - len(self.base_dist.event_shape))

    def _monotonize_cdf(self, value: Tensor) -> Tensor:
        """Probabilities of the base, turned round where the transforms fall."""
        sign: Any = math.prod(transform.sign for transform in self.transforms)
        rises = isinstance(sign, int) and sign == 1
        return value if rises else sign * (value - 0.5) + 0.5

    def cdf(self, value: Tensor) -> Tensor:
        value = functools.reduce(lambda y, t: t.inv(y), reversed(self.transforms), value)
        if self._validate_args:
            self.base_dist._validate_sample(value)
        return self._monotonize_cdf(self.base_dist.cdf(value))

    def icdf(self, value: Tensor) -> Tensor:
        return self._forward_(self.base_dist.icdf(self._monotonize_cdf(value)))
