"""What a program made of sizes that were to vary, and what its author can say of them instead."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import sympy

from ..aten.symbolic_numbers import SymInt
from ..fx.experimental._symbolic_context import (
    RelaxedUnspecConstraint,
    SizeSource,
    StrictMinMaxConstraint,
)
from ..utils._sympy.functions import Mod
from ..utils._sympy.numbers import int_oo
from ..utils._sympy.printers import python_text
from ..utils._sympy.value_ranges import ValueRanges
from .dynamic_shapes import Dim, _DerivedDim

__all__ = ["Promise", "Violations"]


class Promise:
    """What was said of a size.

    :ivar source: whose it is.
    :ivar dim: its name and range; None where it has none.
    :ivar constraint: what of it must hold; None: anything goes.
    :ivar value: what it is in the example.
    :ivar size: what stands for it.
    """

    def __init__(self, source: SizeSource, dim: Dim | None, constraint: Any, value: int) -> None:
        self.source, self.dim, self.constraint, self.value = source, dim, constraint, value
        self.size: Any = value

    @property
    def name(self) -> str:
        """What it is called: its name, or the code that gives it."""
        return self.source.name if self.dim is None else self.dim.__name__

    @property
    def expr(self) -> Any:
        """What is known of it."""
        if isinstance(self.size, SymInt):
            return self.size.node.expr
        return sympy.Integer(self.size)

    def in_range(self, constraint: Any) -> str:
        """It, and a range that it was said to have."""
        low, high = constraint.vr.lower, constraint.vr.upper
        found = f"{self.name} = {self.source.name} in the specified range"
        if low > 2 and high < int_oo:
            return f"{found} {low} <= {self.name} <= {high}"
        if high < int_oo:
            return f"{found} {self.name} <= {high}"
        return f"{found} {low} <= {self.name}" if low > 2 else found


class Violations:
    """What does not hold of *promises*, by what was assumed in *env*."""

    def __init__(self, env: Any, promises: list[Promise]) -> None:
        self.env, self.promises = env, promises
        self.found: list[tuple[str, str]] = []
        self.fixes: dict[str, str] = {}

    def text(self) -> str:
        """What is wrong, and suggestions; empty where nothing is."""
        self._numbers()
        self._equalities()
        self._guards()
        self._ranges()
        if not self.found:
            return ""
        names = ", ".join(sorted({name for name, _ in self.found}))
        told = "\n".join(f"  - {line}" for _, line in self.found)
        fixes = self._suggestions()
        suggested = "\nSuggested fixes:\n  " + "\n  ".join(fixes) if fixes else ""
        return (
            f"Constraints violated ({names})! For more information, run with "
            f'TORCH_LOGS="+dynamic".\n{told}{suggested}'
        )

    def _strict(self) -> Iterator[Promise]:
        """The promises that name a range."""
        return (p for p in self.promises if isinstance(p.constraint, StrictMinMaxConstraint))

    def _numbers(self) -> None:
        """Sizes that are to vary and are numbers."""
        for p in self.promises:
            if not p.expr.is_number:
                continue
            relaxed = isinstance(p.constraint, RelaxedUnspecConstraint)
            if isinstance(p.constraint, StrictMinMaxConstraint) or (
                relaxed and p.expr not in (0, 1)
            ):
                told = (
                    f"You marked {p.name} as dynamic but your code specialized it to be a constant "
                    f"({p.expr}). If you're using mark_dynamic, either remove it or use "
                    "maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with either "
                    "Dim.STATIC or Dim.AUTO."
                )
                self.found.append((p.name, told))

    def _equalities(self) -> None:
        """Sizes of several names that are one."""
        first: dict[Any, Promise] = {}
        for p in self.promises:
            if p.expr.is_number:
                continue
            other = first.setdefault(p.expr, p) if p.expr.is_Symbol else None
            if other is not None and other is not p and p.dim is not None and other.dim is not None:
                if p.name != other.name:
                    told = (
                        f"The values of {p.name} = {p.source.name} and {other.name} = "
                        f"{other.source.name} must always be equal."
                    )
                    self.found.append((p.name, told))
        for p in self._strict():
            if p.expr.is_number or p.expr.is_Symbol or isinstance(p.dim, _DerivedDim):
                continue
            symbol = next(iter(p.expr.free_symbols))
            root = first.get(symbol)
            if root is not None:
                said = p.expr.xreplace({symbol: sympy.Symbol(root.name)})
                told = (
                    f"The values of {p.name} = {p.source.name} must always be related to the "
                    f"values of {root.name} = {root.source.name} by {p.name} = {said}."
                )
                self.found.append((p.name, told))

    def _by_symbol(self) -> dict[Any, list[Promise]]:
        found: dict[Any, list[Promise]] = {}
        for p in self.promises:
            if p.expr.is_Symbol:
                found.setdefault(p.expr, []).append(p)
        return found

    def _guards(self) -> None:
        """What was assumed of one size, and does not follow from its range."""
        promises = self._by_symbol()
        issued = set()
        for guard in self.env.guards:
            if self.env.is_redundant(guard.expr):
                continue
            expr = self.env.replace(guard.expr)
            if expr in issued or len(expr.free_symbols) != 1:
                continue
            issued.add(expr)
            symbol = next(iter(expr.free_symbols))
            for p in _distinct(promises.get(symbol, ())):
                first = promises[symbol][0]
                names = {symbol: first.source.name}
                told = f"Not all values of {first.in_range(p.constraint)} satisfy the generated "
                self.found.append((first.name, f"{told}guard {python_text(expr, names)}."))

    def _ranges(self) -> None:
        """Sizes whose range is not the one that they were said to have."""
        default = ValueRanges(2, int_oo)
        for symbol, promises in self._by_symbol().items():
            known = self.env.var_to_range[symbol]
            for p in _distinct(promises):
                if (p.constraint.vr & default).issubset(known):
                    continue
                first, name = promises[0], promises[0].source.name
                bounds = [f"{known.lower} <= {name}"]
                bounds += [f"{name} <= {known.upper}"] if known.upper < int_oo else []
                told = f"Not all values of {first.in_range(p.constraint)} satisfy the generated "
                self.found.append((first.name, f"{told}guard {' and '.join(bounds)}"))

    # -- suggestions -------------------------------------------------------------------------------

    def _suggestions(self) -> list[str]:
        promises = [p for p in self._strict() if p.dim is not None]
        named: dict[str, Promise] = {}
        for p in promises:
            named.setdefault(p.name, p)
        owners = {p.expr: p for p in reversed(promises) if p.expr.is_Symbol}
        dims, others = [], []
        for p in sorted(named.values(), key=lambda p: p.source.name):
            if isinstance(p.dim, _DerivedDim):
                continue
            if p.expr.is_number:
                others.append(f"{p.name} = {p.expr}")
                continue
            owner = owners.get(p.expr)
            if owner is not None and owner.name != p.name:
                others.append(f"{p.name} = {owner.name}")
            elif not p.expr.is_Symbol:
                symbol = next(iter(p.expr.free_symbols))
                if symbol in owners:
                    root = sympy.Symbol(owners[symbol].name)
                    others.append(f"{p.name} = {p.expr.xreplace({symbol: root})}")
            else:
                self._of_range(p, dims, others)
        return dims + others

    def _of_range(self, p: Promise, dims: list[str], others: list[str]) -> None:
        known = self.env.var_to_range[p.expr]
        divisor = math.lcm(*[int(m.args[1]) for m in self._remainders(p.expr)])
        if divisor > 1:
            low = math.ceil(known.lower / divisor)
            high = known.upper if known.upper == int_oo else known.upper // divisor
            dims.append(_dim_text(f"_{p.name}", low, high))
            others.append(f"{p.name} = {divisor}*_{p.name}")
        elif any(name == p.name for name, _ in self.found):
            others_alike = any(
                q.expr == p.expr and q.name != p.name for q in self.promises if q.dim is not None
            )
            if not others_alike:
                dims.append(_dim_text(p.name, known.lower, known.upper))

    def _remainders(self, symbol: Any) -> list[Any]:
        """The remainders of a symbol that are 0."""
        return [
            m
            for m in self.env.divisible
            if isinstance(m, Mod) and m.args[0] == symbol and m.args[1].is_number
        ]


def _distinct(promises: Any) -> list[Promise]:
    """One promise of each name that has a range."""
    found: dict[str, Promise] = {}
    for p in promises:
        if isinstance(p.constraint, StrictMinMaxConstraint):
            found.setdefault(p.name, p)
    return list(found.values())


def _dim_text(name: str, low: Any, high: Any) -> str:
    least = "" if low == 2 else f", min={low}"
    most = "" if high == int_oo else f", max={high}"
    return f"{name} = Dim('{name}'{least}{most})"
