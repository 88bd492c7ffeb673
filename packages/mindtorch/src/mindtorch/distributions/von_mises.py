"""Von Mises distributions of angles."""

from __future__ import annotations

import math
from typing import Any

from ..aten import torch
from ..aten.torch import Size, Tensor
from . import constraints
from .distribution import Distribution
from .utils import _NO_DIMS, broadcast_all, lazy_property

__all__ = ["VonMises"]

# Abramowitz and Stegun, Handbook of Mathematical Functions, 9.8.1 to 9.8.4: by powers of
# (x / 3.75)**2 where x is small, else of 3.75 / x.
_I0_COEF_SMALL = [1.0, 3.5156229, 3.0899424, 1.2067492, 0.2659732, 0.360768e-1, 0.45813e-2]
_I0_COEF_LARGE = [
    *(0.39894228, 0.1328592e-1, 0.225319e-2, -0.157565e-2, 0.916281e-2),
    *(-0.2057706e-1, 0.2635537e-1, -0.1647633e-1, 0.392377e-2),
]
_I1_COEF_SMALL = [0.5, 0.87890594, 0.51498869, 0.15084934, 0.2658733e-1, 0.301532e-2, 0.32411e-3]
_I1_COEF_LARGE = [
    *(0.39894228, -0.3988024e-1, -0.362018e-2, 0.163801e-2, -0.1031555e-1),
    *(0.2282967e-1, -0.2895312e-1, 0.1787654e-1, -0.420059e-2),
]
_COEF_SMALL = [_I0_COEF_SMALL, _I1_COEF_SMALL]
_COEF_LARGE = [_I0_COEF_LARGE, _I1_COEF_LARGE]


def _eval_poly(y: Tensor, coef: list[float]) -> Tensor:
    """The polynomial with *coef*, lowest power first, by Horner's rule."""
    *rest, last = coef
    result: Any = last
    for c in reversed(rest):
        result = c + y * result
    return result


def _log_modified_bessel_fn(x: Tensor, order: int = 0) -> Tensor:
    """The logarithm of the modified Bessel function of the first kind, for positive *x*."""
    if order not in (0, 1):
        raise AssertionError(f"order must be 0 or 1, got {order}")
    ratio, inverse = x / 3.75, 3.75 / x
    series = _eval_poly(ratio * ratio, _COEF_SMALL[order])
    near = x.abs() * series if order else series
    far = x - 0.5 * x.log() + _eval_poly(inverse, _COEF_LARGE[order]).log()
    return torch.where(x < 3.75, near.log(), far)


def _rejection_sample(loc: Tensor, concentration: Tensor, proposal_r: Tensor, x: Tensor) -> Tensor:
    """Fill *x*, with as many rounds as its slowest element takes."""
    missing = torch.ones(x.shape, dtype=torch.bool, device=loc.device)
    while missing.any():
        draws = torch.rand((3, *x.shape), dtype=loc.dtype, device=loc.device)
        turn = (math.pi * draws[0]).cos()
        cosine = (1 + proposal_r * turn) / (proposal_r + turn)
        score = concentration * (proposal_r - cosine)
        # The first test needs no logarithm, and nearly always decides.
        good = (score * (2 - score) > draws[1]) | ((score / draws[1]).log() + 1 >= score)
        x = torch.where(good, (draws[2] - 0.5).sign() * cosine.acos(), x)
        missing &= ~good
    return (x + math.pi + loc) % (2 * math.pi) - math.pi


class VonMises(Distribution):
    """The normal distribution's like on a circle; angles are in radians.

    Numbers are drawn as Best and Fisher (1979) do, in double precision.

    :param loc: an angle, the mode.
    :param concentration: how close to it angles are.
    """

    arg_constraints = {"loc": constraints.real, "concentration": constraints.positive}
    support = constraints.real
    has_rsample = False

    def __init__(
        self, loc: Tensor, concentration: Tensor, validate_args: bool | None = None
    ) -> None:
        self.loc, self.concentration = broadcast_all(loc, concentration)
        super().__init__(self.loc.shape, Size(), validate_args)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_(value)
        log_prob = self.concentration * torch.cos(value - self.loc)
        return (
            log_prob - math.log(2 * math.pi) - _log_modified_bessel_fn(self.concentration, order=0)
        )

    @lazy_property
    def _loc(self) -> Tensor:
        return self.loc.to(torch.double)

    @lazy_property
    def _concentration(self) -> Tensor:
        return self.concentration.to(torch.double)

    @lazy_property
    def _proposal_r(self) -> Tensor:
        kappa = self._concentration
        tau = 1 + (1 + 4 * kappa**2).sqrt()
        rho = (tau - (2 * tau).sqrt()) / (2 * kappa)
        r = (1 + rho**2) / (2 * rho)
        return torch.where(kappa < 1e-5, 1 / kappa + kappa, r)  # a Taylor series near 0

    @torch.no_grad()
    def sample(self, sample_shape: Any = _NO_DIMS) -> Tensor:
        shape = self._extended_shape(sample_shape)
        x = torch.empty(shape, dtype=self._loc.dtype, device=self.loc.device)
        found = _rejection_sample(self._loc, self._concentration, self._proposal_r, x)
        return found.to(self.loc.dtype)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        try:
            return super().expand(batch_shape)
        except NotImplementedError:  # made anew, with its own answer to whether it checks
            own = self.__dict__.get("_validate_args")
            parameters = (p.expand(batch_shape) for p in (self.loc, self.concentration))
            return type(self)(*parameters, validate_args=own)

    @property
    def mean(self) -> Tensor:
        return self.loc

    @property
    def mode(self) -> Tensor:
        return self.loc

    @lazy_property
    def variance(self) -> Tensor:
        one = _log_modified_bessel_fn(self.concentration, order=1)
        zero = _log_modified_bessel_fn(self.concentration, order=0)
        return 1 - (one - zero).exp()
