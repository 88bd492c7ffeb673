"""Elements chosen by a condition: where."""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_storage.dtype import bool_, from_numpy

from ..call.elementwise_meta import broadcast_shapes, common_dtype, elementwise_strides, shape_of
from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.operators import of, ops
from ..core.warning import warn_once
from .ternary import Array

# ------------------------------------------------------------------------- where


def _where_meta(condition: Any, self: Any, other: Any) -> Out:
    """Source: torch aten/src/ATen/native/TensorCompare.cpp, where_self_out."""
    if condition.dtype is not bool_:
        if condition.dtype.name != "uint8":
            raise RuntimeError(
                "where expected condition to be a boolean tensor, but got a tensor with dtype "
                f"{condition.dtype.scalar_type}"
            )
    shape = broadcast_shapes(*[shape_of(x) for x in (condition, self, other)])
    tensors = [x for x in (condition, self, other) if hasattr(x, "shape")]
    return Out(shape, common_dtype(self, other), elementwise_strides(shape, tensors))


def _warn_uint8(condition: Any, *rest: Any) -> None:
    if condition.dtype.name == "uint8":
        warn_once(
            "where received a uint8 condition tensor. This behavior is deprecated and will be "
            "removed in a future version of PyTorch. Use a boolean condition instead.",
        )


def _where(condition: Array, a: Array, b: Array) -> Array:
    if condition.dtype != bool:
        condition = condition.astype(bool)
    if a.dtype != b.dtype:
        dtype = common_dtype(_Party(a), _Party(b)).np
        a, b = a.astype(dtype, copy=False), b.astype(dtype, copy=False)
    return np.where(condition, a, b)


class _Party:
    """An array as type promotion wants to see it."""

    __slots__ = ("dtype", "shape")

    def __init__(self, array: Array) -> None:
        self.dtype, self.shape = from_numpy(array.dtype), array.shape


def _where_nonzero(condition: Any) -> Any:
    if not condition.dim():  # torch gives one index, as for one dimension
        condition = condition.unsqueeze(0)
    return tuple(ops.nonzero(condition).unbind(1))


op(
    "where(Tensor condition) -> Tensor[]",
    composite=_where_nonzero,
    variants="function",
    samples="where_nonzero",
    tags=("dynamic_output_shape", "moves"),
)
op(
    "where.self(Tensor condition, Tensor self, Tensor other) -> Tensor",
    says="""Choose elements of two tensors by a condition; of a condition alone, return where it
    is true.

    >>> torch.where(torch.tensor([True, False]), torch.tensor([1, 2]), 0)
    tensor([1, 0])
    """,
    meta=_where_meta,
    kernel=_where,
    half=False,
    grad={
        "self": lambda g, c: ops.where(c.condition, g, 0),
        "other": lambda g, c: ops.where(c.condition, 0, g),
    },
    out=OutForm("self_out", text="Expected out type to be {result} but got {out}", meta="exact"),
    samples="where",
    tags=("pointwise", "numbers_follow", "moves"),
    warns=_warn_uint8,
    warns_of=("uint8",),
    scalar="self if condition else other",
)


def _where_numbers(condition: Any, self: Any, other: Any) -> Any:
    """``where`` with numbers: they become 0-d tensors. Source: TensorCompare.cpp, where."""
    dtype = common_dtype(self, other)
    if hasattr(other, "shape"):
        self = _number(self, dtype, other)
        other = other if other.dtype is dtype else other.to(dtype)
    elif hasattr(self, "shape"):
        other = _number(other, dtype, self)
        self = self if self.dtype is dtype else self.to(dtype)
    else:
        other = _number(other, dtype, condition)
        self = _number(self, dtype, condition)
    return of("where.self")(condition, self, other)


def _number(value: Any, dtype: Any, near: Any) -> Any:
    return of("scalar_tensor")(value, dtype, near.layout, near.device, None)


for _schema in (
    "where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor",
    "where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor",
    "where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor",
):
    op(
        _schema,
        composite=_where_numbers,
        variants="function, method" if ", Tensor self" in _schema else "function",
        samples="where",
        tags=("pointwise",),
    )
