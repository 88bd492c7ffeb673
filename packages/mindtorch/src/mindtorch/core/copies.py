"""How numbers are copied: into another dtype by C's rules, and with which strides."""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_storage.float8_casts import narrowed
from mindtorch_storage.output_layout import empty_like_strides

from . import dims
from .constants import channels_last, channels_last_3d, contiguous_format
from .errors import not_implemented_for
from .extended_dtypes import is_rare, plain_numbers
from .half_precision import as_dtype
from .signature import dtype_of

__all__ = ["NARROW", "cast", "copy_strides", "store", "store_all"]

#: Integers of less than a byte, which torch cannot copy element by element.
NARROW = frozenset(f"{sign}int{bits}" for sign in ("", "u") for bits in range(1, 8))


def cast(a: Any, np_dtype: Any) -> Any:
    """*a* in another dtype by C's rules: truncation, wrap-around, nonzero is True."""
    if a.dtype == np_dtype:
        return a
    to = np.dtype(np_dtype)
    if (a.dtype.num > 19 or to.num > 19) and (is_rare(a.dtype) or is_rare(to)):
        return _cast_rare(a, to)
    if a.dtype.kind == "c" and np.dtype(np_dtype).kind not in "cb":
        a = a.real
    if a.dtype.kind == "f" and np.dtype(np_dtype).kind == "u":
        # Negative floats wrap around through the signed integers, as on x86.
        return a.astype(np.int64).astype(np_dtype)
    return as_dtype(a, to)


def _cast_rare(a: Any, np_dtype: Any) -> Any:
    """A cast from or to a dtype that numpy lacks; those that are only bytes are refused."""
    dtypes = [dtype_of(a.dtype), dtype_of(np_dtype)]
    for dtype in dtypes:
        if dtype.np.names:
            kernel = "copy_"
            if dtype.is_floating_point and all(d.is_floating_point for d in dtypes):
                kernel = "copy_kernel"
            raise not_implemented_for(kernel, dtype)
    numbers = plain_numbers(a) if is_rare(a.dtype) else a
    if not is_rare(np_dtype):
        return cast(numbers, np_dtype)
    if numbers.dtype.kind == "c" and not dtypes[1].is_complex:
        numbers = numbers.real
    return narrowed(numbers, np_dtype)


def copy_strides(t: Any, memory_format: Any) -> tuple[int, ...] | None:
    """The strides of a copy of *t*: None (contiguous), or those that *memory_format* asks for."""
    if memory_format is contiguous_format:
        return None
    if memory_format is channels_last:
        return dims.channels_last(t.shape)
    if memory_format is channels_last_3d:
        return dims.channels_last_3d(t.shape)
    if t.is_contiguous() and 1 not in t.shape and 0 not in t.shape:
        return None
    return empty_like_strides(tuple(t.shape), tuple(t.stride()))


def store_all(targets: list[Any], values: Any) -> None:
    """Write several results into the memory that waits for them; None for absent ones."""
    for target, value in zip(targets, values, strict=True):
        if target is not None:
            store(target, value)


def store(target: np.ndarray[Any, Any], value: Any) -> None:
    """Write a kernel's result into the memory that waits for it."""
    if value is not target:  # which some kernels write themselves
        np.copyto(target, value, casting="unsafe")
