"""Freed tensors: those whose storage was made too small for them.

``x.untyped_storage().resize_(0)`` gives memory back while tensors still look at it, until a second
``resize_`` brings it back. The bit ``FREED`` stands on each tensor that does not fit its storage
(``sources.rebind`` puts it there, and takes it away), so ordinary calls need not ask: a call of
another signature finds :func:`freed_call` on its first time.

torch refuses some uses of such memory and crashes over the others, or reads what others left there.
Here all of them are refused: with torch's text where it has one, else as an op of torch's refuses
that asks for the address of memory that is not there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_dispatch import DispatchKey as K
from mindtorch_storage import int64
from mindtorch_storage.layout import broadcast_shapes, storage_nbytes_needed
from mindtorch_storage.storage_errors import no_memory

from ..call.arguments import tensors_of
from ..call.dispatch_entry import Call
from ..call.overload import INPLACE, OUT, Overload
from ..core import signature as S
from ..core.errors import raise_if, window_out_of_bounds
from ..tensor.array_memory import storage_of

__all__ = ["freed", "freed_call", "too_small"]

#: They change which memory a tensor looks at, or make another of its kind; neither reads it.
_OF_GEOMETRY = frozenset(
    (
        *("set_", "resize_", "resize_as_"),
        *("empty_like", "zeros_like", "ones_like", "full_like"),
        *("rand_like", "randn_like", "randint_like"),
        *("new_empty", "new_empty_strided", "new_zeros", "new_ones", "new_full"),
    )
)
#: Views that torch makes without a look at the storage.
_UNCHECKED = frozenset(("view", "view.dtype", "alias", "detach", "_unsafe_view", "_reshape_alias"))
#: Those that are the tensor as it is, unless they have something to exchange.
_EXCHANGES = frozenset(("transpose", "t"))
#: Who sees the call before it comes to memory.
_ABOVE = K.Python | K.Functionalize | K.FuncTorchBatched


def too_small(t: Any) -> RuntimeError | None:
    """What torch says of a window that does not fit the storage; None where it does."""
    item, offset, have = t._a.itemsize, t.storage_offset(), storage_of(t).nbytes()
    shape, strides = tuple(t._a.shape), t.stride()
    needed = storage_nbytes_needed(shape, strides, offset, item)
    if needed <= have:
        return None
    return window_out_of_bounds(shape, strides, offset, item, needed, have)


def freed(t: Any) -> RuntimeError:
    """The error for who reads or writes the elements of the freed tensor *t*."""
    return no_memory() if not storage_of(t).nbytes() else too_small(t) or no_memory()


def _looks_past(overload: Overload, args: tuple[Any, ...]) -> RuntimeError | None:
    """What torch says of the window through which the kernel of an op looks, if it has one."""
    look = _LOOKS.get(overload.row.base)
    t = args[0]
    if look is None or not hasattr(t, "_sig") or not t._sig & S.FREED:
        return None
    geometry = look(t, *args[1:])
    if geometry is None:
        return None
    shape, strides = geometry
    item, offset, have = t._a.itemsize, t.storage_offset(), storage_of(t).nbytes()
    needed = storage_nbytes_needed(shape, strides, offset, item)
    if needed <= have:
        return None
    return window_out_of_bounds(shape, strides, offset, item, needed, have)


def freed_call(overload: Overload, mask: int, inner: Call) -> Call:
    """Refuse to touch memory that is not there; views of it, and what needs none, go to *inner*."""
    row = overload.row
    if mask & _ABOVE or overload.composed or not overload.name.startswith("aten::"):
        return inner  # who is called from there finds out
    if row.base in _OF_GEOMETRY:
        return inner
    if row.view is not None and overload.kind != OUT:
        return _in_place(overload, inner) if overload.kind == INPLACE else _viewing(overload, inner)

    casts = row.base == "_to_copy"

    def refusing(*args: Any) -> Any:
        if casts and any(getattr(a, "type", None) == "meta" for a in args[1:]):
            return inner(*args)
        raise_if(_looks_past(overload, args))
        for t in tensors_of(overload, args):
            if t._sig & S.FREED:
                raise freed(t)
        return inner(*args)

    return refusing


def _viewing(overload: Overload, inner: Call) -> Call:
    checked, exchanges = overload.row.name not in _UNCHECKED, overload.row.base in _EXCHANGES

    def viewing(*args: Any) -> Any:
        result = inner(*args)
        for t in result if isinstance(result, (list, tuple)) else (result,):
            if too_small(t) is None:
                t._sig &= ~S.FREED
                t._meta = S.STALE
            elif checked and not (exchanges and t.stride() == args[0].stride()):
                raise_if(too_small(t))
            else:
                t._sig |= S.FREED
                t._meta = S.STALE
        return result

    return viewing


def _in_place(overload: Overload, inner: Call) -> Call:
    exchanges = overload.row.base in _EXCHANGES

    def changing(base: Any, *rest: Any) -> Any:
        before, strides = (base._a, base._sig), base.stride()
        result = inner(base, *rest)
        refusal = None if exchanges and base.stride() == strides else too_small(base)
        if refusal is not None:
            base._a, base._sig = before
            base._meta = S.STALE
            try:
                raise refusal
            finally:
                del refusal  # see raise_if
        return result

    return changing


_Geometry = tuple[tuple[int, ...], tuple[int, ...]] | None


def _indexed(t: Any, indices: Any, *rest: Any) -> _Geometry:
    """Source: torch aten/src/ATen/native/TensorAdvancedIndexing.cpp, restride_src."""
    given = [i for i in indices if i is not None]
    places = [n for n, i in enumerate(indices) if i is not None]
    plain = all(i.dtype is int64 for i in given)
    if not plain or len(indices) > t.dim() or places != [places[0] + n for n in range(len(places))]:
        return None
    shape, strides, first, past = t.shape, t.stride(), places[0], places[-1] + 1
    size = broadcast_shapes(*[tuple(i.shape) for i in given])
    return (*shape[:first], *size, *shape[past:]), (
        *strides[:first],
        *[0] * len(size),
        *strides[past:],
    )


def _selected(t: Any, dim: int, index: Any) -> _Geometry:
    """Source: torch aten/src/ATen/native/TensorAdvancedIndexing.cpp, index_select_out_cpu_."""
    if t.dim() < 2:
        return None
    shape, strides, dim = list(t.shape), list(t.stride()), dim % t.dim()
    del shape[dim], strides[dim]
    return tuple(shape), tuple(strides)


def _flipped(t: Any, dims: Any) -> _Geometry:
    """Source: torch aten/src/ATen/native/TensorTransformations.cpp, flip."""
    flipped = {d % t.dim() for d in dims if t.dim()}
    if not flipped:
        return None
    return tuple(t.shape), tuple([0 if d in flipped else s for d, s in enumerate(t.stride())])


#: Ops of which torch's kernel looks at its first argument through a window: what that looks at.
_LOOKS: dict[str, Callable[..., _Geometry]] = {
    "index": _indexed,
    "index_put": _indexed,
    "index_put_": _indexed,
    "index_select": _selected,
    "embedding": lambda weight, *rest: _selected(weight, 0, None),
    "flip": _flipped,
}
