"""Sums that go through an activation at once: ``_addmm_activation``, ``_add_relu``."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..call.device_checks import refuse_apart
from ..call.elementwise_meta import common_dtype, elementwise, not_implemented
from ..call.forms import OutForm
from ..call.row import op
from ..core.errors import c_type_name
from ..core.operators import ops
from .derivatives import not_implemented_for
from .pointwise import scaled_sum, with_number

__all__: list[str] = []

_CLAMPED = ("float32", "float64", "int8", "int16", "int32", "int64")


def _activated(
    self: Any, mat1: Any, mat2: Any, beta: Any, alpha: Any, use_gelu: bool, **out: Any
) -> Any:
    if not out:
        refuse_apart("aten::_addmm_activation", (self, mat1, mat2))
    total = ops.addmm(self, mat1, mat2, beta=beta, alpha=alpha, **out)
    if not use_gelu:
        return ops.relu_(total)
    return ops.gelu(total, **{name: total for name in out})


def _activated_onto(target: Any, *args: Any) -> None:
    _activated(*args, out=target)


op(
    "_addmm_activation(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, "
    "bool use_gelu=False) -> Tensor",
    says="Return `addmm` with negative elements replaced by zero, or through `gelu`.",
    composite=_activated,
    out_kernel=_activated_onto,
    kinds={"functional": "tensors", "out": "tensors"},
    grad=not_implemented_for("_addmm_activation", "self", "mat1", "mat2"),
    out=True,
    samples="addmm_activation",
    tags=("loops: functional",),
    autocast=("lower precision", ""),
)


def _refuse(self: Any, other: Any, alpha: Any) -> None:
    dtype = self.dtype
    if dtype.name not in _CLAMPED:
        raise RuntimeError(
            'false INTERNAL ASSERT FAILED at "/__w/pytorch/pytorch/aten/src/ATen/native/'
            'BinaryOps.cpp":835, please report a bug to PyTorch. Unsupported datatype for '
            f"add_relu:{c_type_name(dtype)}"
        )
    common = common_dtype(self, other)
    if common.name not in _CLAMPED:
        raise not_implemented("add_clamp_cpu", common)


def _add_relu(self: Any, other: Any, alpha: Any) -> Any:
    # Not a maximum: torch gives 0 for NaN.
    factor = int(alpha) if self.dtype.kind == "i" and isinstance(alpha, float) else alpha
    return np.fmax(scaled_sum(self, other, factor), self.dtype.type(0))


op(
    "_add_relu.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    says="Add the second operand, multiplied by alpha, and replace what is negative by zero.",
    meta=elementwise("common", 2),
    kernel=_add_relu,
    refuses=_refuse,
    promote="common",
    half=False,
    grad=not_implemented_for("_add_relu", "self", "other"),
    inplace=True,
    out=True,
    variants="function",
    samples="add_relu",
    tags=("not_on_meta: out", "loops: functional"),
)
op(
    "_add_relu.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
    meta=elementwise("common", 2),
    prepare=with_number(_add_relu),
    refuses=_refuse,
    half=False,
    grad=not_implemented_for("_add_relu", "self"),
    inplace=True,
    out=OutForm("Scalar_out", function=False),
    variants="function",
    samples="add_relu_number",
    tags=("not_on_meta: functional", "not_on_meta: out", "loops: functional"),
)
