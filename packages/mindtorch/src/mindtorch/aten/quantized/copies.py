"""Kernels that make, copy, fill and join quantized tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.layout import broadcast_shapes

from ...call.determinism import alert_not_deterministic
from ...core.constants import channels_last, channels_last_3d, contiguous_format
from ...core.errors import no_quantized_strides, not_as_expected
from ...core.operators import ops
from ...tensor.construction import wrap
from ...tensor.quantizer import INTEGERS, Quantizer, quantizer_of, set_quantizer, steps_of
from ...tensor.resizing import resize_
from ..factory import format_strides
from ..options import check_size
from .kernels import (
    dequantized,
    is_quantized,
    of_one_scale,
    over_steps,
    quantized,
    requantized,
    steps_tensor,
)
from .making import fill_steps, not_quantized_dtype, quantized_tensor, suggested_strides

__all__: list[str] = []


def _empty_as(t: Any, memory_format: Any, quantizer: Quantizer) -> Any:
    """Memory like that of *t*; None and ``preserve_format`` keep its memory format."""
    if memory_format in (contiguous_format, channels_last, channels_last_3d):
        strides = format_strides(tuple(t.shape), memory_format)
    else:
        strides = suggested_strides(t)
    return quantized_tensor(t.shape, strides, t.dtype, quantizer)


@quantized("empty_like", forms=False)
def _empty_like(
    self: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, memory_format: Any
) -> Any:
    if dtype is not None and dtype is not self.dtype:
        raise RuntimeError(
            "It is currently not supported to specify a dtype that doesn't match the input "
            "tensor's dtype via empty_like.  Specified: "
            f"{_C_NAMES.get(dtype.name, dtype.name)} Input tensor's dtype: c10::{self.dtype.name}"
        )
    return _empty_as(self, memory_format, quantizer_of(self))


#: What C++ calls dtypes.
_C_NAMES = {"float32": "float", "float64": "double", "int32": "int", "int64": "long"}


def _filling(fill: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel of an op that fills memory like that of its argument."""

    def kernel(self: Any, *args: Any) -> Any:
        *values, dtype, layout, device, pin_memory, memory_format = args
        made = _empty_like(self, dtype, layout, device, pin_memory, memory_format)
        return fill(made, *values)

    return kernel


def _new(fill: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel of an op that fills memory of a size: nobody says what its integers stand for."""

    def kernel(self: Any, size: Any, *args: Any) -> Any:
        *values, dtype, layout, device, pin_memory = args
        made = ops.empty(size, dtype=dtype or self.dtype, device=device, pin_memory=pin_memory)
        return fill(made, *values)

    return kernel


for _name, _fill_with in (
    ("zeros", lambda t: t.zero_()),
    ("ones", lambda t: t.fill_(1.0)),
    ("full", lambda t, value: t.fill_(value)),
    ("empty", lambda t: t),
    ("rand", lambda t: t.uniform_()),
    ("randn", lambda t: t.normal_()),
):
    if _name != "empty":
        quantized.register(f"{_name}_like", _filling(_fill_with), forms=False)
    if not _name.startswith("rand"):
        quantized.register(f"new_{_name}", _new(_fill_with), forms=False)


@quantized("new_empty_strided", forms=False)
def _new_empty_strided(self: Any, *args: Any) -> Any:
    raise no_quantized_strides()


@quantized("resize_", forms=False)
def _resize(self: Any, size: Any, memory_format: Any) -> Any:
    alert_not_deterministic("quantized_resize_cpu_")
    of_one_scale(self, "Can only resize quantized tensors with per-tensor schemes!")
    return resize_(self, size, memory_format)


@quantized("resize_as_", forms=False)
def _resize_as(self: Any, the_template: Any, memory_format: Any) -> Any:
    return self.resize_(the_template.shape, memory_format=memory_format)


@quantized("empty_quantized")
def _empty_quantized(
    size: Any, qtensor: Any, dtype: Any, layout: Any, device: Any, pin: Any, memory_format: Any
) -> Any:
    shape = check_size(size)
    strides = format_strides(shape, memory_format or contiguous_format)
    return quantized_tensor(shape, strides, dtype or qtensor.dtype, quantizer_of(qtensor))


@quantized("clone", forms=False)
def _clone(self: Any, memory_format: Any) -> Any:
    made = _empty_as(self, memory_format or contiguous_format, quantizer_of(self))
    steps_of(made._a_)[...] = steps_of(self._a_)
    return made


@quantized("_to_copy", forms=False)
def _to_copy(
    self: Any,
    dtype: Any,
    layout: Any,
    device: Any,
    pin_memory: Any,
    non_blocking: bool,
    memory_format: Any,
) -> Any:
    if dtype is not None and dtype is not self.dtype:
        if dtype.name not in INTEGERS:
            raise not_quantized_dtype()
        raise _other_dtype()
    if device is not None and device.type != "cpu":
        raise NotImplementedError(f"quantized tensors have no copies on {device.type} devices")
    return _clone(self, memory_format)


def _other_dtype() -> RuntimeError:
    return not_as_expected("self.scalar_type() == src.scalar_type()")


@quantized("copy_", forms=False)
def _copy(self: Any, src: Any, non_blocking: bool) -> Any:
    if not is_quantized(self):
        raise RuntimeError(
            "Copying from quantized Tensor to non-quantized Tensor is not allowed, please use "
            "dequantize to get a float Tensor from a quantized Tensor"
        )
    if not is_quantized(src):
        if src.dtype.name != "float32":
            raise RuntimeError("Quantized copy only works with kFloat as source Tensor")
        _check_order(self, src)
        if self.shape != src.shape:
            raise RuntimeError("Quantized copy only works with Tensors with the same shape")
        return fill_steps(self, src._host_())
    if quantizer_of(self).scheme is not quantizer_of(src).scheme:
        raise RuntimeError("Quantized Copy only works with same qscheme")
    if self.dtype is not src.dtype:
        raise _other_dtype()
    set_quantizer(self, quantizer_of(src))
    steps_of(self._a_)[...] = _broadcast(steps_of(src._a_), self)
    return self


def _broadcast(array: np.ndarray[Any, Any], t: Any) -> np.ndarray[Any, Any]:
    """*array* in the shape of *t*. Raises RuntimeError where it does not fit, as a copy would."""
    if array.shape == t._a_.shape:
        return array
    made = np.empty(t._a_.shape, array.dtype)
    wrap(made).copy_(wrap(array))
    return made


@quantized("narrow_copy", forms=False)
def _narrow_copy(self: Any, dim: int, start: int, length: int) -> Any:
    return _clone(self.narrow(dim, start, length), contiguous_format)


@quantized("embedding", forms=False)
def _embedding(weight: Any, indices: Any, *options: Any) -> Any:
    if weight.dim() != 2:
        raise RuntimeError("'weight' must be 2-D")
    found = ops.index_select(weight, 0, indices.reshape(-1))
    return found.view(*indices.shape, *weight.shape[1:])


def _check_order(*tensors: Any) -> None:
    """Raise RuntimeError where they do not all lie in memory in one of two orders."""
    if not any(
        all(t.is_contiguous(memory_format=order) for t in tensors)
        for order in (contiguous_format, channels_last)
    ):
        raise RuntimeError("Quantized copy only works with contiguous and NHWC Tensors")


@quantized("fill_.Scalar", "fill_.Tensor", forms=False)
def _fill(self: Any, value: Any) -> Any:
    _check_order(self)
    number = value._host_() if hasattr(value, "_sig_") else np.asarray(value)
    return fill_steps(self, np.broadcast_to(number.astype(np.float32), self._a_.shape))


@quantized("masked_fill_.Scalar", "masked_fill_.Tensor", forms=False)
def _masked_fill(self: Any, mask: Any, value: Any) -> Any:
    of_one_scale(
        self,
        "masked_fill__quantized_cpu for quantized tensors is currently only supported for per "
        "tensor quantized tensors",
    )
    steps_tensor(self).masked_fill_(mask, int(_step(self, value)))
    return self


@quantized("masked_fill.Scalar", "masked_fill.Tensor", forms=False)
def _masked_filled(self: Any, mask: Any, value: Any) -> Any:
    shape = broadcast_shapes(self._a_.shape, mask._a_.shape)
    return _masked_fill(_clone(self.expand(shape), None), mask, value)


def _step(t: Any, value: Any) -> Any:
    """The integer of the number *value* in a tensor like *t*."""
    number = np.float32(value.item() if hasattr(value, "_sig_") else value)
    return of_one_scale(t).quantized(np.asarray(number), t.dtype)


@quantized("index_put_", forms=False)
def _index_put(self: Any, indices: Any, values: Any, accumulate: bool) -> Any:
    if is_quantized(values):
        raise RuntimeError("Value argument for quantized input_put should not be quantized")
    quantizer = of_one_scale(
        self,
        "index_put for quantized tensors is currently only supported for per tensor quantized "
        "tensors",
    )
    if accumulate:
        raise RuntimeError(
            "index_put for quantized tensors is currently only supported for accumulate=False"
        )
    steps = quantizer.quantized(values._host_().astype(np.float32), self.dtype)
    steps_tensor(self).index_put_(indices, wrap(np.asarray(steps)))
    return self


@quantized("constant_pad_nd", forms=False)
def _pad(self: Any, pad: Any, value: Any) -> Any:
    quantizer = of_one_scale(self, "Only per-tensor padding is supported.")
    steps = ops.constant_pad_nd(steps_tensor(self), pad, int(_step(self, value)))
    return over_steps(steps, quantizer)


@quantized("cat", forms=False)
def _cat(tensors: Any, dim: int) -> Any:
    for t in tensors:
        of_one_scale(t, "Only per-tensor quantization is supported in 'cat'!")
    first = tensors[0]
    if any(t.dtype is not first.dtype for t in tensors):
        raise RuntimeError("All dtypes must be the same.")
    quantizer = of_one_scale(first)
    parts = []
    for t in tensors:
        same = quantizer.equals(quantizer_of(t))
        parts.append(steps_tensor(t if same else requantized(t, dequantized(t), quantizer)))
    return over_steps(ops.cat(parts, dim), quantizer)


@quantized("stack", forms=False)
def _stack(tensors: Any, dim: int) -> Any:
    return ops.cat([ops.unsqueeze(t, dim) for t in tensors], dim)
