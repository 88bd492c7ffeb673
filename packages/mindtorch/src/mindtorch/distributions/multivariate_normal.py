"""Multivariate normal distributions."""

from __future__ import annotations

import math
from typing import Any

from .. import linalg
from ..aten import torch
from ..aten.torch import Tensor
from . import constraints
from .distribution import Distribution
from .utils import _NO_DIMS, _given_matrix, _standard_normal, lazy_property

__all__ = ["MultivariateNormal"]


def _batch_mv(bmat: Tensor, bvec: Tensor) -> Tensor:
    """Matrices times vectors; both may be batches of any shapes that broadcast."""
    return torch.matmul(bmat, bvec.unsqueeze(-1)).squeeze(-1)


def _batch_mahalanobis(bL: Tensor, bx: Tensor) -> Tensor:
    """``x.T @ inv(M) @ x`` for Cholesky factors L of M and vectors x; their batches broadcast."""
    extra = bx.dim() + 1 - bL.dim()
    if extra <= 0:
        solved = linalg.solve_triangular(bL, bx.unsqueeze(-1), upper=False)
        return solved.pow(2).sum((-2, -1))
    # Of the samples before the batch every factor takes all at once, as right sides.
    samples = bx.shape[:extra]
    sides = bx.reshape((samples.numel(),) + bx.shape[extra:]).movedim(0, -1)
    squares = linalg.solve_triangular(bL, sides, upper=False).pow(2).sum(-2)
    return squares.movedim(-1, 0).reshape(samples + squares.shape[:-1])


def _precision_to_scale_tril(P: Tensor) -> Tensor:
    """The Cholesky factor of the inverse of P."""
    # Turned by 180 degrees a lower factor of P becomes an upper one, whose inverse is wanted.
    turned = linalg.cholesky(torch.flip(P, (-2, -1)))
    inverse = torch.transpose(torch.flip(turned, (-2, -1)), -2, -1)
    identity = torch.eye(P.shape[-1], dtype=P.dtype, device=P.device)
    return linalg.solve_triangular(inverse, identity, upper=False)


class MultivariateNormal(Distribution):
    """The normal distribution of vectors; one of the three matrices is given.

    :param loc: the mean.
    :param covariance_matrix: the covariance.
    :param precision_matrix: its inverse.
    :param scale_tril: its Cholesky factor, which is the cheapest.
    """

    arg_constraints = {
        "loc": constraints.real_vector,
        "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite,
        "scale_tril": constraints.lower_cholesky,
    }
    support = constraints.real_vector
    has_rsample = True

    def __init__(
        self,
        loc: Tensor,
        covariance_matrix: Tensor | None = None,
        precision_matrix: Tensor | None = None,
        scale_tril: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        name, matrix = _given_matrix(
            ValueError,
            scale_tril=scale_tril,
            covariance_matrix=covariance_matrix,
            precision_matrix=precision_matrix,
        )
        if matrix.dim() < 2:
            what = "scale_tril matrix" if name == "scale_tril" else name
            raise ValueError(
                f"{what} must be at least two-dimensional, with optional leading batch dimensions"
            )
        batch_shape = torch.broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        setattr(self, name, matrix.expand(batch_shape + (-1, -1)))
        self.loc = loc.expand(batch_shape + (-1,))
        super().__init__(batch_shape, self.loc.shape[-1:], validate_args=validate_args)
        if name == "scale_tril":
            self._unbroadcasted_scale_tril = matrix
        elif name == "covariance_matrix":
            self._unbroadcasted_scale_tril = linalg.cholesky(matrix)
        else:
            self._unbroadcasted_scale_tril = _precision_to_scale_tril(matrix)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        return self._expand_parameters_(
            MultivariateNormal,
            batch_shape,
            _instance,
            ("loc", "covariance_matrix", "scale_tril", "precision_matrix"),
            same=("_unbroadcasted_scale_tril",),
            event_shape=self.event_shape,
        )

    def _whole_(self, matrices: Tensor) -> Tensor:
        return matrices.expand(self._batch_shape + self._event_shape + self._event_shape)

    @lazy_property
    def scale_tril(self) -> Tensor:
        """The Cholesky factor of the covariance."""
        return self._whole_(self._unbroadcasted_scale_tril)

    @lazy_property
    def covariance_matrix(self) -> Tensor:
        """The covariance."""
        factor = self._unbroadcasted_scale_tril
        return self._whole_(torch.matmul(factor, factor.mT))

    @lazy_property
    def precision_matrix(self) -> Tensor:
        """The inverse of the covariance."""
        return self._whole_(torch.cholesky_inverse(self._unbroadcasted_scale_tril))

    @property
    def mean(self) -> Tensor:
        return self.loc

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def variance(self) -> Tensor:
        squares = self._unbroadcasted_scale_tril.pow(2).sum(-1)
        return squares.expand(self._batch_shape + self._event_shape)

    def rsample(self, sample_shape: Any = _NO_DIMS) -> Tensor:
        shape = self._extended_shape(sample_shape)
        eps = _standard_normal(shape, dtype=self.loc.dtype, device=self.loc.device)
        return self.loc + _batch_mv(self._unbroadcasted_scale_tril, eps)

    def _half_log_det_(self) -> Tensor:
        return self._unbroadcasted_scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_(value)
        distance = _batch_mahalanobis(self._unbroadcasted_scale_tril, value - self.loc)
        constant = self._event_shape[0] * math.log(2 * math.pi)
        return -0.5 * (constant + distance) - self._half_log_det_()

    def entropy(self) -> Tensor:
        constant = 0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi))
        entropy = constant + self._half_log_det_()
        return entropy if len(self._batch_shape) == 0 else entropy.expand(self._batch_shape)
