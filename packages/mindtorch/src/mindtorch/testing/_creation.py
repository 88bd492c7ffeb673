"""``make_tensor``: a tensor of random numbers in a range, for tests.

The numbers come from the default generator of the device, by ``random_`` and ``uniform_``: after
the same ``manual_seed`` they are those of torch.
"""

from __future__ import annotations

import math
from typing import Any

from ..aten import torch
from ..core.warning import warn

__all__ = ["make_tensor"]


def make_tensor(
    *shape: Any,
    dtype: Any,
    device: Any,
    low: float | None = None,
    high: float | None = None,
    requires_grad: bool = False,
    noncontiguous: bool = False,
    exclude_zero: bool = False,
    memory_format: Any = None,
) -> Any:
    """A tensor of numbers drawn uniformly from ``[low, high)``.

    :param shape: sizes, or one sequence of sizes.
    :param low: unset: 0 for bool and unsigned integers, -9 for the rest. Clamped to what *dtype*
        holds.
    :param high: unset: 2 for bool, 10 for integers, 9 for the rest. Clamped as well.
    :param noncontiguous: every second element of a tensor twice as wide; not of fewer than two
        elements.
    :param exclude_zero: zeros become 1, or the smallest normal number of a floating *dtype*.
    :raises ValueError: an empty range, NaN as its bound, a gradient for integers, or a memory
        format for what is to be non-contiguous.
    :raises TypeError: *dtype* is not one that numbers can be drawn for.
    """
    if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        shape = tuple(shape[0])
    kind = _kind(dtype)
    if requires_grad and kind in ("bool", "integer"):
        raise ValueError(
            "`requires_grad=True` is not supported for boolean and integral dtypes, "
            f"but got dtype={dtype}"
        )
    if noncontiguous and memory_format is not None:
        raise ValueError(
            "The parameters `noncontiguous` and `memory_format` are mutually exclusive, "
            f"but got noncontiguous={noncontiguous} and memory_format={memory_format}"
        )
    start, end = _range(dtype, kind, low, high)
    spread = noncontiguous and math.prod(shape) > 1
    if spread:
        shape = (*shape[:-1], 2 * shape[-1])
    if kind in ("bool", "integer"):
        result = torch.randint(start, end, shape, device=device, dtype=dtype)
    elif kind == "narrow":
        result = _uniform(torch.empty(shape, device=device), start, end).to(dtype)
    else:
        result = torch.empty(shape, device=device, dtype=dtype)
        _uniform(torch.view_as_real(result) if kind == "complex" else result, start, end)
    if memory_format is not None and not spread:
        result = result.clone(memory_format=memory_format)
    result = result[..., 1::2] if spread else result
    if exclude_zero:
        result[result == 0] = _least(dtype, kind)
    if requires_grad:
        result.requires_grad_(True)
    return result


def _kind(dtype: Any) -> str:
    """How numbers of *dtype* are drawn."""
    name = str(dtype).removeprefix("torch.")
    if isinstance(dtype, torch.dtype):
        if name == "bool":
            return "bool"
        if name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"):
            return "integer"
        if name in ("float16", "bfloat16", "float32", "float64"):
            return "float"
        if name.startswith("float8"):
            return "narrow"
        if name in ("complex32", "complex64", "complex128"):
            return "complex"
    raise TypeError(
        f"The requested dtype '{dtype}' is not supported by torch.testing.make_tensor(). "
        "To request support, file an issue at: https://github.com/pytorch/pytorch/issues"
    )


def _range(dtype: Any, kind: str, low: float | None, high: float | None) -> tuple[Any, Any]:
    """The bounds to draw between: the defaults for those unset, within what *dtype* holds."""
    least: float
    most: float
    if kind == "bool":
        least, most, usual = 0, 2, (0, 2)
    elif kind == "integer":
        limits = torch.iinfo(dtype)
        # The upper bound is never drawn; int64's own maximum has no successor in int64.
        most = limits.max + (dtype not in (torch.int64, torch.uint64))
        least, usual = limits.min, (-9 if limits.min else 0, 10)
    else:
        finite = torch.finfo(dtype)
        least, most, usual = finite.min, finite.max, (-9, 9)
    start, end = usual[0] if low is None else low, usual[1] if high is None else high
    if any(isinstance(v, float) and math.isnan(v) for v in (start, end)):
        raise ValueError(f"`low` and `high` cannot be NaN, but got low={start} and high={end}")
    same = start == end and kind in ("float", "complex")
    if same:
        warn(
            "Passing `low==high` to `torch.testing.make_tensor` for floating or complex types is "
            "deprecated since 2.1 and will be removed in 2.3. Use `torch.full(...)` instead.",
            FutureWarning,
        )
    elif start >= end:
        raise ValueError(f"`low` must be less than `high`, but got {start} >= {end}")
    elif end < least or start >= most:
        raise ValueError(
            f"The value interval specified by `low` and `high` is [{start}, {end}), "
            f"but {dtype} only supports [{least}, {most})"
        )
    start, end = max(start, least), min(end, most)
    if kind in ("bool", "integer"):
        return math.ceil(start), math.ceil(end)
    return start, end


def _uniform(target: Any, start: float, end: float) -> Any:
    """Fill *target* in place; a range wider than the dtype's greatest number in two halves."""
    if end - start <= torch.finfo(target.dtype).max:
        return target.uniform_(start, end)
    return target.uniform_(start / 2, end / 2).mul_(2)


def _least(dtype: Any, kind: str) -> Any:
    """What stands for zero where zero is excluded."""
    if kind in ("bool", "integer"):
        return 1
    tiny = torch.finfo(dtype).tiny
    return complex(tiny, tiny) if kind == "complex" else tiny
