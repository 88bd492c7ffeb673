"""Tensors over memory that belongs to others: ``frombuffer`` and ``asarray``."""

from __future__ import annotations

from typing import Any

import mindtorch_storage as st
import numpy as np
from mindtorch_dispatch.argument_parser import ArgumentParser

from ..call.argument_parser import TYPES
from ..core.errors import factory_requires_grad, scalar_type
from ..core.warning import warn_once
from ..tensor import Tensor
from ..tensor.array_memory import writable
from ..tensor.construction import wrap
from ..tensor.defaults import default_device
from ..tensor.gradient import require_grad
from .dlpack import from_dlpack
from .from_data import array_of, from_numpy, lifted

__all__ = ["asarray", "frombuffer"]

_FROMBUFFER = ArgumentParser.from_signatures(
    "frombuffer",
    [
        "frombuffer(object buffer, *, ScalarType dtype, int count=-1, int offset=0, "
        "bool requires_grad=False)"
    ],
    types=TYPES,
)
_ASARRAY = ArgumentParser.from_signatures(
    "asarray",
    [
        "asarray(object obj, *, ScalarType? dtype=None, Device? device=None, bool? copy=None, "
        "bool? requires_grad=None)"
    ],
    types=TYPES,
)


def frombuffer(*args: Any, **kwargs: Any) -> Tensor:
    """A 1-d tensor over the memory of an object with the buffer protocol.

    ``frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False)``; *count* elements
    (all if negative) from byte *offset* on.

    Raises ValueError where the buffer has not that much memory, or no whole number of elements.
    """
    _, (buffer, dtype, count, offset, requires_grad) = _FROMBUFFER.parse(args, kwargs)
    return over_buffer(buffer, dtype, count, offset, requires_grad)


def over_buffer(
    buffer: Any, dtype: Any, count: int = -1, offset: int = 0, requires_grad: bool = False
) -> Tensor:
    """:func:`frombuffer` with its arguments checked."""
    try:
        view = memoryview(buffer)
    except TypeError:
        raise ValueError("object does not implement Python buffer protocol.") from None
    if not view.c_contiguous:
        raise RuntimeError("could not retrieve buffer from object")
    total, item = view.nbytes, dtype.itemsize
    if total == 0 or count == 0:
        raise ValueError(f"both buffer length ({total}) and count ({count}) must not be 0")
    if not 0 <= offset < total:
        raise ValueError(
            f"offset ({offset} bytes) must be non-negative and no greater than buffer length "
            f"({total} bytes) minus 1"
        )
    if count < 0:
        if (total - offset) % item:
            raise ValueError(
                f"buffer length ({total - offset} bytes) after offset ({offset} bytes) must be a "
                f"multiple of element size ({item})"
            )
        count = (total - offset) // item
    if offset + count * item > total:
        raise ValueError(
            f"requested buffer length ({count} * {item} bytes) after offset ({offset} bytes) must "
            f"not be greater than actual buffer length ({total} bytes)"
        )
    if view.readonly:
        warn_once(
            "The given buffer is not writable, and PyTorch does not support non-writable tensors. "
            "This means you can write to the underlying (supposedly non-writable) buffer using the "
            "tensor. You may want to copy the buffer to protect its data or make it writable "
            "before converting it to a tensor. This type of warning will be suppressed for the "
            "rest of this program.",
        )
    array = np.frombuffer(view, np.uint8, count * item, offset)
    array = (writable(array) if view.readonly else array).view(dtype.np)
    made = from_numpy(array)
    return _wanting(made) if requires_grad else made


def _wanting(made: Tensor) -> Tensor:
    if not (made.dtype.is_floating_point or made.dtype.is_complex):
        raise factory_requires_grad()
    return require_grad(made)


def asarray(*args: Any, **kwargs: Any) -> Tensor:
    """*obj* as a tensor: over the same memory where that is possible, else a copy.

    ``asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=None)``; *copy* demands one
    or the other.

    Raises ValueError where memory cannot be shared and must be.
    """
    _, (obj, dtype, device, copy, requires_grad) = _ASARRAY.parse(args, kwargs)
    if device is None:
        device = default_device()
    if copy is False and isinstance(obj, np.generic):
        raise RuntimeError(
            "can't alias NumPy scalars. Either remove copy=False or transform it in a ndarray. "
        )
    base = _borrowed(obj, dtype)
    if base is None:
        if copy is False:
            raise ValueError("can't alias arbitrary sequence into a tensor.")
        made = lifted(wrap(array_of(obj, dtype)))
        made = made if device is None else made._to_(device)
        return _wanting(made) if requires_grad else made
    # An array of no dimensions is copied as a number, and then taken as it is.
    if copy is False or copy and isinstance(obj, (np.generic, np.ndarray)) and not obj.ndim:
        if device is not None and device != base.device:
            raise ValueError(f"can't alias tensor from device '{base.device}' to '{device}'.")
        if dtype is not None and dtype is not base.dtype:
            raise ValueError(
                f"can't alias tensor with dtype '{scalar_type(base.dtype)}' into dtype "
                f"'{scalar_type(dtype)}'."
            )
    made = base._to_(device, dtype, False, bool(copy))
    if requires_grad is None:
        if base.requires_grad:
            warn_once(
                "torch.asarray: unspecified requires_grad now defaults to obj.requires_grad "
                "instead of False. Pass requires_grad=False explicitly to get the old behavior and "
                "silence this warning.",
            )
        return made
    if not requires_grad:
        if not made.requires_grad:
            return made
        # A leaf that is given as it is stops requiring gradients itself, as in torch.
        return made.requires_grad_(False) if made.is_leaf else made.detach()
    return _wanting(made)


def _borrowed(obj: Any, dtype: Any) -> Tensor | None:
    """A tensor over the memory of *obj*; None if it has none to give."""
    if isinstance(obj, Tensor):
        return obj
    if isinstance(obj, np.generic):
        obj = np.asarray(obj)
    if isinstance(obj, np.ndarray):
        return from_numpy(obj)
    if hasattr(obj, "__dlpack__"):
        return from_dlpack(obj)
    try:
        memoryview(obj)
    except TypeError:
        return None
    return over_buffer(obj, st.get_default_dtype() if dtype is None else dtype)
