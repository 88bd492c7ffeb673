"""Functions of the C library over arrays of float64, to its last digit.

numpy's own ``log`` and ``exp`` differ from it there. Of many numbers, other functions of numpy and
scipy that call the C library in a loop of theirs take a fifth of the time of Python's ``math``.
Which ones call it is up to their versions, so each is compared with ``math`` before it is used.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any, Final

import numpy as np

from .special import loaded

__all__ = ["each", "exps", "logs", "logs_of_more", "turns"]

Array = np.ndarray[Any, Any]
#: From so many numbers on that is worth what it takes to call.
_MANY: Final = 1024
#: Of what is larger the exponential of a complex number is a product of two.
_PLAIN: Final = 709.0


def each(rule: Callable[[float], float], x: Array) -> Array:
    """*rule* of Python's ``math`` over every element."""
    return np.fromiter(map(rule, x.tolist()), np.float64, x.size)


def _waves(angle: Array) -> Array:
    found = np.zeros(angle.shape, np.complex128)
    found.imag = angle
    return np.exp(found, found)


#: What calls the C library's function of each name in a loop; and numbers to compare them on.
_LOOPS: Final[dict[str, tuple[Callable[[Array], Any], float, float]]] = {
    "log": (lambda x: loaded("xlogy")(1.0, x), 0.01, 1),
    "log1p": (lambda x: loaded("boxcox1p")(x, 0.0), -0.99, 0),
    "exp": (lambda x: np.exp(x.astype(np.complex128)).real.copy(), -5, 5),
    "cos": (lambda x: _waves(x).real, 0, 2 * math.pi),
    "sin": (lambda x: _waves(x).imag, 0, 2 * math.pi),
}


@cache
def _loop(name: str) -> Callable[[Array], Any] | None:
    """The loop that calls the C library's function *name*, if there is one."""
    run, low, high = _LOOPS[name]
    probes = np.linspace(low, high, 1021)
    return run if np.array_equal(run(probes), each(getattr(math, name), probes)) else None


def _of(name: str, x: Array) -> Array:
    loop = _loop(name) if x.size >= _MANY else None
    return each(getattr(math, name), x) if loop is None else loop(x)


def logs(x: Array) -> Array:
    """Logarithms of numbers that are not negative."""
    try:
        return _of("log", x)
    except ValueError:  # of zero
        return each(lambda u: math.log(u) if u else -math.inf, x)


def logs_of_more(x: Array) -> Array:
    """Logarithms of one more than numbers above minus one."""
    return _of("log1p", x)


def exps(x: Array) -> Array:
    """Exponentials."""
    try:
        if x.size and np.abs(x).max() >= _PLAIN:
            return each(math.exp, x)
        return _of("exp", x)
    except OverflowError:
        return each(_exp, x)


def _exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def turns(angle: Array) -> tuple[Array, Array]:
    """Cosines and sines."""
    if angle.size < _MANY or _loop("cos") is None or _loop("sin") is None:
        return each(math.cos, angle), each(math.sin, angle)
    waves = _waves(angle)
    return waves.real, waves.imag
