"""``t[index]``: a Python index becomes view ops and tensor indices.

Source of the rules: torch csrc/autograd/python_variable_indexing.cpp and ATen/TensorIndexing.h.
"""

from __future__ import annotations

from functools import cache
from operator import index as index_of
from typing import Any

import numpy as np
from mindtorch_storage import int32, int64

from ..call.dispatch_entry import OVERLOADS
from ..call.intercept import PLAIN, Overridden, hand_over, overrides
from ..call.overload_entrance import straight_named
from ..core import signature as S
from ..core.key_sets import grad_state, tls_state
from ..core.tracebacks import shorten
from ..core.warning import warn
from ..tensor import Tensor
from ..tensor.construction import wrap
from .basic_indexing import basic_view
from .from_data import array_of, lifted
from .subscript_plans import SubscriptPlans, key_of

__all__ = ["alias", "ask", "divide", "full_name", "getitem", "is_mask", "straight", "view_op"]

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
                found = _known[self._meta_, grad_state() | tls_state(), int]
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
    if type(index) is int and self._a_.ndim:
        try:
            return view_op("select.int", self, 0, index)
        except IndexError:
            raise _out_of_bounds(_integer(index), 0, self._a_.shape[0]) from None
    if type(index) is slice and self._a_.ndim:
        return _sliced(self, 0, index, always=True)
    view, indices = divide(self, index)
    if indices:
        return straight("index.Tensor")(view, indices)
    return alias(self) if view is self else view


def straight(name: str) -> Any:
    """The op of this name, of arguments of ours."""
    return straight_named(f"aten::{name}")


def divide(self: Any, index: Any) -> tuple[Any, list[Any]]:
    """What :func:`apply_basic` gives; numbers, slices, tensors of whole numbers quickly."""
    kind = type(index)
    if kind is int and self._a_.ndim:
        return _selected(self, 0, index, 0), []
    if kind is slice and self._a_.ndim:
        return _sliced(self, 0, index), []
    indices = list(index) if kind is tuple else [index]
    own = self._sig_ & _BACKENDS
    for each in indices:
        sig = each._sig_ if type(each) is Tensor else 0
        if not sig & own or not sig & _INTEGERS or sig & _BATCHED:
            return apply_basic(self, index)
    return (self, indices) if 0 < len(indices) <= self._a_.ndim else apply_basic(self, index)


def alias(t: Any) -> Any:
    """Another tensor over the same memory."""
    return view_op("alias", t)


#: A type that a class statement made (CPython's Py_TPFLAGS_HEAPTYPE).
_HEAP_TYPE = 1 << 9


def full_name(kind: type) -> str:
    """The name of a type as C has it: one that is written in C says where it lives."""
    written = kind.__flags__ & _HEAP_TYPE or kind.__module__ == "builtins"
    return kind.__name__ if written else f"{kind.__module__}.{kind.__name__}"


def is_mask(t: Any) -> bool:
    """Whether *t* says of each element if it is meant: bools, or bytes as torch once had them."""
    return t._a_.dtype.kind == "b" or t._a_.dtype == np.uint8


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


def ask(value: Any) -> None:
    """Leave the call to an index or value that overrides functions."""
    if isinstance(value, Tensor):
        if value._sig_ & S.FUNCTION and overrides(value):
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
            n += item._a_.ndim if is_mask(item) else 1
        elif item is None or item is Ellipsis or isinstance(item, bool):
            continue
        else:
            if type(item) not in _USUAL:
                ask(item)
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
    ndim = self._a_.ndim
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
    found = _basic_part(self, items)
    view: Any = self if found is None else found
    dim = 0
    indices: dict[int, Any] = {}
    for place, item in enumerate(items):
        kind = type(item)
        if kind is slice:
            view = _sliced(view, dim, item) if found is None else view
            dim += 1
        elif kind is int:
            view = _selected(view, dim, item, place) if found is None else view
        elif item is Ellipsis:
            dim += ndim - specified
        elif item is None:
            view = view_op("unsqueeze", view, dim)
            dim += 1
        elif isinstance(item, bool):
            view = view_op("unsqueeze", view, dim)
            indices[dim] = _on_device(wrap(np.array([item])), self)
            dim += 1
        elif isinstance(item, Tensor) or (not _is_whole(item) and _is_sequence(item)):
            if not isinstance(item, Tensor):  # an array without dimensions is a number as well
                item = _as_tensor(item)
            is_number = item._a_.ndim == 0 and not item._sig_ & S.BATCHED
            if is_number and item._a_.dtype.kind in "iu" and not is_mask(item):
                view = _selected(view, dim, int(item), place)
            elif item._a_.ndim == 0 and is_mask(item):
                view = view_op("unsqueeze", view, dim)
                indices[dim] = (item if item._a_.dtype.kind == "b" else item != 0).reshape(1)
                dim += 1
            else:
                indices[dim] = _on_device(item, self)
                dim += item._a_.ndim if is_mask(item) else 1
                # a mask is one index, whatever the number of dimensions it covers
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


_WHOLE = slice(None)


def _basic_part(self: Any, items: tuple[Any, ...]) -> Tensor | None:
    """The view that ints and slices among tensors make; None where the ops are to make it.

    A tensor stands for one dimension, which is whole as long as it is not read.
    """
    stands, some = [], False
    for item in items:
        if item.__class__ is Tensor:
            ndim = item._a_.ndim
            if not ndim or ndim > 1 and is_mask(item):
                return None
            item = _WHOLE
        elif item.__class__ is int or item.__class__ is slice and item != _WHOLE:
            some = True
        stands.append(item)
    return basic_view(self, tuple(stands), grad_state() | tls_state()) if some else None


@cache
def _table(name: str) -> Any:
    return OVERLOADS["aten::" + name].table


def view_op(name: str, t: Any, *args: Any) -> Any:
    """A view op of *t*, which has no other tensors to look at."""
    return _table(name)[t._sig_ | grad_state() | tls_state()](t, *args)


def _covered(listed: list[Any]) -> int:
    """How many dimensions these indices speak of."""
    return sum(t._a_.ndim if t is not None and is_mask(t) else 1 for t in listed)


def _on_device(index: Any, t: Any) -> Any:
    """*index* on the device of *t*, where one is the host or meta.

    The call sees to others, and to bools of the host for an NPU.
    """
    sig = index._sig_ | t._sig_
    if sig & S.PYTHON or index._sig_ & t._sig_ & S.BACKENDS:
        return index
    if not (index._sig_ & S.CPU or t._sig_ & S.META):
        return index
    if t._sig_ & S.STREAMED and index._a_.dtype.kind == "b":
        return index
    return index._to_(t.device)


def _integer(item: Any) -> int:
    """*item* as a number of 64 bits, by its ``__index__``."""
    try:
        number = index_of(item)
    except Exception:
        raise IndexError(_INVALID.format(full_name(type(item)))) from None
    if not -(1 << 63) <= number < 1 << 63:
        raise ValueError("Overflow when unpacking long long")
    return number


def _selected(view: Any, dim: int, index: int, place: int) -> Any:
    """One of *dim*; the text counts in items of the subscript, as torch's does (``real_dim``)."""
    size = _size(view, dim)
    if not -size <= index < size:
        raise _out_of_bounds(_integer(index), place, size)
    return view_op("select.int", view, dim, index)


def _size(view: Any, dim: int) -> int:
    """The size of *dim*; 0 where a second ``...`` has led beyond the last."""
    shape = view._a_.shape
    return shape[dim] if dim < len(shape) else 0  # type: ignore[no-any-return]


def _is_symbol(view: Any, dim: int) -> bool:
    """Whether the size of *dim* is a symbol without a bound: nobody knows what all of it is."""
    symbols = getattr(view, "symbols", None)
    size = 0 if symbols is None else symbols.sizes[dim]
    return not isinstance(size, int) and bool(size.node.is_unbounded())


def _out_of_bounds(index: int, dim: int, size: int) -> IndexError:
    return IndexError(f"index {index} is out of bounds for dimension {dim} with size {size}")


READING = SubscriptPlans(_read, lambda t, index, view: view)
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
    size = _size(view, dim)
    if stop is None:
        stop = size
    if start == 0 and step == 1 and stop >= size and not always:
        if not _is_symbol(view, dim):
            return view
    if item.stop is None:
        stop = _END
    return view_op("slice.Tensor", view, dim, start, stop, step)


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
    """One end of a slice, or its step, within 64 bits."""
    if type(value) is int and _LEAST <= value <= _END:
        return value
    if not hasattr(value, "__index__"):
        raise TypeError("slice indices must be integers or None or have an __index__ method")
    found = index_of(value)
    if found < _LEAST:
        warn(_TRUNCATING)
    return min(max(found, _LEAST), _END)
