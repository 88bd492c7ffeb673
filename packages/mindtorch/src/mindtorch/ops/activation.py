"""Activations and their backward ops: relu, gelu, silu, softplus, elu, hardtanh, …"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np
from mindtorch_storage.dtype import bool_, float64, from_numpy

from . import scalars, special
from .call import conj, ops
from .meta import (
    BOOL,
    COMPLEX,
    NOT_FLOATING,
    NOT_REAL_FLOATING,
    UNSIGNED,
    elementwise,
    out_like,
    refuse,
)
from .row import Out, op
from .ternary import clamp

Array = np.ndarray[Any, Any]

# A 0-d array is a third faster in a ufunc than a Python number.
_ZEROS: Final[dict[Any, Array]] = {}


def _zero(dtype: Any) -> Array:
    found = _ZEROS.get(dtype)
    if found is None:
        found = _ZEROS[dtype] = np.zeros((), dtype)
    return found


_ONES: Final[dict[Any, Array]] = {}


def _one(dtype: Any) -> Array:
    found = _ONES.get(dtype)
    if found is None:
        found = _ONES[dtype] = np.ones((), dtype)
    return found


def _number(value: Any, x: Array) -> Any:
    return scalars.checked(value, from_numpy(x.dtype))


#: Below this many elements the number of numpy calls counts, not the passes over memory.
_FEW: Final = 256
_SAME_SIZE_INT: Final = {2: np.int16, 4: np.int32, 8: np.int64}


def zero_where(mask: Array, g: Array) -> Array:
    """*g* with zeros where *mask* is true: eight times faster than ``np.where``, exact for nan."""
    if g.size < _FEW and mask.shape == g.shape:
        out = g.copy()
        out[mask] = 0
        return out
    integer = _SAME_SIZE_INT.get(g.itemsize)
    if integer is None or mask.shape != g.shape or not g.ndim:
        return np.where(mask, _zero(g.dtype), g)
    keep = mask.astype(integer)
    np.subtract(keep, _one(keep.dtype), keep)  # all ones where the element stays
    np.bitwise_and(keep, g.view(integer), keep)
    return keep.view(g.dtype)


# ------------------------------------------------------------------------- relu, threshold


def _relu(x: Array, out: Array | None = None) -> Array:
    # Zero comes first: of two zeros numpy takes the second, so that -0 stays -0 as in torch.
    return np.maximum(_zero(x.dtype), x, out=out)  # type: ignore[no-any-return]


def _relu_meta(self: Any) -> Out:
    """Source: torch aten/src/ATen/native/Activation.cpp, relu."""
    if self.dtype is bool_:
        raise RuntimeError("Boolean inputs not supported for relu")
    if self.dtype.is_complex:
        raise NotImplementedError("clamp is not supported for complex types")
    refuse(self.dtype, {"clamp_min_scalar_cpu": UNSIGNED}, self)
    return out_like(self.dtype, self)


op(
    "relu(Tensor self) -> Tensor",
    meta=_relu_meta,
    ufunc=_relu,
    promote="common",
    fast=lambda dtype: partial(np.maximum, np.zeros((), dtype)),
    grad={"self": lambda g, c: ops.threshold_backward(g, c.result, 0)},
    inplace=True,
    out=True,
    samples="unary",
    tags=("pointwise",),
)


def _threshold(x: Array, threshold: Any, value: Any) -> Array:
    return np.where(x <= _number(threshold, x), _number(value, x), x)


def _threshold_backward(g: Array, x: Array, threshold: Any) -> Array:
    limit = _zero(x.dtype) if threshold == 0 else _number(threshold, x)
    return zero_where(x <= limit, g)


_THRESHOLD_LACKS = {"threshold_cpu": COMPLEX | BOOL | UNSIGNED}
op(
    "threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor",
    meta=elementwise("common", 1, cpu=_THRESHOLD_LACKS),
    kernel=_threshold,
    grad={"self": lambda g, c: ops.threshold_backward(g, c.self, c.threshold)},
    variants="function",
    inplace=True,
    out=True,
    samples="threshold",
    tags=("pointwise",),
)
_THRESHOLD_BACKWARD_META = elementwise("common", 2, cpu=_THRESHOLD_LACKS)


def _threshold_backward_meta(g: Any, x: Any, threshold: Any) -> Out:
    return _THRESHOLD_BACKWARD_META(x, g)  # the memory order of the input wins


op(
    "threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor",
    meta=_threshold_backward_meta,
    kernel=_threshold_backward,
    promote="common",
    fast=lambda dtype: _threshold_backward,
    grad={
        "grad_output": lambda g, c: ops.threshold_backward(g, c.self, c.threshold),
        "self": lambda g, c: ops.zeros_like(g),
    },
    variants="",
    out="grad_input",
    tags=("pointwise",),
)


# ------------------------------------------------------------------------- factories of rows


def activation(
    schema: str,
    kernel: Callable[..., Array],
    grad: Callable[[Any, Any], Any],
    *,
    lacks: frozenset[str] = NOT_REAL_FLOATING,
    check: Callable[..., None] | None = None,
    module: str = "nn",
    inplace: bool = True,
    out: bool = True,
    samples: str = "unary",
) -> None:
    """The row of an activation whose first argument is the tensor."""
    name = schema[: schema.index("(")]
    cpu = {"gelu": "GeluKernelImpl"}.get(name, f"{name}_cpu")
    op(
        schema,
        meta=elementwise("common", 1, cpu={cpu: lacks}, check=check),
        kernel=kernel,
        grad={"self": grad},
        module=module,
        variants="function",
        inplace=inplace,
        out=out,
        samples=samples,
        tags=("pointwise",),
    )


_GRAD_FIRST: Final = elementwise("common", 2)


def _input_first(g: Any, x: Any, *rest: Any) -> Out:
    """The memory order of the input wins over that of the gradient."""
    return _GRAD_FIRST(x, g)


def backward(
    schema: str,
    kernel: Callable[..., Array],
    grad: dict[str, Any],
    *,
    out: str = "grad_input",
    meta: Callable[..., Out] = _GRAD_FIRST,
) -> None:
    """The row of ``…_backward(Tensor grad_output, Tensor self, …)``."""
    op(
        schema,
        meta=meta,
        kernel=kernel,
        promote="common",
        grad=grad,
        module="nn",
        variants="",
        out=out or False,
        tags=("pointwise",),
    )


# ------------------------------------------------------------------------- gelu


def _check_gelu(self: Any, approximate: str) -> None:
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")


_BETA: Final = math.sqrt(2) * (2 / math.sqrt(math.pi)) * 0.5
_KAPPA: Final = 0.044715
_ROOT_HALF: Final = math.sqrt(0.5)


def _gelu(x: Array, approximate: str) -> Array:
    if approximate == "tanh":
        inner = x * x
        inner *= x
        inner *= _KAPPA
        inner += x
        inner *= _BETA
        inner = np.tanh(inner)
    else:
        inner = special.erf_float32(x * x.dtype.type(_ROOT_HALF))
    inner += 1
    inner *= x
    inner *= 0.5
    return inner  # type: ignore[no-any-return]


def _gelu_backward(g: Array, x: Array, approximate: str) -> Array:
    if approximate == "tanh":
        square = x * x
        wave = np.tanh(_BETA * (x + _KAPPA * square * x))
        left = 0.5 * (1 + wave)
        right = 0.5 * x * (1 - wave * wave) * (_BETA * (1 + 3 * _KAPPA * square))
        return g * (left + right)
    cdf = 0.5 * (1 + special.erf_float32(x * x.dtype.type(_ROOT_HALF)))
    pdf = np.exp(-0.5 * x * x) * (2 / math.sqrt(math.pi) * _ROOT_HALF * 0.5)
    return g * (cdf + x * pdf)


def _gelu_curvature(g: Any, c: Any) -> Any:
    """Derivative of gelu_backward with respect to its input."""
    x = c.self
    if c.approximate == "none":
        pdf = (-0.5 * x * x).exp() * (1 / math.sqrt(2 * math.pi))
        return g * c.grad_output * pdf * (2 - x * x)
    inner = _BETA * (x + _KAPPA * x * x * x)
    slope = _BETA * (1 + 3 * _KAPPA * x * x)
    wave = inner.tanh()
    bell = 1 - wave * wave
    curve = 0.5 * x * bell * (6 * _BETA * _KAPPA * x - 2 * wave * slope * slope)
    return g * c.grad_output * (bell * slope + curve)


op(
    'gelu(Tensor self, *, str approximate="none") -> Tensor',
    meta=elementwise("common", 1, cpu={"GeluKernelImpl": NOT_REAL_FLOATING}, check=_check_gelu),
    kernel=_gelu,
    grad={"self": lambda g, c: ops.gelu_backward(g, c.self, approximate=c.approximate)},
    module="nn",
    variants="function",
    inplace=True,
    out=True,
    samples="gelu",
    tags=("pointwise",),
)
backward(
    'gelu_backward(Tensor grad_output, Tensor self, *, str approximate="none") -> Tensor',
    _gelu_backward,
    {
        "grad_output": lambda g, c: ops.gelu_backward(g, c.self, approximate=c.approximate),
        "self": _gelu_curvature,
    },
)

# ------------------------------------------------------------------------- silu, mish


def _silu(x: Array) -> Array:
    return x / (1 + np.exp(-x))


def _silu_backward(g: Array, x: Array) -> Array:
    gate = 1 / (1 + np.exp(-x))
    slope = gate * (1 + x * (1 - gate))
    return g * (np.conjugate(slope) if slope.dtype.kind == "c" else slope)


def _silu_grad(g: Any, x: Any) -> Any:
    gate = x.sigmoid()
    return g * conj(gate * (1 + x * (1 - gate)))


def _silu_curvature(g: Any, c: Any) -> Any:
    gate = c.self.sigmoid()
    slope = gate * (1 - gate)
    return g * c.grad_output * slope * (2 + c.self * (1 - 2 * gate))


activation(
    "silu(Tensor self) -> Tensor",
    _silu,
    lambda g, c: ops.silu_backward(g, c.self),
    lacks=NOT_FLOATING,
)
backward(
    "silu_backward(Tensor grad_output, Tensor self) -> Tensor",
    _silu_backward,
    {"grad_output": lambda g, c: _silu_grad(g, c.self), "self": _silu_curvature},
)


def _log1p_exp(x: Array) -> Array:
    return np.log1p(np.exp(x))  # type: ignore[no-any-return]


def _mish(x: Array) -> Array:
    return x * np.tanh(_log1p_exp(x))  # type: ignore[no-any-return]


def _mish_grad(g: Any, c: Any) -> Any:
    gate, wave = c.self.sigmoid(), ops.softplus(c.self).tanh()
    return g * (wave + c.self * gate * (1 - wave * wave))


activation("mish(Tensor self) -> Tensor", _mish, _mish_grad)

# ------------------------------------------------------------------------- softplus, log_sigmoid


def _softplus(x: Array, beta: Any, threshold: Any) -> Array:
    beta, threshold = _number(beta, x), _number(threshold, x)
    scaled = x * beta
    return np.where(scaled > threshold, x, _log1p_exp(scaled) / beta)


def _softplus_backward(g: Array, x: Array, beta: Any, threshold: Any) -> Array:
    beta, threshold = _number(beta, x), _number(threshold, x)
    z = np.exp(x * beta)
    return np.where(x * beta > threshold, g, g * z / (z + 1))


def _softplus_curvature(g: Any, c: Any) -> Any:
    gate = (c.self * c.beta).sigmoid()
    slope = c.grad_output * g * gate * (1 - gate) * c.beta
    return slope.masked_fill(c.self * c.beta > c.threshold, 0)


activation(
    "softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor",
    _softplus,
    lambda g, c: ops.softplus_backward(g, c.self, c.beta, c.threshold),
    inplace=False,
    samples="softplus",
)
backward(
    "softplus_backward(Tensor grad_output, Tensor self, Scalar beta, Scalar threshold) -> Tensor",
    _softplus_backward,
    {
        "grad_output": lambda g, c: ops.softplus_backward(g, c.self, c.beta, c.threshold),
        "self": _softplus_curvature,
    },
)


def _log_sigmoid_forward(x: Array) -> tuple[Array, Array]:
    buffer = np.exp(-np.abs(x))
    return np.minimum(x, 0) - np.log1p(buffer), buffer


def _log_sigmoid_meta(self: Any) -> tuple[Out, Out]:
    refuse(self.dtype, {"log_sigmoid_cpu": NOT_REAL_FLOATING}, self)
    contiguous = Out(tuple(self.shape), self.dtype)
    return contiguous, contiguous


op(
    "log_sigmoid_forward(Tensor self) -> (Tensor output, Tensor buffer)",
    meta=_log_sigmoid_meta,
    kernel=_log_sigmoid_forward,
    grad={"self": lambda g, c: g[0] * (-c.self).sigmoid()},
    module="nn",
    variants="",
    out="output",
    tags=("pointwise",),
)
op(
    "log_sigmoid(Tensor self) -> Tensor",
    composite=lambda self: ops.log_sigmoid_forward(self)[0],
    module="nn",
    variants="function",
    out=True,
    samples="unary",
    tags=("pointwise",),
)

# ------------------------------------------------------------------------- elu and kin


def _elu(x: Array, alpha: Any, scale: Any, input_scale: Any) -> Array:
    positive, negative = _number(scale, x), _number(alpha * scale, x)
    curve = np.expm1(x * _number(input_scale, x)) * negative
    return np.where(x < 0, curve, x * positive)


def _elu_backward(
    g: Array, alpha: Any, scale: Any, input_scale: Any, is_result: bool, x: Array
) -> Array:
    positive, negative = _number(scale, x), _number(alpha * scale, x)
    poiti = _number(input_scale, x)
    if is_result:
        return np.where(x <= 0, g * poiti * (x + negative), g * positive)
    return np.where(x <= 0, g * poiti * negative * np.exp(x * poiti), g * positive)


def _check_elu_backward(
    g: Any, alpha: Any, scale: Any, input_scale: Any, is_result: bool, x: Any
) -> None:
    if is_result and alpha < 0.0:
        raise RuntimeError(
            "In-place elu backward calculation is triggered with a negative slope which is not "
            "supported. This is caused by calling in-place forward function with a negative slope, "
            "please call out-of-place version instead."
        )


def _elu_grad(g: Any, c: Any) -> Any:
    return ops.elu_backward(g, c.alpha, c.scale, c.input_scale, False, c.self)


def _elu_backward_meta(g: Any, alpha: Any, scale: Any, inner: Any, is_result: bool, x: Any) -> Out:
    _check_elu_backward(g, alpha, scale, inner, is_result, x)
    return out_like(x.dtype, g, x)


def _elu_curvature(g: Any, c: Any) -> Any:
    x, negative = c.self_or_result, c.alpha * c.scale
    if c.is_result:
        curve = g * c.grad_output * c.input_scale
    else:
        curve = g * c.grad_output * c.input_scale**2 * negative * (x * c.input_scale).exp()
    return ops.where(x < 0, curve, 0.0)


activation(
    "elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor",
    _elu,
    _elu_grad,
    samples="elu",
)
op(
    "elu_backward(Tensor grad_output, Scalar alpha, Scalar scale, Scalar input_scale, "
    "bool is_result, Tensor self_or_result) -> Tensor",
    meta=_elu_backward_meta,
    kernel=_elu_backward,
    grad={
        "grad_output": lambda g, c: ops.elu_backward(
            g, c.alpha, c.scale, c.input_scale, c.is_result, c.self_or_result
        ),
        "self_or_result": _elu_curvature,
    },
    module="nn",
    variants="",
    out="grad_input",
    tags=("pointwise",),
)

_SELU_ALPHA: Final = 1.6732632423543772848170429916717
_SELU_SCALE: Final = 1.0507009873554804934193349852946


def _selu(self: Any) -> Any:
    return ops.elu(self, _SELU_ALPHA, _SELU_SCALE)


def _check_celu(self: Any, alpha: Any) -> None:
    if type(alpha) is complex:
        scalars.checked(alpha, float64)
    if alpha == 0:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")


def _celu_meta(self: Any, alpha: Any) -> Out:
    _check_celu(self, alpha)
    refuse(self.dtype, {"elu_cpu": NOT_REAL_FLOATING}, self)
    return out_like(self.dtype, self)


op("selu(Tensor self) -> Tensor", composite=_selu, variants="function", samples="unary")
op(
    "selu_(Tensor(a!) self) -> Tensor(a!)",
    composite=lambda self: ops.elu_(self, _SELU_ALPHA, _SELU_SCALE),
    variants="function",
)
op(
    "celu(Tensor self, Scalar alpha=1.) -> Tensor",
    meta=_celu_meta,
    kernel=lambda x, alpha: _elu(x, alpha, 1.0, 1.0 / alpha),
    grad={"self": lambda g, c: ops.elu_backward(g, c.alpha, 1, 1.0 / c.alpha, False, c.self)},
    variants="function",
    inplace=True,
    samples="celu",
    tags=("pointwise",),
)

# ------------------------------------------------------------------------- piecewise linear


def _leaky_relu(x: Array, negative_slope: Any) -> Array:
    return np.where(x > 0, x, x * _number(negative_slope, x))


def _leaky_relu_backward(g: Array, x: Array, negative_slope: Any, is_result: bool) -> Array:
    return np.where(x > 0, g, g * _number(negative_slope, x))


activation(
    "leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor",
    _leaky_relu,
    lambda g, c: ops.leaky_relu_backward(g, c.self, c.negative_slope, False),
    samples="leaky_relu",
)
backward(
    "leaky_relu_backward(Tensor grad_output, Tensor self, Scalar negative_slope, "
    "bool self_is_result) -> Tensor",
    _leaky_relu_backward,
    {
        "grad_output": lambda g, c: ops.leaky_relu_backward(g, c.self, c.negative_slope, False),
        "self": lambda g, c: ops.zeros_like(g),
    },
    meta=_input_first,
)


def _hardtanh_meta(self: Any, min_val: Any, max_val: Any) -> Out:
    """Source: torch aten/src/ATen/native/Activation.cpp, hardtanh."""
    if self.dtype is bool_:
        raise RuntimeError("Bool inputs not supported for hardtanh")
    for limit in (min_val, max_val):
        if type(limit) is complex:
            scalars.checked(limit, float64)
    if self.dtype.name == "uint8" and (min_val < 0 or max_val < 0):
        raise RuntimeError("cannot do hardtanh on an unsigned type with negative limits")
    if self.dtype.is_complex:
        raise NotImplementedError("clamp is not supported for complex types")
    refuse(self.dtype, {"clamp_scalar_cpu": UNSIGNED}, self)
    return out_like(self.dtype, self)


def _hardtanh(x: Array, low: Any, high: Any) -> Array:
    if x.dtype.kind in "iu":  # the limits are cut to integers first
        low, high = int(low), int(high)
    return clamp(x, low, high)


def _hardtanh_backward(g: Array, x: Array, low: Any, high: Any) -> Array:
    return np.where((x <= _number(low, x)) | (x >= _number(high, x)), _zero(g.dtype), g)


op(
    "hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor",
    meta=_hardtanh_meta,
    kernel=_hardtanh,
    grad={"self": lambda g, c: ops.hardtanh_backward(g, c.self, c.min_val, c.max_val)},
    module="nn",
    variants="function",
    inplace=True,
    out=True,
    samples="hardtanh",
    tags=("pointwise",),
)
backward(
    "hardtanh_backward(Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val) -> Tensor",
    _hardtanh_backward,
    {
        "grad_output": lambda g, c: ops.hardtanh_backward(g, c.self, c.min_val, c.max_val),
        "self": lambda g, c: ops.zeros_like(g),
    },
)
op(
    "relu6(Tensor self) -> Tensor",
    composite=lambda self: ops.hardtanh(self, 0, 6),
    variants="",
    samples="unary",
)


#: torch keeps this constant in float32 for every dtype.
_SIXTH: Final = 0.1666666716337204


def _hardsigmoid(x: Array) -> Array:
    return np.clip(x + x.dtype.type(3), 0, 6) / x.dtype.type(6)  # type: ignore[no-any-return]


def _hardswish_grad(g: Any, c: Any) -> Any:
    inner = (g * (c.self / 3 + 0.5)).masked_fill(c.self <= -3, 0)
    return inner + (g - inner).masked_fill(c.self < 3, 0)


def _hardswish(x: Array) -> Array:
    return x * np.clip(x + x.dtype.type(3), 0, 6) / x.dtype.type(6)


activation(
    "hardsigmoid(Tensor self) -> Tensor",
    _hardsigmoid,
    lambda g, c: (g * _SIXTH).masked_fill((c.self <= -3) | (c.self >= 3), 0),
)
activation(
    "hardswish(Tensor self) -> Tensor",
    _hardswish,
    _hardswish_grad,
)
