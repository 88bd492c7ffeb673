"""What all factories share: their options, the default dtype, checks of sizes, fresh memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from mindtorch_storage.dtype import ALL_DTYPES, DType, get_default_dtype

from ..call.row import Out

Array = np.ndarray[Any, Any]

__all__ = [
    "INDEX_OPTIONS",
    "OPTIONS",
    "check_size",
    "check_target",
    "dtype_or_default",
    "on_meta",
    "unfilled",
]

#: How torch writes the options that every factory takes.
OPTIONS: Final = (
    "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"
)
INDEX_OPTIONS: Final = OPTIONS.replace("dtype=None", "dtype=4", 1)


def dtype_or_default(dtype: Any) -> DType:
    """The dtype asked for, or the default one; a schema's default is torch's number for it."""
    if dtype is None:
        return get_default_dtype()
    return ALL_DTYPES[dtype] if isinstance(dtype, int) else dtype


def on_meta(device: Any) -> bool:
    """Whether a factory is asked for a tensor without memory."""
    return device is not None and device.type == "meta"


def negative_dimension(size: Sequence[int]) -> RuntimeError:
    """torch aten/src/ATen/EmptyTensor.h, check_size_nonnegative."""
    bad = next(n for n in size if n < 0)
    text = ", ".join(map(str, size))
    return RuntimeError(f"Trying to create tensor with negative dimension {bad}: [{text}]")


def check_size(size: Sequence[int], itemsize: int = 1) -> tuple[int, ...]:
    """*size* as a tuple; raises torch's errors for negative and for absurdly large ones."""
    shape = tuple(size)
    for n in shape:
        if n < 0:
            raise negative_dimension(shape)
    if math.prod(shape) * itemsize >= 1 << 63:
        text = ", ".join(map(str, shape))
        raise RuntimeError(f"Storage size calculation overflowed with sizes=[{text}]")
    return shape


def check_target(out: Any, dtype: Any, device: Any) -> None:
    """A factory's ``out=`` is as its options say, if they do.

    Source: torch csrc/autograd/utils/python_arg_parsing.h, check_out_type_matches.
    """
    if dtype is not None and dtype is not out.dtype:
        raise RuntimeError(
            f"dtype {dtype.scalar_type} does not match dtype of out parameter "
            f"({out.dtype.scalar_type})"
        )
    if device is not None and device.type != out.device.type:
        raise RuntimeError(
            f"device type {device.type} does not match device type of out parameter "
            f"({out.device.type})"
        )


def unfilled(out: Out) -> Callable[..., Array]:
    """The kernel that gives uninitialised memory for *out*, whatever its arguments are."""
    shape, dtype, empty = out.shape, out.dtype.np, np.empty
    if out.strides is None:
        return lambda *args: empty(shape, dtype)
    span = 0
    if 0 not in shape:
        span = 1 + sum((n - 1) * s for n, s in zip(shape, out.strides, strict=True))
    strides, ndarray = tuple(s * dtype.itemsize for s in out.strides), np.ndarray
    return lambda *args: ndarray(shape, dtype, empty(span, dtype), 0, strides)
