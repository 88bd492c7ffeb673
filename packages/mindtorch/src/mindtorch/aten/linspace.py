"""Factories of points between two bounds: linspace and logspace, of numbers or 0-d tensors."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import DType, float64, from_numpy, get_default_complex_dtype
from mindtorch_storage.promotion import can_cast

from ..call.elementwise_meta import BOOL, UNSIGNED, not_implemented
from ..call.forms import made
from ..call.row import Out, op
from ..core.errors import c_type_name
from ..core.meta_errors import copy_across_devices
from ..core.operators import ops
from . import scalars
from .fma import fused
from .options import OPTIONS, dtype_or_default, on_meta
from .prepared import constant

Array = np.ndarray[Any, Any]

__all__ = ["linspace_in"]


def _space_dtype(name: str, start: Any, end: Any, dtype: Any) -> DType:
    """Source: torch aten/src/ATen/native/TensorFactories.cpp, linspace and logspace."""
    inexact = isinstance(start, complex) or isinstance(end, complex)
    if not inexact:
        return dtype_or_default(dtype)
    default = get_default_complex_dtype()
    if dtype is None:
        return default
    found = dtype_or_default(dtype)
    if not can_cast(default, found):
        raise RuntimeError(
            f"torch.{name}(): inferred dtype {c_type_name(default)} can't be safely cast "
            f"to passed dtype {found.scalar_type}"
        )
    return found


def _space_meta(name: str, start: Any, end: Any, steps: int, dtype: Any, device: Any) -> Out:
    found = _space_dtype(name, start, end, dtype)
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    if found.name in BOOL | UNSIGNED and steps > 1 and not on_meta(device):
        raise not_implemented(f"{name}_cpu", found)
    return Out((steps,), found)


def _pointer(steps: int, kind: Any, dtype: Any = None) -> Callable[[Any, Any], Array]:
    """What gives *steps* points between two numbers, in *kind*; the step is rounded to *dtype*.

    Counted from the nearer end with the product fused, so that both ends are exact.
    """
    half, narrow = steps // 2, dtype or kind
    back = -np.arange(steps - half - 1, -1, -1).astype(kind)  # the last is -0.0: taken off the end
    counts = np.concatenate((np.arange(half).astype(kind), back))
    single = kind is np.float32
    if single:
        counts = counts.astype(np.float64)

    def points(start: Any, end: Any) -> Array:
        first, last = kind(start), kind(end)
        if steps == 1:
            return np.array([first])
        step = kind(((last - first) / kind(steps - 1)).astype(narrow))
        from_ = np.empty(steps, counts.dtype)
        from_[:half], from_[half:] = first, last
        if not single:
            return fused(counts, step, from_)
        from_ += counts * np.float64(step)
        return from_.astype(kind)

    return points


def _points(start: Any, end: Any, steps: int, kind: Any) -> Array:
    """The same of complex numbers, part by part."""
    points = _pointer(steps, np.float32 if kind is np.complex64 else np.float64)
    result = np.empty(steps, kind)
    result.real, result.imag = points(start.real, end.real), points(start.imag, end.imag)
    return result


def linspace_in(found: DType, steps: int) -> Callable[[Any, Any], Array]:
    """What gives the points of ``linspace`` in a dtype, from numbers that it holds."""
    if steps == 0:
        return lambda start, end: np.empty(0, found.np)
    if found.is_complex:
        kind = found.np.type
        return lambda start, end: _points(start, end, steps, kind)
    if found is float64:
        return _pointer(steps, np.float64)
    if found.is_floating_point:
        rounded = _pointer(steps, np.float32, found.np)
        return lambda start, end: rounded(start, end).astype(found.np, copy=False)
    # Integers are counted in float64 from the wrapped limits, then cut.
    points = _pointer(steps, np.float64)
    return lambda start, end: np.trunc(points(start, end)).astype(found.np)


def _linspace(found: DType, start: Any, end: Any, steps: int) -> Array:
    return linspace_in(found, steps)(scalars.checked(start, found), scalars.checked(end, found))


def _logspace_in(found: DType, start: Any, end: Any, steps: int, base: float) -> Array:
    """Source: torch aten/src/ATen/native/RangeFactories.cpp, logspace_out."""
    if steps == 0:
        return np.empty(0, found.np)
    first, last = scalars.checked(start, found), scalars.checked(end, found)
    if found.is_complex:
        kind = found.np.type
        logarithm = kind(np.log(complex(base)))
        return np.exp(logarithm * _points(first, last, steps, kind))
    # The powers are counted in double for floats and in float for integers, never fused.
    kind = np.float64 if found.is_floating_point else np.float32
    span = kind(last - first if found.is_floating_point else int(last) - int(first))
    step = span / kind(steps - 1) if steps > 1 else kind(0)
    index = np.arange(steps).astype(kind)
    low = kind(first) + step * index
    high = kind(last) - step * (kind(steps - 1) - index)
    powers = np.where(index < steps // 2, low, high) if steps > 1 else kind([first])
    # The C library's power: numpy's differs in the last digit.
    done = [_pow(base, x) for x in powers.tolist()]
    return np.array(done, np.float64).astype(found.np)


def _pow(base: float, power: float) -> float:
    """The C library's ``pow``, which raises nothing."""
    try:
        return math.pow(base, power)
    except OverflowError:
        return math.inf if base > 0 or power % 2 == 0 else -math.inf
    except ValueError:
        return math.inf if base == 0 else math.nan


def _space_rows(
    name: str, base: str, numbers: Callable[..., Array], samples: str, says: str
) -> None:
    """``linspace`` or ``logspace``: between numbers, and between 0-d tensors.

    *numbers* gives the result of a dtype; *base* is the schema's part between steps and options.
    """

    def meta(start: Any, end: Any, steps: int, *rest: Any) -> Out:
        dtype, _, device, _ = rest[-4:]
        return _space_meta(name, start, end, steps, dtype, device)

    def prepare(start: Any, end: Any, steps: int, *rest: Any) -> Callable[..., Array]:
        found = _space_dtype(name, start, end, rest[-4])
        return constant(lambda: numbers(found, start, end, steps, *rest[:-4]))

    def out_meta(target: Any, start: Any, end: Any, steps: int, *rest: Any) -> Out:
        if steps < 0:
            raise RuntimeError("number of steps must be non-negative")
        found = target.dtype
        if found.name in BOOL | UNSIGNED and steps > 1 and target.device.type != "meta":
            raise not_implemented(f"{name}_cpu", found)
        # Any shape of as many elements is filled as it is; on meta there is nothing to fill.
        fits = target.numel() == steps and target.device.type != "meta"
        return Out(tuple(target.shape) if fits else (steps,), found)

    def out_kernel(target: Array, start: Any, end: Any, steps: int, *rest: Any) -> Array:
        points = numbers(from_numpy(target.dtype), start, end, steps, *rest[:-4])
        return points.reshape(target.shape)

    op(
        f"{name}(Scalar start, Scalar end, int steps, {base}*, {OPTIONS}) -> Tensor",
        says=says,
        meta=meta,
        prepare=prepare,
        half=False,
        variants="function",
        out=made(once=True),
        out_meta=out_meta,
        out_kernel=out_kernel,
        samples=samples,
        tags=("out_has_no_formula",),
    )

    def composite(start: Any, end: Any, steps: int, *rest: Any) -> Any:
        first, last, device = _bounds(name, start, end)
        dtype, layout, wanted, pin_memory = rest[-4:]
        return getattr(ops, name)(
            first,
            last,
            steps,
            *rest[:-4],
            dtype=dtype,
            layout=layout,
            device=device or wanted,
            pin_memory=pin_memory,
        )

    def out_composite(target: Any, start: Any, end: Any, steps: int, *rest: Any) -> None:
        first, last, device = _bounds(name, start, end)
        made_on_meta = device is not None and device.type == "meta"
        if made_on_meta != target.is_meta:
            raise copy_across_devices(device or "cpu", target.device)
        getattr(ops, name)(first, last, steps, *rest[:-4], out=target)

    for first, last in (("Tensor", "Tensor"), ("Tensor", "Scalar"), ("Scalar", "Tensor")):
        op(
            f"{name}.{first}_{last}({first} start, {last} end, int steps, {base}*, {OPTIONS}) "
            "-> Tensor",
            composite=composite,
            batch="whole_loop",
            kinds={"functional": "explicit", "out": "explicit"},
            variants="function",
            out=made(f"{first}_{last}_out"),
            out_kernel=out_composite,
            samples="space_tensors",
            tags=("selects_backend", "out_has_no_formula"),
        )


def _bounds(name: str, start: Any, end: Any) -> tuple[Any, Any, Any]:
    """The numbers of 0-d tensors, and the device that they ask for (None for the cpu).

    On meta there are no numbers to read, nor does the result show any.
    """
    tensors = [(n, x) for n, x in (("start", start), ("end", end)) if hasattr(x, "ndim")]
    devices = {x.device.type: x.device for _, x in tensors if x.device.type != "cpu"}
    if any(x.ndim for _, x in tensors):
        text = f"{name} only supports 0-dimensional start and end tensors"
        found = " and ".join([f"{n} with {x.ndim} dimension(s)" for n, x in tensors])
        raise RuntimeError(text if "meta" in devices else f"{text}, but got {found}.")
    if "meta" in devices:
        return 0.0, 0.0, devices["meta"]
    numbers = [x.item() if hasattr(x, "ndim") else x for x in (start, end)]
    return numbers[0], numbers[1], next(iter(devices.values()), None)


_space_rows(
    "linspace",
    "",
    _linspace,
    "linspace",
    says="""Return numbers spaced evenly from start to end, both included.

    >>> torch.linspace(0, 1, 5)
    tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])
    """,
)
_space_rows(
    "logspace",
    "float base=10., ",
    _logspace_in,
    "logspace",
    says="""Return numbers spaced evenly on a logarithmic scale: base to the power of linspace.

    >>> torch.logspace(0, 2, 3)
    tensor([  1.,  10., 100.])
    """,
)
