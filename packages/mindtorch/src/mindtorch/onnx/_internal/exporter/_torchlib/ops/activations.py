"""Activations."""

from __future__ import annotations

import math
from typing import Any

from ..._building import BOOL, FLOAT32, Builder, Value
from ..._errors import DispatchError
from ..._registration import translates


@translates("relu")
def relu(g: Builder, self: Value) -> Value:
    if not self.dtype.is_floating_point:  # engines have few kernels for these
        return g.op("Max", self, 0)
    return g.op("Relu", self)


@translates("relu6")
def relu6(g: Builder, self: Value) -> Value:
    return g.op("Clip", self, 0, 6)


@translates("hardtanh")
def hardtanh(g: Builder, self: Value, min_val: Any = -1.0, max_val: Any = 1.0) -> Value:
    return g.op("Clip", self, min_val, max_val)


@translates("leaky_relu")
def leaky_relu(g: Builder, self: Value, negative_slope: float = 0.01) -> Value:
    return g.op("LeakyRelu", self, alpha=float(negative_slope))


@translates("prelu _prelu_kernel")
def prelu(g: Builder, self: Value, weight: Value) -> Value:
    if weight.shape is not None and len(weight.shape) == 1 and self.rank != 1:
        size = weight.shape[0]
        sizes = [size if i == 1 else 1 for i in range(self.rank)]
        weight = g.reshape(weight, sizes if size != 1 else [1] * self.rank)
    return g.op("PRelu", self, weight)


@translates("elu")
def elu(
    g: Builder, self: Value, alpha: float = 1.0, scale: float = 1.0, input_scale: float = 1.0
) -> Value:
    if scale == 1 and input_scale == 1:
        return g.op("Elu", self, alpha=float(alpha))
    below = g.op("Sub", g.op("Exp", g.op("Mul", self, input_scale)), 1.0)
    found = g.op("Where", g.op("Greater", self, 0), self, g.op("Mul", below, alpha))
    return g.op("Mul", found, scale)


@translates("selu")
def selu(g: Builder, self: Value) -> Value:
    return g.op("Selu", self, alpha=1.6732632423543772, gamma=1.0507009873554805)


@translates("celu")
def celu(g: Builder, self: Value, alpha: float = 1.0) -> Value:
    wide = g.cast(self, FLOAT32)  # all that ONNX has
    return g.cast(g.op("Celu", wide, alpha=float(alpha)), self.dtype)


@translates("gelu")
def gelu(g: Builder, self: Value, *, approximate: str = "none") -> Value:
    if g.version >= 20:
        return g.op("Gelu", self, approximate=approximate)
    half = g.op("Mul", self, 0.5)
    if approximate == "none":
        found = g.op("Erf", g.op("Mul", self, math.sqrt(0.5)))
    else:
        cube = g.op("Mul", g.op("Mul", self, self), self)
        inner = g.op("Add", self, g.op("Mul", cube, 0.044715))
        found = g.op("Tanh", g.op("Mul", inner, math.sqrt(2 / math.pi)))
    return g.op("Mul", half, g.op("Add", found, 1.0))


@translates("silu")
def silu(g: Builder, self: Value) -> Value:
    return g.op("Mul", self, g.op("Sigmoid", self))


@translates("mish")
def mish(g: Builder, self: Value) -> Value:
    return g.op("Mul", self, g.op("Tanh", g.op("Softplus", self)))


@translates("softplus")
def softplus(g: Builder, self: Value, beta: Any = 1, threshold: Any = 20) -> Value:
    scaled = self if beta == 1 else g.op("Mul", self, beta)
    found = g.op("Softplus", scaled)
    found = found if beta == 1 else g.op("Div", found, beta)
    return g.op("Where", g.op("Greater", scaled, threshold), self, found)


@translates("log_sigmoid")
def log_sigmoid(g: Builder, self: Value) -> Value:
    return g.op("Neg", g.op("Softplus", g.op("Neg", self)))


@translates("log_sigmoid_forward")
def log_sigmoid_forward(g: Builder, self: Value) -> tuple[Value, Value]:
    return log_sigmoid(g, self), g.const([], self.dtype)


@translates("hardsigmoid")
def hardsigmoid(g: Builder, self: Value) -> Value:
    return g.op("HardSigmoid", self, alpha=1 / 6, beta=0.5)


@translates("hardswish")
def hardswish(g: Builder, self: Value) -> Value:
    return g.op("Mul", self, g.op("HardSigmoid", self, alpha=1 / 6, beta=0.5))


@translates("hardshrink")
def hardshrink(g: Builder, self: Value, lambd: Any = 0.5) -> Value:
    inside = g.op("LessOrEqual", g.op("Abs", self), lambd)
    return g.where(inside, 0, self, self.dtype)


@translates("softshrink")
def softshrink(g: Builder, self: Value, lambd: Any = 0.5) -> Value:
    above = g.op("Max", g.op("Sub", self, lambd), 0)
    return g.op("Add", above, g.op("Min", g.op("Add", self, lambd), 0))


@translates("threshold")
def threshold(g: Builder, self: Value, threshold: Any, value: Any) -> Value:
    return g.where(g.op("LessOrEqual", self, threshold), value, self, self.dtype)


@translates("glu")
def glu(g: Builder, self: Value, dim: int = -1) -> Value:
    a, b = g.split(self, 2, dim % self.rank)
    return g.op("Mul", a, g.op("Sigmoid", b))


@translates("softmax.int special_softmax")
def softmax(g: Builder, self: Value, dim: int, dtype: Any = None) -> Value:
    return _normalized(g, "Softmax", self, dim)


@translates("_safe_softmax")
def safe_softmax(g: Builder, self: Value, dim: int, dtype: Any = None) -> Value:
    found = _normalized(g, "Softmax", self, dim)
    return g.where(g.op("IsNaN", found), 0, found, found.dtype)


@translates("_softmax")
def bare_softmax(g: Builder, self: Value, dim: int, half_to_float: Any = False) -> Value:
    return _normalized(g, "Softmax", self, dim)


@translates("log_softmax.int special_log_softmax")
def log_softmax(g: Builder, self: Value, dim: int, dtype: Any = None) -> Value:
    return _normalized(g, "LogSoftmax", self, dim)


@translates("_log_softmax")
def bare_log_softmax(g: Builder, self: Value, dim: int, half_to_float: Any = False) -> Value:
    return _normalized(g, "LogSoftmax", self, dim)


def _normalized(g: Builder, kind: str, self: Value, dim: int) -> Value:
    value = g.cast(self, g.out.dtype)
    if self.shape == ():  # ONNX has no softmax of a number
        return g.reshape(g.op(kind, g.reshape(value, [1]), axis=0), [])
    last = self.rank - 1
    if g.version >= 13 or dim % self.rank == last:
        return g.op(kind, value, axis=dim)
    order = list(range(self.rank))  # older versions take all dimensions from this one on
    order[dim], order[last] = order[last], order[dim]
    turned = g.op(kind, g.op("Transpose", value, perm=order), axis=last)
    return g.op("Transpose", turned, perm=order)


@translates("feature_dropout alpha_dropout feature_alpha_dropout")
def rare_dropout(g: Builder, input: Value, p: float, train: bool) -> Value:
    if train and p != 0:
        raise DispatchError("ONNX drops single elements alone")
    return input


@translates("dropout")
def dropout(g: Builder, input: Value, p: float, train: bool) -> Value:
    if not train or p == 0:
        return input
    if p == 1:
        return g.op("Mul", input, 0)
    return g.ops("Dropout", 1, input, g.const(p, FLOAT32), g.const(True, BOOL))[0]


@translates("native_dropout")
def native_dropout(g: Builder, input: Value, p: float, train: bool | None) -> tuple[Value, Value]:
    ratio, training = g.const(p, FLOAT32), g.const(train is not False, BOOL)
    found = g.ops("Dropout", 2, input, ratio, training, dtypes=(None, BOOL))
    return found[0], found[1]


@translates("rrelu")
def rrelu(
    g: Builder,
    self: Value,
    lower: Any = 1 / 8,
    upper: Any = 1 / 3,
    training: bool = False,
    generator: Any = None,
) -> Value:
    if not training:
        return g.op("LeakyRelu", self, alpha=float(lower + upper) / 2)
    from_, to = float(lower), float(upper)
    slope = g.op("RandomUniformLike", self, low=from_, high=to, dtype=self.dtype)
    return g.op("Where", g.op("Less", self, 0), g.op("Mul", self, slope), self)
