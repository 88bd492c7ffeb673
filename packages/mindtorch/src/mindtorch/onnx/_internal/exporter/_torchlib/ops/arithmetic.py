"""Arithmetic of two elements, and of three."""

from __future__ import annotations

import math
from typing import Any

from ..._building import BOOL, INT64, Builder, Value
from ..._errors import DispatchError
from ..._registration import TRANSLATIONS, translates
from .functions import log1p, trunc


def _pair(g: Builder, a: Any, b: Any) -> tuple[Value, Value]:
    """Both in the dtype of the result."""
    return g.value(a, g.out.dtype), g.value(b, g.out.dtype)


def _scaled(g: Builder, value: Any, alpha: Any) -> Any:
    if isinstance(alpha, (int, float)) and alpha == 1:
        return value
    return g.op("Mul", g.value(value, g.out.dtype), g.value(alpha, g.out.dtype))


@translates("add.Tensor add.Scalar")
def add(g: Builder, self: Value, other: Any, alpha: Any = 1) -> Value:
    if g.out.dtype is BOOL:
        return g.op("Or", *_pair(g, self, other))
    return g.op("Add", *_pair(g, self, _scaled(g, other, alpha)))


@translates("sub.Tensor sub.Scalar subtract.Tensor subtract.Scalar")
def sub(g: Builder, self: Value, other: Any, alpha: Any = 1) -> Value:
    return g.op("Sub", *_pair(g, self, _scaled(g, other, alpha)))


@translates("rsub.Tensor rsub.Scalar")
def rsub(g: Builder, self: Value, other: Any, alpha: Any = 1) -> Value:
    return g.op("Sub", *_pair(g, other, _scaled(g, self, alpha)))


@translates("mul.Tensor mul.Scalar multiply.Tensor multiply.Scalar")
def mul(g: Builder, self: Value, other: Any) -> Value:
    return g.op("And" if g.out.dtype is BOOL else "Mul", *_pair(g, self, other))


# Division -----------------------------------------------------------------------------------------


@translates(
    "div.Tensor div.Scalar divide.Tensor divide.Scalar true_divide.Tensor true_divide.Scalar"
)
def div(g: Builder, self: Value, other: Any) -> Value:
    return g.op("Div", *_pair(g, self, other))


@translates("div.Tensor_mode div.Scalar_mode divide.Tensor_mode divide.Scalar_mode")
def div_mode(g: Builder, self: Value, other: Any, *, rounding_mode: str | None) -> Value:
    if rounding_mode is None:
        return div(g, self, other)
    if rounding_mode == "floor":
        return floor_divide(g, self, other)
    quotient = div(g, self, other)  # of integers it is cut off
    return trunc(g, quotient)


@translates("floor_divide floor_divide.Scalar")
def floor_divide(g: Builder, self: Value, other: Any) -> Value:
    a, b = _pair(g, self, other)
    dtype = g.out.dtype
    if dtype.is_floating_point:
        return _floor_of_quotient(g, a, b)
    if not dtype.is_signed:
        return g.op("Div", a, b)
    # ONNX cuts quotients of integers off; below zero, with a remainder, one less is the floor.
    quotient = g.op("Div", a, b)
    rest = g.op("Sub", a, g.op("Mul", quotient, b))
    apart = g.op("Xor", g.op("Less", rest, 0), g.op("Less", b, 0))
    lower = g.op("And", apart, g.op("Not", g.op("Equal", rest, 0)))
    return g.op("Sub", quotient, g.cast(lower, dtype))


def _floor_of_quotient(g: Builder, a: Value, b: Value) -> Value:
    """Python's floor division: of what is left when the remainder is taken away."""
    rest = remainder_of(g, a, b)
    quotient = g.op("Div", g.op("Sub", a, rest), b)
    floor = g.op("Floor", g.op("Add", quotient, 0.5))
    infinite = g.op("Equal", b, 0)
    return g.op("Where", infinite, g.op("Div", a, b), floor)


def remainder_of(g: Builder, a: Value, b: Value) -> Value:
    """The remainder with the sign of the divisor."""
    if not a.dtype.is_floating_point:
        return g.op("Mod", a, b)
    rest = g.op("Mod", a, b, fmod=1)
    apart = g.op("Xor", g.op("Less", rest, 0), g.op("Less", b, 0))
    other = g.op("And", apart, g.op("Not", g.op("Equal", rest, 0)))
    return g.op("Where", other, g.op("Add", rest, b), rest)


@translates("remainder.Tensor remainder.Scalar remainder.Scalar_Tensor")
def remainder(g: Builder, self: Any, other: Any) -> Value:
    return remainder_of(g, *_pair(g, self, other))


@translates("fmod.Tensor fmod.Scalar")
def fmod(g: Builder, self: Value, other: Any) -> Value:
    return g.op("Mod", *_pair(g, self, other), fmod=1)


# Powers -------------------------------------------------------------------------------------------


@translates("pow.Tensor_Tensor pow.Tensor_Scalar pow.Scalar")
@translates("float_power.Tensor_Tensor float_power.Tensor_Scalar float_power.Scalar")
def pow(g: Builder, self: Any, exponent: Any) -> Value:
    if isinstance(exponent, (int, float)) and isinstance(self, Value):
        base = g.cast(self, g.out.dtype)
        if exponent == 2:
            return g.op("Mul", base, base)
        if exponent == 0.5 and base.dtype.is_floating_point:
            return g.op("Sqrt", base)
        if exponent == 1:
            return base
    return g.op("Pow", *_pair(g, self, exponent))


@translates("ldexp.Tensor")
def ldexp(g: Builder, self: Value, other: Value) -> Value:
    a, b = _pair(g, self, other)
    return g.op("Mul", a, g.op("Pow", g.const(2, a.dtype), b))


@translates("xlogy.Tensor xlogy.Scalar_Self xlogy.Scalar_Other")
@translates("special_xlogy special_xlogy.self_scalar special_xlogy.other_scalar")
def xlogy(g: Builder, self: Any, other: Any) -> Value:
    a, b = _pair(g, self, other)
    found = g.op("Mul", a, g.op("Log", b))
    zero = g.op("And", g.op("Equal", a, 0), g.op("Not", g.op("IsNaN", b)))
    return g.op("Where", zero, g.const(0, a.dtype), found)


@translates("hypot")
def hypot(g: Builder, self: Value, other: Value) -> Value:
    a, b = _pair(g, self, other)
    return g.op("Sqrt", g.op("Add", g.op("Mul", a, a), g.op("Mul", b, b)))


@translates("atan2 arctan2")
def atan2(g: Builder, self: Value, other: Value) -> Value:
    y, x = _pair(g, self, other)
    angle = g.op("Atan", g.op("Div", y, x))
    below = _negative(g, y)
    turn = g.op("Where", below, g.const(-math.pi, y.dtype), g.const(math.pi, y.dtype))
    behind = _negative(g, x)
    found = g.op("Where", behind, g.op("Add", angle, turn), angle)
    none = g.op("Where", behind, turn, g.op("Mul", y, 0.0))  # of nothing to nothing
    return g.op("Where", g.op("And", g.op("Equal", y, 0), g.op("Equal", x, 0)), none, found)


def _negative(g: Builder, value: Value) -> Value:
    """Whether elements have a minus sign, zero as well."""
    zero = g.op("Equal", value, 0)
    return g.op("Less", g.op("Where", zero, g.op("Reciprocal", value), value), 0)


@translates("copysign.Tensor copysign.Scalar")
def copysign(g: Builder, self: Value, other: Any) -> Value:
    a, b = _pair(g, self, other)
    size = g.op("Abs", a)
    return g.op("Where", _negative(g, b), g.op("Neg", size), size)


@translates("heaviside")
def heaviside(g: Builder, self: Value, values: Value) -> Value:
    a, b = _pair(g, self, values)
    above = g.cast(g.op("Less", g.const(0, a.dtype), a), a.dtype)
    return g.op("Where", g.op("Equal", a, 0), b, above)


@translates("logaddexp")
def logaddexp(g: Builder, self: Value, other: Value) -> Value:
    a, b = _pair(g, self, other)
    return _log_of_sum(g, a, b, g.op("Exp", _distance(g, a, b)), 1.0)


@translates("logaddexp2")
def logaddexp2(g: Builder, self: Value, other: Value) -> Value:
    a, b = _pair(g, self, other)
    power = g.op("Pow", g.const(2, a.dtype), _distance(g, a, b))
    return _log_of_sum(g, a, b, power, math.log(2))


def _distance(g: Builder, a: Value, b: Value) -> Value:
    """How far the lesser lies below the greater; nothing between equal infinities."""
    apart = g.op("Neg", g.op("Abs", g.op("Sub", a, b)))
    return g.op("Where", g.op("Equal", a, b), g.const(0, a.dtype), apart)


def _log_of_sum(g: Builder, a: Value, b: Value, less: Value, base: float) -> Value:
    log = log1p(g, less)
    return g.op("Add", g.op("Max", a, b), g.op("Div", log, base))


# Extremes and bounds ------------------------------------------------------------------------------


def _extreme(kind: str) -> Any:
    def translate(g: Builder, self: Value, other: Value) -> Value:
        a, b = _pair(g, self, other)
        if g.out.dtype is BOOL:
            return g.op("Or" if kind == "Max" else "And", a, b)
        found = g.op(kind, a, b)
        if not a.dtype.is_floating_point:
            return found
        return g.op("Where", g.op("IsNaN", g.op("Add", a, b)), _nan_of(g, a, b, found), found)

    return translate


def _nan_of(g: Builder, a: Value, b: Value, found: Value) -> Value:
    """NaN where either is; what is the sum of two infinities is none."""
    lost = g.op("Or", g.op("IsNaN", a), g.op("IsNaN", b))
    return g.op("Where", lost, g.const(math.nan, a.dtype), found)


def _numbers_first(kind: str) -> Any:
    def translate(g: Builder, self: Value, other: Value) -> Value:
        a, b = _pair(g, self, other)
        if g.out.dtype is BOOL:
            return g.op("Or" if kind == "Max" else "And", a, b)
        if not a.dtype.is_floating_point:
            return g.op(kind, a, b)
        left = g.op("Where", g.op("IsNaN", a), b, a)
        right = g.op("Where", g.op("IsNaN", b), a, b)
        return g.op(kind, left, right)

    return translate


TRANSLATIONS |= {name: _extreme("Max") for name in ("maximum", "max.other")}
TRANSLATIONS |= {name: _extreme("Min") for name in ("minimum", "min.other")}
TRANSLATIONS["fmax"] = _numbers_first("Max")
TRANSLATIONS["fmin"] = _numbers_first("Min")


@translates("clamp clamp.Tensor clip clip.Tensor")
def clamp(g: Builder, self: Value, min: Any = None, max: Any = None) -> Value:
    value = g.cast(self, g.out.dtype)
    numbers = not isinstance(min, Value) and not isinstance(max, Value)
    if numbers and (min is None or max is None or min <= max):
        bounds = [None if b is None else g.const(b, value.dtype) for b in (min, max)]
        return g.op("Clip", value, *bounds)
    if min is not None:
        value = g.op("Max", value, g.value(min, value.dtype))
    if max is not None:
        value = g.op("Min", value, g.value(max, value.dtype))
    return value


@translates("clamp_min clamp_min.Tensor")
def clamp_min(g: Builder, self: Value, min: Any) -> Value:
    return clamp(g, self, min, None)


@translates("clamp_max clamp_max.Tensor")
def clamp_max(g: Builder, self: Value, max: Any) -> Value:
    return clamp(g, self, None, max)


# Three operands -----------------------------------------------------------------------------------


@translates("lerp.Scalar lerp.Tensor")
def lerp(g: Builder, self: Value, end: Value, weight: Any) -> Value:
    a, b = _pair(g, self, end)
    return g.op("Add", a, g.op("Mul", g.op("Sub", b, a), g.value(weight, a.dtype)))


@translates("addcmul")
def addcmul(g: Builder, self: Value, tensor1: Value, tensor2: Value, *, value: Any = 1) -> Value:
    product = g.op("Mul", *_pair(g, tensor1, tensor2))
    return g.op("Add", g.cast(self, g.out.dtype), _scaled(g, product, value))


@translates("addcdiv")
def addcdiv(g: Builder, self: Value, tensor1: Value, tensor2: Value, *, value: Any = 1) -> Value:
    quotient = g.op("Div", *_pair(g, tensor1, tensor2))
    return g.op("Add", g.cast(self, g.out.dtype), _scaled(g, quotient, value))


# Bits ---------------------------------------------------------------------------------------------


def _bits(kind: str, of_bools: str) -> Any:
    def translate(g: Builder, self: Any, other: Any) -> Value:
        return g.op(of_bools if g.out.dtype is BOOL else kind, *_pair(g, self, other))

    return translate


for _name, _kind in (("and", "And"), ("or", "Or"), ("xor", "Xor")):
    for _overload in ("Tensor", "Scalar", "Scalar_Tensor"):
        TRANSLATIONS[f"bitwise_{_name}.{_overload}"] = _bits(f"Bitwise{_kind}", _kind)


def _power_of_two(g: Builder, count: Value) -> Value:
    return g.cast(g.op("Pow", g.const(2, INT64), g.cast(count, INT64)), count.dtype)


@translates("bitwise_left_shift.Tensor bitwise_left_shift.Tensor_Scalar __lshift__.Tensor")
@translates("__lshift__.Scalar bitwise_left_shift.Scalar_Tensor")
def left_shift(g: Builder, self: Value, other: Any) -> Value:
    a, b = _pair(g, self, other)
    if a.dtype.is_floating_point:
        raise DispatchError("shifts of floating numbers")
    if a.dtype.is_signed:
        return g.op("Mul", a, _power_of_two(g, b))
    return g.op("BitShift", a, b, direction="LEFT")


@translates("bitwise_right_shift.Tensor bitwise_right_shift.Tensor_Scalar __rshift__.Tensor")
@translates("__rshift__.Scalar bitwise_right_shift.Scalar_Tensor")
def right_shift(g: Builder, self: Value, other: Any) -> Value:
    a, b = _pair(g, self, other)
    if a.dtype.is_floating_point:
        raise DispatchError("shifts of floating numbers")
    if a.dtype.is_signed:  # the floor of the quotient
        return floor_divide(g, a, _power_of_two(g, b))
    return g.op("BitShift", a, b, direction="RIGHT")
