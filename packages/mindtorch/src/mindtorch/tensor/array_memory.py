"""The memory under arrays and tensors: who owns it, where it lies, windows on it, its storage."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np
from mindtorch_autograd import grad_mode
from mindtorch_storage import UntypedStorage
from mindtorch_storage.layout import contiguous_strides

from ..core import signature as S
from .slots import Slots
from .tensor_impl import Alias, AnyAlias, ApartAlias, alias_of, making, state_of

_ndarray = np.ndarray


def storage_of(t: Slots) -> UntypedStorage:
    """The storage of *t*; all tensors over the same memory get the same object."""
    alias = alias_of(t)
    storage = alias.storage
    if t._sig_ & S.SPARSE_LAYOUTS:
        raise t._content_.no_storage()
    if storage is None:
        if t._sig_ & (S.META | S.MEMORYLESS):
            storage = UntypedStorage._meta(_extent(t._a_), t.device)
        else:
            storage = UntypedStorage._from_array(owner_of(t._a_))
            if alias.lent:
                storage._lend()
        made = storage
        with making:
            storage = alias.storage
            if storage is None:
                storage = alias.storage = made
                made._first = weakref.ref(t)
    return storage


def same_storage(a: Slots, b: Slots) -> bool:
    """Whether two tensors lie in one storage."""
    if a is b:
        return True
    one, two = a._shared_, b._shared_
    if one is None or two is None:
        return False  # never shared with anybody
    if one is two:
        return True
    if (type(one) is ApartAlias or type(two) is ApartAlias) and memory_of(one) is memory_of(two):
        return True
    storage = one.known_storage
    return storage is not None and storage is two.known_storage


def memory_of(alias: AnyAlias) -> AnyAlias:
    """The alias that has the memory of *alias*."""
    return alias.memory if type(alias) is ApartAlias else alias


def _extent(array: np.ndarray[Any, Any]) -> int:
    """Bytes of the memory that *array*, which has none, and those it is a view of stand for."""
    ends = [address(array) + _span(array)]
    while True:
        base = array.base
        if isinstance(base, _ndarray):
            array = base
        elif type(base) is _Window:
            array = base.keep
        else:
            return max(ends) - address(array)
        if array.base is not None:  # else one element, which stands for all
            ends.append(address(array) + _span(array))


def _span(a: np.ndarray[Any, Any]) -> int:
    """Bytes from the first to past the last element."""
    if not a.size:
        return 0
    return a.itemsize + sum((n - 1) * s for n, s in zip(a.shape, a.strides, strict=True))


def owner_of(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The ndarray that owns the memory *array* looks at."""
    while True:
        base = array.base
        if isinstance(base, _ndarray):
            array = base
        elif type(base) is _Window:
            array = base.keep
        else:
            return array


def place_of(t: Slots) -> tuple[int, int]:
    """Where the first element of *t* lies in its storage, and how large that is, in bytes."""
    storage = storage_of(t)
    return address(t._a_) - address(storage._owner), storage.nbytes()


def address(array: np.ndarray[Any, Any]) -> int:
    """Address of the first element (also where there is none)."""
    return array.__array_interface__["data"][0]


def empty_array(
    shape: tuple[int, ...], np_dtype: Any, strides: tuple[int, ...] | None
) -> np.ndarray[Any, Any]:
    """Uninitialised memory laid out with *strides* (elements; None means contiguous)."""
    if strides is None:
        return np.empty(shape, np_dtype)
    span = 1
    for n, s in zip(shape, strides, strict=True):
        if n == 0:
            return array_of_nothing(shape, np_dtype, strides)
        span += (n - 1) * s
    flat = np.empty(span, np_dtype)
    item = flat.itemsize
    return _ndarray(shape, np_dtype, flat, 0, tuple([s * item for s in strides]))


def array_of_nothing(
    shape: tuple[int, ...], np_dtype: np.dtype[Any], strides: tuple[int, ...]
) -> np.ndarray[Any, Any]:
    """An array without elements that has *strides* (in elements), all of 0 even.

    Such are what numpy gives by itself, too, but not over memory that is not its own.
    """
    return _ndarray(
        shape, np_dtype, bytearray(), 0, tuple([s * np_dtype.itemsize for s in strides])
    )


def phantom_array(
    shape: tuple[int, ...], np_dtype: Any, strides: tuple[int, ...] | None, offset: int = 0
) -> np.ndarray[Any, Any]:
    """An array with shape, strides and dtype but no memory, for meta tensors. Never read it."""
    return strided_view(np.empty(1, np_dtype), shape, strides or contiguous_strides(shape), offset)


class _Window:
    """Memory of another array, seen through other strides (for numpy's array protocol)."""

    __slots__ = ("__array_interface__", "keep")
    keep: np.ndarray[Any, Any]


def strided_view(
    array: np.ndarray[Any, Any],
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    offset: int = 0,
    np_dtype: Any = None,
    item: int | None = None,
) -> np.ndarray[Any, Any]:
    """*array*'s memory from *offset* on, with other shape and strides (both in elements).

    The caller has checked the bounds; numpy is not asked, so that meta tensors can be viewed too.
    """
    dt = array.dtype if np_dtype is None else np_dtype
    size, width = item or array.itemsize, dt.itemsize
    byte_strides = tuple([s * width for s in strides])
    flags = array.flags
    some = array.size and 0 not in shape if np_dtype else array.size or array.base is None
    if flags.writeable and some:
        try:
            # numpy's own constructor is five times as quick, where it takes the memory for a buffer
            # and the window does not reach out of it. (Over nothing it would make up strides.)
            if flags.c_contiguous:
                return _ndarray(shape, dt, array, offset * size, byte_strides)
            if flags.f_contiguous:
                return _ndarray(shape, dt, array.T, offset * size, byte_strides)
        except (TypeError, ValueError):  # out of it; or what only meta tensors may have
            pass
    window = _Window()
    window.keep = array
    window.__array_interface__ = {
        "version": 3,
        "data": (address(array) + offset * size, False),
        "shape": shape,
        "strides": byte_strides,
        "typestr": f"|V{width}",
    }
    # The interface knows no bfloat16, so the bytes come as void and are named afterwards.
    got = np.asarray(window)
    return got if got.dtype == dt else got.view(dt)


def writable(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The memory of *array*, which says that it must not be written, so that it can be."""
    window = _Window()
    window.keep = array
    window.__array_interface__ = {
        "version": 3,
        "data": (address(array), False),
        "shape": array.shape,
        "strides": array.strides,
        "typestr": f"|V{array.itemsize}",
    }
    return np.asarray(window).view(array.dtype)


def alias_with_own_version(t: Slots) -> Any:
    """Give *t* a version counter of its own over the same storage (``.data``)."""
    own = Alias()
    own.value = 0
    if not t._sig_ & S.SPARSE_LAYOUTS:
        own.storage = storage_of(t)
    t._shared_ = own
    if t._sig_ & S.INFERENCE and not grad_mode.state.get() & grad_mode.INFERENCE:
        state_of(t).counts = True
    return t
