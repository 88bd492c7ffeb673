"""Divergences between distributions of different families."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..aten import torch
from ..aten.torch import Tensor
from ._kl_in_families import _concentrations
from ._kl_registry import _R, _infinite_like, _infinite_where, _x_log_x, register_kl
from .bernoulli import Bernoulli
from .beta import Beta
from .binomial import Binomial
from .continuous_bernoulli import ContinuousBernoulli
from .exponential import Exponential
from .gamma import Gamma
from .gumbel import Gumbel
from .laplace import Laplace
from .normal import Normal
from .pareto import Pareto
from .poisson import Poisson
from .uniform import Uniform
from .utils import euler_constant as _euler_gamma

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


#: The formulas, by torch's names.
__all__ = [name for name in vars() if name.startswith("_kl_")]
