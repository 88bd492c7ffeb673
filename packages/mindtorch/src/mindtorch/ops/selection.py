"""Elements chosen by a condition: where."""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_storage.dtype import bool_, from_numpy

from . import scalars
from .call import ops
from .meta import (
    broadcast_shapes,
    common_dtype,
    elementwise_strides,
    shape_of,
)
from .row import Out, op
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
        _warn_uint8()
    shape = broadcast_shapes(*[shape_of(x) for x in (condition, self, other)])
    tensors = [x for x in (condition, self, other) if hasattr(x, "shape")]
    return Out(shape, common_dtype(self, other), elementwise_strides(shape, tensors))


def _warn_uint8() -> None:
    import warnings

    warnings.warn(
        "where received a uint8 condition tensor. This behavior is deprecated and will be removed "
        "in a future version of PyTorch. Use a boolean condition instead.",
        UserWarning,
        stacklevel=2,
    )


def _where(condition: Array, a: Any, b: Any) -> Array:
    if condition.dtype != bool:
        condition = condition.astype(bool)
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        if a.dtype == b.dtype:
            return np.where(condition, a, b)
        dtype = common_dtype(_Party(a), _Party(b)).np
    elif isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        a, b = scalars.to_common(a, b)
        return np.where(condition, a, b)
    else:
        dtype = common_dtype(a, b).np
    return np.where(condition, _in_dtype(a, dtype), _in_dtype(b, dtype))


def _in_dtype(x: Any, dtype: Any) -> Array:
    return x.astype(dtype, copy=False) if isinstance(x, np.ndarray) else scalars.cast(x, dtype)


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
    tags=("dynamic_output_shape",),
)
for _schema, _grad in (
    (
        "where.self(Tensor condition, Tensor self, Tensor other) -> Tensor",
        {
            "self": lambda g, c: ops.where(c.condition, g, 0.0),
            "other": lambda g, c: ops.where(c.condition, 0.0, g),
        },
    ),
    (
        "where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor",
        {"other": lambda g, c: ops.where(c.condition, 0.0, g)},
    ),
    (
        "where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor",
        {"self": lambda g, c: ops.where(c.condition, g, 0.0)},
    ),
    ("where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor", None),
):
    op(
        _schema,
        meta=_where_meta,
        kernel=_where,
        half=False,
        grad=_grad,
        out="self_out" if ".self" in _schema else False,
        variants="function, method" if ", Tensor self" in _schema else "function",
        samples="where",
        tags=("pointwise",),
    )
