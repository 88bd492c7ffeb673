"""Orthogonal polynomials of ``torch.special``, of any degree.

The degree is a tensor, too, or a number. scipy has them for whole degrees, in float64. Where that
gives no finite number, torch's recurrence says what is given in its place.
Source of that: torch aten/src/ATen/native/Math.h.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..call.elementwise_meta import COMPLEX, elementwise
from ..call.forms import OutForm
from ..call.row import op
from .special import Prepare, loaded, with_number

__all__: list[str] = []

Array = np.ndarray[Any, Any]
#: Polynomials by their degrees and x.
Evaluate = Callable[[Array, Array], Array]
#: The next polynomial from x, the degree before it, the one before it and the one before that.
Step = Callable[[Array, int, Array, Array], Array]

_LACKS = COMPLEX | frozenset({"float16", "bfloat16"})
_ZERO, _ONE, _NAN = (np.array(n) for n in (0.0, 1, np.nan))


class Polynomials(NamedTuple):
    """A sequence of polynomials, of which the one of degree 0 is 1."""

    says: str
    #: What evaluates them, once scipy is loaded.
    evaluate: Callable[[], Evaluate]
    #: The polynomial of degree 1.
    first: Callable[[Array], Array]
    step: Step
    #: The largest degree by dtype of which torch gives numbers.
    limit: dict[str, int] | None = None
    #: The dtypes in which scipy's numbers are exact enough.
    exact: str = "fd"
    #: What evaluates large degrees, for which all others take a step per degree.
    far: Evaluate | None = None


def _double(x: Array, k: int, now: Array, before: Array) -> Array:
    return (x + x) * now - before


def _third() -> Evaluate:
    second = loaded("eval_chebyu")
    return lambda n, x: second(n, x) - second(n - _ONE, x)


def _fourth() -> Evaluate:
    second = loaded("eval_chebyu")
    return lambda n, x: second(n, x) + second(n - _ONE, x)


def _named(name: str) -> Callable[[], Evaluate]:
    return lambda: loaded(name)


def _chebyshev_at_angles(kind: str) -> Evaluate:
    """What evaluates large degrees by angles. Source: torch aten/src/ATen/native/Math.h."""

    def evaluate(n: Array, x: Array) -> Array:
        a, sign = np.arccos(x), np.where(n % 2 == 0, 1.0, -1.0)
        if kind == "t":
            inside, right, left = np.cos(n * a), 1.0, sign
        elif kind == "u":
            inside, right, left = np.sin((n + 1) * a) / np.sin(a), n + 1.0, sign * (n + 1)
        elif kind == "v":
            inside = np.cos((n + 0.5) * a) / np.cos(a / 2)
            right, left = 1.0, sign * (2.0 * n + 1)
        else:
            inside = np.sin((n + 0.5) * a) / np.sin(a / 2)
            right, left = 2.0 * n + 1, sign
        return np.where(x == 1, right, np.where(x == -1, left, inside))

    return evaluate


_CHEBYSHEV = {
    "t": ("first", _named("eval_chebyt"), lambda x: x),
    "u": ("second", _named("eval_chebyu"), lambda x: x + x),
    "v": ("third", _third, lambda x: x + x - 1),
    "w": ("fourth", _fourth, lambda x: x + x + 1),
}
_HERMITE_LIMIT = {"f": 128, "d": 512}
_POLYNOMIALS = {
    **{
        f"chebyshev_polynomial_{k}": Polynomials(
            f"Chebyshev polynomial of the {which} kind",
            evaluate,
            first,
            _double,
            far=_chebyshev_at_angles(k),
        )
        for k, (which, evaluate, first) in _CHEBYSHEV.items()
    },
    "hermite_polynomial_h": Polynomials(
        "physicist's Hermite polynomial",
        _named("eval_hermite"),
        lambda x: x + x,
        lambda x, k, now, before: 2 * (x * now - k * before),
        _HERMITE_LIMIT,
        exact="f",  # scipy rounds x times the root of two
    ),
    "hermite_polynomial_he": Polynomials(
        "probabilist's Hermite polynomial",
        _named("eval_hermitenorm"),
        lambda x: x,
        lambda x, k, now, before: x * now - k * before,
        _HERMITE_LIMIT,
    ),
    "laguerre_polynomial_l": Polynomials(
        "Laguerre polynomial",
        _named("eval_laguerre"),
        lambda x: 1 - x,
        lambda x, k, now, before: ((k + k + (1 - x)) * now - k * before) / (k + 1),
    ),
    "legendre_polynomial_p": Polynomials(
        "Legendre polynomial",
        _named("eval_legendre"),
        lambda x: x,
        lambda x, k, now, before: ((k + k + 1) * x * now - k * before) / (k + 1),
    ),
}


def _by_recurrence(family: Polynomials, x: Array, n: Array) -> Array:
    """The polynomial of degree *n* at each *x*, 0 where *n* is negative."""
    before, now = np.ones_like(x), family.first(x)
    found = np.where(n == 0, before, np.where(n == 1, now, x.dtype.type(0)))
    for k in range(1, int(n.max(initial=0))):
        before, now = now, family.step(x, k, now, before)
        if np.isnan(now).all():  # and stays so
            return np.where(n > k, now, found)
        found = np.where(n == k + 1, now, found)
    return found


#: Steps of a recurrence that take long.
_LONG = 10_000


def _in_place_of_infinities(family: Polynomials, found: Array, x: Array, n: Array) -> None:
    """Write what torch's recurrence gives where *found* is too large, or not a number.

    Of degrees that would take it long, the closed form stays.
    """
    odd = ~np.isfinite(found) & (n < _LONG)
    if odd.any():
        x, n = np.broadcast_to(x, found.shape)[odd], np.broadcast_to(n, found.shape)[odd]
        found[odd] = _by_recurrence(family, x, n)


def _elementwise(family: Polynomials, shifted: bool, fixed: bool) -> Prepare:
    """What evaluates *family* for arrays of one dtype; of degrees that are floats the whole part.

    :param shifted: the polynomials of 2 x - 1
    :param fixed: whether what is prepared serves one degree, which is a number
    """

    def prepare(x: Array, n: Array) -> Callable[[Array, Array], Array]:
        dtype, whole, one = x.dtype, np.dtype(np.int64), np.array(1, x.dtype)
        join, isfinite = np.bitwise_or.reduce, math.isfinite
        exact = dtype.char in family.exact
        evaluate = family.evaluate() if exact else lambda n, x: _by_recurrence(family, *pair(x, n))
        limit = _LONG if family.limit is None else family.limit[dtype.char]
        common = 1 << limit.bit_length() - 1
        pair, wide = np.broadcast_arrays, exact and dtype.char == "f"

        def by_degree(x: Array, degree: Array) -> Array:
            found = evaluate(degree, x)
            if wide:
                found = found.astype(dtype)
            flat = found.ravel()
            if not isfinite(flat.dot(flat)):
                _in_place_of_infinities(family, found, x, degree)
            return found

        def odd(x: Array, degree: Array) -> Array:
            """Where degrees are negative, of which the polynomials are 0, or large."""
            far, degree = degree >= _LONG, np.maximum(degree, -1)
            near = degree if family.far is None else np.where(far, 0, degree)
            found = evaluate(near, x).astype(dtype, copy=False)
            if family.far is not None:
                found = np.where(far, family.far(degree, x), found).astype(dtype, copy=False)
            np.copyto(found, _ZERO, "unsafe", degree < 0)
            _in_place_of_infinities(family, found, x, degree)
            if family.limit is not None:
                np.copyto(found, _NAN, "unsafe", degree > limit)
            return found

        def kernel(x: Array, n: Array) -> Array:
            if shifted:
                x = x + x
                x -= one
            degree = n.astype(whole)
            # What numbers have of bits is less than a power of two if each of them is.
            return (by_degree if 0 <= join(degree, None) < common else odd)(x, degree)

        def kernel_of_one(x: Array, n: Array) -> Array:
            if shifted:
                x = x + x
                x -= one
            return by_degree(x, degree)

        if not (x.ndim or n.ndim):
            return lambda x, n: kernel(x.reshape(1), n.reshape(1)).reshape(())
        if not fixed:
            return kernel
        degree, shape, zeros = n.astype(whole), x.shape, np.zeros
        if degree < 0:
            return lambda x, n: zeros(shape, dtype)
        return kernel_of_one if degree < common else kernel

    return prepare


for _name, _family, _shifted, _where in (
    *((name, family, False, "") for name, family in _POLYNOMIALS.items()),
    *(
        (f"shifted_{name}", family, True, ", shifted to [0, 1],")
        for name, family in _POLYNOMIALS.items()
        if name.startswith("chebyshev")
    ),
):
    for _overload, _first, _second, _samples in (
        ("", "Tensor", "Tensor", "polynomials"),
        (".x_scalar", "Scalar", "Tensor", "polynomials_of_number"),
        (".n_scalar", "Tensor", "Scalar", "polynomials_of_degree"),
    ):
        _prepare = _elementwise(_family, _shifted, _overload == ".n_scalar")
        op(
            f"special_{_name}{_overload}({_first} x, {_second} n) -> Tensor",
            says=f"Return the {_family.says}{_where} of degree n at x.",
            meta=elementwise("float", 2, cpu={f"{_name}_cpu": _LACKS}),
            prepare=with_number(_prepare) if _overload else _prepare,
            promote=None if _overload else "float",
            out=OutForm(
                f"{_overload[1:]}_out" if _overload else "out",
                dtype="cast" if _overload else "",
            ),
            module="special",
            variants="function",
            samples=_samples,
            tags=("pointwise", "loops: functional"),
        )
