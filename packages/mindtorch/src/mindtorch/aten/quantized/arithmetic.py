"""Arithmetic and norms of quantized tensors: ``torch.ops.quantized.add`` and its kin.

Numbers are computed in single precision and rounded to the integers of the quantizer that is asked
for; products of two tensors are products of integers. Where torch changes the quantizer in place of
the integers (a tensor plus a number), so is it here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_dispatch import DispatchKey as K

from ...core.constants import channels_last, channels_last_3d
from ...core.operators import of, ops
from ...tensor.construction import wrap
from ...tensor.quantizer import PerTensor, steps_of
from .activation import by_numbers, clipped
from .kernels import dequantized, laid_out, of_one_scale, over_steps, requantized
from .operators import define

__all__: list[str] = []

#: The memory format with channels last, by dimensions.
_LAST = {4: channels_last, 5: channels_last_3d}
_NORM = "Tensor? weight, Tensor? bias"
_OUT = "float output_scale, int output_zero_point"


def _positive(numbers: Any, relu: bool) -> Any:
    return np.maximum(numbers, np.float32(0)) if relu else numbers


def _check_operands(qa: Any, qb: Any, what: str) -> None:
    """Source: torch aten/src/ATen/native/quantized/cpu/BinaryOps.h, check_inputs."""
    of_one_scale(qa, f"Only per tensor quantization is supported in {what}.")
    of_one_scale(qb, f"Both inputs to {what} must have the same quantization scheme.")
    if qa.dtype is not qb.dtype:
        raise RuntimeError(f"{what} operands should have same data type.")


def _add(relu: bool) -> Callable[..., Any]:
    def kernel(qa: Any, qb: Any, scale: float, zero_point: int) -> Any:
        _check_operands(qa, qb, "Add")
        total = ops.add(wrap(dequantized(qa)), wrap(dequantized(qb)))._a_
        return requantized(qa, _positive(total, relu), PerTensor(scale, zero_point))

    return kernel


def _mul(relu: bool) -> Callable[..., Any]:
    def kernel(qa: Any, qb: Any, scale: float, zero_point: int) -> Any:
        _check_operands(qa, qb, "Mul")
        a, b = of_one_scale(qa), of_one_scale(qb)
        exact = ops.mul(
            *(wrap(steps_of(q._a_).astype(np.int64) - p.zero_point) for q, p in ((qa, a), (qb, b)))
        )._a_
        with np.errstate(all="ignore"):
            factor = np.float32(np.float64(a.scale) * b.scale * (1 / np.float64(scale)))
            steps = exact.astype(np.float32) * factor
        return _rounded(qa, steps, PerTensor(scale, zero_point), relu)

    return kernel


def _rounded(t: Any, steps: Any, wanted: PerTensor, relu: bool = False) -> Any:
    """A tensor like *t* of the integers nearest to *steps*, counted from the zero point.

    What no integer of 32 bits is near to becomes the least one.
    """
    kind = steps_of(t._a_).dtype
    info = np.iinfo(kind)
    low = wanted.zero_point if relu else info.min
    nearest = np.where(np.abs(steps) < 2.0**31, np.rint(steps), -np.inf)
    found = np.clip(nearest + wanted.zero_point, low, info.max).astype(kind)
    return over_steps(laid_out(t, found) if found.shape == t._a_.shape else wrap(found), wanted)


def _add_number(relu: bool) -> Callable[..., Any]:
    """The quantizer moves; where its zero point would leave the range, the scale widens."""

    def kernel(qa: Any, b: Any) -> Any:
        given, info = (
            of_one_scale(qa, "Only per tensor quantization is supported in Add."),
            np.iinfo(steps_of(qa._a_).dtype),
        )
        scale, place = given
        step = int(np.rint(_number(b) / scale))
        moved, size = place - step, int(info.max) - int(info.min)
        if info.min <= moved <= info.max:
            low = moved if relu else info.min
            return over_steps(
                laid_out(qa, np.maximum(steps_of(qa._a_), low)), PerTensor(scale, moved)
            )
        if moved < info.min:
            wanted = PerTensor((info.max - moved) / size * scale, int(info.min))
        else:
            wanted = PerTensor((moved - info.min) / size * scale, int(info.max))
        away = (steps_of(qa._a_).astype(np.int64) - place + step).astype(np.float32)
        factor = np.float32(np.float32(scale) * (np.float32(1) / np.float32(wanted.scale)))
        return _rounded(qa, away * factor, wanted, relu)

    return kernel


def _mul_number(relu: bool) -> Callable[..., Any]:
    """The scale is multiplied; of a negative number the range is turned round."""

    def kernel(qa: Any, b: Any) -> Any:
        steps, number = steps_of(qa._a_), _number(b)
        (scale, place), info = (
            of_one_scale(qa, "Only per tensor quantization is supported in Mul."),
            np.iinfo(steps.dtype),
        )
        if number == 0:
            return over_steps(laid_out(qa, np.zeros_like(steps)), PerTensor(1.0, 0))
        if number > 0:
            wanted, found = PerTensor(scale * number, place), steps
        else:
            ends = int(info.max) + int(info.min)
            wanted = PerTensor(scale * -number, ends - place)
            found = (ends - steps.astype(np.int64)).astype(steps.dtype)
        if relu:
            found = np.maximum(found, wanted.zero_point).astype(steps.dtype)
        return over_steps(laid_out(qa, found), wanted)

    return kernel


def _turned(kernel: Callable[..., Any]) -> Callable[..., Any]:
    return lambda b, qa: kernel(qa, b)


def _number(b: Any) -> float:
    return float(b.item() if hasattr(b, "_sig_") else b)


def _cat(relu: bool) -> Callable[..., Any]:
    def kernel(qx: Any, dim: int, scale: float | None, zero_point: int | None) -> Any:
        first = of_one_scale(qx[0], "Only per-tensor quantization is supported in 'cat'!")
        if any(q.dtype is not qx[0].dtype for q in qx):
            raise RuntimeError("All dtypes must be the same.")
        for q in qx:
            of_one_scale(q, "Quantization schemes must be the same.")
        wanted = PerTensor(
            first.scale if scale is None else scale,
            first.zero_point if zero_point is None else zero_point,
        )
        joined = ops.cat([wrap(dequantized(q)) for q in qx], dim)._a_
        return requantized(qx[0], _positive(joined, relu), wanted)

    return kernel


def _function(name: str) -> Callable[..., Any]:
    """The kernel of a function of numbers."""

    def kernel(qx: Any, scale: float, place: int) -> Any:
        return by_numbers(qx, name, quantizer=PerTensor(scale, place))

    return kernel


def _leaky(qx: Any, slope: Any, inplace: bool, scale: float, place: int) -> Any:
    return by_numbers(qx, "leaky_relu", slope, quantizer=PerTensor(scale, place))


def _elu(qx: Any, scale: float, place: int, alpha: Any = 1, outer: Any = 1, inner: Any = 1) -> Any:
    return by_numbers(qx, "elu", alpha, outer, inner, quantizer=PerTensor(scale, place))


def _celu(qx: Any, scale: float, place: int, alpha: Any = 1) -> Any:
    if alpha == 0:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")
    return by_numbers(qx, "elu", alpha, 1, 1 / alpha, quantizer=PerTensor(scale, place))


def _prelu(qx: Any, weight: Any, scale: float, place: int) -> Any:
    of_one_scale(qx)
    weight.q_zero_point()  # refuses a dense one
    if weight.dtype is not qx.dtype:
        raise RuntimeError(
            f"Found dtype {weight.dtype.scalar_type} but expected {qx.dtype.scalar_type}"
        )
    numbers = ops.prelu(wrap(dequantized(qx)), wrap(dequantized(weight)))._a_
    # In torch positive numbers have a slope, too: 1 as the weight's integers can hold it.
    slopes = of_one_scale(weight)
    one = slopes.dequantized(slopes.quantized(np.ones(1, np.float32), weight.dtype))
    return requantized(qx, np.where(numbers > 0, numbers * one, numbers), PerTensor(scale, place))


def _softmax(qx: Any, dim: int, scale: float, place: int) -> Any:
    qx = qx.contiguous()
    numbers = ops.softmax(wrap(dequantized(qx)), dim)
    return requantized(qx, numbers._a_, PerTensor(scale, place))


def _matmul(qa: Any, qb: Any, scale: float, place: int) -> Any:
    for q in (qa, qb):
        of_one_scale(q, "Only per-tensor quantization is supported in Matmul.")
    if qa.dtype is not qb.dtype:
        raise RuntimeError("MatMul operands should have same data type.")
    if qa.dtype.name == "qint32":
        raise RuntimeError("MatMul operands should use QInt8 or QUInt8 data types.")
    numbers = ops.matmul(wrap(dequantized(qa)), wrap(dequantized(qb)))
    return requantized(qa, numbers._a_, PerTensor(scale, place))


def _relu6(qx: Any, inplace: bool = False) -> Any:
    made = clipped(qx, 0.0, 6.0)
    return qx.copy_(made) if inplace else made


def _dropout(qx: Any, scale: float, place: int, p: Any = 0.5, training: bool = False) -> Any:
    return qx  # in evaluation, which is all that there is of quantized layers


def _check_batch_norm(qx: Any, weight: Any, bias: Any, mean: Any, var: Any, n: str) -> None:
    """Refuse what quantized batch norm over *n* dimensions does not take. Raises RuntimeError."""
    for name, given in (("Weight", weight), ("Bias", bias)):
        if given is None:
            raise RuntimeError(f"{name} must be provided")
    if qx.dim() not in _RANKS[n]:
        raise RuntimeError(
            f"Expecting the input tensor of rank {' or '.join(map(str, _RANKS[n]))}."
            if n
            else "quantized::batch_norm only support 2d, 3d, 4d or 5d inputs."
        )
    for given in (weight, bias):
        if given.numel() != qx.shape[1]:
            raise RuntimeError("Expect weight size to match C")
    for name, given in (("Mean", mean), ("Variance", var)):
        if given.numel() != qx.shape[1]:
            raise RuntimeError(f"{name} size must match channel dimension")


#: The dimensions of what batch norm takes, by those that it is named after.
_RANKS = {"": (2, 3, 4, 5), "1d": (2, 3), "2d": (4,), "3d": (5,)}


def _batch_norm(n: str, relu: bool) -> Callable[..., Any]:
    """Source: torch aten/src/ATen/native/quantized/cpu/Normalization.cpp."""

    def kernel(
        qx: Any, weight: Any, bias: Any, mean: Any, var: Any, eps: float, scale: float, place: int
    ) -> Any:
        if not qx.numel() and None not in (weight, bias):
            return qx.clone()
        _check_batch_norm(qx, weight, bias, mean, var, n)
        gamma, beta = weight._host_(), bias._host_()
        shape = (-1, *([1] * (qx.dim() - 2)))
        factor = gamma / np.sqrt(var._host_() + np.float32(eps))
        moved = beta - mean._host_() * factor
        numbers = dequantized(qx) * factor.reshape(shape) + moved.reshape(shape)
        wanted = PerTensor(scale, place)
        source = qx
        if qx.dim() in (4, 5):  # torch's kernel gives channels_last
            source = qx.contiguous(memory_format=_LAST[qx.dim()])
        return requantized(source, _positive(numbers, relu), wanted)

    return kernel


def _layer_norm(
    qx: Any, shape: Any, weight: Any, bias: Any, eps: float, scale: float, place: int
) -> Any:
    of_one_scale(qx)
    numbers = ops.layer_norm(wrap(dequantized(qx)), shape, weight, bias, eps)
    return requantized(qx, numbers._a_, PerTensor(scale, place))


def _group_norm(
    qx: Any, groups: int, weight: Any, bias: Any, eps: float, scale: float, place: int
) -> Any:
    if qx.dim() < 3:
        raise RuntimeError("Expected normalized_shape to be at least 3-dimensional")
    if qx.shape[1] % groups:
        raise RuntimeError("Expected channels to be divisible by groups")
    numbers = ops.group_norm(wrap(dequantized(qx)), groups, weight, bias, eps)
    return requantized(qx, numbers._a_, PerTensor(scale, place))


def _instance_norm(qx: Any, weight: Any, bias: Any, eps: float, scale: float, place: int) -> Any:
    groups = qx.shape[1] if qx.dim() > 1 else 1
    return _group_norm(qx, groups, weight, bias, eps, scale, place)


def _threshold(qx: Any, threshold: Any, value: Any) -> Any:
    return of("threshold")(qx, threshold, value)


_KERNELS: dict[str, Callable[..., Any]] = {
    f"hardswish(Tensor input, {_OUT}) -> Tensor": _function("hardswish"),
    f"sigmoid(Tensor qx, {_OUT}) -> Tensor": _function("sigmoid"),
    f"elu(Tensor self, {_OUT}, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) "
    "-> Tensor": _elu,
    f"celu(Tensor self, {_OUT}, Scalar alpha=1) -> Tensor": _celu,
    f"leaky_relu(Tensor qx, Scalar negative_slope, bool inplace, {_OUT}) -> Tensor": _leaky,
    f"prelu(Tensor qx, Tensor weight, {_OUT}) -> Tensor": _prelu,
    f"softmax(Tensor qx, int dim, {_OUT}) -> Tensor": _softmax,
    "matmul(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor qc": _matmul,
    "relu6(Tensor qx, bool inplace=False) -> Tensor": _relu6,
    "clamp(Tensor qx, Scalar? min=None, Scalar? max=None) -> Tensor qy": clipped,
    "threshold(Tensor qx, Scalar threshold, Scalar value) -> Tensor qy": _threshold,
    f"dropout(Tensor self, {_OUT}, Scalar p=0.5, bool training=False) -> Tensor": _dropout,
    f"layer_norm(Tensor input, int[] normalized_shape, {_NORM}, float eps, {_OUT}) "
    "-> Tensor": _layer_norm,
    f"group_norm(Tensor input, int num_groups, {_NORM}, float eps, {_OUT}) -> Tensor": _group_norm,
    f"instance_norm(Tensor input, {_NORM}, float eps, {_OUT}) -> Tensor": _instance_norm,
}
for _relu, _name in ((False, ""), (True, "_relu")):
    _KERNELS |= {
        f"add{_name}(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor qc": _add(_relu),
        f"mul{_name}(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor qc": _mul(_relu),
        f"cat{_name}(Tensor[] qx, int dim, float? scale, int? zero_point) -> Tensor": _cat(_relu),
    }
    for _op, _make in (("add", _add_number), ("mul", _mul_number)):
        _KERNELS |= {
            f"{_op}{_name}.Scalar(Tensor qa, Scalar b) -> Tensor qc": _make(_relu),
            f"{_op}{_name}.Scalar2(Scalar b, Tensor qa) -> Tensor qc": _turned(_make(_relu)),
            f"{_op}_scalar{_name}(Tensor qa, Scalar b) -> Tensor qc": _make(_relu),
            f"{_op}_scalar{_name}.Tensor(Tensor qa, Tensor b) -> Tensor qc": _make(_relu),
        }
    for _n in ("", "1d", "2d", "3d"):
        _schema = (
            f"batch_norm{_n}{_name}(Tensor qx, {_NORM}, Tensor mean, Tensor var, float eps, {_OUT})"
        )
        _KERNELS[f"{_schema} -> Tensor"] = _batch_norm(_n, _relu)
define(_KERNELS, K.QuantizedCPU)
