"""Multivariate normal distributions whose covariance is of low rank but for its diagonal."""

from __future__ import annotations

import math
from typing import Any

from .. import linalg
from ..aten import torch
from ..aten.torch import Tensor
from . import constraints
from .distribution import Distribution
from .multivariate_normal import _batch_mahalanobis, _batch_mv
from .utils import _NO_DIMS, _standard_normal, lazy_property

__all__ = ["LowRankMultivariateNormal"]


def _add_identity(matrices: Tensor) -> Tensor:
    """Contiguous square *matrices*, with 1 added to their diagonals."""
    n = matrices.size(-1)
    matrices = matrices.contiguous()
    matrices.view(-1, n * n)[:, :: n + 1] += 1
    return matrices


def _batch_capacitance_tril(W: Tensor, D: Tensor) -> Tensor:
    """The Cholesky factor of ``I + W.T @ inv(D) @ W``."""
    scaled = W.mT / D.unsqueeze(-2)
    return linalg.cholesky(_add_identity(torch.matmul(scaled, W)))


def _batch_lowrank_logdet(W: Tensor, D: Tensor, capacitance_tril: Tensor) -> Tensor:
    """The log determinant of ``W @ W.T + D``, by the matrix determinant lemma."""
    return 2 * capacitance_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1) + D.log().sum(-1)


def _batch_lowrank_mahalanobis(W: Tensor, D: Tensor, x: Tensor, capacitance_tril: Tensor) -> Tensor:
    """``x.T @ inv(W @ W.T + D) @ x``, by the Woodbury identity."""
    scaled = W.mT / D.unsqueeze(-2)
    whole = (x.pow(2) / D).sum(-1)
    return whole - _batch_mahalanobis(capacitance_tril, _batch_mv(scaled, x))


class LowRankMultivariateNormal(Distribution):
    """The normal distribution with covariance ``cov_factor @ cov_factor.T + diag(cov_diag)``.

    :param loc: the mean.
    :param cov_factor: the factor of the part of low rank.
    :param cov_diag: the diagonal.
    """

    arg_constraints = {
        "loc": constraints.real_vector,
        "cov_factor": constraints.independent(constraints.real, 2),
        "cov_diag": constraints.independent(constraints.positive, 1),
    }
    support = constraints.real_vector
    has_rsample = True

    def __init__(
        self,
        loc: Tensor,
        cov_factor: Tensor,
        cov_diag: Tensor,
        validate_args: bool | None = None,
    ) -> None:
        if not loc.dim():
            raise ValueError("loc must be at least one-dimensional.")
        event_shape, rows = loc.shape[-1:], cov_factor.shape[-2:-1]
        if not rows:
            raise ValueError(
                "cov_factor must be at least two-dimensional, with optional leading batch "
                "dimensions"
            )
        if rows != event_shape:
            raise ValueError(
                f"cov_factor must be a batch of matrices with shape {event_shape[0]} x m"
            )
        if cov_diag.shape[-1:] != event_shape:
            raise ValueError(f"cov_diag must be a batch of vectors with shape {event_shape}")
        try:
            wide, self.cov_factor, diagonals = torch.broadcast_tensors(
                loc.unsqueeze(-1), cov_factor, cov_diag.unsqueeze(-1)
            )
        except RuntimeError as error:
            raise ValueError(
                f"Incompatible batch shapes: loc {loc.shape}, cov_factor {cov_factor.shape}, "
                f"cov_diag {cov_diag.shape}"
            ) from error
        self.loc = wide[..., 0]
        self.cov_diag = diagonals[..., 0]
        self._unbroadcasted_cov_factor = cov_factor
        self._unbroadcasted_cov_diag = cov_diag
        self._capacitance_tril = _batch_capacitance_tril(cov_factor, cov_diag)
        super().__init__(self.loc.shape[:-1], event_shape, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        same = ("_unbroadcasted_cov_factor", "_unbroadcasted_cov_diag", "_capacitance_tril")
        return self._expand_parameters_(
            LowRankMultivariateNormal,
            batch_shape,
            _instance,
            ("loc", "cov_diag", "cov_factor"),
            same=same,
            event_shape=self.event_shape,
        )

    def _whole_(self, matrices: Tensor) -> Tensor:
        return matrices.expand(self._batch_shape + self._event_shape + self._event_shape)

    @property
    def mean(self) -> Tensor:
        return self.loc

    @property
    def mode(self) -> Tensor:
        return self.loc

    @lazy_property
    def variance(self) -> Tensor:
        squares = self._unbroadcasted_cov_factor.pow(2).sum(-1)
        shape = self._batch_shape + self._event_shape
        return (squares + self._unbroadcasted_cov_diag).expand(shape)

    @lazy_property
    def scale_tril(self) -> Tensor:
        """The Cholesky factor of the covariance."""
        roots = self._unbroadcasted_cov_diag.sqrt().unsqueeze(-1)
        scaled = self._unbroadcasted_cov_factor / roots
        inner = _add_identity(torch.matmul(scaled, scaled.mT))
        return self._whole_(roots * linalg.cholesky(inner))

    @lazy_property
    def covariance_matrix(self) -> Tensor:
        """The covariance."""
        factor = self._unbroadcasted_cov_factor
        diagonal = torch.diag_embed(self._unbroadcasted_cov_diag)
        return self._whole_(torch.matmul(factor, factor.mT) + diagonal)

    @lazy_property
    def precision_matrix(self) -> Tensor:
        """The inverse of the covariance, by the Woodbury identity."""
        diagonal = self._unbroadcasted_cov_diag
        scaled = self._unbroadcasted_cov_factor.mT / diagonal.unsqueeze(-2)
        a = linalg.solve_triangular(self._capacitance_tril, scaled, upper=False)
        return self._whole_(torch.diag_embed(diagonal.reciprocal()) - a.mT @ a)

    def rsample(self, sample_shape: Any = _NO_DIMS) -> Tensor:
        shape = self._extended_shape(sample_shape)
        of_factor = shape[:-1] + self.cov_factor.shape[-1:]
        eps = _standard_normal(of_factor, dtype=self.loc.dtype, device=self.loc.device)
        noise = _standard_normal(shape, dtype=self.loc.dtype, device=self.loc.device)
        return (
            self.loc
            + _batch_mv(self._unbroadcasted_cov_factor, eps)
            + self._unbroadcasted_cov_diag.sqrt() * noise
        )

    def _log_det_(self) -> Tensor:
        return _batch_lowrank_logdet(
            self._unbroadcasted_cov_factor, self._unbroadcasted_cov_diag, self._capacitance_tril
        )

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_(value)
        distance = _batch_lowrank_mahalanobis(
            self._unbroadcasted_cov_factor,
            self._unbroadcasted_cov_diag,
            value - self.loc,
            self._capacitance_tril,
        )
        constant = self._event_shape[0] * math.log(2 * math.pi)
        return -0.5 * (constant + self._log_det_() + distance)

    def entropy(self) -> Tensor:
        constant = self._event_shape[0] * (1.0 + math.log(2 * math.pi))
        entropy = 0.5 * (constant + self._log_det_())
        return entropy if len(self._batch_shape) == 0 else entropy.expand(self._batch_shape)
