"""Divergences between distributions of one family."""

from __future__ import annotations

from functools import reduce
from typing import Any

from .. import autograd, linalg
from ..aten import torch
from ..aten.torch import Tensor, inf
from ..nn.functional import softplus
from ._kl_registry import _batch_trace_XXT, _infinite_where, kl_divergence, register_kl
from .bernoulli import Bernoulli
from .beta import Beta
from .binomial import Binomial
from .categorical import Categorical
from .cauchy import Cauchy
from .continuous_bernoulli import ContinuousBernoulli
from .dirichlet import Dirichlet
from .exp_family import ExponentialFamily
from .exponential import Exponential
from .gamma import Gamma
from .geometric import Geometric
from .gumbel import Gumbel
from .half_normal import HalfNormal
from .independent import Independent
from .laplace import Laplace
from .lowrank_multivariate_normal import (
    LowRankMultivariateNormal,
    _batch_lowrank_logdet,
    _batch_lowrank_mahalanobis,
)
from .multivariate_normal import MultivariateNormal, _batch_mahalanobis
from .normal import Normal
from .one_hot_categorical import OneHotCategorical
from .pareto import Pareto
from .poisson import Poisson
from .transformed_distribution import TransformedDistribution
from .uniform import Uniform
from .utils import _sum_rightmost
from .utils import euler_constant as _euler_gamma


@register_kl(Bernoulli, Bernoulli)
def _kl_bernoulli_bernoulli(p: Any, q: Any) -> Tensor:
    def outcome(in_p: Tensor, in_q: Tensor, sign: int) -> Tensor:
        """The part of one of the two outcomes, whose probabilities are *in_p* and *in_q*."""
        part = in_p * (softplus(-sign * q.logits) - softplus(-sign * p.logits))
        part[in_q == 0] = inf
        part[in_p == 0] = 0
        return part

    return outcome(p.probs, q.probs, 1) + outcome(1 - p.probs, 1 - q.probs, -1)


@register_kl(Beta, Beta)
def _kl_beta_beta(p: Any, q: Any) -> Tensor:
    ones_p, zeros_p, ones_q, zeros_q = _concentrations(p) + _concentrations(q)
    all_p, all_q = ones_p + zeros_p, ones_q + zeros_q
    above = ones_q.lgamma() + zeros_q.lgamma() + all_p.lgamma()
    below = ones_p.lgamma() + zeros_p.lgamma() + all_q.lgamma()
    return (
        above
        - below
        + (ones_p - ones_q) * torch.digamma(ones_p)
        + (zeros_p - zeros_q) * torch.digamma(zeros_p)
        + (all_q - all_p) * torch.digamma(all_p)
    )


def _concentrations(beta: Any) -> tuple[Tensor, Tensor]:
    return beta.concentration1, beta.concentration0


@register_kl(Binomial, Binomial)
def _kl_binomial_binomial(p: Any, q: Any) -> Tensor:
    if (p.total_count < q.total_count).any():
        raise NotImplementedError(
            "KL between Binomials where q.total_count > p.total_count is not implemented"
        )
    of_one = p.probs * (p.logits - q.logits) + (-p.probs).log1p() - (-q.probs).log1p()
    return _infinite_where(p.total_count > q.total_count, p.total_count * of_one)


@register_kl(Categorical, Categorical)
def _kl_categorical_categorical(p: Any, q: Any) -> Tensor:
    parts = p.probs * (p.logits - q.logits)
    for probs, limit in ((q.probs, inf), (p.probs, 0)):
        parts[(probs == 0).expand_as(parts)] = limit
    return parts.sum(-1)


@register_kl(ContinuousBernoulli, ContinuousBernoulli)
def _kl_continuous_bernoulli_continuous_bernoulli(p: Any, q: Any) -> Tensor:
    constant_p = p._cont_bern_log_norm() + torch.log1p(-p.probs)
    constant_q = -q._cont_bern_log_norm() - torch.log1p(-q.probs)
    return p.mean * (p.logits - q.logits) + constant_p + constant_q


@register_kl(Dirichlet, Dirichlet)
def _kl_dirichlet_dirichlet(p: Any, q: Any) -> Tensor:
    mine, its = p.concentration, q.concentration
    total = mine.sum(-1)
    slopes = mine.digamma() - total.digamma().unsqueeze(-1)
    constants = total.lgamma() - its.sum(-1).lgamma() - (mine.lgamma() - its.lgamma()).sum(-1)
    return constants + ((mine - its) * slopes).sum(-1)


@register_kl(Exponential, Exponential)
def _kl_exponential_exponential(p: Any, q: Any) -> Tensor:
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


@register_kl(ExponentialFamily, ExponentialFamily)
def _kl_expfamily_expfamily(p: Any, q: Any) -> Tensor:
    if type(p) is not type(q):
        raise NotImplementedError(
            "The cross KL-divergence between different exponential families cannot"
            f"{' ' * 29}be computed using Bregman divergences"
        )
    # What the normalizer of q is above its tangent at p.
    at_p = [parameter.detach().requires_grad_() for parameter in p._natural_params]
    value = p._log_normalizer(*at_p)
    slopes = autograd.grad(value.sum(), at_p, create_graph=True)
    result = q._log_normalizer(*q._natural_params) - value
    for here, there, slope in zip(at_p, q._natural_params, slopes, strict=True):
        result -= _sum_rightmost((there - here) * slope, len(q.event_shape))
    return result


@register_kl(Gamma, Gamma)
def _kl_gamma_gamma(p: Any, q: Any) -> Tensor:
    mine, its = p.concentration, q.concentration
    return (
        its * (p.rate / q.rate).log()
        + (torch.lgamma(its) - torch.lgamma(mine))
        + (mine - its) * torch.digamma(mine)
        + (q.rate - p.rate) * (mine / p.rate)
    )


@register_kl(Gumbel, Gumbel)
def _kl_gumbel_gumbel(p: Any, q: Any) -> Tensor:
    ratio, loc_p, loc_q = p.scale / q.scale, p.loc / q.scale, q.loc / q.scale
    moment = torch.exp(loc_q + (1 + ratio).lgamma() - loc_p)
    return -ratio.log() - loc_q + loc_p + ratio * _euler_gamma + moment - (1 + _euler_gamma)


@register_kl(Geometric, Geometric)
def _kl_geometric_geometric(p: Any, q: Any) -> Tensor:
    return -p.entropy() - torch.log1p(-q.probs) / p.probs - q.logits


@register_kl(HalfNormal, HalfNormal)
def _kl_halfnormal_halfnormal(p: Any, q: Any) -> Tensor:
    return _kl_normal_normal(p.base_dist, q.base_dist)


@register_kl(Laplace, Laplace)
def _kl_laplace_laplace(p: Any, q: Any) -> Tensor:
    ratio, distance = p.scale / q.scale, (p.loc - q.loc).abs()
    return -ratio.log() + distance / q.scale + ratio * torch.exp(-distance / p.scale) - 1


# Of normal distributions of several dimensions the divergence is
# (log det(Q) - log det(P) + trace(inv(Q) @ P) + mahalanobis(Q, q - p) - n) / 2,
# P and Q the covariances: each in the form that its class keeps.


def _common_event_size(p: Any, q: Any, what: str) -> int:
    """n. Raises ValueError if *p* and *q* differ in it; *what* they are, its text says."""
    if p.event_shape != q.event_shape:
        raise ValueError(
            f"KL-divergence between two {what} with{' ' * 26}different event shapes cannot be "
            "computed"
        )
    return int(p.event_shape[0])


def _low_rank_logdet(dist: Any) -> Tensor:
    return _batch_lowrank_logdet(
        dist._unbroadcasted_cov_factor, dist._unbroadcasted_cov_diag, dist._capacitance_tril
    )


def _log_diagonal(dist: Any) -> Tensor:
    """Half the logarithm of the determinant of the covariance, by its Cholesky factor."""
    diagonal: Tensor = dist._unbroadcasted_scale_tril.diagonal(dim1=-2, dim2=-1)
    return diagonal.log().sum(-1)


def _low_rank_mahalanobis(q: Any, p: Any) -> Tensor:
    return _batch_lowrank_mahalanobis(
        q._unbroadcasted_cov_factor, q._unbroadcasted_cov_diag, q.loc - p.loc, q._capacitance_tril
    )


def _low_rank_projection(q: Any) -> Tensor:
    """What takes the low rank's part out of a trace with the inverse of q's covariance."""
    scaled = q._unbroadcasted_cov_factor.mT / q._unbroadcasted_cov_diag.unsqueeze(-2)
    return linalg.solve_triangular(q._capacitance_tril, scaled, upper=False)


def _trace_of_solved(tril: Tensor, *matrices: Tensor) -> Tensor:
    """The sum of the traces of ``inv(L L.T) @ X X.T``, L being *tril* and X each matrix."""
    batch = torch.broadcast_shapes(tril.shape[:-2], matrices[0].shape[:-2])
    left, *right = (each.expand(batch + each.shape[-2:]) for each in (tril, *matrices))
    traces = [_batch_trace_XXT(linalg.solve_triangular(left, each, upper=False)) for each in right]
    return reduce(torch.add, traces)


@register_kl(LowRankMultivariateNormal, LowRankMultivariateNormal)
def _kl_lowrankmultivariatenormal_lowrankmultivariatenormal(p: Any, q: Any) -> Tensor:
    n = _common_event_size(p, q, "Low Rank Multivariate Normals")
    factor, diagonal = p._unbroadcasted_cov_factor, p._unbroadcasted_cov_diag
    projection = _low_rank_projection(q)
    trace = (
        (diagonal / q._unbroadcasted_cov_diag).sum(-1)
        + _batch_trace_XXT(factor * q._unbroadcasted_cov_diag.rsqrt().unsqueeze(-1))
        - _batch_trace_XXT(projection * diagonal.sqrt().unsqueeze(-2))
        - _batch_trace_XXT(projection.matmul(factor))
    )
    logdet = _low_rank_logdet(q) - _low_rank_logdet(p)
    return 0.5 * (logdet + trace + _low_rank_mahalanobis(q, p) - n)


@register_kl(MultivariateNormal, LowRankMultivariateNormal)
def _kl_multivariatenormal_lowrankmultivariatenormal(p: Any, q: Any) -> Tensor:
    n = _common_event_size(p, q, "(Low Rank) Multivariate Normals")
    tril = p._unbroadcasted_scale_tril
    whole = _batch_trace_XXT(tril * q._unbroadcasted_cov_diag.rsqrt().unsqueeze(-1))
    trace = whole - _batch_trace_XXT(_low_rank_projection(q).matmul(tril))
    logdet = _low_rank_logdet(q) - 2 * _log_diagonal(p)
    return 0.5 * (logdet + trace + _low_rank_mahalanobis(q, p) - n)


@register_kl(LowRankMultivariateNormal, MultivariateNormal)
def _kl_lowrankmultivariatenormal_multivariatenormal(p: Any, q: Any) -> Tensor:
    n = _common_event_size(p, q, "(Low Rank) Multivariate Normals")
    tril = q._unbroadcasted_scale_tril
    diagonal = torch.diag_embed(p._unbroadcasted_cov_diag.sqrt())
    trace = _trace_of_solved(tril, p._unbroadcasted_cov_factor, diagonal)
    logdet = 2 * _log_diagonal(q) - _low_rank_logdet(p)
    return 0.5 * (logdet + trace + _batch_mahalanobis(tril, q.loc - p.loc) - n)


@register_kl(MultivariateNormal, MultivariateNormal)
def _kl_multivariatenormal_multivariatenormal(p: Any, q: Any) -> Tensor:
    n = _common_event_size(p, q, "Multivariate Normals")
    tril = q._unbroadcasted_scale_tril
    trace = _trace_of_solved(tril, p._unbroadcasted_scale_tril)
    distance = _batch_mahalanobis(tril, q.loc - p.loc)
    return _log_diagonal(q) - _log_diagonal(p) + 0.5 * (trace + distance - n)


@register_kl(Normal, Normal)
def _kl_normal_normal(p: Any, q: Any) -> Tensor:
    ratio, distance = ((each / q.scale).pow(2) for each in (p.scale, p.loc - q.loc))
    return 0.5 * (ratio + distance - 1 - ratio.log())


@register_kl(OneHotCategorical, OneHotCategorical)
def _kl_onehotcategorical_onehotcategorical(p: Any, q: Any) -> Tensor:
    return _kl_categorical_categorical(p._categorical, q._categorical)


@register_kl(Pareto, Pareto)
def _kl_pareto_pareto(p: Any, q: Any) -> Tensor:
    alphas = q.alpha / p.alpha
    result = q.alpha * (p.scale / q.scale).log() - alphas.log() + alphas - 1
    return _infinite_where(p.support.lower_bound < q.support.lower_bound, result)


@register_kl(Poisson, Poisson)
def _kl_poisson_poisson(p: Any, q: Any) -> Tensor:
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


@register_kl(TransformedDistribution, TransformedDistribution)
def _kl_transformed_transformed(p: Any, q: Any) -> Tensor:
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError
    return kl_divergence(p.base_dist, q.base_dist)


@register_kl(Uniform, Uniform)
def _kl_uniform_uniform(p: Any, q: Any) -> Tensor:
    result = ((q.high - q.low) / (p.high - p.low)).log()
    return _infinite_where((q.low > p.low) | (q.high < p.high), result)


@register_kl(Independent, Independent)
def _kl_independent_independent(p: Any, q: Any) -> Tensor:
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError
    return _sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


@register_kl(Cauchy, Cauchy)
def _kl_cauchy_cauchy(p: Any, q: Any) -> Tensor:
    # Chyzak and Nielsen (2019)
    distance = (p.scale + q.scale).pow(2) + (p.loc - q.loc).pow(2)
    return distance.log() - (4 * p.scale * q.scale).log()


#: The formulas, by torch's names.
__all__ = [name for name in vars() if name.startswith("_kl_")]
