"""The tensors over a storage that is about to move.

They are found through the garbage collector, which takes milliseconds; so who knows that a tensor
is alone says so.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

from mindtorch_storage import UntypedStorage

from .pending import tensors_over
from .tensor_impl import ApartAlias

__all__ = ["alone", "viewed", "viewers"]

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
