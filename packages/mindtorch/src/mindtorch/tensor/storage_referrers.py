"""The tensors over a storage that has moved, or is about to.

Note [Who looks at a storage]. No tensor pays for being findable before its memory has moved once:
the storage knows the one that it was made for, and others are found through the garbage collector,
which takes milliseconds. From then on those that were found are known, and who makes another
tensor over the same memory adds it (``tensor_impl.add_viewer``). Whether these are all is said by
how often the aliases and the storage are referred to: as often as there are tensors and aliases,
and from the calls on the way here. If not, the garbage collector is asked again.
"""

from __future__ import annotations

import contextlib
import gc
import sys
import weakref
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

import numpy as np
from mindtorch_storage import UntypedStorage

from ..core import signature as S
from . import Tensor
from .construction import wrap
from .tensor_impl import Alias, AnyAlias, ApartAlias, LinkedAlias, Rare

__all__ = ["alone", "mark_unreliable", "tensors_over", "viewed", "viewers"]

#: The tensor known to be the only one over the storage that is about to move.
_sole: ContextVar[Any] = ContextVar("mindtorch_sole_viewer", default=None)


def viewers(storage: UntypedStorage) -> list[Any]:
    """Every tensor over *storage*, which has just moved.

    For ``rebind`` alone: it is said by how often functions refer to the storage that come before
    it in every move.
    """
    sole = _sole.get()
    if sole is not None and sole._shared_.storage is storage:
        return [sole]
    found = _known(storage)
    of_aliases, of_storage = _surplus(storage, found)
    counting = _counting.get()
    if counting is not None:
        counting.append((of_aliases, of_storage))
        return found
    aliases, own = _from_calls()
    if not of_aliases <= aliases or of_storage != own:
        found = tensors_over([storage])
    _remember(storage, found)
    return found


def _known(storage: UntypedStorage) -> list[Any]:
    """The tensors over *storage* that are known to be."""
    if storage._viewers is not None:
        found = list(storage._viewers.values())
    else:
        first = None if storage._first is None else storage._first()
        found = [] if first is None else [first]
    return [t for t in found if t._shared_ is not None and t._shared_.known_storage is storage]


def _surplus(storage: UntypedStorage, found: list[Any]) -> tuple[set[int], int]:
    """How much oftener the aliases of *found* are referred to than by these, the storage by them.

    Nobody may have a variable that holds one of them but the functions on the way here.
    """
    tensors: dict[int, int] = {}
    aliases: dict[int, Any] = {}
    for t in found:
        number = id(t._shared_)
        tensors[number] = tensors.get(number, 0) + 1
        aliases[number] = t._shared_
    surplus = {sys.getrefcount(alias) - tensors[id(alias)] for alias in aliases.values()}
    return surplus, sys.getrefcount(storage) - len(aliases)


def _from_calls() -> tuple[set[int], int]:
    """What :func:`_surplus` says where nobody else refers to them: that of a tensor made for it.

    Where a debugger or torch's Dynamo evaluates frames, CPython 3.11 keeps the arguments of a
    call twice, so it is known for each way to call.
    """
    way = _references(object())
    if way not in _least:
        alone, counts = wrap(np.zeros(1, np.uint8)), _counting.set([])
        try:
            alone.untyped_storage().resize_(2)
            (_least[way],) = _counting.get() or ()
        finally:
            _counting.reset(counts)
    return _least[way]


def _references(argument: object) -> int:
    """How often an argument is referred to that only this call has."""
    return sys.getrefcount(argument)


def _remember(storage: UntypedStorage, found: list[Any]) -> None:
    """Keep account of *found*, all the tensors over *storage*, and of those that come."""
    if storage._viewers is None:
        storage._viewers = weakref.WeakValueDictionary()
    for t in found:
        alias = t._shared_
        if type(alias) is Alias or type(alias) is LinkedAlias:
            storage._viewers[id(t)] = t
            alias.viewers = storage._viewers


#: What :func:`_surplus` says at least, by how calls keep their arguments; and where it puts what
#: it finds of a tensor made for that.
_least: dict[int, tuple[set[int], int]] = {}
_counting: ContextVar[Any] = ContextVar("mindtorch_counting_references", default=None)


def alone(t: Any, storage: UntypedStorage) -> Any:
    """*t*, if no other tensor is over *storage*, which the caller has as a local; else None."""
    # The alias is held by its tensor and our name; the storage by the alias, the caller and us.
    alias = t._shared_
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
        t._sig_ |= S.PENDING
        t._meta_ = S.STALE


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
