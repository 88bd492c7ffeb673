"""Kullback-Leibler divergences between distributions, found by the distributions' classes."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from functools import reduce
from typing import Any, TypeVar

import mindtorch as torch
from mindtorch import Tensor, inf
from mindtorch.nn.functional import softplus

from .bernoulli import Bernoulli
from .beta import Beta
from .binomial import Binomial
from .categorical import Categorical
from .cauchy import Cauchy
from .continuous_bernoulli import ContinuousBernoulli
from .dirichlet import Dirichlet
from .distribution import Distribution
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

__all__ = ["register_kl", "kl_divergence"]

Rule = Callable[[Any, Any], Tensor]
_R = TypeVar("_R", bound=Rule)

#: The formulas by the classes that they were registered for.
_KL_REGISTRY: dict[tuple[type, type], Rule] = {}
#: What was found for classes that were asked for.
_KL_MEMOIZE: dict[tuple[type, type], Rule] = {}


def register_kl(type_p: Any, type_q: Any) -> Callable[[_R], _R]:
    """Decorator of a formula for the divergence of *type_q* from *type_p*.

    Subclasses use it, too, unless there is a more particular one. Where two are, and neither is
    more particular than the other, using them warns.
    """
    for kind in (type_p, type_q):
        issubclass(kind, Distribution)  # refuses what is no class; torch takes any class

    def decorator(fun: _R) -> _R:
        _KL_REGISTRY[type_p, type_q] = fun
        _KL_MEMOIZE.clear()
        return fun

    return decorator


class _Match:
    """Classes in an order: the first two that differ decide, and a subclass is the smaller."""

    __slots__ = ("types",)

    def __init__(self, *types: type) -> None:
        self.types = types

    def __lt__(self, other: _Match) -> bool:
        pairs = zip(self.types, other.types, strict=True)
        different = next((pair for pair in pairs if pair[0] is not pair[1]), None)
        return different is not None and issubclass(*different)


def _dispatch_kl(type_p: type, type_q: type) -> Any:
    """The most particular formula for two classes, NotImplemented if there is none."""
    fitting = [
        pair for pair in _KL_REGISTRY if issubclass(type_p, pair[0]) and issubclass(type_q, pair[1])
    ]
    if not fitting:
        return NotImplemented
    by_p = min(fitting, key=lambda pair: _Match(*pair))
    by_q = min(fitting, key=lambda pair: _Match(*reversed(pair)))
    if _KL_REGISTRY[by_p] is not _KL_REGISTRY[by_q]:
        warnings.warn(
            f"Ambiguous kl_divergence({type_p.__name__}, {type_q.__name__}). "
            f"Please register_kl({by_p[0].__name__}, {by_q[1].__name__})",
            RuntimeWarning,
            stacklevel=2,
        )
    return _KL_REGISTRY[by_p]


def _infinite_like(tensor: Tensor) -> Tensor:
    """Infinities in the shape of *tensor*."""
    return torch.full_like(tensor, inf)


def _infinite_where(condition: Tensor, result: Tensor) -> Tensor:
    """*result*, infinite where *q* has no weight and *p* has some: there *condition* is true."""
    result[condition] = inf
    return result


def _x_log_x(tensor: Tensor) -> Tensor:
    """``x * log(x)``, 0 at 0."""
    return torch.special.xlogy(tensor, tensor)


def _batch_trace_XXT(bmat: Tensor) -> Tensor:
    """The trace of ``X @ X.T``: the sum of all squares."""
    return bmat.reshape(-1, math.prod(bmat.shape[-2:])).pow(2).sum(-1).reshape(bmat.shape[:-2])


def kl_divergence(p: Distribution, q: Distribution) -> Tensor:
    """The Kullback-Leibler divergence ``E_p[log p - log q]``, by batch.

    Raises NotImplementedError if no formula was registered for the classes of *p* and *q*.
    """
    kinds = type(p), type(q)
    if kinds not in _KL_MEMOIZE:
        _KL_MEMOIZE[kinds] = _dispatch_kl(*kinds)
    formula: Any = _KL_MEMOIZE[kinds]
    if formula is NotImplemented:
        raise NotImplementedError(
            f"No KL(p || q) is implemented for p type {p.__class__.__name__} and q type "
            f"{q.__class__.__name__}"
        )
    found: Tensor = formula(p, q)
    return found


# ------------------------------------------------------------------------- of one family


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
    slopes = torch.autograd.grad(value.sum(), at_p, create_graph=True)
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
    return torch.linalg.solve_triangular(q._capacitance_tril, scaled, upper=False)


def _trace_of_solved(tril: Tensor, *matrices: Tensor) -> Tensor:
    """The sum of the traces of ``inv(L L.T) @ X X.T``, L being *tril* and X each matrix."""
    batch = torch.broadcast_shapes(tril.shape[:-2], matrices[0].shape[:-2])
    left, *right = (each.expand(batch + each.shape[-2:]) for each in (tril, *matrices))
    traces = [
        _batch_trace_XXT(torch.linalg.solve_triangular(left, each, upper=False)) for each in right
    ]
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


# ------------------------------------------------------------------------- of no common support


def _infinite_for(type_p: Any, *types_q: Any) -> Callable[[_R], _R]:
    """Decorator of the formula for *type_p* that gives weight where none of *types_q* does."""

    def decorator(formula: _R) -> _R:
        for type_q in types_q:
            register_kl(type_p, type_q)(formula)
        return formula

    return decorator


_BOUNDED = (Beta, ContinuousBernoulli, Pareto, Uniform)
_HALF = (Exponential, Gamma)


@_infinite_for(Beta, Pareto)
def _kl_beta_infinity(p: Any, q: Any) -> Tensor:
    return _infinite_like(p.concentration1)


@_infinite_for(ContinuousBernoulli, Pareto)
def _kl_continuous_bernoulli_infinity(p: Any, q: Any) -> Tensor:
    return _infinite_like(p.probs)


@_infinite_for(Exponential, *_BOUNDED)
def _kl_exponential_infinity(p: Any, q: Any) -> Tensor:
    return _infinite_like(p.rate)


@_infinite_for(Gamma, *_BOUNDED)
def _kl_gamma_infinity(p: Any, q: Any) -> Tensor:
    return _infinite_like(p.concentration)


@_infinite_for(Gumbel, *_BOUNDED, *_HALF)
def _kl_gumbel_infinity(p: Any, q: Any) -> Tensor:
    return _infinite_like(p.loc)


@_infinite_for(Laplace, *_BOUNDED, *_HALF)
def _kl_laplace_infinity(p: Any, q: Any) -> Tensor:
    return _infinite_like(p.loc)


@_infinite_for(Normal, *_BOUNDED, *_HALF)
def _kl_normal_infinity(p: Any, q: Any) -> Tensor:
    return _infinite_like(p.loc)


@_infinite_for(Pareto, Beta, ContinuousBernoulli, Uniform)
def _kl_pareto_infinity(p: Any, q: Any) -> Tensor:
    return _infinite_like(p.scale)


@_infinite_for(Poisson, Bernoulli, Binomial)
def _kl_poisson_infinity(p: Any, q: Any) -> Tensor:
    return _infinite_like(p.rate)


# ------------------------------------------------------------------------- of different families


def _gamma_constant(q: Any) -> Tensor:
    concentration: Tensor = q.concentration
    return concentration.lgamma() - concentration * q.rate.log()


def _mean_x_log_x(p: Any) -> Tensor:
    """The mean of ``log(x)`` in a uniform distribution."""
    width = p.high - p.low
    return (_x_log_x(p.high) - _x_log_x(p.low) - width) / width


@register_kl(Bernoulli, Poisson)
def _kl_bernoulli_poisson(p: Any, q: Any) -> Tensor:
    return -p.entropy() - (p.probs * q.rate.log() - q.rate)


@register_kl(Beta, ContinuousBernoulli)
def _kl_beta_continuous_bernoulli(p: Any, q: Any) -> Tensor:
    return -p.entropy() - p.mean * q.logits - torch.log1p(-q.probs) - q._cont_bern_log_norm()


@register_kl(Beta, Exponential)
def _kl_beta_exponential(p: Any, q: Any) -> Tensor:
    ones, zeros = _concentrations(p)
    return -p.entropy() - q.rate.log() + q.rate * (ones / (ones + zeros))


@register_kl(Beta, Gamma)
def _kl_beta_gamma(p: Any, q: Any) -> Tensor:
    ones, zeros = _concentrations(p)
    mean_log = ones.digamma() - (ones + zeros).digamma()
    excess = (q.concentration - 1) * mean_log
    return -p.entropy() + _gamma_constant(q) - excess + q.rate * ones / (ones + zeros)


@register_kl(Beta, Normal)
def _kl_beta_normal(p: Any, q: Any) -> Tensor:
    ones, zeros = _concentrations(p)
    mean, square = ones / (ones + zeros), q.scale.pow(2)
    second = mean * (1 - mean) / (ones + zeros + 1) + mean.pow(2)
    distance = second * 0.5 - q.loc * mean + q.loc.pow(2) * 0.5
    return -p.entropy() + 0.5 * (square * 2 * math.pi).log() + distance / square


@register_kl(Beta, Uniform)
def _kl_beta_uniform(p: Any, q: Any) -> Tensor:
    outside = (q.low > p.support.lower_bound) | (q.high < p.support.upper_bound)
    return _infinite_where(outside, -p.entropy() + (q.high - q.low).log())


@register_kl(ContinuousBernoulli, Exponential)
def _kl_continuous_bernoulli_exponential(p: Any, q: Any) -> Tensor:
    return -p.entropy() - torch.log(q.rate) + q.rate * p.mean


@register_kl(ContinuousBernoulli, Normal)
def _kl_continuous_bernoulli_normal(p: Any, q: Any) -> Tensor:
    constant = 0.5 * (math.log(2.0 * math.pi) + (q.loc / q.scale).square()) + q.scale.log()
    spread = p.variance + p.mean.square() - 2.0 * q.loc * p.mean
    return -p.entropy() + constant + spread / (2.0 * q.scale.square())


@register_kl(ContinuousBernoulli, Uniform)
def _kl_continuous_bernoulli_uniform(p: Any, q: Any) -> Tensor:
    result = -p.entropy() + (q.high - q.low).log()
    # As torch has it: also where q reaches beyond.
    outside = (q.low >= p.support.lower_bound) | (q.high <= p.support.upper_bound)
    return torch.where(outside, _infinite_like(result), result)


@register_kl(Exponential, Gamma)
def _kl_exponential_gamma(p: Any, q: Any) -> Tensor:
    ratio, shape = q.rate / p.rate, q.concentration
    logs = -shape * ratio.log() + ratio + shape.lgamma()
    return logs + shape * _euler_gamma - (1 + _euler_gamma)


@register_kl(Exponential, Gumbel)
def _kl_exponential_gumbel(p: Any, q: Any) -> Tensor:
    scaled, off = p.rate * q.scale, q.loc / q.scale
    moment = off.exp() * scaled / (scaled + 1)
    return scaled.log() - 1 - off + moment + scaled.reciprocal()


@register_kl(Exponential, Normal)
def _kl_exponential_normal(p: Any, q: Any) -> Tensor:
    square, rates = q.scale.pow(2), p.rate.pow(2)
    distance = rates.reciprocal() - q.loc / p.rate + q.loc.pow(2) * 0.5
    return 0.5 * (rates * square * 2 * math.pi).log() - 1 + distance / square


@register_kl(Gamma, Exponential)
def _kl_gamma_exponential(p: Any, q: Any) -> Tensor:
    return -p.entropy() - q.rate.log() + q.rate * p.concentration / p.rate


@register_kl(Gamma, Gumbel)
def _kl_gamma_gumbel(p: Any, q: Any) -> Tensor:
    shape, scaled, off = p.concentration, p.rate * q.scale, q.loc / q.scale
    constant = (shape - 1) * shape.digamma() - shape.lgamma() - shape
    moment = off.exp() * (1 + scaled.reciprocal()).pow(-shape) - off
    return constant + (scaled.log() + shape / scaled) + moment


@register_kl(Gamma, Normal)
def _kl_gamma_normal(p: Any, q: Any) -> Tensor:
    shape, square, rates = p.concentration, q.scale.pow(2), p.rate.pow(2)
    constant = 0.5 * (rates * square * 2 * math.pi).log() - shape - shape.lgamma()
    distance = 0.5 * (shape.pow(2) + shape) / rates - q.loc * shape / p.rate + 0.5 * q.loc.pow(2)
    return constant + (shape - 1) * shape.digamma() + distance / square


@register_kl(Gumbel, Normal)
def _kl_gumbel_normal(p: Any, q: Any) -> Tensor:
    ratio = p.scale / q.scale
    spread = (math.pi * ratio * 0.5).pow(2) / 3
    off = ((p.loc + p.scale * _euler_gamma - q.loc) / q.scale).pow(2)
    constant = -(ratio / math.sqrt(2 * math.pi)).log()
    return constant + spread + off * 0.5 - (_euler_gamma + 1)


@register_kl(Laplace, Normal)
def _kl_laplace_normal(p: Any, q: Any) -> Tensor:
    square = q.scale.pow(2)
    ratio = p.scale.pow(2) / square
    distance = 0.5 * p.loc.pow(2) - p.loc * q.loc + 0.5 * q.loc.pow(2)
    return -(0.5 * torch.log(2 * ratio / math.pi)) + ratio + distance / square - 1


@register_kl(Normal, Gumbel)
def _kl_normal_gumbel(p: Any, q: Any) -> Tensor:
    mine, its, ratio = p.loc / q.scale, q.loc / q.scale, (p.scale / q.scale).pow(2)
    moment = (-mine + 0.5 * ratio + its).exp()
    return mine - its + moment + (-p.entropy() + q.scale.log())


@register_kl(Normal, Laplace)
def _kl_normal_laplace(p: Any, q: Any) -> Tensor:
    off = p.loc - q.loc
    scaled = off / p.scale
    folded = math.sqrt(2 / math.pi) * p.scale * (-0.5 * scaled.pow(2)).exp()
    distance = folded + off * torch.erf(math.sqrt(0.5) * scaled)
    return -(p.scale / q.scale).log() + distance / q.scale - 0.5 * (1 + math.log(0.5 * math.pi))


@register_kl(Pareto, Exponential)
def _kl_pareto_exponential(p: Any, q: Any) -> Tensor:
    alpha, scaled = p.alpha, p.scale * q.rate
    mean = alpha * scaled / (alpha - 1)
    return _infinite_where(alpha <= 1, (alpha / scaled).log() - alpha.reciprocal() + mean - 1)


@register_kl(Pareto, Gamma)
def _kl_pareto_gamma(p: Any, q: Any) -> Tensor:
    alpha = p.alpha
    mean_log = p.scale.log() + alpha.reciprocal()
    mean = q.rate * alpha * p.scale / (alpha - 1)
    logs = alpha.log() - mean_log + _gamma_constant(q) + (1 - q.concentration) * mean_log
    return _infinite_where(alpha <= 1, logs + mean - 1)


@register_kl(Pareto, Normal)
def _kl_pareto_normal(p: Any, q: Any) -> Tensor:
    alpha, less = p.alpha, p.alpha - 1
    variance = alpha * p.scale.pow(2) / (less.pow(2) * (alpha - 2))
    off = (alpha * p.scale / less - q.loc).pow(2)
    constant = (math.sqrt(2 * math.pi) * q.scale * alpha / p.scale).log() - alpha.reciprocal()
    result = constant + (variance + off) / (2 * q.scale.pow(2)) - 1
    return _infinite_where(alpha <= 2, result)


@register_kl(Uniform, Beta)
def _kl_uniform_beta(p: Any, q: Any) -> Tensor:
    ones, zeros = _concentrations(q)
    width = p.high - p.low
    of_ones = (ones - 1) * (_x_log_x(p.high) - _x_log_x(p.low) - width) / width
    of_zeros = (zeros - 1) * (_x_log_x(1 - p.high) - _x_log_x(1 - p.low) + width) / width
    constant = ones.lgamma() + zeros.lgamma() - (ones + zeros).lgamma()
    outside = (p.high > q.support.upper_bound) | (p.low < q.support.lower_bound)
    return _infinite_where(outside, of_zeros + constant - width.log() - of_ones)


@register_kl(Uniform, ContinuousBernoulli)
def _kl_uniform_continuous_bernoulli(p: Any, q: Any) -> Tensor:
    above, below = p.high >= q.support.upper_bound, p.low <= q.support.lower_bound
    result = _kl_beta_continuous_bernoulli(p, q)
    return torch.where(above | below, _infinite_like(result), result)


@register_kl(Uniform, Exponential)
def _kl_uniform_exponetial(p: Any, q: Any) -> Tensor:
    mean = q.rate * (p.high + p.low) / 2
    result = mean - ((p.high - p.low) * q.rate).log()
    return _infinite_where(p.low < q.support.lower_bound, result)


@register_kl(Uniform, Gamma)
def _kl_uniform_gamma(p: Any, q: Any) -> Tensor:
    width = p.high - p.low
    excess = (1 - q.concentration) * (_x_log_x(p.high) - _x_log_x(p.low) - width) / width
    result = -width.log() + _gamma_constant(q) + excess + q.rate * (p.high + p.low) / 2
    return _infinite_where(p.low < q.support.lower_bound, result)


@register_kl(Uniform, Gumbel)
def _kl_uniform_gumbel(p: Any, q: Any) -> Tensor:
    scaled = q.scale / (p.high - p.low)
    high, low = ((end - q.loc) / q.scale for end in (p.high, p.low))
    return scaled.log() + 0.5 * (high + low) - scaled * ((-high).exp() - (-low).exp())


@register_kl(Uniform, Normal)
def _kl_uniform_normal(p: Any, q: Any) -> Tensor:
    width = p.high - p.low
    constant = (math.sqrt(math.pi * 2) * q.scale / width).log()
    distance = width.pow(2) / 12 + ((p.high + p.low - 2 * q.loc) / 2).pow(2)
    return constant + 0.5 * distance / q.scale.pow(2)


@register_kl(Uniform, Pareto)
def _kl_uniform_pareto(p: Any, q: Any) -> Tensor:
    constant = (q.alpha * q.scale.pow(q.alpha) * (p.high - p.low)).log()
    result = _mean_x_log_x(p) * (q.alpha + 1) - constant
    return _infinite_where(p.low < q.support.lower_bound, result)
