"""Samplers that draw until a number is accepted: Poisson, binomial, gamma.

One number at a time, for how many the generator gives to each depends on what it gave. Their
algorithms: transformed rejection (Hörmann 1993), geometric steps, and Marsaglia and Tsang 2000;
the constants are those of torch aten/src/ATen/native/Distributions.cpp and Distributions.h.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ..tensor.generator import Generator

Draw = Callable[[], float]
#: Constants that torch has in single precision.
_THIRD, _SQUEEZE = float(np.float32(1) / np.float32(3)), float(np.float32(0.0331))


def normals(gen: Generator, uniform: Draw) -> Draw:
    """A function that gives the next normal number; every second one waits in the generator."""

    def draw() -> float:
        number = gen.next_normal
        if number is not None:
            gen.next_normal = None
            return number
        first, second = uniform(), uniform()
        radius, angle = math.sqrt(-2.0 * math.log1p(-second)), 2.0 * math.pi * first
        gen.next_normal = radius * math.sin(angle)
        return radius * math.cos(angle)

    return draw


def as_single(x: float) -> float:
    """*x* rounded to single precision."""
    return float(np.float32(x))


def log(x: float) -> float:
    """C's logarithm, which knows 0."""
    if x > 0:
        return math.log(x)
    return -math.inf if x == 0 else math.nan


def poisson(rate: float, uniform: Draw) -> float:
    """A Poisson number. Raises RuntimeError for a rate that is none."""
    if not rate >= 0:
        raise RuntimeError("invalid Poisson rate, expected rate to be non-negative")
    if rate == 0:
        return 0
    if rate < 10:
        limit, product, count = math.exp(-rate), 1.0, 0
        while True:
            product *= uniform()
            if product <= limit:
                return count
            count += 1
    root, log_rate = math.sqrt(rate), log(rate)
    b = 0.931 + 2.53 * root
    a = -0.059 + 0.02483 * b
    log_inverse_alpha = log(1.1239 + 1.1328 / (b - 3.4))
    squeeze = 0.9277 - 3.6224 / (b - 2)
    while True:
        u = uniform() - 0.5
        v = uniform()
        rest = 0.5 - abs(u)
        k = math.floor((2 * a / rest + b) * u + rate + 0.43) if rest else -1
        if rest >= 0.07 and v <= squeeze:
            return k
        if k < 0 or rest < 0.013 and v > rest:
            continue
        if log(v) + log_inverse_alpha - log(a / (rest * rest) + b) <= (
            -rate + k * log_rate - math.lgamma(k + 1.0)
        ):
            return k


def binomial(count: float, p: float, uniform: Draw) -> float:
    """How many of *count* trials, each with the chance *p*, are successes."""
    if count <= 0 or p <= 0:
        return 0.0
    if p >= 1:
        return count
    if p <= 0.5:
        return _few(count, p, uniform) if count * p < 10 else _many(count, p, uniform)
    q = 1.0 - p
    if math.isnan(q):
        return math.nan
    return count - (_few(count, q, uniform) if count * q < 10 else _many(count, q, uniform))


def _few(count: float, p: float, uniform: Draw) -> float:
    """By the geometric distances between successes."""
    passed, found, scale = 0.0, 0, math.log1p(-p)
    while True:
        step = log(uniform()) / scale
        passed += math.ceil(step) if math.isfinite(step) else step
        if passed > count:
            return found
        found += 1


#: The tail of Stirling's series for 0 to 9.
_TAILS = (
    *(0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509),
    *(0.0166446911898211, 0.0138761288230707, 0.0118967099458917, 0.0104112652619720),
    *(0.00925546218271273, 0.00833056343336287),
)


def _tail(k: float) -> float:
    if k <= 9:
        return _TAILS[int(k)]
    square = (k + 1) * (k + 1)
    return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1)


def _many(count: float, p: float, uniform: Draw) -> float:
    """Transformed rejection with a squeeze."""
    spread = math.sqrt(count * p * (1 - p))
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * p
    middle = count * p + 0.5
    squeeze = 0.92 - 4.2 / b
    odds = p / (1 - p)
    alpha = (2.83 + 5.1 / b) * spread
    mode = math.floor((count + 1) * p)
    while True:
        u = uniform() - 0.5
        v = uniform()
        rest = 0.5 - abs(u)
        k = math.floor((2 * a / rest + b) * u + middle) if rest else -1
        if rest >= 0.07 and v <= squeeze:
            return k
        if k < 0 or k > count:
            continue
        bound = (
            (mode + 0.5) * log((mode + 1) / (odds * (count - mode + 1)))
            + (count + 1) * log((count - mode + 1) / (count - k + 1))
            + (k + 0.5) * log(odds * (count - k + 1) / (k + 1))
            + _tail(mode)
            + _tail(count - mode)
            - _tail(k)
            - _tail(count - k)
        )
        if log(v * alpha / (a / (rest * rest) + b)) <= bound:
            return k


def gamma(alpha: float, uniform: Draw, normal: Draw, narrow: Callable[[float], float]) -> float:
    """A number of the gamma distribution with rate 1.

    :param narrow: rounds to the dtype in which the shape parameter is computed with.
    """
    scale = 1.0
    if alpha < 1:
        if alpha == 0:
            return 0.0
        base = 1 - uniform()
        try:
            scale = math.pow(base, narrow(1.0 / alpha))
        except OverflowError:
            scale = math.inf
        alpha = narrow(alpha + 1.0)
    d = narrow(alpha - _THIRD)
    c = 1.0 / math.sqrt(9.0 * d) if d > 0 else math.nan
    if math.isnan(c):
        return math.nan
    while True:
        x = normal()
        y = 1.0 + c * x
        if y <= 0:
            continue
        v = y * y * y
        u = 1 - uniform()
        square = x * x
        if u < 1.0 - _SQUEEZE * square * square:
            return scale * d * v
        if log(u) < 0.5 * square + d * (1.0 - v + log(v)):
            return scale * d * v
