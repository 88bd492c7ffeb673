"""Rows of a matrix less their means, with what scales them: what layer and group norm share."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from mindtorch.aten.summation import BLOCK, FEW, MANY, spread, sums

__all__ = ["centred_rows", "operand"]


def centred_rows(
    rows: int, n: int, dtype: Any, eps: float
) -> Callable[[Any], tuple[Any, Any, Any]]:
    """What takes a matrix of *rows* by *n* numbers and gives its rows less their means.

    The means come second, the inverse deviations third, both as columns.
    """
    small, root, subtract = np.array(eps, dtype), np.array(-0.5, dtype), np.subtract
    add, multiply, power = np.add, np.multiply, np.power
    if rows * n <= FEW and n and dtype.char in "fd":
        shares, places = np.full((n, 1), 1 / n, dtype), spread((rows, n), (rows, 1))

        def of_few(x: Any) -> tuple[Any, Any, Any]:
            mean = x.dot(shares)
            out = subtract(x, mean.take(places))
            rstd = multiply(out, out).dot(shares)
            return out, mean, power(add(rstd, small, rstd), root, rstd)

        return of_few
    means, mean_squares = _means(rows, n, dtype), _mean_squares(rows, n, dtype)
    sqrt, reciprocal = np.sqrt, np.reciprocal

    def of_many(x: Any) -> tuple[Any, Any, Any]:
        mean = means(x)
        out = subtract(x, mean, order="C")
        rstd = mean_squares(out)
        sqrt(add(rstd, small, rstd), rstd)
        return out, mean, reciprocal(rstd, rstd)

    return of_many


def operand(whole: tuple[int, ...], shape: tuple[int, ...]) -> Callable[[Any], Any]:
    """What makes numbers an operand of *shape* beside an array that is *whole*.

    Where these are few, it puts a number to each place, as that is faster than to broadcast.
    """
    if prod(whole) <= FEW:
        places = spread(whole, shape)
        return lambda a: a.take(places)
    return lambda a: a.reshape(shape)


def _means(rows: int, n: int, dtype: Any) -> Callable[[Any], Any]:
    """What takes the means of the rows of a matrix of *rows* by *n* numbers, as a column."""
    if 0 < n <= BLOCK and dtype.char in "fd":
        shares = np.full((n, 1), 1 / n, dtype)
        return lambda a: a.dot(shares)
    total, count = sums(np.empty((rows, n), dtype), (1,), (rows, 1)), np.array(n, dtype)
    divide = np.divide

    def means(a: Any) -> Any:
        out = total(a)
        return divide(out, count, out)

    return means


def _mean_squares(rows: int, n: int, dtype: Any) -> Callable[[Any], Any]:
    """The same of the squares of what it is given."""
    multiply = np.multiply
    if rows * n < MANY or dtype.char not in "fd":
        means = _means(rows, n, dtype)
        return lambda a: means(multiply(a, a))
    whole, column = n - n % BLOCK, (rows, 1)
    count, square = np.array(n, dtype), "...i,...i->..."

    def mean_squares(a: Any) -> Any:
        """Without an array of squares, by blocks, so that the error does not grow."""
        if n <= BLOCK:
            total = np.einsum(square, a, a)
        else:
            blocks = a[:, :whole].reshape(rows, -1, BLOCK)
            total = np.add.reduce(np.einsum(square, blocks, blocks), 1)
            total += np.einsum(square, a[:, whole:], a[:, whole:])
        total /= count
        return total.reshape(column)

    return mean_squares
