"""Orthogonal polynomials of ``torch.special``, of any degree, by their recurrences.

The degree is a tensor, too, or a number. What is said at the ends of the interval and for large
degrees inside it is torch's.
Source of that: torch aten/src/ATen/native/Math.h.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ..call.elementwise_meta import COMPLEX, elementwise
from ..call.forms import OutForm
from ..call.row import op
from .special_more import with_float

__all__: list[str] = []

Array = np.ndarray[Any, Any]
#: The next polynomial from x, the degree before it, the one before it and the one before that.
Step = Callable[[Array, int, Array, Array], Array]

_LACKS: Final = COMPLEX | frozenset({"float16", "bfloat16"})


def _by_recurrence(x: Array, n: Array, first: Array, step: Step) -> Array:
    """The polynomial of degree *n* at each *x*, 0 where *n* is negative."""
    before, now = np.ones_like(x), first
    found = np.where(n == 0, before, np.where(n == 1, now, x.dtype.type(0)))
    for k in range(1, int(n.max(initial=0))):
        before, now = now, step(x, k, now, before).astype(x.dtype)
        found = np.where(n == k + 1, now, found)
    return found


def _double(x: Array, k: int, now: Array, before: Array) -> Array:
    return (x + x) * now - before


def _hermite_limit(dtype: Any) -> int:
    return 128 if dtype == np.float32 else 512


def _chebyshev(kind: str) -> Callable[[Array, Array], Array]:
    """Of kind t, u, v or w: all have one recurrence, and differ in the first polynomial."""

    def first(x: Array) -> Array:
        start = {"t": x, "u": x + x, "v": x + x - 1, "w": x + x + 1}[kind]
        return start.astype(x.dtype)

    def at_angle(a: Array, n: Array) -> Array:
        if kind == "t":
            return np.cos(n * a)
        if kind == "u":
            return np.sin((n + 1) * a) / np.sin(a)
        if kind == "v":
            return np.cos((n + 0.5) * a) / np.cos(a / 2)
        return np.sin((n + 0.5) * a) / np.sin(a / 2)

    def at_end(x: Array, n: Array) -> Array:
        sign = np.where(n % 2 == 0, 1, -1)
        right = {"t": 1, "u": n + 1, "v": 1, "w": n + n + 1}[kind]
        left = {"t": sign, "u": sign * (n + 1), "v": sign * (n + n + 1), "w": sign}[kind]
        return np.where(x > 0, right, left)

    large = 6 if kind == "t" else 8

    def kernel(x: Array, n: Array) -> Array:
        far = (n > large) & (np.abs(x) < 1)
        ends = (np.abs(x) == 1) & (n >= 0)
        found = _by_recurrence(x, np.where(far | ends, 0, n), first(x), _double)
        if far.any():
            angle = np.arccos(np.where(far, x, 0.5))
            found = np.where(far, at_angle(angle, n), found)
        return np.where(ends, at_end(x, n), found)

    return kernel


def _shifted(kernel: Callable[[Array, Array], Array]) -> Callable[[Array, Array], Array]:
    return lambda x, n: kernel((x + x - 1).astype(x.dtype), n)


def _hermite(factor: int) -> Callable[[Array, Array], Array]:
    """The physicists' polynomials (2), or those of probability theory (1)."""

    def step(x: Array, k: int, now: Array, before: Array) -> Array:
        return factor * (x * now - k * before)

    def kernel(x: Array, n: Array) -> Array:
        beyond = n > _hermite_limit(x.dtype)
        found = _by_recurrence(x, np.where(beyond, 0, n), factor * x, step)
        return np.where(beyond, np.nan, found)

    return kernel


def _laguerre(x: Array, n: Array) -> Array:
    def step(x: Array, k: int, now: Array, before: Array) -> Array:
        return ((k + k + (1 - x)) * now - k * before) / (k + 1)

    return _by_recurrence(x, n, (1 - x).astype(x.dtype), step)


def _legendre(x: Array, n: Array) -> Array:
    def step(x: Array, k: int, now: Array, before: Array) -> Array:
        return ((k + k + 1) * x * now - k * before) / (k + 1)

    return _by_recurrence(x, n, x, step)


def _elementwise(polynomial: Callable[[Array, Array], Array]) -> Callable[[Array, Array], Array]:
    """*polynomial* of arrays that broadcast, where the degrees are floats, too: they are cut."""

    def kernel(x: Array, n: Array) -> Array:
        x, n = np.broadcast_arrays(x, n)
        with np.errstate(all="ignore"):
            return polynomial(x, np.trunc(n).astype(np.int64)).astype(x.dtype)

    return kernel


_CHEBYSHEV = {k: _chebyshev(k) for k in "tuvw"}
_KINDS = {"t": "first", "u": "second", "v": "third", "w": "fourth"}

for _name, _polynomial, _which in (
    *(
        (f"chebyshev_polynomial_{k}", p, f"Chebyshev polynomial of the {_KINDS[k]} kind")
        for k, p in _CHEBYSHEV.items()
    ),
    ("hermite_polynomial_h", _hermite(2), "physicist's Hermite polynomial"),
    ("hermite_polynomial_he", _hermite(1), "probabilist's Hermite polynomial"),
    ("laguerre_polynomial_l", _laguerre, "Laguerre polynomial"),
    ("legendre_polynomial_p", _legendre, "Legendre polynomial"),
    *(
        (
            f"shifted_chebyshev_polynomial_{k}",
            _shifted(p),
            f"Chebyshev polynomial of the {_KINDS[k]} kind, shifted to [0, 1],",
        )
        for k, p in _CHEBYSHEV.items()
    ),
):
    for _overload, _first, _second, _samples in (
        ("", "Tensor", "Tensor", "polynomials"),
        (".x_scalar", "Scalar", "Tensor", "polynomials_of_number"),
        (".n_scalar", "Tensor", "Scalar", "polynomials_of_degree"),
    ):
        _kernel = _elementwise(_polynomial)
        op(
            f"special_{_name}{_overload}({_first} x, {_second} n) -> Tensor",
            says=f"Return the {_which} of degree n at x.",
            meta=elementwise("float", 2, cpu={f"{_name}_cpu": _LACKS}),
            kernel=with_float(_kernel) if _overload else _kernel,
            promote=None if _overload else "float",
            out=OutForm(
                f"{_overload[1:]}_out" if _overload else "out",
                dtype="cast" if _overload else "",
                gradient="none",
            ),
            module="special",
            variants="function",
            samples=_samples,
            tags=("pointwise",),
        )
