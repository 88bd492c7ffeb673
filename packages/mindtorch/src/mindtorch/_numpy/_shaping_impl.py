"""Functions that give an array's elements another shape or order."""

from __future__ import annotations

from typing import Any

from ..aten import torch
from . import _util
from ._normalizations import ArrayLike, NotImplementedType


def reshape(a: ArrayLike, newshape: Any, order: NotImplementedType = "C") -> Any:
    """The elements in another shape."""
    newshape = newshape[0] if len(newshape) == 1 else newshape
    return a.reshape(newshape)


def ravel(a: ArrayLike, order: NotImplementedType = "C") -> Any:
    """The elements in one dimension, a view where that can be."""
    return torch.ravel(a)


def transpose(a: ArrayLike, axes: Any = None) -> Any:
    """The array with its dimensions in another order."""
    if axes in [(), None, (None,)]:
        axes = tuple(reversed(range(a.ndim)))
    elif len(axes) == 1:
        axes = axes[0]
    return a.permute(axes)


def squeeze(a: ArrayLike, axis: Any = None) -> Any:
    """The array without its dimensions of one."""
    if axis == ():
        result = a
    elif axis is None:
        result = a.squeeze()
    elif isinstance(axis, tuple):
        result = a
        for one in axis:
            result = a.squeeze(one)
    else:
        result = a.squeeze(axis)
    return result


def swapaxes(a: ArrayLike, axis1: Any, axis2: Any) -> Any:
    """The array with two dimensions changed."""
    axis1 = _util.normalize_axis_index(axis1, a.ndim)
    axis2 = _util.normalize_axis_index(axis2, a.ndim)
    return torch.swapaxes(a, axis1, axis2)


def moveaxis(a: ArrayLike, source: Any, destination: Any) -> Any:
    """The array with dimensions at other places."""
    source = _util.normalize_axis_tuple(source, a.ndim, "source")
    destination = _util.normalize_axis_tuple(destination, a.ndim, "destination")
    return torch.moveaxis(a, source, destination)


def rollaxis(a: ArrayLike, axis: Any, start: Any = 0) -> Any:
    """The shape with a dimension moved back, as torch reads it."""
    count = a.ndim
    axis = _util.normalize_axis_index(axis, count)
    if start < 0:
        start += count
    if not 0 <= start < count + 1:
        raise _util.AxisError(
            f"'start' arg requires {-count} <= start < {count + 1}, but {start} was passed in"
        )
    if axis < start:
        start -= 1
    if axis == start:
        return a
    axes = list(range(count))
    axes.remove(axis)
    axes.insert(start, axis)
    return a.view(axes)


def expand_dims(a: ArrayLike, axis: Any) -> Any:
    """The array with dimensions of one put in."""
    return a.reshape(_util.expand_shape(a.shape, axis))


def flip(m: ArrayLike, axis: Any = None) -> Any:
    """The elements in the opposite order."""
    if axis is None:
        axis = tuple(range(m.ndim))
    else:
        axis = _util.normalize_axis_tuple(axis, m.ndim)
    return torch.flip(m, axis)


def flipud(m: ArrayLike) -> Any:
    """The rows in the opposite order."""
    return torch.flipud(m)


def fliplr(m: ArrayLike) -> Any:
    """The columns in the opposite order."""
    return torch.fliplr(m)


def rot90(m: ArrayLike, k: Any = 1, axes: Any = (0, 1)) -> Any:
    """The array turned by right angles."""
    axes = _util.normalize_axis_tuple(axes, m.ndim)
    return torch.rot90(m, k, axes)


def roll(a: ArrayLike, shift: Any, axis: Any = None) -> Any:
    """The elements moved on, the last ones coming first."""
    if axis is not None:
        axis = _util.normalize_axis_tuple(axis, a.ndim, allow_duplicate=True)
        if not isinstance(shift, tuple):
            shift = (shift,) * len(axis)
    return torch.roll(a, shift, axis)


def atleast_1d(*arys: ArrayLike) -> Any:
    """The arrays with a dimension at least."""
    return _one_or_all(torch.atleast_1d(*arys))


def atleast_2d(*arys: ArrayLike) -> Any:
    """The arrays with two dimensions at least."""
    return _one_or_all(torch.atleast_2d(*arys))


def atleast_3d(*arys: ArrayLike) -> Any:
    """The arrays with three dimensions at least."""
    return _one_or_all(torch.atleast_3d(*arys))


def _one_or_all(result: Any) -> Any:
    """The results in a list, or the only one."""
    return list(result) if isinstance(result, tuple) else result


def broadcast_to(array: ArrayLike, shape: Any, subok: NotImplementedType = False) -> Any:
    """The array expanded to a shape."""
    return torch.broadcast_to(array, size=shape)


def broadcast_arrays(*args: ArrayLike, subok: NotImplementedType = False) -> Any:
    """The arrays expanded to one shape."""
    return torch.broadcast_tensors(*args)


def broadcast_shapes(*args: Any) -> Any:
    """The shape that arrays of these shapes have together."""
    return torch.broadcast_shapes(*args)


def size(a: ArrayLike, axis: Any = None) -> Any:
    """How many elements there are, in all or along an axis."""
    return a.numel() if axis is None else a.shape[axis]


def shape(a: ArrayLike) -> Any:
    """The sizes of an array."""
    return tuple(a.shape)


def ndim(a: ArrayLike) -> Any:
    """How many dimensions an array has."""
    return a.ndim


def sort(a: ArrayLike, axis: Any = -1, kind: Any = None, order: NotImplementedType = None) -> Any:
    """The elements from small to large."""
    a, axis, stable = _sorting(a, axis, kind)
    return torch.sort(a, dim=axis, stable=stable).values


def argsort(
    a: ArrayLike, axis: Any = -1, kind: Any = None, order: NotImplementedType = None
) -> Any:
    """Where the elements stand, from small to large."""
    a, axis, stable = _sorting(a, axis, kind)
    return torch.argsort(a, dim=axis, stable=stable)


def _sorting(a: Any, axis: Any, kind: Any) -> Any:
    """The tensor, the axis and whether equal elements keep their order."""
    if a.dtype.is_complex:
        raise NotImplementedError(f"sorting {a.dtype} is not supported")
    (a,), axis = _util.axis_none_flatten(a, axis=axis)
    return a, _util.normalize_axis_index(axis, a.ndim), kind == "stable"


def searchsorted(
    a: ArrayLike, v: ArrayLike, side: Any = "left", sorter: ArrayLike | None = None
) -> Any:
    """Where values would have to be put in so that the order is kept."""
    if a.dtype.is_complex:
        raise NotImplementedError(f"searchsorted with dtype={a.dtype}")
    return torch.searchsorted(a, v, side=side, sorter=sorter)
