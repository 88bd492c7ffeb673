"""Functions of one element: exp, sin, floor, isnan."""

from __future__ import annotations

import math
from typing import Any

from ..._building import BOOL, Builder, Value
from ..._registration import TRANSLATIONS, translates

#: Functions that ONNX has, of floating numbers: integers become the default dtype before.
_FLOATING = {
    "acos": "Acos", "acosh": "Acosh", "asin": "Asin", "asinh": "Asinh", "atan": "Atan",
    "atanh": "Atanh", "cos": "Cos", "cosh": "Cosh", "erf": "Erf", "exp": "Exp", "log": "Log",
    "reciprocal": "Reciprocal", "sigmoid": "Sigmoid", "sin": "Sin", "sinh": "Sinh",
    "sqrt": "Sqrt", "tan": "Tan", "tanh": "Tanh", "special_erf": "Erf",
    "special_expit": "Sigmoid", "arccos": "Acos", "arccosh": "Acosh", "arcsin": "Asin",
    "arcsinh": "Asinh", "arctan": "Atan", "arctanh": "Atanh",
}  # fmt: skip
#: Those that leave integers as they are.
_ROUNDING = {"ceil": "Ceil", "floor": "Floor"}
#: Those of any numbers.
_ANY = {"abs": "Abs", "absolute": "Abs", "neg": "Neg", "negative": "Neg", "sign": "Sign"}


def _floating(kind: str) -> Any:
    def translate(g: Builder, self: Value) -> Value:
        return g.op(kind, g.cast(self, g.out.dtype))

    return translate


def _rounding(kind: str) -> Any:
    def translate(g: Builder, self: Value) -> Value:
        return g.op(kind, self) if self.dtype.is_floating_point else self

    return translate


def _any(kind: str) -> Any:
    def translate(g: Builder, self: Value) -> Value:
        return self if self.dtype is BOOL else g.op(kind, self)

    return translate


for _name, _kind in _FLOATING.items():
    TRANSLATIONS[_name] = _floating(_kind)
for _name, _kind in _ROUNDING.items():
    TRANSLATIONS[_name] = _rounding(_kind)
for _name, _kind in _ANY.items():
    TRANSLATIONS[_name] = _any(_kind)


@translates("sgn")
def sgn(g: Builder, self: Value) -> Value:
    return self if self.dtype is BOOL else g.op("Sign", self)


@translates("positive clone alias detach lift_fresh contiguous")
@translates("_to_cpu lift resolve_conj resolve_neg _conj_physical conj_physical real conj")
@translates("lift_fresh_copy alias_copy detach_copy")
def same(g: Builder, self: Value, **_: Any) -> Value:
    return self


@translates("round")
def round(g: Builder, self: Value) -> Value:
    return g.op("Round", self) if self.dtype.is_floating_point else self


@translates("round.decimals special_round")
def round_decimals(g: Builder, self: Value, *, decimals: int = 0) -> Value:
    if not self.dtype.is_floating_point:
        return self
    scale = 10.0 ** abs(decimals)
    if decimals >= 0:
        return g.op("Div", g.op("Round", g.op("Mul", self, scale)), scale)
    return g.op("Mul", g.op("Round", g.op("Div", self, scale)), scale)


@translates("trunc fix")
def trunc(g: Builder, self: Value) -> Value:
    if not self.dtype.is_floating_point:
        return self
    negative = g.op("Less", self, 0)
    return g.op("Where", negative, g.op("Ceil", self), g.op("Floor", self))


@translates("frac")
def frac(g: Builder, self: Value) -> Value:
    return g.op("Sub", self, trunc(g, self))


@translates("rsqrt")
def rsqrt(g: Builder, self: Value) -> Value:
    return g.op("Reciprocal", g.op("Sqrt", g.cast(self, g.out.dtype)))


@translates("square")
def square(g: Builder, self: Value) -> Value:
    value = g.cast(self, g.out.dtype)
    return g.op("Mul", value, value)


@translates("exp2 special_exp2")
def exp2(g: Builder, self: Value) -> Value:
    return g.op("Pow", g.const(2, g.out.dtype), g.cast(self, g.out.dtype))


@translates("expm1 special_expm1")
def expm1(g: Builder, self: Value) -> Value:
    # 2 tanh(x / 2) / (1 - tanh(x / 2)) is exp(x) - 1 without the loss of digits near zero; where
    # tanh is nearly 1 the plain form is exact.
    value = g.cast(self, g.out.dtype)
    half = g.op("Tanh", g.op("Mul", value, 0.5))
    near = g.op("Div", g.op("Mul", half, 2.0), g.op("Sub", g.const(1, value.dtype), half))
    far = g.op("Sub", g.op("Exp", value), 1.0)
    return g.op("Where", g.op("Less", g.op("Abs", value), 0.5), near, far)


@translates("log1p special_log1p")
def log1p(g: Builder, self: Value) -> Value:
    # log(1 + x) x / ((1 + x) - 1): the rounding of 1 + x cancels.
    value = g.cast(self, g.out.dtype)
    more = g.op("Add", value, 1.0)
    rounded = g.op("Sub", more, 1.0)
    log = g.op("Log", more)
    tiny = g.op("Equal", rounded, 0.0)
    safe = g.op("Where", tiny, g.const(1, value.dtype), rounded)
    exact = g.op("Div", g.op("Mul", log, value), safe)
    plain = g.op("Less", g.op("Abs", value), 0.5)
    return g.op("Where", tiny, value, g.op("Where", plain, exact, log))


def _log_of_base(base: float) -> Any:
    def translate(g: Builder, self: Value) -> Value:
        return g.op("Div", g.op("Log", g.cast(self, g.out.dtype)), math.log(base))

    return translate


TRANSLATIONS["log2"] = _log_of_base(2)
TRANSLATIONS["log10"] = _log_of_base(10)


@translates("erfc special_erfc")
def erfc(g: Builder, self: Value) -> Value:
    value = g.cast(self, g.out.dtype)
    return g.op("Sub", g.const(1, value.dtype), g.op("Erf", value))


@translates("special_ndtr")
def ndtr(g: Builder, self: Value) -> Value:
    value = g.op("Mul", g.cast(self, g.out.dtype), math.sqrt(0.5))
    return g.op("Mul", g.op("Add", g.op("Erf", value), 1.0), 0.5)


@translates("sinc special_sinc")
def sinc(g: Builder, self: Value) -> Value:
    value = g.op("Mul", g.cast(self, g.out.dtype), math.pi)
    zero = g.op("Equal", value, 0)
    one = g.const(1, value.dtype)
    return g.op(
        "Where", zero, one, g.op("Div", g.op("Sin", value), g.op("Where", zero, one, value))
    )


@translates("deg2rad")
def deg2rad(g: Builder, self: Value) -> Value:
    return g.op("Mul", g.cast(self, g.out.dtype), math.pi / 180)


@translates("rad2deg")
def rad2deg(g: Builder, self: Value) -> Value:
    return g.op("Mul", g.cast(self, g.out.dtype), 180 / math.pi)


@translates("logit special_logit")
def logit(g: Builder, self: Value, eps: float | None = None) -> Value:
    value = g.cast(self, g.out.dtype)
    if eps is not None:
        value = g.op("Clip", value, eps, 1 - eps)
    return g.op("Log", g.op("Div", value, g.op("Sub", g.const(1, value.dtype), value)))


@translates("special_entr")
def entr(g: Builder, self: Value) -> Value:
    value = g.cast(self, g.out.dtype)
    zero = g.op("Equal", value, 0)
    log = g.op("Log", g.op("Where", zero, g.const(1, value.dtype), value))
    found = g.op("Neg", g.op("Mul", value, log))
    return g.where(g.op("Less", value, 0), -math.inf, found, value.dtype)


@translates("nan_to_num")
def nan_to_num(
    g: Builder,
    self: Value,
    nan: float | None = None,
    posinf: float | None = None,
    neginf: float | None = None,
) -> Value:
    if not self.dtype.is_floating_point:
        return self
    largest = float(_LARGEST[self.dtype.name])
    high = largest if posinf is None else posinf
    low = -largest if neginf is None else neginf
    found = g.where(g.op("IsNaN", self), nan or 0.0, self, self.dtype)
    found = g.where(g.op("Equal", self, math.inf), high, found, self.dtype)
    return g.where(g.op("Equal", self, -math.inf), low, found, self.dtype)


_LARGEST = {
    "float16": 65504.0,
    "bfloat16": 3.3895313892515355e38,
    "float32": 3.4028234663852886e38,
    "float64": 1.7976931348623157e308,
}


# Questions ----------------------------------------------------------------------------------------


def _never(g: Builder, self: Value) -> Value:
    """False for each element."""
    return g.op("And", g.cast(self, BOOL), g.const(False, BOOL))


@translates("isnan")
def isnan(g: Builder, self: Value) -> Value:
    return g.op("IsNaN", self) if self.dtype.is_floating_point else _never(g, self)


@translates("isinf")
def isinf(g: Builder, self: Value) -> Value:
    if not self.dtype.is_floating_point:
        return _never(g, self)
    return g.op("Equal", g.op("Abs", self), math.inf)


@translates("isposinf")
def isposinf(g: Builder, self: Value) -> Value:
    return g.op("Equal", self, math.inf) if self.dtype.is_floating_point else _never(g, self)


@translates("isneginf")
def isneginf(g: Builder, self: Value) -> Value:
    return g.op("Equal", self, -math.inf) if self.dtype.is_floating_point else _never(g, self)


@translates("isfinite")
def isfinite(g: Builder, self: Value) -> Value:
    if not self.dtype.is_floating_point:
        return g.op("Not", _never(g, self))
    return g.op("Less", g.op("Abs", self), math.inf)


@translates("signbit")
def signbit(g: Builder, self: Value) -> Value:
    if self.dtype is BOOL:
        return _never(g, self)
    if not self.dtype.is_floating_point:
        return g.op("Less", self, 0)
    # 1 / -0.0 is -inf: the sign of zero shows.
    zero = g.op("Equal", self, 0)
    shown = g.op("Where", zero, g.op("Reciprocal", self), self)
    return g.op("Less", shown, 0)


@translates("logical_not")
def logical_not(g: Builder, self: Value) -> Value:
    return g.op("Not", g.cast(self, BOOL))


@translates("bitwise_not")
def bitwise_not(g: Builder, self: Value) -> Value:
    return g.op("Not" if self.dtype is BOOL else "BitwiseNot", self)


@translates("_to_copy")
def to_copy(g: Builder, self: Value, *, dtype: Any = None, **_: Any) -> Value:
    return g.cast(self, g.out.dtype)


@translates("to.dtype to.device to.other to.dtype_layout")
def to(g: Builder, self: Value, *args: Any, **kwargs: Any) -> Value:
    return g.cast(self, g.out.dtype)
