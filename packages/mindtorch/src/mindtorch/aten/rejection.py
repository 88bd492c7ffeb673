"""Samplers that draw until a number is accepted: Poisson, binomial, gamma.

One number at a time, for how many the generator gives to each depends on what it gave. Their
algorithms: transformed rejection (Hörmann 1993), geometric steps, and Marsaglia and Tsang 2000;
the constants are those of torch aten/src/ATen/native/Distributions.cpp and Distributions.h.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, Final

import numpy as np

from ..tensor.generator import Generator

Draw = Callable[[], float]
Array = np.ndarray[Any, Any]
#: Constants that torch has in single precision.
_SQUEEZE: Final = float(np.float32(0.0331))
_THIRD: Final = np.array(np.float32(1) / np.float32(3), np.float64)
_ONE, _NINE = np.array(1.0), np.array(9.0)
_CIRCLE: Final = 2.0 * math.pi
_exp, _log, _log1p, _pow, _sqrt = math.exp, math.log, math.log1p, math.pow, math.sqrt
_cos, _sin = math.cos, math.sin
#: So many numbers are taken from the generator at a time; what is left of them goes back.
_CHUNK: Final = 64


class Uniforms:
    """While it is entered: a generator's next numbers in [0, 1), of 53 random bits, one by one.

    Only those that were asked for count as drawn.
    """

    __slots__ = ("_end", "_gen", "_rest")

    def __init__(self, gen: Generator) -> None:
        self._gen, self._end = gen, 0
        self._rest: Any = iter(())

    def __enter__(self) -> Iterator[float]:
        self._gen.lock.__enter__()
        return chain.from_iterable(self._chunks())

    def __exit__(self, *error: Any) -> None:
        gen = self._gen
        if gen._at == self._end:  # else somebody put a state back
            gen._at -= 2 * self._rest.__length_hint__()
        gen.lock.__exit__(*error)

    def _chunks(self) -> Iterator[Iterator[float]]:
        gen = self._gen
        while True:
            taken = gen._take(2)
            if taken is None:
                high, low = gen.words(2).tolist()
                numbers = [((high << 32 | low) & (1 << 53) - 1) * 2.0**-53]
            else:
                block, at = taken
                numbers = block.as_doubles()[at : at + 2 * _CHUNK : 2].tolist()
                gen._at = self._end = at + 2 * len(numbers)
            self._rest = iter(numbers)
            yield self._rest


def log(x: float) -> float:
    """C's logarithm, which knows 0."""
    if x > 0:
        return math.log(x)
    return -math.inf if x == 0 else math.nan


def poissons(rates: list[float], uniforms: Iterator[float]) -> list[float]:
    """Poisson numbers of *rates*. Raises RuntimeError for a rate that is none."""
    found: list[float] = []
    for rate in rates:
        if 0 < rate < 10:
            limit, product, count = _exp(-rate), 1.0, 0
            for u in uniforms:
                product *= u
                if product <= limit:
                    break
                count += 1
            found.append(count)
        elif rate >= 10:
            found.append(_large_poisson(rate, uniforms.__next__))
        elif rate == 0:
            found.append(0)
        else:
            raise RuntimeError("invalid Poisson rate, expected rate to be non-negative")
    return found


def _large_poisson(rate: float, uniform: Draw) -> float:
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


def binomials(counts: list[float], chances: list[float], uniforms: Iterator[float]) -> list[float]:
    """How many of each of *counts* trials, each with its chance, are successes."""
    found: list[float] = []
    for count, p in zip(counts, chances, strict=True):
        if count <= 0 or p <= 0:
            found.append(0.0)
        elif p <= 0.5:
            found.append(_binomial(count, p, uniforms))
        elif p >= 1:
            found.append(count)
        else:
            found.append(count - _binomial(count, 1.0 - p, uniforms))
    return found


def _binomial(count: float, p: float, uniforms: Iterator[float]) -> float:
    """One of them, with a chance of at most one half: by the distances between successes."""
    if not count * p < 10:
        return math.nan if math.isnan(p) else _many(count, p, uniforms.__next__)
    passed, found, scale = 0.0, 0, _log1p(-p)
    for u in uniforms:
        step = (_log(u) if u else -math.inf) / scale
        passed += math.ceil(step) if step < math.inf else step
        if passed > count:
            break
        found += 1
    return found


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


def gammas(alphas: Array, gen: Generator, *, single: bool) -> list[float]:
    """Numbers of gamma distributions with rate 1.

    :param alphas: doubles, in one dimension.
    :param single: whether what follows from them is computed in single precision.
    """
    exponents, d = _ONE / alphas, alphas + (alphas < _ONE)
    if single:
        exponents, d = exponents.astype(np.float32), d.astype(np.float32)
    d = d - _THIRD
    if single:
        d = d.astype(np.float32).astype(np.float64)
    c = _ONE / np.sqrt(_NINE * d)
    found: list[float] = []
    with Uniforms(gen) as uniforms:
        uniform = uniforms.__next__
        columns = [a.tolist() for a in (alphas, exponents, d, c)]
        for alpha, exponent, d_, c_ in zip(*columns, strict=True):
            scale = 1.0
            if alpha < 1:
                if alpha == 0:
                    found.append(0.0)
                    continue
                try:
                    scale = _pow(1 - uniform(), exponent)
                except OverflowError:
                    scale = math.inf
            if not 0 <= c_ < math.inf:
                found.append(math.nan)
                continue
            while True:
                x = gen.next_normal
                if x is None:
                    first, second = uniform(), uniform()
                    radius, angle = _sqrt(-2.0 * _log1p(-second)), _CIRCLE * first
                    gen.next_normal = radius * _sin(angle)
                    x = radius * _cos(angle)
                else:
                    gen.next_normal = None
                y = 1.0 + c_ * x
                if y <= 0:
                    continue
                v = y * y * y
                u = 1 - uniform()
                square = x * x
                if u < 1.0 - _SQUEEZE * square * square or log(u) < (
                    0.5 * square + d_ * (1.0 - v + log(v))
                ):
                    found.append(scale * d_ * v)
                    break
    return found
