"""``torch.ops.quantized``: linear layers of quantized weights, and what they are packed into.

``linear_dynamic`` takes floats: it rounds them to integers by their own range, multiplies integers
and gives floats. ``linear`` takes and gives quantized tensors. Products of integers are exact;
results are rounded once more, as torch's kernels of the engines ``x86`` and ``fbgemm`` do.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_dispatch import DispatchKey as K

from ...core.errors import not_as_expected
from ...core.operators import ops
from ...core.script_object import ScriptObject
from ...core.warning import warn
from ...tensor.construction import wrap
from ...tensor.quantizer import PerTensor, steps_of
from ..quantization_parameters import choose_parameters
from .kernels import of_one_scale
from .operators import define
from .packed_weights import LinearWeight, held
from .requantization import bytes_of_steps, steps_of_fbgemm

__all__ = ["PACKED", "dynamic_product"]

PACKED = "__torch__.torch.classes.quantized.LinearPackedParamsBase"
#: The most that a number of half precision can be.
_HALF_MOST = 65504.0


# -- packing --------------------------------------------------------------------------------------


def _found(want: str, t: Any) -> RuntimeError:
    return RuntimeError(f"expected scalar type {want} but found {t.dtype.scalar_type}")


def _bias(weight: LinearWeight) -> np.ndarray[Any, Any] | None:
    """The bias as an array, or None. Raises RuntimeError for another dtype than ``float32``."""
    bias = weight.bias()
    if bias is None:
        return None
    if bias.dtype.name != "float32":
        raise _found("Float", bias)
    return np.asarray(bias._host_())


def _prepack(W: Any, B: Any = None) -> ScriptObject:
    if W.dim() != 2:
        raise RuntimeError(
            "The weight tensor for quantized::linear_prepack (fbgemm) should be 2-dimensional."
        )
    if B is not None:
        if B.dim() != 1:
            raise RuntimeError("bias should be a vector (1D Tensor)")
        if B.shape[0] != W.shape[0]:
            raise RuntimeError(f"bias should have N elements: {W.shape[0]}")
    if W.dtype.name != "qint8":
        raise _found("QInt8", W)
    return ScriptObject.of(LinearWeight(W, B))


def _prepack_half(W: Any, B: Any = None) -> ScriptObject:
    weight = W._host_().astype(np.float32)
    if np.any(np.abs(weight) > _HALF_MOST):
        warn("FOUND weight out of range ")
    held_in_half = np.clip(weight, -_HALF_MOST, _HALF_MOST).astype(np.float16)
    return ScriptObject.of(LinearWeight(wrap(held_in_half.astype(np.float32, order="C")), B))


def _unpack(W_prepack: ScriptObject) -> tuple[Any, Any]:
    return held(W_prepack).unpack()


# -- products -------------------------------------------------------------------------------------


def dynamic_product(x: Any, weight: LinearWeight, reduce_range: bool, *, relu: bool = False) -> Any:
    """The float32 product of *x* ``[…, in]`` with *weight*, plus its bias.

    For a quantized weight, *x* is rounded to integers of 8 bits (7, if *reduce_range*) that reach
    over its range. Raises RuntimeError for another dtype, a vector, or sizes that do not meet.
    """
    if x.dim() < 2:
        if weight.half:
            raise not_as_expected("input.dim() >= 2")
        raise RuntimeError("The dimension of input tensor should be larger than or equal to 2")
    rows = weight.weight.shape[1]
    if x.shape[-1] != rows:
        if weight.half:
            raise not_as_expected("input.size(input.dim() - 1) == packed_weight_fp16.numRows()")
        raise RuntimeError(f"The number of rows in the packB should be equal to K: {x.shape[-1]}")
    if x.dtype.name != "float32":
        raise _found("Float", x)
    out = _half(x, weight) if weight.half else wrap(_by_integers(x, weight, reduce_range))
    return ops.relu(out) if relu else out


def _half(x: Any, weight: LinearWeight) -> Any:
    out = wrap(np.matmul(x._host_(), weight.weight._a_.T))
    bias = weight.bias()  # in torch, too, gradients go to it alone
    return out if bias is None else ops.add(out, bias)


def _by_integers(x: Any, weight: LinearWeight, reduce_range: bool) -> np.ndarray[Any, Any]:
    numbers, bias = x._host_(), _bias(weight)
    low, high = (float(numbers.min()), float(numbers.max())) if numbers.size else (0.0, 0.0)
    scale, zero_point = choose_parameters(low, high, 0, 127 if reduce_range else 255)
    single = np.float32(scale)
    with np.errstate(all="ignore"):
        steps = np.rint(numbers * (np.float32(1) / single) + np.float32(zero_point))
        exact = np.matmul(np.clip(steps, 0, 255).astype(np.float64) - zero_point, weight.steps)
        # A fused multiplication and addition: both are exact in double precision.
        product = exact * (single * weight.scales).astype(np.float64)
        if bias is not None:
            product += bias
        return np.asarray(product.astype(np.float32))


def _integral(X: Any, W_prepack: ScriptObject, wanted: PerTensor, *, relu: bool = False) -> Any:
    if X.dtype.name != "quint8":
        raise RuntimeError(f"Expected input data type QUInt8 but got {X.dtype.scalar_type}")
    weight, given = held(W_prepack), of_one_scale(X)
    if X.dim() < 2:
        raise RuntimeError("The dimension of input tensor should be larger than or equal to 2")
    if X.shape[-1] != weight.weight.shape[1]:
        raise RuntimeError(f"The number of rows in the packB should be equal to K: {X.shape[-1]}")
    exact = np.matmul(steps_of(X._a_).astype(np.float64) - given.zero_point, weight.steps)
    steps = steps_of_fbgemm(exact, given, weight.scales, _bias(weight), wanted)
    return bytes_of_steps(steps, wanted, relu)


define(
    {
        f"linear_prepack(Tensor W, Tensor? B=None) -> {PACKED} W_prepack": _prepack,
        f"linear(Tensor X, {PACKED} W_prepack, float Y_scale_i, int Y_zero_point_i) -> Tensor Y": (
            lambda x, w, scale, place: _integral(x, w, PerTensor(scale, place))
        ),
        f"linear_relu(Tensor X, {PACKED} W_prepack, float Y_scale_i, int Y_zero_point_i) "
        "-> Tensor Y": lambda x, w, scale, place: _integral(
            x, w, PerTensor(scale, place), relu=True
        ),
    },
    K.QuantizedCPU,
)
define(
    {
        f"linear_prepack_fp16(Tensor W, Tensor? B=None) -> {PACKED} W_prepack": _prepack_half,
        f"linear_dynamic(Tensor X, {PACKED} W_prepack, bool reduce_range=False) -> Tensor Y": (
            lambda x, w, reduce_range=False: dynamic_product(x, held(w), reduce_range)
        ),
        f"linear_relu_dynamic(Tensor X, {PACKED} W_prepack, bool reduce_range=False) "
        "-> Tensor Y": lambda x, w, reduce_range=False: dynamic_product(
            x, held(w), reduce_range, relu=True
        ),
        f"linear_dynamic_fp16(Tensor X, {PACKED} W_prepack) -> Tensor Y": (
            lambda x, w: dynamic_product(x, held(w), False)
        ),
        f"linear_relu_dynamic_fp16(Tensor X, {PACKED} W_prepack) -> Tensor Y": (
            lambda x, w: dynamic_product(x, held(w), False, relu=True)
        ),
    },
    K.CPU,
)
define(
    {
        f"linear_unpack({PACKED} W_prepack) -> (Tensor W_origin, Tensor? B_origin)": _unpack,
        f"linear_unpack_fp16({PACKED} W_prepack) -> (Tensor W_origin, Tensor? B_origin)": _unpack,
    },
    K.CompositeImplicitAutograd,
)
