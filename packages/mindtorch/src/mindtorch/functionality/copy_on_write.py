"""Lazy copies: tensors over memory that is copied when one of them is first written.

The bit ``COW`` stands on every tensor over such a storage, so that ordinary calls need not ask: a
call of another signature finds :func:`copy_on_write_call` on its first time. Source of the rules:
torch c10/core/impl/COW.cpp.
"""

from __future__ import annotations

from typing import Any

from ..call.arguments import written_names
from ..call.dispatch_entry import Call, signature
from ..call.overload import IMPLICIT, OUT, Overload
from ..core import signature as S
from ..core.key_sets import grad_state, tls_state
from ..tensor import Tensor
from ..tensor.array_memory import address, storage_of
from ..tensor.construction import wrap
from ..tensor.set_storage import alone, viewed
from ..tensor.storage_referrers import tensors_over
from ..tensor.storage_windows import look_at
from ..tensor.tensor_impl import alias_of

__all__ = ["copy_on_write_call", "lazy_clone", "separate"]

#: They change which memory a tensor looks at, not the memory.
_OF_WINDOWS = frozenset(("set_", "resize_", "resize_as_"))


def lazy_clone(t: Any) -> Tensor:
    """A tensor over a lazy copy of the storage of *t*, seen the same way.

    An accelerator's memory is copied at once. Raises RuntimeError for memory that is mapped or
    somebody else's.
    """
    t._settle_()
    storage = storage_of(t)
    if storage.block is not None:
        copied = storage.clone()
    else:
        seen = storage._together is not None
        sole = alone(t, storage)
        copied = storage._copy_lazily()
        if not seen:
            for viewer in tensors_over([storage]) if sole is None else [sole]:
                viewer._sig_ |= S.COW
                viewer._meta_ = S.STALE
    a = t._a_
    if t._sig_ & S.FREED or copied._owner is storage._owner:
        made = wrap(a, t._sig_ & S.BACKENDS)
        alias_of(made).storage = copied
        if t._sig_ & S.FREED:  # it looks at more than there is
            made._sig_ |= S.FREED
            made._meta_ = S.STALE
    else:
        made = look_at(copied, a.dtype, tuple(a.shape), t.stride(), t.storage_offset())
    if copied._together is not None:
        made._sig_ |= S.COW
        made._meta_ = S.STALE
    return made


def separate(t: Any) -> None:
    """Give the storage of *t* memory of its own: it is about to be written."""
    storage = t._shared_.storage
    with viewed(alone(t, storage)):
        storage._separate()
    t._sig_ &= ~S.COW
    t._meta_ = S.STALE


def _written(overload: Overload) -> list[int]:
    """The positions of the arguments whose memory is written."""
    row = overload.row
    if overload.composed in IMPLICIT:  # the ops inside write
        return []
    if row.base in _OF_WINDOWS or (row.view is not None and overload.kind != OUT):
        return []
    hidden = written_names(row)
    return [
        i
        for i, a in enumerate(overload.schema.arguments)
        if a.name in hidden or (a.alias_info is not None and a.alias_info.is_write)
    ]


def _same(one: Any, other: Any) -> bool:
    """Whether both see the same elements of the same memory."""
    a, b = one._a_, other._a_
    return (
        one._shared_.storage is storage_of(other)
        and (a.dtype, a.shape, a.strides) == (b.dtype, b.shape, b.strides)
        and address(a) == address(b)
    )


def copy_on_write_call(overload: Overload, sig: int) -> Call:
    """What it writes is copied before; views of lazy copies are over lazy copies too."""
    written = _written(overload)
    if written:
        copies = overload.row.base == "copy_"

        def writing(*args: Any) -> Any:
            if copies and _same(args[0], args[1]):  # torch sees that before it looks at the memory
                now = signature(overload, args) | grad_state() | tls_state()
                return overload.table[now & ~S.COW](*args)
            for i in written:
                for t in args[i] if isinstance(args[i], (list, tuple)) else (args[i],):
                    if t is not None and t._sig_ & S.COW:
                        separate(t)
            now = signature(overload, args) | grad_state() | tls_state()
            return overload.table[now & ~S.COW](*args)

        return writing
    inner = overload.table[sig & ~S.COW]
    if overload.row.view is None:
        return inner

    def viewing(*args: Any) -> Any:
        result = inner(*args)
        for t in result if isinstance(result, (list, tuple)) else (result,):
            t._sig_ |= S.COW
            t._meta_ = S.STALE
        return result

    return viewing
