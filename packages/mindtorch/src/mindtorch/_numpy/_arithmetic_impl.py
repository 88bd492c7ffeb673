"""Functions that compute with whole arrays: products, differences, rounding, comparisons."""

from __future__ import annotations

from typing import Any

from .. import linalg as _linalg
from .. import special as _special
from ..aten import torch
from . import _dtypes_impl, _util
from ._array import ndarray
from ._normalizations import (
    ArrayLike,
    NotImplementedType,
    OutArray,
    maybe_copy_to,
    normalize_array_like,
    normalize_casting,
    normalize_dtype,
)


def _promoted(*tensors: Any) -> Any:
    """The tensors in the dtype that they promote to."""
    dtype = _dtypes_impl.result_type_impl(*tensors)
    return tuple(_util.cast_if_needed(tensor, dtype) for tensor in tensors)


def clip(
    a: ArrayLike,
    min: ArrayLike | None = None,
    max: ArrayLike | None = None,
    out: OutArray | None = None,
) -> Any:
    """The elements, none beyond the limits."""
    return torch.clamp(a, min, max)


def round(a: ArrayLike, decimals: Any = 0, out: OutArray | None = None) -> Any:
    """The elements with so many digits behind the point."""
    if a.is_floating_point():
        return torch.round(a, decimals=decimals)
    if a.is_complex():
        real, imag = (torch.round(part, decimals=decimals) for part in (a.real, a.imag))
        return torch.complex(real, imag)
    return a


around = round_ = round


def real(a: ArrayLike) -> Any:
    """The real part."""
    return torch.real(a)


def imag(a: ArrayLike) -> Any:
    """The imaginary part: a view, or zeros."""
    return a.imag if a.is_complex() else torch.zeros_like(a)


def angle(z: ArrayLike, deg: Any = False) -> Any:
    """The angles of complex numbers."""
    result = torch.angle(z)
    return torch.rad2deg(result) if deg else result


def real_if_close(a: ArrayLike, tol: Any = 100) -> Any:
    """The real part alone where the imaginary one is next to nothing."""
    if not torch.is_complex(a):
        return a
    limit = tol * torch.finfo(a.dtype).eps if tol > 1 else tol
    return a.real if torch.all(torch.abs(a.imag) < limit) else a


def iscomplex(x: ArrayLike) -> Any:
    """Whether there is an imaginary part, of each element."""
    return x.imag != 0 if torch.is_complex(x) else torch.zeros_like(x, dtype=torch.bool)


def isreal(x: ArrayLike) -> Any:
    """Whether there is no imaginary part, of each element."""
    return x.imag == 0 if torch.is_complex(x) else torch.ones_like(x, dtype=torch.bool)


def iscomplexobj(x: ArrayLike) -> Any:
    """Whether an array is complex."""
    return torch.is_complex(x)


def isrealobj(x: ArrayLike) -> Any:
    """Whether an array is not complex."""
    return not torch.is_complex(x)


def isneginf(x: ArrayLike, out: OutArray | None = None) -> Any:
    """Whether an element is minus infinity."""
    return torch.isneginf(x)


def isposinf(x: ArrayLike, out: OutArray | None = None) -> Any:
    """Whether an element is infinity."""
    return torch.isposinf(x)


def i0(x: ArrayLike) -> Any:
    """Bessel's function of the first kind."""
    return _special.i0(x)


def sinc(x: ArrayLike) -> Any:
    """The sine of pi x over pi x."""
    return _special.sinc(x)


def nan_to_num(
    x: ArrayLike,
    copy: NotImplementedType = True,
    nan: Any = 0.0,
    posinf: Any = None,
    neginf: Any = None,
) -> Any:
    """The elements with numbers in the place of nan and infinities."""
    if x.is_complex():
        parts = (torch.nan_to_num(part, nan, posinf, neginf) for part in (x.real, x.imag))
        re, im = parts
        return re + 1j * im
    return torch.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)


def isclose(
    a: ArrayLike, b: ArrayLike, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: Any = False
) -> Any:
    """Whether elements are nearly equal."""
    a, b = _util.typecast_tensors((a, b), _at_least_float(a, b), "unsafe")
    return torch.isclose(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan)


def allclose(
    a: ArrayLike, b: ArrayLike, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False
) -> Any:
    """Whether all elements are nearly equal."""
    a, b = _util.typecast_tensors((a, b), _at_least_float(a, b), "unsafe")
    return torch.allclose(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan)


def _at_least_float(a: Any, b: Any) -> torch.dtype:
    """The dtype of both, with room for fractions."""
    dtype = _dtypes_impl.result_type_impl(a, b)
    return torch.float64 if _dtypes_impl._category(dtype) < 2 else dtype


def array_equal(a1: ArrayLike, a2: ArrayLike, equal_nan: Any = False) -> Any:
    """Whether two arrays have one shape and equal elements."""
    return _tensor_equal(a1, a2, equal_nan=equal_nan)


def _tensor_equal(a1: Any, a2: Any, equal_nan: Any = False) -> bool:
    if a1.shape != a2.shape:
        return False
    same = a1 == a2
    if equal_nan:
        same = same | ((a1 != a1) & (a2 != a2))
    return bool(same.all())


def array_equiv(a1: ArrayLike, a2: ArrayLike) -> Any:
    """Whether two arrays have equal elements when they are expanded to one shape."""
    try:
        a1, a2 = torch.broadcast_tensors(a1, a2)
    except RuntimeError:
        return False
    return _tensor_equal(a1, a2)


def dot(a: ArrayLike, b: ArrayLike, out: OutArray | None = None) -> Any:
    """The product of vectors, matrices or numbers."""
    dtype = _dtypes_impl.result_type_impl(a, b)
    is_bool = dtype == torch.bool
    work = torch.uint8 if is_bool else dtype
    a, b = (_util.cast_if_needed(x, work) for x in (a, b))
    if a.ndim == 0 or b.ndim == 0:
        result = a * b
    else:
        result = torch.matmul(a, b)
    return result.to(torch.bool) if is_bool else result


def vdot(a: ArrayLike, b: ArrayLike, /) -> Any:
    """The product of two vectors, the first one conjugated."""
    dtype = _dtypes_impl.result_type_impl(a, b)
    is_half, is_bool = dtype == torch.float16, dtype == torch.bool
    work = torch.float32 if is_half else torch.uint8 if is_bool else dtype
    a, b = (_util.cast_if_needed(x, work).flatten() for x in (a, b))
    result = torch.vdot(a, b)
    return result.to(dtype) if is_half or is_bool else result


def inner(a: ArrayLike, b: ArrayLike, /) -> Any:
    """The product along the last axes."""
    dtype = _dtypes_impl.result_type_impl(a, b)
    is_half, is_bool = dtype == torch.float16, dtype == torch.bool
    work = torch.float32 if is_half else torch.uint8 if is_bool else dtype
    a, b = (_util.cast_if_needed(x, work) for x in (a, b))
    result = torch.inner(a, b)
    return result.to(dtype) if is_half or is_bool else result


def outer(a: ArrayLike, b: ArrayLike, out: OutArray | None = None) -> Any:
    """The product of each element with each."""
    return torch.outer(a, b)


def tensordot(a: ArrayLike, b: ArrayLike, axes: Any = 2) -> Any:
    """The product along axes."""
    if isinstance(axes, (list, tuple)):
        axes = [[ax] if isinstance(ax, int) else ax for ax in axes]
    dtype = _dtypes_impl.result_type_impl(a, b)
    a, b = _promoted(a, b)
    if dtype in (torch.bool, torch.float16):
        work = torch.uint8 if dtype == torch.bool else torch.float32
        return torch.tensordot(a.to(work), b.to(work), dims=axes).to(dtype)
    return torch.tensordot(a, b, dims=axes)


def cross(
    a: ArrayLike,
    b: ArrayLike,
    axisa: Any = -1,
    axisb: Any = -1,
    axisc: Any = -1,
    axis: Any = None,
) -> Any:
    """The cross product of vectors of two or three components."""
    if axis is not None:
        axisa, axisb, axisc = (axis,) * 3
    axisa = _util.normalize_axis_index(axisa, a.ndim)
    axisb = _util.normalize_axis_index(axisb, b.ndim)
    a = torch.moveaxis(a, axisa, -1)
    b = torch.moveaxis(b, axisb, -1)
    if a.shape[-1] not in (2, 3) or b.shape[-1] not in (2, 3):
        raise ValueError("incompatible dimensions for cross product\n(dimension must be 2 or 3)")
    flat = a.shape[-1] == 2 and b.shape[-1] == 2
    a, b = (_with_third(x) for x in _promoted(a, b))
    a, b = torch.broadcast_tensors(a, b)
    if flat:
        return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    result = _linalg.cross(a, b, dim=-1)
    axisc = _util.normalize_axis_index(axisc, result.ndim)
    return torch.moveaxis(result, -1, axisc)


def _with_third(x: Any) -> Any:
    """Vectors with a third component, zero where there was none."""
    if x.shape[-1] == 3:
        return x
    return torch.cat((x, torch.zeros_like(x[..., :1])), dim=-1)


def einsum(
    *operands: Any,
    out: Any = None,
    dtype: Any = None,
    order: Any = "K",
    casting: Any = "safe",
    optimize: Any = False,
) -> Any:
    """Sums of products along axes that are named by letters."""
    normalize_casting(casting)
    from_text = isinstance(operands[0], str)
    if from_text:
        tensors = [normalize_array_like(operand) for operand in operands[1:]]
    else:
        tensors = [normalize_array_like(operand) for operand in operands[:-1:2]]
    common = normalize_dtype(dtype) or _dtypes_impl.result_type_impl(*tensors)
    work = torch.uint8 if common == torch.bool else common
    work = torch.float32 if work == torch.float16 else work
    tensors = [
        _util.cast_if_needed(tensor, work)
        for tensor in _util.typecast_tensors(tensors, common, casting)
    ]
    if from_text:
        result = torch.einsum(operands[0], *tensors)
    else:
        places = operands[1::2]
        arguments = [one for pair in zip(tensors, places, strict=False) for one in pair]
        if len(operands) % 2:
            arguments.append(operands[-1])
        result = torch.einsum(*arguments)
    result = _util.cast_if_needed(result, common)
    return maybe_copy_to(out, result)


def diff(
    a: ArrayLike,
    n: Any = 1,
    axis: Any = -1,
    prepend: ArrayLike | None = None,
    append: ArrayLike | None = None,
) -> Any:
    """The differences of neighbours."""
    axis = _util.normalize_axis_index(axis, a.ndim)
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n}")
    if n == 0:
        return a
    if prepend is not None:
        prepend = _beside(a, prepend, axis)
    if append is not None:
        append = _beside(a, append, axis)
    return torch.diff(a, n, axis=axis, prepend=prepend, append=append)


def _beside(a: Any, values: Any, axis: int) -> Any:
    """Values in the shape that they need to stand beside *a*."""
    shape = list(a.shape)
    shape[axis] = values.shape[axis] if values.ndim > 0 else 1
    return torch.broadcast_to(values, shape)


def gradient(f: ArrayLike, *varargs: Any, axis: Any = None, edge_order: Any = 1) -> Any:
    """The slope along each axis, from neighbours on both sides."""
    count = f.ndim
    steps: Any = [x.tensor if isinstance(x, ndarray) else x for x in varargs]
    if axis is None:
        axes = tuple(range(count))
    else:
        axes = _util.normalize_axis_tuple(axis, count)
    spacing = _spacings(f, steps, axes)
    if edge_order > 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    if _dtypes_impl._category(f.dtype) < 2:
        f = f.double()
    results = [_slope(f, step, ax, edge_order) for step, ax in zip(spacing, axes, strict=True)]
    return results[0] if len(axes) == 1 else results


def is_number(x: Any) -> bool:
    """Whether *x* is a Python number."""
    return _dtypes_impl.is_scalar(x)


def _spacings(f: Any, steps: Any, axes: Any) -> list[Any]:
    """A distance, or the distances of all neighbours, along each axis."""
    if not steps:
        return [1.0] * len(axes)
    if len(steps) == 1 and (is_number(steps[0]) or steps[0].ndim == 0):
        return [steps[0]] * len(axes)
    if len(steps) != len(axes):
        raise TypeError("invalid number of arguments")
    found = []
    for step, ax in zip(steps, axes, strict=True):
        if is_number(step) or step.ndim == 0:
            found.append(step)
            continue
        if step.ndim != 1:
            raise ValueError("distances must be either scalars or 1d")
        if len(step) != f.shape[ax]:
            raise ValueError(
                "when 1d, distances must match the length of the corresponding dimension"
            )
        if _dtypes_impl._category(step.dtype) < 2:
            step = step.double()
        between = torch.diff(step)
        found.append(between[0] if bool((between == between[0]).all()) else between)
    return found


def _slope(f: Any, step: Any, ax: int, edge_order: int) -> Any:
    """The slope along one axis."""
    if f.shape[ax] < edge_order + 1:
        raise ValueError(
            "Shape of array too small to calculate a numerical gradient, "
            "at least (edge_order + 1) elements are required."
        )
    f = f.movedim(ax, -1)
    out = torch.empty_like(f)
    even = is_number(step) or step.ndim == 0
    if even:
        out[..., 1:-1] = (f[..., 2:] - f[..., :-2]) / (2.0 * step)
        first = last = step
    else:
        before, behind = step[:-1], step[1:]
        out[..., 1:-1] = (
            -behind / (before * (before + behind)) * f[..., :-2]
            + (behind - before) / (before * behind) * f[..., 1:-1]
            + before / (behind * (before + behind)) * f[..., 2:]
        )
        first, last = step[0], step[-1]
    if edge_order == 1:
        out[..., 0] = (f[..., 1] - f[..., 0]) / first
        out[..., -1] = (f[..., -1] - f[..., -2]) / last
    elif even:
        out[..., 0] = (-1.5 * f[..., 0] + 2.0 * f[..., 1] - 0.5 * f[..., 2]) / step
        out[..., -1] = (0.5 * f[..., -3] - 2.0 * f[..., -2] + 1.5 * f[..., -1]) / step
    else:
        near, far = step[0], step[1]
        out[..., 0] = (
            -(2.0 * near + far) / (near * (near + far)) * f[..., 0]
            + (near + far) / (near * far) * f[..., 1]
            - near / (far * (near + far)) * f[..., 2]
        )
        far, near = step[-2], step[-1]
        out[..., -1] = (
            near / (far * (far + near)) * f[..., -3]
            - (near + far) / (far * near) * f[..., -2]
            + (2.0 * near + far) / (near * (far + near)) * f[..., -1]
        )
    return out.movedim(-1, ax)
