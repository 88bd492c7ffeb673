"""Conditions on numbers that must hold: ``torch.sym_constrain_range`` and its kin."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..call.intercept import PARSED, overridable
from ..core.operators import written_parser
from .symbolic_numbers import SymBool, SymInt

__all__ = [
    "_assert_scalar",
    "_print",
    "check_range",
    "check_range_of_size",
    "check_truth",
    "sym_constrain_range",
    "sym_constrain_range_for_size",
]


def check_truth(condition: Any, message: str) -> None:
    """Raise RuntimeError with *message* for a number that is zero.

    A truth that depends on sizes holds from now on.
    """
    if isinstance(condition, SymBool):
        condition = condition.node.expect_true()
    if not condition:
        raise RuntimeError(message or "Assertion is failed")


def check_range(size: Any, min: int | None, max: int | None, of_size: bool = False) -> None:
    """Check that the whole part of *size* is between *min* and *max*. Raises RuntimeError if not.

    A symbol is in that range from now on, and with *of_size* one of a size.

    Source: torch aten/src/ATen/native/Constraints.cpp.
    """
    low = -(2**63) if min is None else min
    high = 2**63 - 1 if max is None else max
    symbolic = isinstance(size, SymInt) and size.node.is_symbolic()
    whole = 0 if symbolic else _whole(size)
    if high < low:
        raise RuntimeError(f"Max must be greater than or equal to min. Got min={low} max={high}")
    if symbolic:
        size.node.constrain(min, max, of_size)
        return
    if not low <= whole <= high:
        raise RuntimeError(f"Invalid value range for {whole} between [{low}, {high}].")


def _whole(size: Any) -> int:
    real = size.real if isinstance(size, complex) and not size.imag else size
    if isinstance(real, complex) or not (math.isfinite(real) and -(2**63) <= real < 2**63):
        raise RuntimeError("value cannot be converted to type int64_t without overflow")
    return int(real)


def check_range_of_size(size: Any, min: int | None, max: int | None) -> None:
    """The same of what may be a size: no less than 0 unless *min* says so. Raises RuntimeError."""
    if max is not None and max <= 2:
        raise RuntimeError(
            f"Max value to constrain_range_for_size must be greater than 2. got: {max}"
        )
    check_range(size, 0 if min is None else min, max, True)


def _parsed(name: str, run: Callable[..., None]) -> Callable[..., None]:
    """``torch.name``, which calls *run* with its arguments in order."""

    def function(*args: Any, **kwargs: Any) -> None:
        run(*written_parser(f"torch.{name}").parse(args, kwargs)[1])

    function.__name__ = function.__qualname__ = name
    function.__doc__ = run.__doc__
    function.__module__ = "mindtorch"
    return overridable(function, PARSED)


sym_constrain_range = _parsed("sym_constrain_range", check_range)
sym_constrain_range_for_size = _parsed("sym_constrain_range_for_size", check_range_of_size)
_assert_scalar = _parsed("_assert_scalar", check_truth)
_print = _parsed("_print", print)
