"""Axes, casts and conversions that functions of arrays share."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, Never

from ..aten import torch
from . import _dtypes_impl
from ._array import ndarray


class AxisError(ValueError, IndexError):
    """An axis that an array does not have."""


class UFuncTypeError(TypeError, RuntimeError):
    """Operands that a universal function cannot take."""


def is_sequence(seq: Any) -> bool:
    """Whether *seq* has several values; texts count as one."""
    if isinstance(seq, str):
        return False
    try:
        len(seq)
    except Exception:
        return False
    return True


def cast_if_needed(tensor: Any, dtype: torch.dtype | None) -> Any:
    """The tensor in another dtype."""
    if dtype is not None and tensor.dtype != dtype:
        return tensor.to(dtype)
    return tensor


def cast_int_to_float(x: torch.Tensor) -> torch.Tensor:
    """Integers and bools in the default floating-point dtype."""
    if _dtypes_impl._category(x.dtype) < 2:
        return x.to(_dtypes_impl.default_dtypes().float_dtype)
    return x


def normalize_axis_index(ax: int, ndim: int, argname: str | None = None) -> int:
    """An axis counted from the front."""
    if not -ndim <= ax < ndim:
        raise AxisError(f"axis {ax} is out of bounds for array of dimension {ndim}")
    return ax + ndim if ax < 0 else ax


def normalize_axis_tuple(
    axis: Any, ndim: int, argname: str | None = None, allow_duplicate: bool = False
) -> tuple[int, ...]:
    """One or several axes as a tuple, counted from the front."""
    if type(axis) not in (tuple, list):
        try:
            axis = [operator.index(axis)]
        except TypeError:
            pass
    axes = tuple(normalize_axis_index(ax, ndim, argname) for ax in axis)
    if not allow_duplicate and len(set(axes)) != len(axes):
        if argname:
            raise ValueError(f"repeated axis in `{argname}` argument")
        raise ValueError("repeated axis")
    return axes


def allow_only_single_axis(axis: Any) -> Any:
    """The one axis of a tuple of one."""
    if axis is None:
        return axis
    if len(axis) != 1:
        raise NotImplementedError("does not handle tuple axis")
    return axis[0]


def expand_shape(arr_shape: Sequence[int], axis: Any) -> list[int]:
    """A shape with dimensions of one put in at the axes."""
    if type(axis) not in (list, tuple):
        axis = (axis,)
    out_ndim = len(axis) + len(arr_shape)
    axis = normalize_axis_tuple(axis, out_ndim)
    sizes = iter(arr_shape)
    return [1 if ax in axis else next(sizes) for ax in range(out_ndim)]


def apply_keepdims(tensor: torch.Tensor, axis: Any, ndim: int) -> torch.Tensor:
    """A reduced tensor with dimensions of one where the axes were."""
    if axis is None:
        return tensor.expand((1,) * ndim).contiguous()
    return tensor.reshape(expand_shape(tensor.shape, axis))


def axis_none_flatten(*tensors: Any, axis: Any = None) -> tuple[Any, int]:
    """The tensors, flat where no axis is given, and the axis to work along."""
    if axis is None:
        return tuple(tensor.flatten() for tensor in tensors), 0
    return tensors, axis


def typecast_tensor(t: torch.Tensor, target_dtype: torch.dtype, casting: str) -> torch.Tensor:
    """The tensor in another dtype, where the rule *casting* allows that."""
    if not _dtypes_impl.can_cast_impl(t.dtype, target_dtype, casting):
        raise TypeError(
            f"Cannot cast array data from {t.dtype} to {target_dtype}"
            f" according to the rule '{casting}'"
        )
    return cast_if_needed(t, target_dtype)


def typecast_tensors(tensors: Any, target_dtype: torch.dtype, casting: str) -> tuple[Any, ...]:
    """All of the tensors in another dtype."""
    return tuple(typecast_tensor(t, target_dtype, casting) for t in tensors)


def _refuse(obj: Any, error: Exception) -> Never:
    """Say that no array can be made of *obj*."""
    raise NotImplementedError(f"failed to convert {obj} to ndarray. \nInternal error is: {error}.")


def _try_convert_to_tensor(obj: Any) -> torch.Tensor:
    """A tensor of *obj*, in torch's default dtypes."""
    try:
        return torch.as_tensor(obj)
    except Exception as error:
        _refuse(obj, error)


def _coerce_to_tensor(
    obj: Any, dtype: torch.dtype | None = None, copy: bool = False, ndmin: int = 0
) -> torch.Tensor:
    """A tensor of anything that an array can be made of; floats become the default dtype."""
    if isinstance(obj, torch.Tensor):
        tensor: Any = obj
    else:
        former = torch.get_default_dtype()
        torch.set_default_dtype(_dtypes_impl.get_default_dtype_for(torch.float32))
        try:
            tensor = _try_convert_to_tensor(obj)
        finally:
            torch.set_default_dtype(former)
    tensor = cast_if_needed(tensor, dtype)
    missing = ndmin - tensor.ndim
    if missing > 0:
        tensor = tensor.view((1,) * missing + tuple(tensor.shape))
    if copy:
        tensor = tensor.clone()
    return tensor


def ndarrays_to_tensors(*inputs: Any) -> Any:
    """The tensors under arrays, in lists and tuples, too; one argument gives no tuple."""
    if not inputs:
        return ValueError()
    if len(inputs) > 1:
        return tuple(ndarrays_to_tensors(value) for value in inputs)
    value = inputs[0]
    if isinstance(value, ndarray):
        return value.tensor
    if isinstance(value, tuple):
        return tuple(ndarrays_to_tensors(inner) for inner in value)
    return value
