"""Numbers rounded by scales and zero points that are learned: ``_fake_quantize_learnable_…``.

Source: torch aten/src/ATen/native/quantized/FakeQuantPerTensorAffine.cpp and
FakeQuantPerChannelAffine.cpp.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..call.elementwise_meta import refuse
from ..call.row import op
from ..core.dims import size_at
from ..core.errors import not_as_expected
from ..core.operators import ops
from .fake_quantization import REFUSED

__all__: list[str] = []

_GIVEN = "Tensor self, Tensor scale, Tensor zero_point, "
_REST = "int quant_min, int quant_max, float grad_factor=1.0"
_LEAST = -(2.0**63)


def _singles(**given: Any) -> None:
    for name, tensor in given.items():
        if tensor.dtype.name != "float32":
            raise not_as_expected(f"{name}.scalar_type() == ScalarType::Float")


def _place(zero_point: Any, low: int, high: int, backward: bool = False) -> int:
    """The first zero point, within the range; what is no number is the least of all.

    Like torch, whose gradients take the half above it and leave the fraction out.
    """
    place = np.float32(ops.select(zero_point, 0, 0).item().real)
    place = place + np.float32(0.5) if backward else np.rint(place)
    return int(min(max(place, low), high)) if place == place else int(_LEAST)


def _number(value: float, like: Any) -> Any:
    return ops.full((), float(value), dtype=like.dtype, device=like.device)


def _gradients(
    grad: Any, x: Any, scale: Any, place: Any, low: int, high: int, factor: float
) -> tuple[Any, Any, Any]:
    """For each element what it gives to the gradients of itself, the scale and the zero point.

    What is no number or too large has, as an integer of the host, the least value there is.
    """
    inverse = 1.0 / scale
    steps = ops.round(x * inverse) + place
    steps = ops.where(ops.abs(steps) < -_LEAST, steps, _LEAST)
    clipped = ops.clamp(steps, low, high)
    inside = clipped == steps
    error = ((clipped - place) * scale - x) * inverse
    of_scale = ops.where(inside, error, clipped - place) * grad * factor
    return inside * grad, of_scale, ops.where(inside, 0.0, -grad * scale * factor)


# -- one scale for all -----------------------------------------------------------------------------


def _of_tensor(self: Any, scale: Any, zero_point: Any, low: int, high: int, factor: float) -> Any:
    refuse(self.dtype, REFUSED, self)  # of no elements, too
    given = ops.select(scale, 0, 0).item().real, _place(zero_point, low, high)
    return ops.fake_quantize_per_tensor_affine(self, *given, low, high)


def _of_tensor_backward(
    grad: Any, self: Any, scale: Any, zero_point: Any, low: int, high: int, factor: float
) -> tuple[Any, Any, Any]:
    value = ops.select(scale, 0, 0).item().real
    place = _place(zero_point, low, high, backward=True)
    _singles(dY_=grad, X_=self, scale_=scale, zero_point_=zero_point)
    if self.numel() != grad.numel():
        raise RuntimeError("`X` and `dY` are not the same size")
    if low > 0 or high < 0:
        raise RuntimeError(
            "`quant_min` should be less than or         equal to `quant_max`, and the "
            "quantization range should include 0."
        )
    if not self.numel():
        return self, scale, zero_point
    given = grad.detach(), self.detach(), _number(value, self), _number(place, self)
    of_self, of_scale, of_place = _gradients(*given, low, high, factor)
    return of_self, ops.sum(of_scale).unsqueeze(0), ops.sum(of_place).unsqueeze(0)


def _tensor_grad(g: Any, c: Any) -> Any:
    return ops._fake_quantize_learnable_per_tensor_affine_backward(
        g, c.self, c.scale, c.zero_point, c.quant_min, c.quant_max, c.grad_factor
    )


# -- a scale for each channel ----------------------------------------------------------------------


def _places(zero_point: Any, low: int, high: int) -> Any:
    return ops.clamp(ops.round(zero_point.detach()), low, high)


def _of_channels(
    self: Any, scale: Any, zero_point: Any, axis: int, low: int, high: int, factor: float
) -> Any:
    places = _places(zero_point, low, high).int()
    return ops.fake_quantize_per_channel_affine(self, scale, places, axis, low, high)


def _of_channels_backward(
    grad: Any, self: Any, scale: Any, zero_point: Any, axis: int, low: int, high: int, factor: float
) -> tuple[Any, Any, Any]:
    _singles(dY_=grad, X_=self, scale_=scale, zero_point_=zero_point)
    if self.shape != grad.shape:
        raise RuntimeError("`X` and `dY` are not the same size")
    if low > 0 or high < 0:
        raise RuntimeError("Expecting `quant_min` <= 0 and `quant_max` >= 0")
    if scale.dim() != 1:
        raise RuntimeError("scale should be a 1-D tensor")
    if zero_point.dim() != 1:
        raise RuntimeError("zero point should be a 1-D tensor")
    if scale.numel() != zero_point.numel():
        raise RuntimeError("scale and zero-point need to have the same dimensions")
    if scale.numel() != size_at(self, axis):
        raise RuntimeError(
            "dimensions of scale and zero-point are not consistent with input tensor"
        )
    if axis < 0:
        raise RuntimeError("`axis` must be between 0 and number of dimensions of input")
    if not self.numel():
        return self, scale, zero_point
    shape = [1] * self.dim()
    shape[axis] = -1
    places = _places(zero_point, low, high)
    given = grad.detach(), self.detach(), scale.detach().view(shape), places.view(shape)
    of_self, of_scale, of_place = _gradients(*given, low, high, factor)
    others = [dim for dim in range(self.dim()) if dim != axis]
    if others:
        of_scale, of_place = of_scale.sum(others), of_place.sum(others)
    return of_self, of_scale, of_place


def _channel_grad(g: Any, c: Any) -> Any:
    given = g, c.self, c.scale, c.zero_point, c.axis, c.quant_min, c.quant_max, c.grad_factor
    return ops._fake_quantize_learnable_per_channel_affine_backward(*given)


for _name, _axis, _forward, _backward in (
    ("tensor", "", _of_tensor, _of_tensor_backward),
    ("channel", "int axis, ", _of_channels, _of_channels_backward),
):
    _op = f"_fake_quantize_learnable_per_{_name}_affine"
    op(
        f"{_op}({_GIVEN}{_axis}{_REST}) -> Tensor",
        composite=_forward,
        kinds={"functional": "backends"},
        variants="function",
        grad={"self, scale, zero_point": _tensor_grad if not _axis else _channel_grad},
        tangent="not implemented",
        samples=_op[1:],
    )
    op(
        f"{_op}_backward(Tensor grad, {_GIVEN}{_axis}{_REST}) -> (Tensor, Tensor, Tensor)",
        composite=_backward,
        kinds={"functional": "backends"},
        variants="",
        samples=f"{_op[1:]}_backward",
    )
