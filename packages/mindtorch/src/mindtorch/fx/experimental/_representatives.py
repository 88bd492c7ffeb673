"""Numbers that stand for symbols which depend on data.

An operator runs on tensors of some sizes. Where a size is not known in this run, it runs on one
that it could be: a number in its range for which all holds that the program has promised of it, and
that is no special one, such as 0 or 1, where there are others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy

from ...utils._sympy.symbol import SymT, symbol_is_type

__all__ = ["Representatives"]

#: The number of the first symbol of which nothing is known; those of others lie beyond it.
_FIRST = 11
#: How many numbers are tried on each side.
_TRIED = 130
_FLOAT = sympy.Float(1.5)


class Representatives:
    """The numbers that stand for the symbols of *env*."""

    def __init__(self, env: Any) -> None:
        self._env = env
        self._chosen: dict[Any, Any] = {}
        #: How much had been promised when the numbers were chosen.
        self._promises = 0

    def of(self, expr: Any) -> Any:
        """The number that stands for an expression of sizes."""
        found = self._env.replace(sympy.sympify(expr)).xreplace(self._env.backed_var_to_val)
        free = found.free_symbols
        if not free:
            return found
        if len(self._env.axioms) != self._promises:
            self._promises = len(self._env.axioms)
            for symbol in self._chosen:
                self._renew(symbol)
        for symbol in sorted(free, key=lambda s: s.name):
            self._renew(symbol)
        return found.xreplace(self._chosen)

    def _renew(self, symbol: Any) -> None:
        """Choose a number for a symbol, unless the one that stands for it still may."""
        if symbol_is_type(symbol, SymT.UNBACKED_FLOAT):
            self._chosen[symbol] = _FLOAT
            return
        promised = [a for a in self._env.axioms if symbol in a.free_symbols]
        known = self._env.var_to_range[symbol]
        old = self._chosen.get(symbol)
        if old is not None and int(old) in known and self._holds(promised, symbol, old):
            return
        tried = [sympy.Integer(number) for number in self._candidates(known)]
        fitting = (number for number in tried if self._holds(promised, symbol, number))
        self._chosen[symbol] = next(fitting, tried[0])

    def _candidates(self, known: Any) -> Iterator[int]:
        """The numbers of a range that are tried, the least special ones first."""
        first = _FIRST + 2 * len(self._chosen)
        if first in known:
            yield first
        top = first + _TRIED if known.upper == float("inf") else int(known.upper)
        low = first - _TRIED if known.lower == float("-inf") else int(known.lower)
        near = range(max(low, first - _TRIED, top - 2 * _TRIED), min(top, first + _TRIED))
        yield from (number for number in reversed(near) if number > 1)
        yield top
        yield from (number for number in reversed(near) if number <= 1)
        yield low

    def _holds(self, promised: list[Any], symbol: Any, number: Any) -> bool:
        """Whether nothing that was promised is wrong where *symbol* is *number*."""
        values = {**self._env.backed_var_to_val, **self._chosen, symbol: number}
        return all(self._env.replace(a).xreplace(values) != sympy.false for a in promised)
