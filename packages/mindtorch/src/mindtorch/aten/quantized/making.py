"""Quantized tensors: how they are made of numbers or integers, and what they answer.

A quantized tensor is a strided one whose dtype is ``qint8``, ``quint8`` or ``qint32``: its memory
holds integers, which stand for numbers by a quantizer (see ``tensor.quantizer``). Its ops have
their kernels at the key QuantizedCPU: see ``kernels``, which is loaded with this module,
that is, before there is any such tensor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage import DType, float32

from ...call.row import op
from ...core import signature as S
from ...core.dims import channels_last, channels_last_3d
from ...core.warning import warn_once
from ...tensor.array_memory import empty_array
from ...tensor.construction import wrap
from ...tensor.quantizer import (
    INTEGERS,
    PerTensor,
    Quantizer,
    as_quantized,
    as_steps,
    channel_parameters,
    quantized_dtype,
    quantizer_of,
    steps_of,
)
from ..factory import format_strides
from ..options import OPTIONS, check_size
from ..quantization_parameters import choose_parameters

__all__ = ["fill_steps", "not_quantized_dtype", "quantized_tensor", "suggested_strides"]

_DEPRECATED = (
    "torch.quantize_per_tensor, torch.quantize_per_channel and other quantized tensor creation "
    "functions that produce tensors with dtype torch.quint8, torch.qint8, and torch.qint32 are "
    "deprecated and will be removed in a future PyTorch release. Please see "
    "https://github.com/pytorch/pytorch/issues/184982 for more information."
)


def quantized_tensor(shape: Any, strides: Any, dtype: DType, quantizer: Quantizer) -> Any:
    """A fresh tensor with uninitialised integers. Raises RuntimeError for another dtype."""
    if dtype.name not in INTEGERS:
        raise RuntimeError(f"ScalarType {dtype.scalar_type} is not supported in new_qtensor.")
    warn_once(_DEPRECATED)
    return wrap(as_quantized(empty_array(tuple(shape), as_steps(dtype), strides), quantizer))


def fill_steps(t: Any, numbers: np.ndarray[Any, Any]) -> Any:
    """*t*, a quantized tensor, with the integers that float32 *numbers* are nearest to."""
    steps_of(t._a_)[...] = quantizer_of(t).quantized(numbers, t.dtype)
    return t


def suggested_strides(t: Any) -> tuple[int, ...] | None:
    """The strides of the memory format that a tensor lies in; None: contiguous.

    Source: torch c10/core/TensorImpl.h, suggest_memory_format.
    """
    if t.dim() in (4, 5):
        shape, strides = tuple(t.shape), t.stride()
        last = channels_last(shape) if len(shape) == 4 else channels_last_3d(shape)
        if strides == tuple(last) and not t.is_contiguous():
            return last
    return None


def _filled(self: Any, dtype: DType, quantizer: Quantizer) -> Any:
    made = quantized_tensor(self.shape, suggested_strides(self), dtype, quantizer)
    return fill_steps(made, self._host_())


# -- numbers become integers ----------------------------------------------------------------------


def _check_place(zero_point: Any, dtype: DType, name: str) -> None:
    """Raise RuntimeError for a zero point out of the range of *dtype*. *name* is the kernel's."""
    info = np.iinfo(as_steps(dtype))
    if zero_point > info.max:
        raise RuntimeError(f"{name} zero_point {zero_point} is above upper bound.")
    if zero_point < info.min:
        raise RuntimeError(f"{name} zero_point {zero_point} is below lower bound.")


def _quantize(self: Any, scale: float, zero_point: int, dtype: DType) -> Any:
    if dtype.name not in INTEGERS:
        raise RuntimeError(f"ScalarType {dtype.scalar_type} is not supported in new_qtensor.")
    if self.dtype.name != "float32":
        raise RuntimeError(f"Quantize only works on Float Tensor, got {self.dtype.scalar_type}")
    _check_place(zero_point, dtype, "quantize_tensor_per_tensor_affine")
    return _filled(self, dtype, PerTensor(scale, zero_point))


def _by_tensors(self: Any, scale: Any, zero_point: Any, dtype: DType) -> Any:
    return _quantize(self, float(scale.item()), int(zero_point.item()), dtype)


def _each(tensors: Any, scales: Any, zero_points: Any, dtype: DType) -> list[Any]:
    return [_by_tensors(t, scales[i], zero_points[i], dtype) for i, t in enumerate(tensors)]


def _quantize_dynamically(self: Any, dtype: DType, reduce_range: bool) -> Any:
    if dtype.name == "float16":  # of which there is nothing to find
        return self.half()
    if dtype.name not in ("qint8", "quint8"):
        raise RuntimeError(f"dtype {dtype.scalar_type}not supported")
    if self.dtype.name != "float32":
        raise RuntimeError(f"Quantize only works on Float Tensor, got {self.dtype.scalar_type}")
    low, high = (float(v) for v in (self.min().item(), self.max().item()))
    ends = (-64, 63) if dtype.name == "qint8" else (0, 127)
    if not reduce_range:
        info = np.iinfo(as_steps(dtype))
        ends = info.min, info.max
    return _filled(self, dtype, PerTensor(*choose_parameters(low, high, *ends)))


def _quantize_channels(self: Any, scales: Any, zero_points: Any, axis: int, dtype: DType) -> Any:
    if scales.dim() != 1:
        raise RuntimeError("scale tensor must have dimension 1")
    if zero_points.dim() != 1:
        raise RuntimeError("zero_points tensor must have dimension 1")
    if scales.numel() != zero_points.numel():
        raise RuntimeError("number of elements in scales and zero_points must match")
    quantizer = channel_parameters(scales._host_(), zero_points._host_(), axis)
    name = "quantize_tensor_per_channel_affine"
    if quantizer.floating:
        name = "quantize_tensor_per_channel_float_qparams"
    made = quantized_tensor(self.shape, suggested_strides(self), dtype, quantizer)
    if self.dtype.name != "float32":
        raise RuntimeError(f"{name} expects a Float Tensor, got {self.dtype.scalar_type}")
    _check_axis(self, axis, quantizer.scales.size, f"{name.replace('tensor_', '', 1)}")
    if not quantizer.floating:
        for place in quantizer.zero_points.tolist():
            _check_place(place, dtype, name)
    return fill_steps(made, self._host_())


def _check_axis(self: Any, axis: int, count: int, what: str) -> None:
    if not 0 <= axis < self.dim():
        raise RuntimeError(
            "Channel axis out of range in per channel affine quantization. "
            f"Got: {axis}Expected: [0, {self.dim()})"
        )
    if self.shape[axis] != count:
        raise RuntimeError(
            f"length of scales must equal to channel, expected {self.shape[axis]} got, {count}"
        )


def _making(schema: str, kernel: Callable[..., Any] | None, says: str = "", *tags: str) -> None:
    """Define an op that makes quantized tensors of dense ones, on the host."""
    op(
        f"{schema} -> Tensor" if "->" not in schema else schema,
        says=says,
        composite=kernel,
        kinds={"functional": "host"} if kernel else None,
        batch="whole_loop" if kernel else "",
        variants="function",
        tags=("quantizes", *tags),
    )


_making(
    "quantize_per_tensor(Tensor self, float scale, int zero_point, ScalarType dtype)",
    _quantize,
    "Return a quantized tensor of the nearest integers, with one scale and zero point.",
)
_making(
    "quantize_per_tensor.tensor_qparams(Tensor self, Tensor scale, Tensor zero_point, "
    "ScalarType dtype)",
    _by_tensors,
)
_making(
    "quantize_per_tensor.tensors(Tensor[] tensors, Tensor scales, Tensor zero_points, "
    "ScalarType dtype) -> Tensor[]",
    _each,
)
_making(
    "quantize_per_tensor_dynamic(Tensor self, ScalarType dtype, bool reduce_range)",
    _quantize_dynamically,
    "Return a quantized tensor whose scale and zero point follow from the range of numbers.",
)
_making(
    "quantize_per_channel(Tensor self, Tensor scales, Tensor zero_points, int axis, "
    "ScalarType dtype)",
    _quantize_channels,
    "Return a quantized tensor with a scale and a zero point for each place along an axis.",
)


# -- of integers, or of nothing -------------------------------------------------------------------


def _over(self: Any, quantizer: Quantizer) -> Any:
    dtype = quantized_dtype(self.dtype)
    if dtype is None:
        raise not_quantized_dtype()
    made = quantized_tensor(self.shape, None, dtype, quantizer)
    steps_of(made._a_)[...] = self._host_()
    return made


def not_quantized_dtype() -> RuntimeError:
    """torch aten/src/ATen/quantized/Quantizer.cpp: a dtype that quantized tensors have not."""
    return RuntimeError("Creation of quantized tensor requires quantized dtype like torch.quint8")


def _empty(
    size: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, quantizer: Any, memory: Any
) -> Any:
    if dtype is None or not S.QUANTIZED & S.dtype_bits(dtype)[0]:
        raise not_quantized_dtype()
    shape = check_size(size, dtype.itemsize)
    strides = format_strides(shape, memory or None)  # the schema's default is 0, contiguous
    return quantized_tensor(shape, strides, dtype, quantizer)


def _empty_affine(
    size: Any,
    dtype: Any,
    layout: Any,
    device: Any,
    pin_memory: Any,
    scale: float,
    zero_point: int,
    memory_format: Any,
) -> Any:
    quantizer = PerTensor(scale, zero_point)
    return _empty(size, dtype, layout, device, pin_memory, quantizer, memory_format)


def _empty_channels(
    size: Any,
    scales: Any,
    zero_points: Any,
    axis: int,
    dtype: Any,
    layout: Any,
    device: Any,
    pin_memory: Any,
    memory_format: Any,
) -> Any:
    quantizer = channel_parameters(scales._host_(), zero_points._host_(), axis)
    return _empty(size, dtype, layout, device, pin_memory, quantizer, memory_format)


_making(
    "_make_per_tensor_quantized_tensor(Tensor self, float scale, int zero_point)",
    lambda self, scale, zero_point: _over(self, PerTensor(scale, zero_point)),
    "Return a quantized tensor of these integers.",
)
_making(
    "_make_per_channel_quantized_tensor(Tensor self, Tensor scale, Tensor zero_point, int axis)",
    lambda self, scale, zero_point, axis: _over(
        self, channel_parameters(scale._host_(), zero_point._host_(), axis)
    ),
    "Return a quantized tensor of these integers, with a scale for each place along an axis.",
)
_making(
    f"_empty_affine_quantized(SymInt[] size, *, {OPTIONS}, float scale=1., int zero_point=0, "
    "MemoryFormat? memory_format=contiguous_format)",
    _empty_affine,
    "Return a quantized tensor of uninitialised integers.",
)
_making(
    "_empty_per_channel_affine_quantized(SymInt[] size, *, Tensor scales, Tensor zero_points, "
    f"int axis, {OPTIONS}, MemoryFormat? memory_format=contiguous_format)",
    _empty_channels,
    "Return a quantized tensor of uninitialised integers, with scales along an axis.",
    "selects_backend",
)
_making(
    f"empty_quantized(int[] size, Tensor qtensor, *, {OPTIONS}, MemoryFormat? memory_format=None)",
    None,
    "Return a quantized tensor of uninitialised integers, with another's quantizer.",
    "selects_backend",
)


# -- what quantized tensors answer ----------------------------------------------------------------

for _schema, _says in (
    ("q_scale(Tensor self) -> float", "Return the scale of a quantized tensor."),
    ("q_zero_point(Tensor self) -> int", "Return the zero point of a quantized tensor."),
    ("q_per_channel_scales(Tensor self) -> Tensor", "Return the scales of channels."),
    ("q_per_channel_zero_points(Tensor self) -> Tensor", "Return the zero points of channels."),
    ("q_per_channel_axis(Tensor self) -> int", "Return the axis that channels lie along."),
    ("int_repr(Tensor self) -> Tensor", "Return the integers of a quantized tensor."),
):
    op(_schema, says=_says, tags=("quantizes",))
op(
    "qscheme(Tensor self) -> QScheme",
    says="Return by what rule integers stand for numbers.",
    variants="method",
    tags=("quantizes",),
)
for _n, _padding, _dilation in (("1", "[0]", "[1]"), ("2", "0", "1"), ("3", "0", "1")):
    op(
        f"quantized_max_pool{_n}d(Tensor self, int[{_n}] kernel_size, int[{_n}] stride=[], "
        f"int[{_n}] padding={_padding}, int[{_n}] dilation={_dilation}, bool ceil_mode=False) "
        "-> Tensor",
        says="Return the maxima of sliding windows over a quantized tensor.",
        variants="function",
        tags=("quantizes",),
    )
op(
    "dequantize.self(Tensor self) -> Tensor",
    says="Return the numbers that a quantized tensor stands for, as float32.",
    composite=lambda self: self.to(float32),
    kinds={"functional": "host"},
    tags=("quantizes",),
)
op(
    "dequantize.tensors(Tensor[] tensors) -> Tensor[]",
    variants="function",
    tags=("quantizes",),
)
