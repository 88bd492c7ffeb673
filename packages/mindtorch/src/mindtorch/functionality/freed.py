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

from typing import Any

from mindtorch_dispatch import DispatchKey as K
from mindtorch_storage.layout import storage_nbytes_needed
from mindtorch_storage.storage_errors import no_memory

from ..call.arguments import tensors_of
from ..call.dispatch_entry import Call
from ..call.overload import INPLACE, Overload
from ..core import signature as S
from ..core.errors import raise_if, window_out_of_bounds
from ..tensor.array_memory import storage_of

__all__ = ["freed", "freed_call", "too_small"]

#: Those that are the tensor as it is, unless they have something to exchange.
_EXCHANGES = frozenset(("transpose", "t"))
#: Who sees the call before it comes to memory.
_ABOVE = K.Python | K.Functionalize | K.FuncTorchBatched


def too_small(t: Any) -> RuntimeError | None:
    """What torch says of a window that does not fit the storage; None where it does."""
    item, offset, have = t._a_.itemsize, t.storage_offset(), storage_of(t).nbytes()
    shape, strides = tuple(t._a_.shape), t.stride()
    needed = storage_nbytes_needed(shape, strides, offset, item)
    if needed <= have:
        return None
    return window_out_of_bounds(shape, strides, offset, item, needed, have)


def freed(t: Any) -> RuntimeError:
    """The error for who reads or writes the elements of the freed tensor *t*."""
    return no_memory() if not storage_of(t).nbytes() else too_small(t) or no_memory()


def _looks_past(overload: Overload, args: tuple[Any, ...]) -> RuntimeError | None:
    """What torch says of the window through which the kernel of an op looks, if it has one."""
    look = overload.row.looks
    t = args[0]
    if look is None or not hasattr(t, "_sig_") or not t._sig_ & S.FREED:
        return None
    geometry = look(t, *args[1:])
    if geometry is None:
        return None
    shape, strides = geometry
    item, offset, have = t._a_.itemsize, t.storage_offset(), storage_of(t).nbytes()
    needed = storage_nbytes_needed(shape, strides, offset, item)
    if needed <= have:
        return None
    return window_out_of_bounds(shape, strides, offset, item, needed, have)


def freed_call(overload: Overload, mask: int, inner: Call) -> Call:
    """Refuse to touch memory that is not there; views of it, and what needs none, go to *inner*."""
    row = overload.row
    if mask & _ABOVE or overload.composed or not overload.name.startswith("aten::"):
        return inner  # who is called from there finds out
    if "of_geometry" in row.tags:
        return inner  # it reads no number
    if overload.shares_memory:
        return _in_place(overload, inner) if overload.kind == INPLACE else _viewing(overload, inner)

    casts = row.base == "_to_copy"

    def refusing(*args: Any) -> Any:
        if casts and any(getattr(a, "type", None) == "meta" for a in args[1:]):
            return inner(*args)
        raise_if(_looks_past(overload, args))
        for t in tensors_of(overload, args):
            if t._sig_ & S.FREED:
                raise freed(t)
        return inner(*args)

    return refusing


def _viewing(overload: Overload, inner: Call) -> Call:
    checked = "unchecked_view" not in overload.row.tags
    exchanges = overload.row.base in _EXCHANGES

    def viewing(*args: Any) -> Any:
        result = inner(*args)
        for t in result if isinstance(result, (list, tuple)) else (result,):
            if too_small(t) is None:
                t._sig_ &= ~S.FREED
                t._meta_ = S.STALE
            elif checked and not (exchanges and t.stride() == args[0].stride()):
                raise_if(too_small(t))
            else:
                t._sig_ |= S.FREED
                t._meta_ = S.STALE
        return result

    return viewing


def _in_place(overload: Overload, inner: Call) -> Call:
    exchanges = overload.row.base in _EXCHANGES

    def changing(base: Any, *rest: Any) -> Any:
        before, strides = (base._a_, base._sig_), base.stride()
        result = inner(base, *rest)
        refusal = None if exchanges and base.stride() == strides else too_small(base)
        if refusal is not None:
            base._a_, base._sig_ = before
            base._meta_ = S.STALE
            try:
                raise refusal
            finally:
                del refusal  # see raise_if
        return result

    return changing
