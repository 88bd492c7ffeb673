"""Sizes as values: what a program computes of sizes that vary."""

from __future__ import annotations

import operator
from typing import Any

from ..._building import BOOL, FLOAT32, INT64, Builder, Value
from ..._registration import TRANSLATIONS, translates


@translates("sym_size.int")
def sym_size(g: Builder, self: Value, dim: int) -> Value:
    size = g.size(self, dim)
    return g.const(size) if isinstance(size, int) else g.reshape(size, [])


@translates("sym_numel")
def sym_numel(g: Builder, self: Value) -> Value:
    return g.op("Size", self, dtype=INT64)


@translates("item _local_scalar_dense")
def item(g: Builder, self: Value) -> Value:
    return g.reshape(self, [])


def _both(g: Builder, a: Any, b: Any) -> list[Value]:
    return g.promoted(a, b)


def _computed(kind: str) -> Any:
    def translate(g: Builder, a: Any, b: Any) -> Value:
        return g.op(kind, *_both(g, a, b))

    return translate


def _floor_divide(g: Builder, a: Any, b: Any) -> Value:
    return g.op("Div", *_both(g, a, b))  # sizes are not negative


def _divide(g: Builder, a: Any, b: Any) -> Value:
    return g.op("Div", g.value(a, FLOAT32), g.value(b, FLOAT32))


TRANSLATIONS |= {
    operator.add: _computed("Add"),
    operator.sub: _computed("Sub"),
    operator.mul: _computed("Mul"),
    operator.mod: _computed("Mod"),
    operator.pow: _computed("Pow"),
    operator.floordiv: _floor_divide,
    operator.truediv: _divide,
    operator.eq: _computed("Equal"),
    operator.lt: _computed("Less"),
    operator.le: _computed("LessOrEqual"),
    operator.gt: _computed("Greater"),
    operator.ge: _computed("GreaterOrEqual"),
    operator.neg: lambda g, a: g.op("Neg", a),
}


def _not_equal(g: Builder, a: Any, b: Any) -> Value:
    return g.op("Not", g.op("Equal", *_both(g, a, b)))


TRANSLATIONS[operator.ne] = _not_equal


def _either(kind: str) -> Any:
    def translate(g: Builder, a: Any, b: Any) -> Value:
        return g.op(kind, g.value(a, BOOL), g.value(b, BOOL))

    return translate


TRANSLATIONS[operator.and_] = _either("And")
TRANSLATIONS[operator.or_] = _either("Or")


# What checks, and gives nothing -------------------------------------------------------------------


@translates("_assert_async _assert_async.msg _assert_scalar _assert_tensor_metadata")
@translates("sym_constrain_range sym_constrain_range_for_size")
def nothing(g: Builder, *args: Any, **kwargs: Any) -> None:
    return None
