"""Comparisons, and what is chosen by them."""

from __future__ import annotations

import math
from typing import Any

from ..._building import BOOL, FLOAT64, Builder, Value
from ..._registration import TRANSLATIONS, translates

_ORDER = {
    "lt": "Less", "less": "Less", "le": "LessOrEqual", "less_equal": "LessOrEqual",
    "gt": "Greater", "greater": "Greater", "ge": "GreaterOrEqual",
    "greater_equal": "GreaterOrEqual", "eq": "Equal",
}  # fmt: skip


def _compared(kind: str) -> Any:
    def translate(g: Builder, self: Value, other: Any) -> Value:
        return g.op(kind, *g.promoted(self, other))

    return translate


for _name, _kind in _ORDER.items():
    for _overload in ("Tensor", "Scalar"):
        TRANSLATIONS[f"{_name}.{_overload}"] = _compared(_kind)


@translates("ne.Tensor ne.Scalar not_equal.Tensor not_equal.Scalar")
def ne(g: Builder, self: Value, other: Any) -> Value:
    return g.op("Not", g.op("Equal", *g.promoted(self, other)))


def _logical(kind: str) -> Any:
    def translate(g: Builder, self: Value, other: Value) -> Value:
        return g.op(kind, g.cast(self, BOOL), g.cast(other, BOOL))

    return translate


TRANSLATIONS |= {f"logical_{kind.lower()}": _logical(kind) for kind in ("And", "Or", "Xor")}


@translates("isclose")
def isclose(
    g: Builder,
    self: Value,
    other: Value,
    rtol: float = 1e-5,
    atol: float = 1e-8,
    equal_nan: bool = False,
) -> Value:
    a, b = self, other
    found = g.op("Equal", a, b)
    if a.dtype.is_floating_point:
        bound = g.op("Add", g.op("Mul", g.op("Abs", b), rtol), atol)
        apart = g.op("Abs", g.op("Sub", a, b))
        near = g.op("And", g.op("LessOrEqual", apart, bound), g.op("Less", apart, math.inf))
        found = g.op("Or", found, near)
        if equal_nan:
            found = g.op("Or", found, g.op("And", g.op("IsNaN", a), g.op("IsNaN", b)))
        return found
    if a.dtype is BOOL:
        return found
    wide = [g.op("Abs", g.op("Sub", a, b)), g.op("Abs", b)]
    apart, size = (g.cast(v, FLOAT64) for v in wide)
    return g.op("Or", found, g.op("LessOrEqual", apart, g.op("Add", g.op("Mul", size, rtol), atol)))


@translates("where.self where.ScalarSelf where.ScalarOther where.Scalar")
def where(g: Builder, condition: Value, self: Any, other: Any) -> Value:
    return g.where(condition, self, other, g.out.dtype)


@translates("masked_fill.Scalar masked_fill.Tensor")
def masked_fill(g: Builder, self: Value, mask: Value, value: Any) -> Value:
    return g.where(mask, value, self, g.out.dtype)


@translates("fill.Scalar fill.Tensor")
def fill(g: Builder, self: Value, value: Any) -> Value:
    return g.expand(g.value(value, self.dtype), g.out.shape)


@translates("copy")
def copy(g: Builder, self: Value, src: Value, non_blocking: bool = False) -> Value:
    return g.expand(g.cast(src, self.dtype), g.out.shape)


@translates("zero")
def zero(g: Builder, self: Value) -> Value:
    return g.expand(g.const(0, self.dtype), g.out.shape)
