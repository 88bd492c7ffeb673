"""Rounding by scales and zero points that are learned: ``_fake_quantize_learnable_…``.

Numbers within the range have a gradient, as in :mod:`.fake_quantization`. The scale has one of all
numbers: how far rounding moved those within the range, and of the others the end that they were cut
to. The zero point has one of those that were cut.

Source: torch aten/src/ATen/native/quantized/FakeQuantPerTensorAffine.cpp,
FakeQuantPerChannelAffine.cpp, after "Learned step size quantization", Esser et al., 2020.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from mindtorch_storage import bfloat16, float32
from mindtorch_storage.layout import broadcast_shapes

from ..backends.dtype_support import kind_of
from ..call.elementwise_meta import BOOL, COMPLEX, UNSIGNED, dtype_of, empty_like_out, refuse
from ..call.row import Out, op
from ..core.errors import not_as_expected, not_implemented_for
from ..core.operators import ops
from . import derivatives
from .fake_quantization import (
    check_channels,
    check_range,
    check_scales,
    rounded_like,
    rounding,
    rounding_channels,
)
from .slicing import selected_place

__all__: list[str] = []

Array = np.ndarray[Any, Any]
Kernel = Callable[..., Any]


def _check_first(*vectors: Any) -> None:
    """Refuse what has no first number: IndexError, or RuntimeError where that is several."""
    for t in vectors:
        selected_place(tuple(t.shape), 0, 0)
        count = prod(t.shape[1:])
        if count != 1:
            raise RuntimeError(f"a Tensor with {count} elements cannot be converted to Scalar")
        if kind_of(dtype_of(t)) in ("b", "4", "i"):
            raise not_implemented_for("_local_scalar_dense_cpu", dtype_of(t))


def _check_places(zero_point: Any) -> None:
    """Refuse zero points that torch does not clamp or round. Raises NotImplementedError."""
    dtype = dtype_of(zero_point)
    refusals = {"clamp_scalar_cpu": UNSIGNED, "round_vml_cpu": BOOL | COMPLEX}
    refuse(dtype, refusals, zero_point)
    if kind_of(dtype):
        raise not_implemented_for("round_vml_cpu", dtype)


def _check_gradient(grad: Any, self: Any, scale: Any, zero_point: Any) -> None:
    """Refuse what is not of single precision, and a gradient of another size than *self*.

    Where *self* is of bfloat16, all are converted.
    """
    named = {"dY": grad, "X": self, "scale": scale, "zero_point": zero_point}
    for name, t in named.items():
        if dtype_of(t) is not float32 and dtype_of(self) is not bfloat16:
            raise not_as_expected(f"{name}_.scalar_type() == ScalarType::Float")
    if grad.numel() != self.numel():
        raise RuntimeError("`X` and `dY` are not the same size")
    broadcast_shapes(tuple(self.shape), tuple(grad.shape))


def _gradients(
    grad: Array, x: Array, scale: Array, place: Array, low: int, high: int, grad_factor: float
) -> tuple[Array, Array, Array]:
    """The gradients of each number, and what each adds to those of its scale and zero point.

    What is no number, or too large, is below the range: so the host converts it.
    """
    grad, x = grad.astype(np.float32, copy=False), x.astype(np.float32, copy=False)
    weight = grad * np.float32(grad_factor)
    with np.errstate(all="ignore"):
        inverse = np.float32(1) / scale
        steps = np.rint(x * inverse + place).astype(np.float64)
        steps = np.where(np.abs(steps) < 2.0**63, steps, -np.inf)
        below = steps < low
        cut = below | (steps > high)
        moved = ((steps - place).astype(np.float32) * scale - x) * inverse
        end = np.where(below, np.float32(low), np.float32(high)) - place
        of_scale = weight * np.where(cut, end, moved)
        of_place = np.where(cut, -weight * scale, np.float32(0))
    return grad * ~cut, of_scale, of_place


# -- one scale for all -----------------------------------------------------------------------------


def _tensor_meta(self: Any, scale: Any, zero_point: Any, low: int, high: int, *rest: Any) -> Out:
    _check_first(scale, zero_point)
    check_range(low, high)
    return rounded_like(self)


def _prepare_tensor(
    self: Any, scale: Any, zero_point: Any, low: int, high: int, grad_factor: float
) -> Kernel:
    round_to = rounding(self, low, high)

    def kernel(self: Any, scale: Any, zero_point: Any, *rest: Any) -> Any:
        factor = np.array(scale.real.flat[0], np.float32)
        place = np.rint(np.float32(zero_point.real.flat[0]))
        return round_to(self, factor, np.clip(place, low, high).astype(np.float32))[0]

    return kernel


def _tensor_backward_meta(
    grad: Any, self: Any, scale: Any, zero_point: Any, low: int, high: int, *rest: Any
) -> tuple[Out, ...]:
    _check_first(scale, zero_point)
    _check_gradient(grad, self, scale, zero_point)
    if not low <= 0 <= high:
        raise RuntimeError(
            "`quant_min` should be less than or         equal to `quant_max`, and the quantization "
            "range should include 0."
        )
    if not self.numel():
        return empty_like_out(self), empty_like_out(scale), empty_like_out(zero_point)
    return empty_like_out(self, float32), Out((1,), float32), Out((1,), float32)


def _tensor_backward(
    grad: Any, self: Any, scale: Any, zero_point: Any, low: int, high: int, grad_factor: float
) -> tuple[Array, Array, Array]:
    if not self.size:
        return self, scale, zero_point
    # Half way it is rounded up, which the forward does not.
    half_up = np.float32(zero_point.flat[0]) + np.float32(0.5)
    place = np.trunc(np.clip(half_up, low, high)).astype(np.float32)
    factor = np.float32(scale.flat[0])
    found, *parts = _gradients(grad, self, factor, place, low, high, grad_factor)
    sums = [part.sum(dtype=np.float32).reshape(1) for part in parts]
    return found, sums[0], sums[1]


# -- a scale for each channel ----------------------------------------------------------------------


def _channel_meta(
    self: Any, scale: Any, zero_point: Any, axis: int, low: int, high: int, *rest: Any
) -> Out:
    _check_places(zero_point)
    check_scales(scale)
    check_channels(self, scale, zero_point, axis)
    check_range(low, high)
    return rounded_like(self, by_channel=True)


def _along(numbers: Any, ndim: int, axis: int) -> Any:
    """A vector, to be broadcast along *axis* of *ndim* dimensions, in single precision."""
    shape = [1] * ndim
    shape[axis] = -1
    return numbers.astype(np.float32).reshape(shape)


def _whole_places(zero_point: Any, low: int, high: int) -> Any:
    """Zero points within the range, which their dtype may cut first, rounded."""
    least, most = (np.array(n).astype(zero_point.dtype) for n in (low, high))
    return np.rint(np.minimum(np.maximum(zero_point, least), most).astype(np.float64))


def _prepare_channel(
    self: Any, scale: Any, zero_point: Any, axis: int, low: int, high: int, grad_factor: float
) -> Kernel:
    round_to = rounding_channels(self, low, high, whole=True)

    def kernel(self: Any, scale: Any, zero_point: Any, *rest: Any) -> Any:
        places = _along(_whole_places(zero_point, low, high), self.ndim, axis)
        return round_to(self, _along(scale, self.ndim, axis), places.astype(np.float64))[0]

    return kernel


def _channel_backward_meta(
    grad: Any, self: Any, scale: Any, zero_point: Any, axis: int, low: int, high: int, *rest: Any
) -> tuple[Out, ...]:
    _check_places(zero_point)
    _check_gradient(grad, self, scale, zero_point)
    if not low <= 0 <= high:
        raise RuntimeError("Expecting `quant_min` <= 0 and `quant_max` >= 0")
    check_channels(self, scale, zero_point, axis)
    if not self.numel():
        return empty_like_out(self), empty_like_out(scale), empty_like_out(zero_point)
    return tuple([empty_like_out(t, float32) for t in (self, scale, zero_point)])


def _channel_backward(
    grad: Any, self: Any, scale: Any, zero_point: Any, axis: int, low: int, high: int,
    grad_factor: float,
) -> tuple[Array, Array, Array]:  # fmt: skip
    if not self.size:
        return self, scale, zero_point
    places = _along(_whole_places(zero_point, low, high), self.ndim, axis)
    factors = _along(scale, self.ndim, axis)
    found, *parts = _gradients(grad, self, factors, places, low, high, grad_factor)
    rest = tuple(d for d in range(self.ndim) if d != axis)
    sums = [part.sum(rest, dtype=np.float32) for part in parts]
    return found, sums[0], sums[1]


_RANGE = "int quant_min, int quant_max, float grad_factor=1.0"
_GIVEN = "Tensor self, Tensor scale, Tensor zero_point"


def _learnable(
    name: str, axis: str, meta: Any, prepare: Any, backward_meta: Any, backward: Any
) -> None:
    """The two ops with one scale for a *name*; *axis* is the parameter of where channels lie."""
    stem = f"_fake_quantize_learnable_per_{name}_affine"

    def grads(g: Any, c: Any) -> Any:
        where = (c.axis,) if axis else ()
        given = c.self, c.scale, c.zero_point, *where, c.quant_min, c.quant_max, c.grad_factor
        return getattr(ops, f"{stem}_backward")(g, *given)

    op(
        f"{stem}({_GIVEN}{axis}, {_RANGE}) -> Tensor",
        says="Round to what quantised numbers can hold, by a scale and a zero point that have "
        "gradients.",
        meta=meta,
        prepare=prepare,
        variants="function",
        grad={"self, scale, zero_point": grads},
        half=False,
        tags=("not_on_meta", "loops: functional"),
        tangent="not implemented",
        samples=f"learnable_per_{name}",
    )
    op(
        f"{stem}_backward(Tensor grad, {_GIVEN}{axis}, {_RANGE}) -> (Tensor, Tensor, Tensor)",
        meta=backward_meta,
        kernel=backward,
        variants="",
        grad=derivatives.not_implemented_for(
            f"{stem}_backward", "grad", "self", "scale", "zero_point"
        ),
        half=False,
        tags=("not_on_meta", "rounds"),
        samples=f"learnable_per_{name}_backward",
    )


_learnable("tensor", "", _tensor_meta, _prepare_tensor, _tensor_backward_meta, _tensor_backward)
_learnable(
    *("channel", ", int axis", _channel_meta, _prepare_channel),
    *(_channel_backward_meta, _channel_backward),
)
