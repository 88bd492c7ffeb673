"""Factories of numbers in order: arange, linspace, logspace, eye, indices of triangles."""

from __future__ import annotations

import math
from collections.abc import Callable
from math import prod
from typing import Any, Final

import numpy as np
from mindtorch_storage.dtype import (
    DType,
    float64,
    get_default_dtype,
    int64,
)

from ..call.elementwise_meta import BOOL, COMPLEX, UNSIGNED, not_implemented
from ..call.forms import made
from ..call.row import Out, op
from ..core.warning import warn
from . import scalars
from .options import INDEX_OPTIONS, OPTIONS, check_size, dtype_or_default, on_meta
from .prepared import constant

Array = np.ndarray[Any, Any]

__all__: list[str] = []

# ------------------------------------------------------------------------- arange, range

_LACKS: Final = BOOL | COMPLEX | UNSIGNED


def _range_dtype(dtype: Any, *numbers: Any) -> DType:
    if dtype is not None:
        return dtype_or_default(dtype)
    exact = all(isinstance(n, int) for n in numbers)
    return int64 if exact else get_default_dtype()


#: Integers nearer to zero are exact in double precision.
_FAR: Final = 1 << 53


def _shown(value: float) -> str:
    """A number as a C++ stream shows it."""
    return f"{value:g}"


def _range_length(start: Any, end: Any, step: Any, dtype: DType, *, closed: bool = False) -> int:
    """Source: torch aten/src/ATen/native/RangeUtils.h, arange_check_bounds."""
    if dtype is int64 and type(start) is type(end) is type(step) is int and not closed:
        length = -((start - end) // step) if step else -1
        forward = start == end or (start < end) == (step > 0)
        if (
            forward
            and 0 <= length
            and -_FAR < start < _FAR
            and -_FAR < end < _FAR
            and -_FAR < step < _FAR
        ):
            return length  # nothing to complain of
    for n in (start, end, step):
        scalars.checked(n, float64)
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if not (math.isfinite(start) and math.isfinite(end)):
        raise RuntimeError(f"unsupported range: {_shown(start)} -> {_shown(end)}")
    if (step > 0 and start > end) or (step < 0 and start < end):
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    if closed:
        length = int((end - start) / step + 1)
        if length >= 1 << 63:
            raise RuntimeError(
                "IntArrayRef contains an int that cannot be represented as a SymInt: "
                "-9223372036854775808"
            )
        return check_size((length,), dtype.itemsize)[0]
    if dtype is int64:
        for n in (start, end, step):
            scalars.checked(n, int64)
        first, last, by = int(start), int(end), int(step)
        if by == 0:
            raise ValueError("step must be nonzero")
        return max(-((first - last) // by), 0)
    length = math.ceil((float(end) - float(start)) / float(step))
    if length >= 1 << 63:
        raise RuntimeError("invalid size, possible overflow?")
    return length


def _count(start: Any, step: Any, length: int, dtype: DType) -> Array:
    if not (dtype.is_floating_point or dtype.is_complex):
        if step == 1 and -_FAR < start < _FAR:
            exact = np.arange(int(start), int(start) + length)
        else:
            exact = np.arange(length, dtype=np.int64) * int(step) + int(start)
        return exact.astype(dtype.np, copy=False)
    if start == 0 and step == 1:
        return np.arange(length).astype(dtype.np)
    return (np.arange(length) * float(step) + float(start)).astype(dtype.np)


def _arange_meta(
    start: Any, end: Any, step: Any, dtype: Any, layout: Any, device: Any, pin: Any
) -> Out:
    found = _range_dtype(dtype, start, end, step)
    if found.name in _LACKS and not on_meta(device):
        raise not_implemented("arange_cpu", found)
    return Out((_range_length(start, end, step, found),), found)


def _arange_onto_meta(
    target: Any, start: Any, end: Any, step: Any, dtype: Any, layout: Any, device: Any, pin: Any
) -> Out:
    out = _arange_meta(start, end, step, dtype, layout, device, pin)
    return out if target.device.type == "meta" else filled(target, out)


def filled(target: Any, out: Out) -> Out:
    """Any shape of as many elements is filled as it is; another is given up with a warning."""
    length, shape = out.shape[0], tuple(target.shape)
    if prod(shape) == length:
        return Out(shape, out.dtype)
    if prod(shape):
        warn(
            f"The number of elements in the out tensor of shape {list(shape)} is {prod(shape)} "
            f"which does not match the computed number of elements {length}. Note that this may "
            "occur as a result of rounding error. The out tensor will be resized to a tensor of "
            f"shape ({length},)."
        )
    return out


def _prepare_arange(start: Any, end: Any, step: Any, *rest: Any) -> Callable[..., Array]:
    (length,), dtype, _ = _arange_meta(start, end, step, *rest)
    last = start + length * step
    if dtype is int64 and type(last) is int and max(abs(start), abs(last)) < _FAR:
        arange = np.arange
        return lambda *args: arange(start, last, step)
    return constant(lambda: _count(start, step, length, dtype))


def _arange_onto(target: Array, *args: Any) -> Array:
    return _prepare_arange(*args)().reshape(target.shape)


op(
    f"arange(Scalar end, *, {OPTIONS}) -> Tensor",
    says="""Return evenly spaced numbers from start, end excluded.
    Integers give int64, other numbers the default floating-point dtype.

    >>> torch.arange(3)
    tensor([0, 1, 2])
    >>> torch.arange(1, 2, 0.5)
    tensor([1.0000, 1.5000])
    """,
    meta=lambda end, *rest: _arange_meta(0, end, 1, *rest),
    prepare=lambda end, *rest: _prepare_arange(0, end, 1, *rest),
    half=False,
    variants="function",
    out=made(once=True),
    out_meta=lambda target, end, *rest: _arange_onto_meta(target, 0, end, 1, *rest),
    out_kernel=lambda target, end, *rest: _arange_onto(target, 0, end, 1, *rest),
    samples="arange",
    tags=("rounds", "numbers_decide_sizes", "out_has_no_formula"),
)
op(
    f"arange.start(Scalar start, Scalar end, *, {OPTIONS}) -> Tensor",
    meta=lambda start, end, *rest: _arange_meta(start, end, 1, *rest),
    prepare=lambda start, end, *rest: _prepare_arange(start, end, 1, *rest),
    half=False,
    variants="function",
    samples="arange",
    tags=("rounds", "numbers_decide_sizes"),
)
op(
    f"arange.start_step(Scalar start, Scalar end, Scalar step=1, *, {OPTIONS}) -> Tensor",
    meta=_arange_meta,
    prepare=_prepare_arange,
    half=False,
    variants="function",
    out=made("start_out", once=True),
    out_meta=_arange_onto_meta,
    out_kernel=_arange_onto,
    samples="arange",
    tags=("rounds", "numbers_decide_sizes", "out_has_no_formula"),
)


def _range_meta(
    start: Any, end: Any, step: Any, dtype: Any, layout: Any, device: Any, pin: Any
) -> Out:
    found = dtype_or_default(dtype)
    if found.name in _LACKS and not on_meta(device):
        raise not_implemented("range_cpu", found)
    return Out((_range_length(start, end, step, found, closed=True),), found)


def _range_onto(target: Any, *args: Any) -> Out:
    out = _range_meta(*args)
    return Out(tuple(target.shape), out.dtype) if target.numel() == out.shape[0] else out


def _prepare_range(start: Any, end: Any, step: Any, *rest: Any) -> Callable[..., Array]:
    (length,), dtype, _ = _range_meta(start, end, step, *rest)
    return constant(lambda: _count(start, step, length, dtype))


op(
    f"range.step(Scalar start, Scalar end, Scalar step=1, *, {OPTIONS}) -> Tensor",
    says="Return evenly spaced numbers from start to end, both included.",
    meta=_range_meta,
    prepare=_prepare_range,
    half=False,
    variants="function",
    out=made(once=True, meta="native"),
    out_meta=_range_onto,
    out_kernel=lambda target, *args: _prepare_range(*args)().reshape(target.shape),
    samples="closed_range",
    tags=("rounds", "out_has_no_formula", "numbers_decide_sizes"),
)
op(
    f"range(Scalar start, Scalar end, *, {OPTIONS}) -> Tensor",
    meta=lambda start, end, *rest: _range_meta(start, end, 1, *rest),
    prepare=lambda start, end, *rest: _prepare_range(start, end, 1, *rest),
    half=False,
    variants="function",
    samples="closed_range",
    tags=("rounds", "numbers_decide_sizes"),
)

# ------------------------------------------------------------------------- eye, triangles


def _eye_meta(n: int, m: int, dtype: Any, layout: Any, device: Any, pin: Any) -> Out:
    for name, size in (("n", n), ("m", m)):
        if size < 0:
            raise RuntimeError(f"{name} must be greater or equal to 0, got {size}")
    found = dtype_or_default(dtype)
    if found.name in UNSIGNED and not on_meta(device):
        raise not_implemented("eye", found)
    return Out((n, m), found)


op(
    f"eye(SymInt n, *, {OPTIONS}) -> Tensor",
    says="""Return a matrix with ones on the diagonal and zeros elsewhere.

    >>> torch.eye(2, 3)
    tensor([[1., 0., 0.],
            [0., 1., 0.]])
    """,
    meta=lambda n, *rest: _eye_meta(n, n, *rest),
    kernel=lambda n, dtype, *rest: np.eye(n, dtype=dtype_or_default(dtype).np),
    half=False,
    variants="function",
    out=made(),
    samples="eye",
    tags=("out_has_no_formula",),
)
op(
    f"eye.m(SymInt n, SymInt m, *, {OPTIONS}) -> Tensor",
    meta=_eye_meta,
    kernel=lambda n, m, dtype, *rest: np.eye(n, m, dtype=dtype_or_default(dtype).np),
    half=False,
    variants="function",
    out=made("m_out"),
    samples="eye",
    tags=("out_has_no_formula",),
)


def _triangle(row: int, col: int, offset: int, upper: bool) -> tuple[Array, Array]:
    i, j = np.arange(row)[:, None], np.arange(col)[None, :]
    inside = (j - i >= offset) if upper else (j - i <= offset)
    return np.nonzero(inside)


def _triangle_size(row: int, col: int, offset: int, upper: bool) -> int:
    lower = sum(min(max(i + (offset - 1 if upper else offset) + 1, 0), col) for i in range(row))
    return row * col - lower if upper else lower


def _triangle_row(name: str, upper: bool, says: str) -> None:
    def meta(
        row: int, col: int, offset: int, dtype: Any, layout: Any, device: Any, pin: Any
    ) -> Out:
        for label, size in (("row", row), ("col", col)):
            if size < 0:
                raise RuntimeError(f"{label} must be non-negative, got{size}")
        found = dtype_or_default(dtype)
        if found.name not in ("int32", "int64") and not on_meta(device):
            raise not_implemented(name, found)
        return Out((2, _triangle_size(row, col, offset, upper)), found)

    def prepare(row: int, col: int, offset: int, dtype: Any, *rest: Any) -> Callable[..., Array]:
        kind = dtype_or_default(dtype).np
        return constant(lambda: np.stack(_triangle(row, col, offset, upper)).astype(kind))

    op(
        f"{name}(int row, int col, int offset=0, *, {INDEX_OPTIONS}) -> Tensor",
        says=says,
        meta=meta,
        prepare=prepare,
        half=False,
        variants="function",
        samples="triangle_indices",
    )


_triangle_row(
    "tril_indices",
    upper=False,
    says="""Return the rows and columns of the lower triangle of a matrix.

    >>> torch.tril_indices(2, 2)
    tensor([[0, 1, 1],
            [0, 0, 1]])
    """,
)
_triangle_row(
    "triu_indices",
    upper=True,
    says="Return the rows and columns of the upper triangle of a matrix.",
)
