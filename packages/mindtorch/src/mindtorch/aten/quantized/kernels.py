"""Kernels of quantized tensors that look at integers as they are: answers, orders, comparisons.

They are registered at QuantizedCPU with :data:`quantized`; what a row says of shapes and gradients
is not asked. An op that no module of this package has a kernel of is refused in torch's words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_dispatch import DispatchKey as K

from ...backends.functionality_kernels import FunctionalityKernels
from ...core import signature as S
from ...core.errors import not_as_expected, strides_of_channels
from ...core.operators import of, ops
from ...core.qscheme import qscheme
from ...tensor.array_memory import empty_array
from ...tensor.construction import wrap
from ...tensor.quantizer import (
    PerChannel,
    PerTensor,
    Quantizer,
    as_quantized,
    quantizer_of,
    steps_of,
)
from .making import (
    fill_steps,
    quantized_tensor,
    suggested_strides,
)

__all__ = [
    "by_steps",
    "dequantized",
    "is_quantized",
    "laid_out",
    "of_one_scale",
    "over_steps",
    "quantized",
    "requantized",
    "steps_tensor",
]


def _write(target: Any, result: Any) -> None:
    """Put the integers of *result* in place of those of *target*."""
    steps_of(target._a_)[...] = steps_of(result._a_)


quantized = FunctionalityKernels(K.QuantizedCPU, _write)


def is_quantized(t: Any) -> bool:
    """Whether a tensor is quantized."""
    return bool(t._sig_ & S.QUANTIZED)


def of_one_scale(t: Any, refusal: str = "") -> PerTensor:
    """The quantizer of a tensor that has one scale.

    Raises RuntimeError for others, with the text *refusal* if there is one; torch's
    NotImplementedError for a dense tensor.
    """
    found = quantizer_of_any(t)
    if not isinstance(found, PerTensor):
        if refusal:
            raise RuntimeError(refusal)
        raise not_as_expected("quantizer->qscheme() == kPerTensorAffine")
    return found


def quantizer_of_any(t: Any) -> Quantizer:
    """The quantizer of *t*. Raises torch's NotImplementedError for a dense tensor."""
    t.qscheme()
    return quantizer_of(t)


def _of_channels(t: Any) -> PerChannel:
    found = quantizer_of(t)
    if not isinstance(found, PerChannel):
        raise not_as_expected(
            "quantizer->qscheme() == kPerChannelAffine || quantizer->qscheme() == "
            "kPerChannelAffineFloatQParams"
        )
    return found


def dequantized(t: Any) -> np.ndarray[Any, Any]:
    """The numbers of a tensor: of a quantized one as float32, of another as they are.

    Raises RuntimeError where its channels do not lie along an axis of it any more.
    """
    if not is_quantized(t):
        return np.asarray(t._host_())
    steps, quantizer = steps_of(t._a_), quantizer_of(t)
    if isinstance(quantizer, PerChannel):
        axis, count = quantizer.axis, quantizer.scales.size
        if not 0 <= axis < steps.ndim:
            raise RuntimeError(
                "Channel axis out of range in per channel affine dequantization. "
                f"Got:{axis} Expected: [0, {steps.ndim})"
            )
        if steps.shape[axis] != count:
            raise RuntimeError(
                f"length of scales must equal to channel, expected {steps.shape[axis]} got, {count}"
            )
    return quantizer.dequantized(steps)


def laid_out(t: Any, array: np.ndarray[Any, Any]) -> Any:
    """A tensor with the elements of *array*, of the shape of *t*, in the memory format of *t*."""
    made = empty_array(array.shape, array.dtype, suggested_strides(t))
    made[...] = array
    return wrap(made)


def requantized(t: Any, numbers: np.ndarray[Any, Any], quantizer: Quantizer | None = None) -> Any:
    """A tensor with the dtype of *t* whose integers are nearest to *numbers*.

    :param quantizer: in place of that of *t*.
    """
    strides = suggested_strides(t) if numbers.shape == tuple(t.shape) else None
    made = quantized_tensor(numbers.shape, strides, t.dtype, quantizer or quantizer_of(t))
    return fill_steps(made, np.asarray(numbers, np.float32))


# -- ops on the integers --------------------------------------------------------------------------


def steps_tensor(t: Any) -> Any:
    """A dense tensor over the integers of *t*, in the same memory."""
    return wrap(steps_of(t._a_))


def over_steps(steps: Any, quantizer: Quantizer) -> Any:
    """A quantized tensor over the integers of a fresh dense one."""
    return wrap(as_quantized(steps._a_, quantizer))


def _result(made: Any, quantizer: Quantizer, dtype: Any) -> Any:
    """What an op gave of integers, with those of *dtype* quantized."""
    if isinstance(made, tuple | list):
        return type(made)(_result(each, quantizer, dtype) for each in made)
    return over_steps(made, quantizer) if made.dtype is dtype else made


def by_steps(*names: str, refusal: str = "") -> None:
    """Let the ops *names* do with a quantized tensor what they do with its integers.

    They move or choose elements; results of the integers' dtype have the quantizer of the first
    argument.

    :param refusal: what is said to a tensor with scales of channels, where torch says it otherwise.
    """
    for name in names:
        quantized.register(name, _by_steps(name, refusal), forms=False)


def _by_steps(name: str, refusal: str) -> Callable[..., Any]:
    def kernel(self: Any, *rest: Any) -> Any:
        quantizer = of_one_scale(self, refusal)
        steps = laid_out(self, steps_of(self._a_))
        return _result(of(name)(steps, *rest), quantizer, steps.dtype)

    return kernel


by_steps("flip", "rot90", "repeat", refusal=str(strides_of_channels()))
by_steps("pixel_shuffle", "pixel_unshuffle", refusal=str(strides_of_channels()))
by_steps("sort", "sort.stable", "index.Tensor")
by_steps("topk", refusal="Top-K is only supported on per-tensor quantization")
by_steps(
    "index_select",
    refusal="Only per_tensor quantized quantized tensors are supported by index_select.",
)


@quantized("channel_shuffle", forms=False)
def _channel_shuffle(self: Any, groups: int) -> Any:
    if self.dim() != 4:
        raise RuntimeError(
            f"channel_shuffle expects 4D input, but got input with sizes {list(self.shape)}"
        )
    if self.dtype.name != "quint8":
        raise RuntimeError(
            "Quantized channel shuffle works only on QUInt8 but got " + self.dtype.scalar_type
        )
    return over_steps(ops.channel_shuffle(steps_tensor(self), groups), of_one_scale(self))


# -- answers --------------------------------------------------------------------------------------


@quantized("q_scale")
def _scale(self: Any) -> float:
    return of_one_scale(self).scale


@quantized("q_zero_point")
def _zero_point(self: Any) -> int:
    return of_one_scale(self).zero_point


@quantized("q_per_channel_scales")
def _scales(self: Any) -> Any:
    return wrap(_of_channels(self).scales)


@quantized("q_per_channel_zero_points")
def _zero_points(self: Any) -> Any:
    return wrap(_of_channels(self).zero_points)


@quantized("q_per_channel_axis")
def _axis(self: Any) -> int:
    return _of_channels(self).axis


@quantized("qscheme")
def _scheme(self: Any) -> qscheme:
    return quantizer_of(self).scheme


@quantized("int_repr")
def _int_repr(self: Any) -> Any:
    return laid_out(self, steps_of(self._a_))


@quantized("dequantize.self")
def _dequantize(self: Any) -> Any:
    return laid_out(self, dequantized(self))


@quantized("dequantize.tensors")
def _dequantize_each(tensors: Any) -> list[Any]:
    return [_dequantize(t) for t in tensors]


# -- comparisons ----------------------------------------------------------------------------------


def _comparing(name: str) -> Callable[..., Any]:
    def kernel(*both: Any) -> Any:
        numbers = [
            _dequantize(each) if hasattr(each, "_sig_") and is_quantized(each) else each
            for each in both
        ]
        return of(name)(*numbers)

    return kernel


for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    for _other in ("Tensor", "Scalar"):
        quantized.register(f"{_name}.{_other}", _comparing(f"{_name}.{_other}"), forms=False)


@quantized("equal")
def _equal(self: Any, other: Any) -> bool:
    if not is_quantized(self) or not is_quantized(other):
        return False
    same = self.dtype is other.dtype and quantizer_of(self).equals(quantizer_of(other))
    return same and bool(np.array_equal(steps_of(self._a_), steps_of(other._a_)))
