"""``t[index]`` and ``t[index] = value``: a Python index becomes view ops and tensor indices.

Source of the rules: torch csrc/autograd/python_variable_indexing.cpp and ATen/TensorIndexing.h.
"""

from __future__ import annotations

from functools import cache, lru_cache
from operator import index as index_of
from typing import Any

import numpy as np
from mindtorch_autograd import grad_mode
from mindtorch_npu import sync_debug
from mindtorch_storage import int32, int64

from ..backends.number_arrays import number_array
from ..call.dispatch_entry import OVERLOADS
from ..call.index_device import moved_indices
from ..call.intercept import PLAIN, Overridden, hand_over, overrides
from ..call.overload_entrance import straight_named
from ..core import signature as S
from ..core.backend_registry import backend_of
from ..core.dims import scalar_name
from ..core.errors import index_put_dtypes, not_implemented_for
from ..core.key_sets import UNSEEN, grad_state, seen_by_python, tls_state
from ..core.signature import dtype_of
from ..core.tracebacks import shorten
from ..core.warning import warn
from ..tensor import Tensor
from ..tensor.construction import wrap
from ..tensor.interning import meta_of
from .from_data import array_of, lifted
from .scalars import stored
from .subscript_plans import SubscriptPlans, key_of

_INVALID = (
    "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid "
    "indices (got {})"
)
#: Signature bits of tensors of at least one dimension that hold int64 or int32.
_INTEGERS = S.dtype_bits(int64)[0] | S.dtype_bits(int32)[0]
_BACKENDS, _BATCHED = S.BACKENDS, S.BATCHED
#: Each of these speaks of one dimension.
_ONE_DIM = frozenset((int, slice))
_USUAL = frozenset((int, slice, type(None), type(Ellipsis), Tensor, list))


def getitem(self: Any, index: Any) -> Any:
    """``self[index]``."""
    try:
        try:
            if index.__class__ is int:  # as in ``key_of``
                found = _known[self._meta, grad_state() | tls_state(), int]
            else:
                found = _known[key_of(self, index)]
        except (KeyError, AttributeError, TypeError):
            pass
        else:
            return found(self, index)
        try:
            return READING.miss(self, index)
        except Overridden:
            pass
        return hand_over(Tensor.__getitem__, (self, index), {})
    except Exception as error:
        shorten(error)
        raise


def _read(self: Any, index: Any) -> Any:
    """``self[index]``, worked out."""
    if type(index) is int and self._a.ndim:
        try:
            return _view("select.int", self, 0, index)
        except IndexError:
            raise _out_of_bounds(_integer(index), 0, self._a.shape[0]) from None
    if type(index) is slice and self._a.ndim:
        return _sliced(self, 0, index, always=True)
    view, indices = _parts(self, index)
    if indices:
        return _straight("index.Tensor")(view, indices)
    return alias(self) if view is self else view


def _straight(name: str) -> Any:
    """The op of this name, of arguments of ours."""
    return straight_named(f"aten::{name}")


def _parts(self: Any, index: Any) -> tuple[Any, list[Any]]:
    """What :func:`apply_basic` gives; numbers, slices, tensors of whole numbers quickly."""
    kind = type(index)
    if kind is int and self._a.ndim:
        return _selected(self, 0, index, 0), []
    if kind is slice and self._a.ndim:
        return _sliced(self, 0, index), []
    indices = list(index) if kind is tuple else [index]
    own = self._sig & _BACKENDS
    for each in indices:
        sig = each._sig if type(each) is Tensor else 0
        if not sig & own or not sig & _INTEGERS or sig & _BATCHED:
            return apply_basic(self, index)
    return (self, indices) if 0 < len(indices) <= self._a.ndim else apply_basic(self, index)


def alias(t: Any) -> Any:
    """Another tensor over the same memory."""
    return _view("alias", t)


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
    _ask(value)
    if self._sig & S.SPARSE_LAYOUTS:
        raise TypeError("Cannot assign to a sparse tensor")
    filling = False
    is_there = not isinstance(value, Tensor)  # a number is made where it is needed
    on_device = not is_there and not value._sig & S.CPU
    if is_there:
        value = value_tensor(self, value)
        if tls_state() not in UNSEEN:
            value = lifted(value)
            filling = seen_by_python(self._sig | tls_state())
    if (
        not filling
        and not on_device
        and isinstance(index, Tensor)
        and not index._sig & S.BATCHED
        and index._a.dtype.kind == "b"
        and index._a.shape == self._a.shape
        and index._a.ndim  # one of no dimensions is a number, which says how often
        and (index._sig & self._sig & S.CPU or index.device == self.device)
        and not self._sig & S.STRIDED
    ):
        recorded = self.requires_grad and grad_state() & grad_mode.GRAD_ENABLED
        if value._a.ndim == 0 and not value.requires_grad and not recorded:
            if not value._sig & self._sig & S.CPU:
                value = value._to(self.device, None, True)
            _straight("masked_fill_.Tensor")(self, index, value)
            return
    if index is False:
        return
    if index is True:
        view, indices = _view("unsqueeze", self, 0), []
    else:
        view, indices = _divided(self, index)
    if not indices:
        if not (is_there or value._sig & self._sig & S.CPU or value.device == self.device):
            value = value._to(self.device)
        _copy_to(view, value)
        return
    if on_device and sync_debug.mode and value._a.size == 1 and any(map(_counts, indices)):
        sync_debug.notice()  # as on CUDA, where only a number of the host is filled in by mask
    value = _without_lead(value)
    if value._a.size == 1 and value.dtype != view.dtype and _has_flag(index):
        raise index_put_dtypes(scalar_name(view.dtype), scalar_name(value.dtype))
    if (not value._a.ndim or self._sig & S.META) and not value._sig & self._sig & S.CPU:
        value = value._to(self.device)
    if self._sig & S.ACCELERATORS:  # writing, torch takes indices from wherever they lie
        indices = moved_indices(view, indices)
    _straight("index_put_")(view, indices, value, False)


def _has_flag(index: Any) -> bool:
    """Whether a truth value is among the indices: torch makes a number of it, and so no mask."""
    return any(
        isinstance(i, bool) or (isinstance(i, Tensor) and not i._a.ndim and _is_mask(i))
        for i in (index if isinstance(index, tuple) else (index,))
    )


def _divided(self: Any, index: Any) -> tuple[Any, list[Any]]:
    """:func:`_parts`, known for indices that came before."""
    try:
        found = DIVIDING.table[key_of(self, index)]
    except (KeyError, AttributeError, TypeError):
        return DIVIDING.miss(self, index)
    return found(self, index)


def _counts(index: Any) -> bool:
    return index is not None and not index._sig & S.CPU and _is_mask(index)


def value_tensor(self: Any, value: Any) -> Tensor:
    """The number *value* as a tensor to be copied into *self*. Raises TypeError for others."""
    if isinstance(value, (bool, int, float, complex, np.integer)):
        number = value.item() if isinstance(value, np.generic) else value
        if isinstance(number, int) and not -(1 << 63) <= number < 1 << 63:
            raise ValueError("Overflow when unpacking long long")
        if self._sig & S.QUANTIZED:  # it takes the nearest of its own
            return wrap(np.array(number, np.float32))
        if self._a.dtype.names:
            raise not_implemented_for("fill_out", self.dtype)
        unseen = tls_state() in UNSEEN
        only_read = unseen and type(number) in _PLAIN_NUMBERS
        if only_read and self._sig & S.CPU:
            if not number or number != number:  # -0.0 equals 0.0, and nan nothing
                return wrap(_number(type(number), number, self._a.dtype))
            return _kept_tensor(type(number), number, self._a.dtype)
        if self._sig & S.ACCELERATORS and unseen:
            # Made there, or the host would wait for the copy.
            adopt, device = backend_of(self).adopt, self._shared.device
            if only_read:
                return adopt(_number(type(number), number, self._a.dtype), device)
            return adopt(number_array(stored(number, self.dtype), self._a.dtype), device)
        made = wrap(number_array(stored(number, self.dtype), self._a.dtype))
        return made if self._sig & S.CPU else made._to(self.device)
    raise TypeError(f"can't assign a {_full_name(type(value))} to a {self.type()}")


_PLAIN_NUMBERS = (int, float, bool)


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


#: A type that a class statement made (CPython's Py_TPFLAGS_HEAPTYPE).
_HEAP_TYPE = 1 << 9


def _full_name(kind: type) -> str:
    """The name of a type as C has it: one that is written in C says where it lives."""
    written = kind.__flags__ & _HEAP_TYPE or kind.__module__ == "builtins"
    return kind.__name__ if written else f"{kind.__module__}.{kind.__name__}"


def _without_lead(value: Any, always: bool = False) -> Any:
    """*value* without its leading dimensions of size 1. Source: slicePrefix1sSize.

    :param always: a view even where there are none, as torch makes it where it goes on to expand.
    """
    shape = value._a.shape
    lead = next((i for i, n in enumerate(shape) if n != 1), len(shape))
    return value.view(shape[lead:]) if lead or always else value


def _copy_to(view: Any, value: Any) -> None:
    """``view.copy_(value)``, leading dimensions of size 1 dropped; ``fill_`` with one number."""
    shape = value._a.shape
    if shape != view._a.shape and shape:
        value = _without_lead(value, always=True)
        if value._a.shape != view._a.shape:
            value = value.expand(view.shape)
    if value._a.ndim == 0 and view._a.ndim and value._sig & S.CPU:
        _straight("fill_.Tensor")(view, value)
    else:
        _straight("copy_")(view, value, False)


def _is_mask(t: Any) -> bool:
    return t._a.dtype.kind == "b" or t._a.dtype == np.uint8


def _has_text(item: Any) -> bool:
    """Whether a string is in *item*, which torch notices while it looks for the dtype."""
    return isinstance(item, str) or isinstance(item, (list, tuple)) and any(map(_has_text, item))


def _as_tensor(item: Any) -> Tensor:
    """A sequence inside an index as the tensor it stands for: a mask, or whole numbers.

    Source: torch csrc/utils/tensor_new.cpp, indexing_tensor_from_data.
    """
    if isinstance(item, range):
        item = list(item)
    if _has_text(item):
        raise TypeError("new(): invalid data type 'str'")
    array = array_of(item)
    if array.dtype != np.int64 and array.dtype != np.bool_ and array.dtype != np.uint8:
        array = array_of(item, int64)
    made = wrap(array)
    return lifted(made) if tls_state() else made


def _ask(value: Any) -> None:
    """Leave the call to an index or value that overrides functions."""
    if isinstance(value, Tensor):
        if value._sig & S.FUNCTION and overrides(value):
            raise Overridden
    elif type(value) not in PLAIN and hasattr(value, "__torch_function__"):
        raise Overridden


def _specified(items: tuple[Any, ...]) -> int:
    """How many dimensions of the tensor the index speaks of."""
    n = 0
    for item in items:
        if type(item) in _ONE_DIM:
            n += 1
        elif isinstance(item, Tensor):
            n += item._a.ndim if _is_mask(item) else 1
        elif item is None or item is Ellipsis or isinstance(item, bool):
            continue
        else:
            if type(item) not in _USUAL:
                _ask(item)
            n += 1
    return n


def _is_whole(item: Any) -> bool:
    """Whether torch takes *item* for a plain number."""
    return isinstance(item, (int, np.integer)) and not isinstance(item, bool)


def _is_sequence(item: Any) -> bool:
    """Whether *item* gives others by number (CPython's PySequence_Check)."""
    return hasattr(type(item), "__getitem__") and not isinstance(item, (dict, np.generic, Tensor))


def _is_several(index: Any) -> bool:
    """Whether a sequence is one item for each of several dimensions.

    Source: torch csrc/autograd/python_variable_indexing.cpp, treatSequenceAsTuple.
    """
    try:
        n = len(index)
        if n >= 32:
            return False
        several = any(
            i is None or i is Ellipsis or isinstance(i, (Tensor, slice)) or _is_sequence(i)
            for i in map(index.__getitem__, range(n))
        )
    except Exception:  # whatever a sequence of one's own raises, torch goes on
        return False
    if several:
        warn(
            "Using a non-tuple sequence for multidimensional indexing is deprecated and will be "
            "changed in pytorch 2.9; use x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will "
            "be interpreted as tensor index, x[torch.tensor(seq)], which will result either in an "
            "error or a different result"
        )
    return several


def _check_zero_dim(index: Any) -> None:
    """Raise what one int or slice of a 0-d tensor does: there is no dimension to speak of."""
    if _is_whole(index):
        number = _integer(index)
        if number:
            raise _out_of_bounds(number, 0, 0)
        raise IndexError(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or "
            "`tensor.item<T>()` in C++ to convert a 0-dim tensor to a number"
        )
    if isinstance(index, slice):
        _unpacked(index)
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")


def apply_basic(self: Any, index: Any) -> tuple[Any, list[Any]]:
    """The view that ints, slices, None and ``...`` make, and the tensor indices left for it."""
    ndim = self._a.ndim
    if type(index) is tuple:
        items = index
    else:
        if not ndim:
            _check_zero_dim(index)
        several = isinstance(index, tuple) or (
            not isinstance(index, (Tensor, slice))
            and type(index) is not np.ndarray
            and _is_sequence(index)
            and _is_several(index)
        )
        items = tuple(index) if several else (index,)
    specified = _specified(items)
    if specified > ndim:
        raise IndexError(f"too many indices for tensor of dimension {ndim}")
    view: Any = self
    dim = 0
    indices: dict[int, Any] = {}
    for place, item in enumerate(items):
        kind = type(item)
        if kind is slice:
            view = _sliced(view, dim, item)
            dim += 1
        elif kind is int:
            view = _selected(view, dim, item, place)
        elif item is Ellipsis:
            dim += ndim - specified
        elif item is None:
            view = _view("unsqueeze", view, dim)
            dim += 1
        elif isinstance(item, bool):
            view = _view("unsqueeze", view, dim)
            indices[dim] = _on_device(wrap(np.array([item])), self)
            dim += 1
        elif isinstance(item, slice):
            view = _sliced(view, dim, item)
            dim += 1
        elif isinstance(item, Tensor):
            is_number = item._a.ndim == 0 and not item._sig & S.BATCHED
            if is_number and item._a.dtype.kind in "iu" and not _is_mask(item):
                view = _selected(view, dim, int(item), place)
            elif item._a.ndim == 0 and _is_mask(item):
                view = _view("unsqueeze", view, dim)
                indices[dim] = (item if item._a.dtype.kind == "b" else item != 0).reshape(1)
                dim += 1
            else:
                indices[dim] = _on_device(item, self)
                dim += item._a.ndim if _is_mask(item) else 1
                # a mask is one index, whatever the number of dimensions it covers
        elif not _is_whole(item) and _is_sequence(item):
            made = _on_device(_as_tensor(item), self)
            indices[dim] = made
            dim += made._a.ndim if _is_mask(made) else 1
        else:
            view = _selected(view, dim, _integer(item), place)
    if not indices:
        return view, []
    listed: list[Any] = []
    for d in sorted(indices):
        while _covered(listed) < d:
            listed.append(None)
        listed.append(indices[d])
    return view, listed


@cache
def _table(name: str) -> Any:
    return OVERLOADS["aten::" + name].table


def _view(name: str, t: Any, *args: Any) -> Any:
    """A view op of *t*, which has no other tensors to look at."""
    return _table(name)[t._sig | grad_state() | tls_state()](t, *args)


def _covered(listed: list[Any]) -> int:
    return sum(t._a.ndim if t is not None and _is_mask(t) else 1 for t in listed)


def _on_device(index: Any, t: Any) -> Any:
    """*index* on the device of *t*, where one is the host or meta.

    The call sees to others, and to bools of the host for an NPU.
    """
    sig = index._sig | t._sig
    if sig & S.PYTHON or index._sig & t._sig & S.BACKENDS:
        return index
    if not (index._sig & S.CPU or t._sig & S.META):
        return index
    if t._sig & S.STREAMED and index._a.dtype.kind == "b":
        return index
    return index._to(t.device)


def _integer(item: Any) -> int:
    """*item* as a number of 64 bits, by its ``__index__``."""
    try:
        number = index_of(item)
    except Exception:
        raise IndexError(_INVALID.format(_full_name(type(item)))) from None
    if not -(1 << 63) <= number < 1 << 63:
        raise ValueError("Overflow when unpacking long long")
    return number


def _selected(view: Any, dim: int, index: int, place: int) -> Any:
    """One of *dim*; the text counts in items of the subscript, as torch's does (``real_dim``)."""
    size = view._a.shape[dim]
    if not -size <= index < size:
        raise _out_of_bounds(_integer(index), place, size)
    return _view("select.int", view, dim, index)


def _out_of_bounds(index: int, dim: int, size: int) -> IndexError:
    return IndexError(f"index {index} is out of bounds for dimension {dim} with size {size}")


READING = SubscriptPlans(_read)
DIVIDING = SubscriptPlans(_parts, outer="({}, [])")
_known = READING.table

#: torch's end of a slice that has none.
_END = 2**63 - 1
#: Its least bound, below which it keeps symbols.
_LEAST = -(2**62)
_TRUNCATING = (
    "Truncating the start/stop/step of slice. This is likely because of saved old models when the "
    "start/stop/step were larger."
)


def _sliced(view: Any, dim: int, item: slice, always: bool = False) -> Any:
    """One slice of one dimension; *view* itself where that is all of it, unless *always*.

    torch leaves such slices out among several indices, and where it assigns, not where one slice
    is read. Source: torch ATen/TensorIndexing.h, get_item and its disable_slice_optimization.
    """
    start, stop, step = _unpacked(item)
    size = view._a.shape[dim]
    if stop is None:
        stop = size
    if start == 0 and step == 1 and stop >= size and not always:
        return view
    if item.stop is None:
        stop = _END
    return _view("slice.Tensor", view, dim, start, stop, step)


def _unpacked(item: slice) -> tuple[int, int | None, int]:
    """Start, stop and step of a slice. Raises what torch does, of the step first."""
    step = 1 if item.step is None else _bound(item.step)
    if step == 0:
        raise ValueError("slice step cannot be zero")
    start = 0 if item.start is None else _bound(item.start)
    stop = None if item.stop is None else _bound(item.stop)
    if step < 0:
        raise ValueError("step must be greater than zero")
    return start, stop, step


def _bound(value: Any) -> int:
    if type(value) is int and _LEAST <= value <= _END:
        return value
    if not hasattr(value, "__index__"):
        raise TypeError("slice indices must be integers or None or have an __index__ method")
    found = index_of(value)
    if found < _LEAST:
        warn(_TRUNCATING)
    return min(max(found, _LEAST), _END)
