"""LKJ distributions of Cholesky factors of correlation matrices."""

from __future__ import annotations

import math
from typing import Any

from ..aten import torch
from ..aten.torch import Size, Tensor
from . import constraints
from .beta import Beta
from .distribution import Distribution
from .utils import _NO_DIMS, broadcast_all

__all__ = ["LKJCholesky"]


class LKJCholesky(Distribution):
    """Lower Cholesky factors of correlation matrices.

    The matrices' density is proportional to their determinant to the power ``concentration - 1``.
    Numbers are drawn by the onion method of Lewandowski, Kurowicka and Joe (2009).

    :param dim: the size of the matrices.
    :param concentration: 1 makes all matrices equally probable.
    """

    arg_constraints = {"concentration": constraints.positive}
    support = constraints.corr_cholesky

    def __init__(
        self,
        dim: int,
        concentration: Tensor | float = 1.0,
        validate_args: bool | None = None,
    ) -> None:
        if dim < 2:
            raise ValueError(
                f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}."
            )
        self.dim = dim
        (self.concentration,) = broadcast_all(concentration)
        batch_shape = self.concentration.size()
        # The squared lengths of the rows before their last entries have beta distributions.
        marginal = self.concentration + 0.5 * (self.dim - 2)
        offset = torch.arange(
            self.dim - 1, dtype=self.concentration.dtype, device=self.concentration.device
        )
        offset = torch.cat([offset.new_zeros((1,)), offset])
        self._beta = Beta(offset + 0.5, marginal.unsqueeze(-1) - 0.5 * offset)
        super().__init__(batch_shape, Size((dim, dim)), validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        new = self._expand_parameters_(
            LKJCholesky,
            batch_shape,
            _instance,
            ("concentration",),
            same=("dim",),
            event_shape=self.event_shape,
        )
        new._beta = self._beta.expand(new._batch_shape + (self.dim,))
        return new

    def sample(self, sample_shape: Any = _NO_DIMS) -> Tensor:
        y = self._beta.sample(sample_shape).unsqueeze(-1)
        shape = self._extended_shape(sample_shape)
        normal = torch.randn(shape, dtype=y.dtype, device=y.device).tril(-1)
        directions = normal / normal.norm(dim=-1, keepdim=True)
        directions[..., 0, :].fill_(0.0)  # the first row has no entry before its last
        w = torch.sqrt(y) * directions
        tiny = torch.finfo(w.dtype).tiny
        diagonal = torch.clamp(1 - torch.sum(w**2, dim=-1), min=tiny).sqrt()
        w += torch.diag_embed(diagonal)
        return w

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_(value)
        diagonal = value.diagonal(dim1=-1, dim2=-2)[..., 1:]
        order = torch.arange(2, self.dim + 1, device=self.concentration.device)
        order = 2 * (self.concentration - 1).unsqueeze(-1) + self.dim - order
        unnormalised = torch.sum(order * diagonal.log(), dim=-1)
        less = self.dim - 1
        alpha = self.concentration + 0.5 * less
        bottom = torch.lgamma(alpha) * less
        top = torch.mvlgamma(alpha - 0.5, less)
        # Of the constants of mvlgamma one is of no use.
        normalizer = 0.5 * less * math.log(math.pi) + top - bottom
        return unnormalised - normalizer
