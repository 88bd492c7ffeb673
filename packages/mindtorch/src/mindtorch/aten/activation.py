"""Piecewise linear activations: relu, threshold, leaky_relu, hardtanh, hardsigmoid, hardswish."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np
from mindtorch_storage.dtype import bool_, float64

from ..call.elementwise_meta import (
    BOOL,
    COMPLEX,
    NOT_REAL_FLOATING,
    UNSIGNED,
    elementwise,
    kept_layout,
    out_like,
    refuse,
)
from ..call.forms import InplaceForm, OutForm
from ..call.row import Out, op
from ..core.operators import ops
from ..functionality.formulas import zeros
from . import scalars
from .activation_row import (
    FEW,
    Array,
    Memory,
    activation,
    backward,
    constant,
    input_first,
    number,
    with_sizes,
    zero,
    zero_where,
)
from .blocks import blockwise, bound, putting
from .clamp import prepare_clamp
from .derivatives import not_implemented_for
from .reflected import zeros_of

# ------------------------------------------------------------------------- relu, threshold


@blockwise
def _relu(x: Array) -> Callable[..., Array]:
    # numpy is slow to broadcast few numbers.
    nothing = np.zeros(x.shape, x.dtype) if x.size < FEW else bound(x, 0)
    # Zero comes first: of two zeros numpy takes the second, so that -0 stays -0 as in torch.
    return partial(np.maximum, nothing)


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
    says="""Replace negative elements by zero.

    >>> torch.relu(torch.tensor([-1., 0., 2.]))
    tensor([0., 0., 2.])
    """,
    meta=_relu_meta,
    prepare=_relu,
    promote="common",
    grad={"self": lambda g, c: ops.threshold_backward(g, c.result, 0)},
    inplace=True,
    out=OutForm(function=False),
    samples="unary",
    tags=("pointwise",),
    scalar="maximum(self, 0)",
)


@blockwise
def _prepare_threshold(x: Array, threshold: Any, value: Any) -> Callable[..., Array]:
    highest, put, within = constant(x, number(threshold, x)), putting(x), np.less_equal
    given = constant(x, number(value, x))

    def kernel(x: Array, *_: Any) -> Array:
        out = x.copy("K")
        put(out, within(x, highest), given)
        return out

    return with_sizes(kernel, x)


@blockwise
def _threshold_backward(g: Array, x: Array, threshold: Any) -> Callable[..., Array]:
    nothing, less_equal, putmask = zero(x.dtype), np.less_equal, np.putmask
    limit = nothing if threshold == 0 else number(threshold, x)
    if g.size >= FEW or g.shape != x.shape or not g.ndim:

        def of_many(
            g: Array, x: Array, _: Any, *, keep: Memory = None, out: Memory = None
        ) -> Array:
            return zero_where(less_equal(x, limit), g, keep, out)

        return of_many

    def kernel(g: Array, x: Array, _: Any) -> Array:
        out = g.copy()
        putmask(out, less_equal(x, limit), nothing)
        return out

    return kernel


_THRESHOLD_LACKS = {"threshold_cpu": COMPLEX | BOOL | UNSIGNED}
op(
    "threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor",
    says="""Replace elements that are not above a threshold by a value.

    >>> torch.threshold(torch.tensor([-1., 0.5, 2.]), 0.5, 9)
    tensor([9., 9., 2.])
    """,
    meta=elementwise("common", 1, cpu=_THRESHOLD_LACKS),
    prepare=_prepare_threshold,
    grad={"self": lambda g, c: ops.threshold_backward(g, c.self, c.threshold)},
    variants="function",
    inplace=InplaceForm(overlap="idempotent"),
    out=OutForm(dtype="cast", direct=True, overlap="unchecked"),
    samples="threshold",
    tags=("pointwise",),
    scalar="value if self <= threshold else self",
    node=(0, 1),
)
_THRESHOLD_BACKWARD_META = elementwise("common", 2, cpu=_THRESHOLD_LACKS)


def _threshold_backward_meta(g: Any, x: Any, threshold: Any) -> Out:
    return _THRESHOLD_BACKWARD_META(x, g)  # the memory order of the input wins


op(
    "threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor",
    meta=_threshold_backward_meta,
    prepare=_threshold_backward,
    promote="common",
    grad={
        "grad_output": lambda g, c: ops.threshold_backward(g, c.self, c.threshold),
        "self": zeros,
    },
    variants="",
    out=OutForm("grad_input", dtype="same"),
    tags=("pointwise", "zero_tangents"),
    scalar="0 if self <= threshold else grad_output",
)


# ------------------------------------------------------------------------- piecewise linear


@blockwise
def _prepare_leaky_relu(x: Array, negative_slope: Any) -> Callable[..., Array]:
    slope, nothing = constant(x, number(negative_slope, x)), zero(x.dtype)
    multiply, greater, put = np.multiply, np.greater, putting(x)
    if slope > 0:  # not of a zero: infinity times it would be NaN
        steeper = np.maximum if slope <= 1 else np.minimum

        def steep(x: Array, *_: Any, scaled: Memory = None, out: Memory = None) -> Array:
            return steeper(x, multiply(x, slope, scaled), out=out)

        return steep

    def kernel(x: Array, *_: Any, scaled: Memory = None) -> Array:
        scaled = multiply(x, slope, scaled)
        put(scaled, greater(x, nothing), x)
        return scaled

    return with_sizes(kernel, x)


@blockwise
def _prepare_leaky_relu_backward(
    g: Array, x: Array, negative_slope: Any, is_result: bool
) -> Callable[..., Array]:
    slope, nothing = constant(x, number(negative_slope, x)), zero(x.dtype)
    greater, multiply, put = np.greater, np.multiply, putting(g, x)

    def kernel(g: Array, x: Array, *_: Any, scaled: Memory = None) -> Array:
        scaled = multiply(g, slope, scaled)
        put(scaled, greater(x, nothing), g)
        return scaled

    if g.shape != x.shape or not g.ndim:
        return lambda g, x, *_: np.where(greater(x, nothing), g, g * slope)
    return kernel


def _leaky_relu_backward_meta(g: Any, x: Any, negative_slope: Any, is_result: bool) -> Out:
    """Source: torch aten/src/ATen/native/Activation.cpp, leaky_relu_backward."""
    if is_result and negative_slope < 0:
        raise RuntimeError(
            "In-place leakyReLu backward calculation is triggered with a negative slope which is "
            "not supported. This is caused by calling in-place forward function with a negative "
            "slope, please call out-of-place version instead. File an issue at "
            "https://github.com/pytorch/pytorch if you do require supporting in-place leakRelu "
            "backward calculation with negative slope"
        )
    return input_first(g, x)


activation(
    "leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor",
    None,
    lambda g, c: ops.leaky_relu_backward(g, c.self, c.negative_slope, False),
    changed=lambda g, c: ops.leaky_relu_backward(g, c.result, c.negative_slope, True),
    prepare=_prepare_leaky_relu,
    samples="leaky_relu",
    says="Multiply negative elements by a small slope and keep the others.",
    scalar="self if self > 0 else self * negative_slope",
    node=(0, 1),
)
backward(
    "leaky_relu_backward(Tensor grad_output, Tensor self, Scalar negative_slope, "
    "bool self_is_result) -> Tensor",
    None,
    {
        "grad_output": lambda g, c: ops.leaky_relu_backward(g, c.self, c.negative_slope, False),
        "self": zeros,
    },
    prepare=_prepare_leaky_relu_backward,
    meta=_leaky_relu_backward_meta,
    scalar="grad_output if self > 0 else grad_output * negative_slope",
)


def _hardtanh_meta(self: Any, min_val: Any, max_val: Any) -> Out:
    """Source: torch aten/src/ATen/native/Activation.cpp, hardtanh."""
    if self.dtype is bool_:
        raise RuntimeError("Bool inputs not supported for hardtanh")
    for limit in (min_val, max_val):
        if type(limit) is complex:
            scalars.checked(limit, float64)
    if self.dtype.name == "uint8" and (int(min_val) < 0 or int(max_val) < 0):
        raise RuntimeError("cannot do hardtanh on an unsigned type with negative limits")
    if self.dtype.is_complex:
        raise NotImplementedError("clamp is not supported for complex types")
    refuse(self.dtype, {"clamp_scalar_cpu": UNSIGNED}, self)
    return out_like(self.dtype, self)


def _prepare_hardtanh(x: Array, low: Any, high: Any) -> Callable[..., Array]:
    if x.dtype.kind in "iu":  # the limits are cut to integers first
        low, high = int(low), int(high)
    return prepare_clamp(x, low, high)


@blockwise
def _prepare_hardtanh_backward(g: Array, x: Array, low: Any, high: Any) -> Callable[..., Array]:
    least, most = constant(x, number(low, x)), constant(x, number(high, x))
    below, above, either = np.less_equal, np.greater_equal, np.logical_or

    def kernel(g: Array, x: Array, *_: Any, keep: Memory = None, out: Memory = None) -> Array:
        return zero_where(either(below(x, least), above(x, most)), g, keep, out)

    return kernel


op(
    "hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor",
    says="""Limit each element to the range from min_val to max_val.

    >>> torch.nn.functional.hardtanh(torch.tensor([-3., 0.5, 3.]))
    tensor([-1.0000,  0.5000,  1.0000])
    """,
    meta=kept_layout(_hardtanh_meta),
    prepare=_prepare_hardtanh,
    grad={"self": lambda g, c: ops.hardtanh_backward(g, c.self, c.min_val, c.max_val)},
    module="nn",
    variants="function",
    inplace=True,
    out=OutForm(dtype="same"),
    samples="hardtanh",
    tags=("pointwise",),
    scalar="minimum(maximum(self, min_val), max_val)",
)
backward(
    "hardtanh_backward(Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val) -> Tensor",
    None,
    {
        "grad_output": lambda g, c: ops.hardtanh_backward(g, c.self, c.min_val, c.max_val),
        "self": zeros,
    },
    prepare=_prepare_hardtanh_backward,
    scalar="0 if self <= min_val or self >= max_val else grad_output",
)
op(
    "relu6(Tensor self) -> Tensor",
    says="Limit each element to the range from 0 to 6.",
    composite=lambda self: ops.hardtanh(self, 0, 6),
    module="nn",
    variants="function",
    samples="unary",
)
op(
    "relu6_(Tensor(a!) self) -> Tensor(a!)",
    says="Limit each element to the range from 0 to 6 in place.",
    composite=lambda self: ops.hardtanh_(self, 0, 6),
    module="nn",
    variants="function",
    samples="unary",
)


#: torch keeps this constant in float32 for every dtype.
_SIXTH: Final = 0.1666666716337204


def _ramp(times: bool) -> Callable[[Array], Callable[[Array], Array]]:
    """``prepare`` of relu6(x + 3) / 6, and of *times* x."""

    @blockwise
    def prepare(x: Array) -> Callable[[Array], Array]:
        nothing, three, six = bound(x, 0), constant(x, 3), bound(x, 6)
        whole = constant(x, 6)
        add, lower, upper, divide, multiply = (
            np.add, np.maximum, np.minimum, np.divide, np.multiply
        )  # fmt: skip

        def kernel(x: Array, *, ramp: Memory = None, out: Memory = None) -> Array:
            ramp = add(x, three, ramp)
            upper(lower(ramp, nothing, out=ramp), six, out=ramp)
            if times:
                multiply(x, ramp, ramp)
            return divide(ramp, whole, ramp if out is None else out)

        return with_sizes(kernel, x)

    return prepare


activation(
    "hardsigmoid(Tensor self) -> Tensor",
    None,
    lambda g, c: ops.hardsigmoid_backward(g, c.self),
    prepare=_ramp(False),
    says="Return a piecewise linear approximation of the sigmoid: relu6(x + 3) / 6.",
    scalar="minimum(maximum(self + 3, 0), 6) / 6",
)
activation(
    "hardswish(Tensor self) -> Tensor",
    None,
    lambda g, c: ops.hardswish_backward(g, c.self),
    prepare=_ramp(True),
    says="Return x * relu6(x + 3) / 6 of each element.",
    scalar="self * minimum(maximum(self + 3, 0), 6) / 6",
)


@blockwise
def _prepare_hardsigmoid_backward(g: Array, x: Array) -> Callable[..., Array]:
    three, sixth = constant(x, 3), constant(g, _SIXTH)
    absolute, less, negated, multiply = np.abs, np.less, np.logical_not, np.multiply
    put, nothing, few = np.putmask, zero(g.dtype), g.size < FEW and g.shape == x.shape

    def kernel(g: Array, x: Array) -> Array:
        out, mask = multiply(g, sixth), negated(less(absolute(x), three))
        if not few:
            return zero_where(mask, out)
        put(out, mask, nothing)
        return out

    return with_sizes(kernel, g, x)


@blockwise
def _prepare_hardswish_backward(g: Array, x: Array) -> Callable[..., Array]:
    three, minus_three, half = constant(x, 3), constant(x, -3), constant(x, 0.5)
    nothing, add, divide, multiply = zero(g.dtype), np.add, np.divide, np.multiply
    less, below, negated = np.less, np.less_equal, np.logical_not
    put = putting(g, x)

    def kernel(g: Array, x: Array, *, slope: Memory = None) -> Array:
        slope = divide(x, three, slope)
        out = multiply(add(slope, half, slope), g, slope if slope.shape == g.shape else None)
        put(out, negated(less(x, three)), g)
        put(out, below(x, minus_three), nothing)
        return out

    return with_sizes(kernel, g, x)


def _hardswish_curvature(g: Any, c: Any) -> Any:
    nothing = zeros_of(g, ())
    slope = g * c.grad_output / 3.0
    return ops.where((c.self < 3.0).logical_and(c.self > -3.0), slope, nothing)


backward(
    "hardsigmoid_backward(Tensor grad_output, Tensor self) -> Tensor",
    None,
    not_implemented_for("hardsigmoid_backward", "grad_output", "self"),
    prepare=_prepare_hardsigmoid_backward,
    out="grad_input",
    meta=elementwise("common", 2, cpu={"hardsigmoid_backward": NOT_REAL_FLOATING}),
    samples="gradient_pairs",
    scalar="grad_output * 0.1666666716337204 if -3 < self < 3 else 0",
)
backward(
    "hardswish_backward(Tensor grad_output, Tensor self) -> Tensor",
    None,
    {
        "grad_output": lambda g, c: ops.hardswish_backward(g, c.self),
        "self": _hardswish_curvature,
    },
    prepare=_prepare_hardswish_backward,
    meta=elementwise("common", 2, cpu={"hardswish_backward_cpu": NOT_REAL_FLOATING}),
    out=OutForm(function=False),
    samples="gradient_pairs",
    scalar="0 if self <= -3 else grad_output * (self / 3 + 0.5) if self < 3 else grad_output",
)
