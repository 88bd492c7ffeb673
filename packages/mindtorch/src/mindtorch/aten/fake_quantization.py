"""Numbers rounded to those that a quantized tensor could hold: ``fake_quantize_…``.

Each op has a form that also says which numbers lay within the range: only those have a gradient.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import bool_, int64

from mindtorch.core.constants import strided

from ..call.elementwise_meta import (
    COMPLEX,
    NOT_FLOATING,
    dtype_of,
    empty_like_out,
    refuse,
    refuse_array,
)
from ..call.row import Out, op
from ..core.dims import size_at
from ..core.operators import ops

__all__ = [
    "check_channels",
    "check_range",
    "check_scales",
    "rounded_like",
    "rounding",
    "rounding_channels",
]

_TENSOR = "fake_quantize_tensor_cachemask_kernel_type_handling"
_CHANNEL = "fake_quantize_channel_cachemask_cpu_type_handling"


def check_range(quant_min: int, quant_max: int) -> None:
    """Refuse a least integer above the greatest. Raises RuntimeError."""
    if quant_min > quant_max:
        raise RuntimeError("`quant_min` should be less than or         equal to `quant_max`.")


def rounded_like(self: Any, by_channel: bool = False) -> Out:
    """What *self* rounded looks like. Raises NotImplementedError for another dtype than floats."""
    if self.numel():
        refuse(self.dtype, {_CHANNEL if by_channel else _TENSOR: NOT_FLOATING | COMPLEX}, self)
    return empty_like_out(self)


def _outs(self: Any) -> tuple[Out, Out]:
    return rounded_like(self), empty_like_out(self, bool_)


def _outside(*where: Any) -> None:
    if any(where):
        raise RuntimeError("`zero_point` must be between `quant_min` and `quant_max`.")


def _widened(self: Any) -> Any:
    return self.astype(np.float32) if self.dtype.itemsize == 2 else self


#: Rounds an array by a scale and a zero point.
Rounding = Callable[[Any, Any, Any], tuple[Any, Any]]


def rounding(self: Any, low: int, high: int) -> Rounding:
    """Multiples of a scale within the range, and which numbers lay in it; NaN is the least."""
    dtype, single, shape = self.dtype, np.dtype(np.float32), self.shape
    least, most = (np.array(n, single) for n in (low, high))
    one = np.array(1, single)

    def kernel(self: Any, factor: Any, place: Any) -> tuple[Any, Any]:
        numbers = _widened(self if shape else self.reshape(1))  # NumPy has no 0-d arrays between
        steps = np.rint(numbers * (one / factor)) + place
        clipped = np.fmin(np.fmax(steps, least), most).astype(single, copy=False)
        mask = steps >= least
        mask &= steps <= most
        out = ((clipped - place) * factor).astype(dtype, copy=False)
        return (out, mask) if shape else (out.reshape(()), mask.reshape(()))

    return kernel


def rounding_channels(self: Any, low: int, high: int, whole: bool) -> Rounding:
    """The same with factors that are broadcast; *whole* zero points are added after rounding.

    What is no number or too large has, as an integer of the host, the least value there is.
    """
    dtype, one, least = self.dtype, np.array(1, np.float32), np.array(-(2.0**63))

    def kernel(self: Any, scale: Any, zero_point: Any) -> tuple[Any, Any]:
        wide = _widened(self)
        steps = wide * (one / scale)
        steps = np.rint(steps) + zero_point if whole else np.rint(steps + zero_point)
        np.copyto(steps, least, where=~(np.abs(steps) < -least))
        out = (np.minimum(np.maximum(steps, low), high) - zero_point) * scale
        mask = (steps >= low) & (steps <= high)
        return out.astype(wide.dtype).astype(dtype, copy=False), mask

    return kernel


# -- one scale for all -----------------------------------------------------------------------------


def _tensor_meta(self: Any, scale: float, zero_point: int, low: int, high: int) -> Any:
    check_range(low, high)
    _outside(not low <= zero_point <= high)
    return _outs(self)


def _prepare_of_tensor(
    self: Any, scale: float, zero_point: int, low: int, high: int
) -> Callable[..., tuple[Any, Any]]:
    round_to = rounding(self, low, high)
    factor, place = np.array(scale, np.float32), np.array(zero_point, np.float32)
    return lambda self, *rest: round_to(self, factor, place)


op(
    "fake_quantize_per_tensor_affine_cachemask(Tensor self, float scale, int zero_point, "
    "int quant_min, int quant_max) -> (Tensor output, Tensor mask)",
    says="Round to what quantised numbers can hold, and say which elements lay in their range.",
    meta=_tensor_meta,
    prepare=_prepare_of_tensor,
    grad={
        "self": lambda g, c: ops.fake_quantize_per_tensor_affine_cachemask_backward(g[0], c.result1)
    },
    half=False,
    tags=("one_gradient", "not_on_meta"),
    variants="",
    tangent="not implemented",
)
op(
    "fake_quantize_per_tensor_affine_cachemask_backward(Tensor grad, Tensor mask) -> Tensor",
    composite=lambda grad, mask: grad * mask,
    variants="",
)
op(
    "fake_quantize_per_tensor_affine(Tensor self, float scale, int zero_point, int quant_min, "
    "int quant_max) -> Tensor",
    says="Round to what quantised numbers can hold, with one scale for all.",
    composite=lambda self, *args: ops.fake_quantize_per_tensor_affine_cachemask(self, *args)[0],
    variants="function",
    samples="fake_quantize_per_tensor_affine",
    autocast=("float32", ""),
    tags=("loops: functional",),
)


def _given_meta(self: Any, scale: Any, zero_point: Any, on: Any, low: int, high: int) -> Any:
    check_range(low, high)
    return _outs(self)


def _prepare_given(
    self: Any, scale: Any, zero_point: Any, on: Any, low: int, high: int
) -> Callable[..., tuple[Any, Any]]:
    round_to = rounding(self, low, high)

    def kernel(
        self: Any, scale: Any, zero_point: Any, on: Any, low: int, high: int
    ) -> tuple[Any, Any]:
        if not on.item():
            return self.copy("C"), np.ones(self.shape, np.bool_)
        factor, place = scale.real.item(), int(zero_point.real.item())
        return round_to(self, np.array(factor, np.float32), np.array(place, np.float32))

    return kernel


op(
    "_fake_quantize_per_tensor_affine_cachemask_tensor_qparams(Tensor self, Tensor scale, "
    "Tensor zero_point, Tensor fake_quant_enabled, int quant_min, int quant_max) -> "
    "(Tensor output, Tensor mask)",
    meta=_given_meta,
    prepare=_prepare_given,
    grad={
        "self": lambda g, c: ops.fake_quantize_per_tensor_affine_cachemask_backward(g[0], c.result1)
    },
    half=False,
    tags=("one_gradient", "not_on_meta"),
    variants="",
    tangent="not implemented",
)


def _with_given(self: Any, scale: Any, zero_point: Any, low: int, high: int) -> Any:
    for given in (scale, zero_point):
        if given.numel() != 1:
            raise RuntimeError(
                f"a Tensor with {given.numel()} elements cannot be converted to Scalar"
            )
    on = ops.ones((1,), dtype=int64, layout=strided, device=scale.device)
    name = "_fake_quantize_per_tensor_affine_cachemask_tensor_qparams"
    return getattr(ops, name)(self, scale, zero_point, on, low, high)[0]


op(
    "fake_quantize_per_tensor_affine.tensor_qparams(Tensor self, Tensor scale, Tensor zero_point, "
    "int quant_min, int quant_max) -> Tensor",
    composite=_with_given,
    variants="function",
    samples="fake_quantize_per_tensor_affine_given",
    tags=("loops: functional",),
)


# -- a scale for each channel ----------------------------------------------------------------------


def check_scales(scale: Any) -> None:
    """Refuse scales of channels of another dtype than torch takes. Raises RuntimeError."""
    kind = dtype_of(scale)
    if kind.name not in ("float32", "bfloat16"):
        raise RuntimeError(f"Scale must be Float or BFloat16, found {kind.scalar_type}")


def check_channels(self: Any, scale: Any, zero_point: Any, axis: int) -> None:
    """Refuse scales and zero points that are not one each for a place along *axis*.

    Raises RuntimeError.
    """
    if len(scale.shape) != 1:
        raise RuntimeError("scale should be a 1-D tensor")
    if len(zero_point.shape) != 1:
        raise RuntimeError("zero point should be a 1-D tensor")
    if scale.shape[0] != zero_point.shape[0]:
        raise RuntimeError("scale and zero-point need to have the same dimensions")
    if size_at(self, axis) != scale.shape[0] or axis < 0:
        raise RuntimeError(
            "dimensions of scale and zero-point are not consistent with input tensor"
        )


def _channel_meta(self: Any, scale: Any, zero_point: Any, axis: int, low: int, high: int) -> Any:
    check_scales(scale)
    kind = dtype_of(zero_point)
    if kind.name not in ("int32", "float32", "float16"):
        raise RuntimeError(f"Zero-point must be Int32, Float or Half, found {kind.scalar_type}")
    check_channels(self, scale, zero_point, axis)
    check_range(low, high)
    return empty_like_out(self), empty_like_out(self, bool_)


def _prepare_channel(
    self: Any, scale: Any, zero_point: Any, axis: int, low: int, high: int
) -> Callable[..., tuple[Any, Any]]:
    whole = zero_point.dtype == np.int32
    round_to = rounding_channels(self, low, high, whole)
    shape = [1] * self.ndim
    shape[axis] = -1

    def kernel(self: Any, scale: Any, zero_point: Any, *rest: Any) -> tuple[Any, Any]:
        if whole:
            _outside(np.count_nonzero((zero_point < low) | (zero_point > high)))
        if self.size:
            refuse_array(self, {_CHANNEL: NOT_FLOATING | COMPLEX})
        factors = scale.astype(np.float32).reshape(shape)
        places = zero_point.astype(np.float64).reshape(shape)
        return round_to(self, factors, places)

    return kernel


op(
    "fake_quantize_per_channel_affine_cachemask(Tensor self, Tensor scale, Tensor zero_point, "
    "int axis, int quant_min, int quant_max) -> (Tensor output, Tensor mask)",
    says="Round to what quantised numbers of each channel can hold, and say which "
    "elements lay in their range.",
    meta=_channel_meta,
    prepare=_prepare_channel,
    grad={
        "self": lambda g, c: ops.fake_quantize_per_channel_affine_cachemask_backward(
            g[0], c.result1
        )
    },
    half=False,
    tags=("one_gradient", "not_on_meta"),
    variants="",
    tangent="not implemented",
)
op(
    "fake_quantize_per_channel_affine_cachemask_backward(Tensor grad, Tensor mask) -> Tensor",
    composite=lambda grad, mask: grad * mask if grad.numel() else grad,
    variants="",
)
op(
    "fake_quantize_per_channel_affine(Tensor self, Tensor scale, Tensor zero_point, int axis, "
    "int quant_min, int quant_max) -> Tensor",
    says="Round to what quantised numbers can hold, with a scale per channel.",
    composite=lambda self, *args: ops.fake_quantize_per_channel_affine_cachemask(self, *args)[0],
    variants="function",
    samples="fake_quantize_per_channel_affine",
    tags=("loops: functional",),
)
