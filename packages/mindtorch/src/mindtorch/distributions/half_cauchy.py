"""Half-Cauchy distributions."""

from __future__ import annotations

from typing import Any

from ..aten import torch
from ..aten.torch import Tensor, inf
from ._half import Half
from .cauchy import Cauchy

__all__ = ["HalfCauchy"]


class HalfCauchy(Half):
    """The absolute value of a centred Cauchy number.

    :param scale: the scale of that.
    """

    base_dist: Cauchy

    def __init__(self, scale: Tensor | float, validate_args: bool | None = None) -> None:
        super().__init__(Cauchy(0, scale, validate_args=False), validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        new = self._get_checked_instance(HalfCauchy, _instance)
        return super().expand(batch_shape, _instance=new)

    @property
    def mean(self) -> Tensor:
        return torch.full(
            self._extended_shape(), inf, dtype=self.scale.dtype, device=self.scale.device
        )

    @property
    def variance(self) -> Tensor:
        return self.base_dist.variance

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_(value)
        like = {"dtype": self.scale.dtype, "device": self.scale.device}
        return super().log_prob(torch.as_tensor(value, **like))
