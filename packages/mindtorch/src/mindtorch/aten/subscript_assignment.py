"""``t[index] = value``: a copy into the view, a fill, or ``index_put_``.

Source of the rules: torch csrc/autograd/python_variable_indexing.cpp and ATen/TensorIndexing.h.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from mindtorch_autograd import grad_mode
from mindtorch_npu import sync_debug

from ..backends.number_arrays import number_array
from ..call.index_device import moved_indices
from ..call.intercept import Overridden, hand_over
from ..core import signature as S
from ..core.backend_registry import backend_of
from ..core.dims import scalar_name
from ..core.errors import index_put_dtypes, not_implemented_for
from ..core.key_sets import UNSEEN, grad_state, seen_by_python, tls_state
from ..core.signature import dtype_of
from ..core.tracebacks import shorten
from ..tensor import Tensor
from ..tensor.construction import wrap
from ..tensor.interning import meta_of
from .from_data import lifted
from .scalars import stored
from .subscript import ask, divide, full_name, is_mask, straight, view_op
from .subscript_plans import SubscriptPlans, key_of

__all__ = ["setitem", "value_tensor"]

_PLAIN_NUMBERS = (int, float, bool)


def _basic_target(self: Any, index: Any, view: Any) -> tuple[Any, list[Any]]:
    """:func:`divide`, of *view*; all of *self* is *self*."""
    return divide(self, index) if view._a_.shape == self._a_.shape else (view, [])


DIVIDING = SubscriptPlans(divide, _basic_target, outer="({}, [])")


def setitem(self: Any, index: Any, value: Any) -> None:
    """``self[index] = value``."""
    try:
        try:
            return _set(self, index, value)
        except Overridden:
            pass
        hand_over(Tensor.__setitem__, (self, index, value), {})
    except Exception as error:
        shorten(error)
        raise


def _set(self: Any, index: Any, value: Any) -> None:
    """``self[index] = value``, unless an index or value overrides functions."""
    ask(value)
    if self._sig_ & S.SPARSE_LAYOUTS:
        raise TypeError("Cannot assign to a sparse tensor")
    filling = False
    is_there = not isinstance(value, Tensor)  # a number is made where it is needed
    on_device = not is_there and not value._sig_ & S.CPU
    if is_there:
        value = value_tensor(self, value)
        if tls_state() not in UNSEEN:
            value = lifted(value)
            filling = seen_by_python(self._sig_ | tls_state())
    masking = isinstance(index, Tensor) and not filling and not on_device
    if masking and _is_filled(self, index, value):
        if not value._sig_ & self._sig_ & S.CPU:
            value = value._to_(self.device, None, True)
        straight("masked_fill_.Tensor")(self, index, value)
        return
    if index is False:
        return
    if index is True:
        view, indices = view_op("unsqueeze", self, 0), []
    else:
        view, indices = _divided(self, index)
    if not indices:
        if not (is_there or value._sig_ & self._sig_ & S.CPU or value.device == self.device):
            value = value._to_(self.device)
        _copy_to(view, value)
        return
    if on_device and sync_debug.mode and value._a_.size == 1 and any(map(_counts, indices)):
        sync_debug.notice()  # as on CUDA, where only a number of the host is filled in by mask
    value = _without_lead(value)
    if value._a_.size == 1 and value.dtype != view.dtype and _has_flag(index):
        straight("index.Tensor")(view, indices)  # what is wrong with them is said first
        raise index_put_dtypes(scalar_name(view.dtype), scalar_name(value.dtype))
    if (not value._a_.ndim or self._sig_ & S.META) and not value._sig_ & self._sig_ & S.CPU:
        value = value._to_(self.device)
    if self._sig_ & S.ACCELERATORS:  # writing, torch takes indices from wherever they lie
        indices = moved_indices(view, indices)
    straight("index_put_")(view, indices, value, False)


def _is_filled(self: Any, index: Tensor, value: Any) -> bool:
    """Whether *index* is a mask of the size of *self*, and *value* one number for where it is."""
    if (
        index._sig_ & S.BATCHED
        or index._a_.dtype.kind != "b"
        or index._a_.shape != self._a_.shape
        or not index._a_.ndim  # one of no dimensions is a number, which says how often
        or not (index._sig_ & self._sig_ & S.CPU or index.device == self.device)
        or self._sig_ & S.STRIDED
    ):
        return False
    recorded = self.requires_grad and grad_state() & grad_mode.GRAD_ENABLED
    return value._a_.ndim == 0 and not value.requires_grad and not recorded


def _has_flag(index: Any) -> bool:
    """Whether a truth value is among the indices: torch makes a number of it, and so no mask."""
    return any(
        isinstance(i, bool) or (isinstance(i, Tensor) and not i._a_.ndim and is_mask(i))
        for i in (index if isinstance(index, tuple) else (index,))
    )


def _divided(self: Any, index: Any) -> tuple[Any, list[Any]]:
    """:func:`divide`, known for indices that came before."""
    try:
        found = DIVIDING.table[key_of(self, index)]
    except (KeyError, AttributeError, TypeError):
        return DIVIDING.miss(self, index)
    return found(self, index)


def _counts(index: Any) -> bool:
    """Whether a device has to count the elements that *index* means, and the host to wait."""
    return index is not None and not index._sig_ & S.CPU and is_mask(index)


def value_tensor(self: Any, value: Any) -> Tensor:
    """The number *value* as a tensor to be copied into *self*. Raises TypeError for others."""
    if isinstance(value, (bool, int, float, complex, np.integer)):
        number = value.item() if isinstance(value, np.generic) else value
        if isinstance(number, int) and not -(1 << 63) <= number < 1 << 63:
            raise ValueError("Overflow when unpacking long long")
        if self._sig_ & S.QUANTIZED:  # it takes the nearest of its own
            return wrap(np.array(number, np.float32))
        if self._a_.dtype.names:
            raise not_implemented_for("fill_out", self.dtype)
        unseen = tls_state() in UNSEEN
        only_read = unseen and type(number) in _PLAIN_NUMBERS
        if only_read and self._sig_ & S.CPU:
            if not number or number != number:  # -0.0 equals 0.0, and nan nothing
                return wrap(_number(type(number), number, self._a_.dtype))
            return _kept_tensor(type(number), number, self._a_.dtype)
        if self._sig_ & S.ACCELERATORS and unseen:
            # Made there, or the host would wait for the copy.
            if only_read:
                array = _number(type(number), number, self._a_.dtype)
            else:
                array = number_array(stored(number, self.dtype), self._a_.dtype)
            made = backend_of(self).adopt(array, self._shared_.device)
            meta_of(made)  # or the entrance that it goes through would miss
            return made
        made = wrap(number_array(stored(number, self.dtype), self._a_.dtype))
        return made if self._sig_ & S.CPU else made._to_(self.device)
    raise TypeError(f"can't assign a {full_name(type(value))} to a {self.type()}")


def _number(kind: type, number: Any, np_dtype: Any) -> Any:
    """A 0-d array that holds *number* and is only read; programs assign few different ones."""
    if not number or number != number:  # -0.0 equals 0.0, and nan nothing
        return number_array(stored(number, dtype_of(np_dtype)), np_dtype)
    return _kept_number(kind, number, np_dtype)


@lru_cache(256)
def _kept_number(kind: type, number: Any, np_dtype: Any) -> Any:
    return number_array(stored(number, dtype_of(np_dtype)), np_dtype)


@lru_cache(256)
def _kept_tensor(kind: type, number: Any, np_dtype: Any) -> Tensor:
    made = wrap(_kept_number(kind, number, np_dtype))
    meta_of(made)
    return made


def _without_lead(value: Any, always: bool = False) -> Any:
    """*value* without its leading dimensions of size 1. Source: slicePrefix1sSize.

    :param always: a view even where there are none, as torch makes it where it goes on to expand.
    """
    shape = value._a_.shape
    lead = next((i for i, n in enumerate(shape) if n != 1), len(shape))
    return value.view(shape[lead:]) if lead or always else value


def _copy_to(view: Any, value: Any) -> None:
    """``view.copy_(value)``, leading dimensions of size 1 dropped; ``fill_`` with one number."""
    shape = value._a_.shape
    if shape != view._a_.shape and shape:
        value = _without_lead(value, always=True)
        if value._a_.shape != view._a_.shape:
            value = value.expand(view.shape)
    if value._a_.ndim == 0 and view._a_.ndim and value._sig_ & S.CPU:
        straight("fill_.Tensor")(view, value)
    else:
        straight("copy_")(view, value, False)
