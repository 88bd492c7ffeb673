"""The tensors over a storage that is about to move.

They are found through the garbage collector, which takes milliseconds; so who knows that a tensor
is alone says so.
"""

from __future__ import annotations

import contextlib
import gc
import sys
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

from mindtorch_storage import UntypedStorage

from ..core import signature as S
from . import Tensor
from .tensor_impl import AnyAlias, ApartAlias, Rare

__all__ = ["alone", "mark_unreliable", "tensors_over", "viewed", "viewers"]

#: The tensor known to be the only one over the storage that is about to move.
_sole: ContextVar[Any] = ContextVar("mindtorch_sole_viewer", default=None)


def viewers(storage: UntypedStorage) -> list[Any]:
    """Every tensor over *storage*."""
    sole = _sole.get()
    if sole is not None and sole._shared.storage is storage:
        return [sole]
    return tensors_over([storage])


def alone(t: Any, storage: UntypedStorage) -> Any:
    """*t*, if no other tensor is over *storage*, which the caller has as a local; else None."""
    # The alias is held by its tensor and our name; the storage by the alias, the caller and us.
    alias = t._shared
    if type(alias) is ApartAlias and sys.getrefcount(alias.memory) > 2:  # its slot, the call
        return None
    return t if sys.getrefcount(alias) == 3 and sys.getrefcount(storage) == 4 else None


@contextlib.contextmanager
def viewed(sole: Any) -> Iterator[None]:
    """Inside, *sole* is the only tensor over its storage; nothing is known if it is None."""
    token = None if sole is None else _sole.set(sole)
    try:
        yield
    finally:
        if token is not None:
            _sole.reset(token)


def mark_unreliable(storages: list[Any]) -> None:
    """Make every tensor over *storages*, which were not written as they should have been, say so.

    A tensor that was there before its memory was changed in a pipeline does not carry the bit that
    makes calls look at pending storages. Such tensors are found through the garbage collector, as
    failing is rare, and so no tensor pays for being findable.
    """
    for t in tensors_over(storages):
        t._sig |= S.PENDING
        t._meta = S.STALE


def tensors_over(storages: list[Any]) -> list[Any]:
    """All tensors over *storages*, as the garbage collector knows them."""
    found = gc.get_referrers(*storages)
    # CPython keeps attributes in the object itself or, at times, in a dict that the object holds;
    # an alias on an NPU keeps few itself.
    attributes = [d for d in found if type(d) is dict or type(d) is Rare]
    holders = gc.get_referrers(*attributes) if attributes else ()
    aliases = [a for a in (*found, *holders) if isinstance(a, AnyAlias)]
    if not aliases:
        return []
    holders = gc.get_referrers(*aliases)
    apart = [a for a in holders if type(a) is ApartAlias]
    if apart:
        holders += gc.get_referrers(*apart)
    return [t for t in holders if isinstance(t, Tensor)]
