"""Wishart distributions of covariance matrices."""

from __future__ import annotations

import math
from typing import Any

from .. import linalg
from ..aten import torch
from ..aten.torch import Size, Tensor, nan
from ..core.warning import warn
from . import constraints
from .chi2 import Chi2
from .exp_family import ExponentialFamily
from .multivariate_normal import _precision_to_scale_tril
from .utils import _NO_DIMS, Number, _given_matrix, _Number, lazy_property

__all__ = ["Wishart"]

_log_2 = math.log(2)


def _mvdigamma(x: Tensor, p: int) -> Tensor:
    """The derivative of the multivariate log-gamma function."""
    if not x.gt((p - 1) / 2).all():
        raise AssertionError("Wrong domain for multivariate digamma function.")
    steps = torch.arange(p, dtype=x.dtype, device=x.device).div(2).expand(x.shape + (-1,))
    return torch.digamma(x.unsqueeze(-1) - steps).sum(-1)


def _clamp_above_eps(x: Tensor) -> Tensor:
    """*x*, but not below an epsilon: a logarithm or a quotient follows."""
    return x.clamp(min=torch.finfo(x.dtype).eps)


class Wishart(ExponentialFamily):
    """The distribution of sums of outer products of *df* normal vectors.

    :param df: the degrees of freedom, more than the number of rows less one.
    :param covariance_matrix: the covariance of the vectors.
    :param precision_matrix: in its place, its inverse.
    :param scale_tril: in its place, its Cholesky factor.
    """

    support = constraints.positive_definite
    has_rsample = True
    _mean_carrier_measure = 0

    @property
    def arg_constraints(self) -> dict[str, constraints.Constraint]:
        """The degrees of freedom depend on the size of the matrices."""
        return {
            "covariance_matrix": constraints.positive_definite,
            "precision_matrix": constraints.positive_definite,
            "scale_tril": constraints.lower_cholesky,
            "df": constraints.greater_than(self.event_shape[-1] - 1),
        }

    def __init__(
        self,
        df: Tensor | Number,
        covariance_matrix: Tensor | None = None,
        precision_matrix: Tensor | None = None,
        scale_tril: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        name, param = _given_matrix(
            AssertionError,
            covariance_matrix=covariance_matrix,
            precision_matrix=precision_matrix,
            scale_tril=scale_tril,
        )
        if param.dim() < 2:
            raise ValueError(
                "scale_tril must be at least two-dimensional, with optional leading batch "
                "dimensions"
            )
        matrices, event_shape = param.shape[:-2], param.shape[-2:]
        n = event_shape[-1]
        if isinstance(df, _Number):
            self.df = torch.tensor(df, dtype=param.dtype, device=param.device)
            batch_shape = Size(matrices)
        else:
            batch_shape = torch.broadcast_shapes(matrices, df.shape)
            self.df = df.expand(batch_shape)
        if (self.df <= n - 1).any():
            raise ValueError(f"Value of df={df} expected to be greater than ndim - 1 = {n - 1}.")
        setattr(self, name, param.expand(batch_shape + (-1, -1)))
        if (self.df < n).any():
            warn(
                "Low df values detected. Singular samples are highly likely to occur for "
                "ndim - 1 < df < ndim.",
            )
        super().__init__(batch_shape, event_shape, validate_args=validate_args)
        self._batch_dims = [*range(-1, -len(self._batch_shape) - 1, -1)]
        self._unbroadcasted_scale_tril = (
            linalg.cholesky(param)
            if name == "covariance_matrix"
            else _precision_to_scale_tril(param)
            if name == "precision_matrix"
            else param
        )
        self._dist_chi2 = self._diagonal_distribution_()

    def _diagonal_distribution_(self) -> Chi2:
        """The distribution of the squares on the diagonal of Bartlett's factor."""
        factor = self._unbroadcasted_scale_tril
        steps = torch.arange(self._event_shape[-1], dtype=factor.dtype, device=factor.device)
        return Chi2(df=self.df.unsqueeze(-1) - steps.expand(self._batch_shape + (-1,)))

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        new = self._expand_parameters_(
            Wishart,
            batch_shape,
            _instance,
            ("df", "covariance_matrix", "scale_tril", "precision_matrix"),
            same=("_unbroadcasted_scale_tril",),
            event_shape=self.event_shape,
        )
        new._batch_dims = [*range(-1, -len(new._batch_shape) - 1, -1)]
        new._dist_chi2 = new._diagonal_distribution_()
        return new

    def _whole_(self, matrices: Tensor) -> Tensor:
        return matrices.expand(self._batch_shape + self._event_shape)

    @lazy_property
    def scale_tril(self) -> Tensor:
        """The Cholesky factor of the covariance."""
        return self._whole_(self._unbroadcasted_scale_tril)

    @lazy_property
    def covariance_matrix(self) -> Tensor:
        """The covariance of the vectors."""
        factor = self._unbroadcasted_scale_tril
        return self._whole_(factor @ factor.transpose(-2, -1))

    @lazy_property
    def precision_matrix(self) -> Tensor:
        """The inverse of the covariance of the vectors."""
        n = self._event_shape[-1]
        factor = self._unbroadcasted_scale_tril
        identity = torch.eye(n, device=factor.device, dtype=factor.dtype)
        return self._whole_(torch.cholesky_solve(identity, factor))

    def _per_matrix_(self, numbers: Tensor) -> Tensor:
        return numbers.view(self._batch_shape + (1, 1))

    @property
    def mean(self) -> Tensor:
        return self._per_matrix_(self.df) * self.covariance_matrix

    @property
    def mode(self) -> Tensor:
        factor = self.df - self.covariance_matrix.shape[-1] - 1
        factor[factor <= 0] = nan
        return self._per_matrix_(factor) * self.covariance_matrix

    @property
    def variance(self) -> Tensor:
        v = self.covariance_matrix
        diagonal = v.diagonal(dim1=-2, dim2=-1)
        outer = torch.einsum("...i,...j->...ij", diagonal, diagonal)
        return self._per_matrix_(self.df) * (v.pow(2) + outer)

    def _bartlett_sampling(self, sample_shape: Any = _NO_DIMS) -> Tensor:
        """Draw by Bartlett's decomposition."""
        p = self._event_shape[-1]
        noise = self._dist_chi2.rsample(sample_shape).sqrt().diag_embed(dim1=-2, dim2=-1)
        i, j = torch.tril_indices(p, p, offset=-1)
        below = Size(sample_shape) + self._batch_shape + (len(i),)
        noise[..., i, j] = torch.randn(below, dtype=noise.dtype, device=noise.device)
        drawn = self._unbroadcasted_scale_tril @ noise
        return drawn @ drawn.mT

    def _any_of_batch_(self, found: Tensor) -> Tensor:
        return found.any(dim=self._batch_dims) if self._batch_dims else found

    def rsample(self, sample_shape: Any = _NO_DIMS, max_try_correction: Any = None) -> Tensor:
        """Draw matrices; singular ones are drawn again, *max_try_correction* times at most.

        Rounding makes matrices singular whose degrees of freedom are few.
        """
        if max_try_correction is None:
            max_try_correction = 10
        sample_shape = Size(sample_shape)
        sample = self._bartlett_sampling(sample_shape)
        # Torch takes the proper matrices for singular ones this first time, and so draws all anew:
        # without that samples would not be its own.
        check = self.support.check
        singular = self._any_of_batch_(check(sample))
        if singular.any():
            warn("Singular sample detected.")
            for _ in range(max_try_correction):
                again = self._bartlett_sampling(singular[singular].shape)
                sample[singular] = again
                singular[singular.clone()] = self._any_of_batch_(check(again).logical_not())
                if not singular.any():
                    break
        return sample

    def _log_det_tril_(self) -> Tensor:
        return self._unbroadcasted_scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_(value)
        nu, p = self.df, self._event_shape[-1]
        solved = torch.cholesky_solve(value, self._unbroadcasted_scale_tril)
        return (
            -nu * (p * _log_2 / 2 + self._log_det_tril_())
            - torch.mvlgamma(nu / 2, p=p)
            + (nu - p - 1) / 2 * linalg.slogdet(value).logabsdet
            - solved.diagonal(dim1=-2, dim2=-1).sum(dim=-1) / 2
        )

    def entropy(self) -> Tensor:
        nu, p = self.df, self._event_shape[-1]
        return (
            (p + 1) * (p * _log_2 / 2 + self._log_det_tril_())
            + torch.mvlgamma(nu / 2, p=p)
            - (nu - p - 1) / 2 * _mvdigamma(nu / 2, p=p)
            + nu * p / 2
        )

    @property
    def _natural_params(self) -> tuple[Tensor, Tensor]:
        nu, p = self.df, self._event_shape[-1]
        return -self.precision_matrix / 2, (nu - p - 1) / 2

    def _log_normalizer(self, x: Tensor, y: Tensor) -> Tensor:
        p = self._event_shape[-1]
        half = y + (p + 1) / 2
        return half * (-linalg.slogdet(-2 * x).logabsdet + _log_2 * p) + torch.mvlgamma(half, p=p)
