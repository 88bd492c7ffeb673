"""What every part of mindtorch may have to ask of this thread's pipeline."""

from __future__ import annotations

import gc
from typing import Any

from mindtorch_dispatch import current_pipeline

from ..core import signature as S
from .tensor_impl import AnyAlias, ApartAlias, Rare


def flush_current() -> None:
    """Flush this thread's pipeline, where it has one.

    Called by reads, and by whatever hands out memory or changes state that queued kernels read
    (a storage, a random generator, the default dtype).
    """
    pipe = current_pipeline()
    if pipe is not None:
        pipe.flush()


def mark_unreliable(storages: list[Any]) -> None:
    """Make every tensor over *storages*, which were not written as they should have been, say so.

    A tensor that was there before its memory was changed in a pipeline does not carry the bit that
    makes calls look at pending storages. Such tensors are found through the garbage collector, as
    failing is rare, and so no tensor pays for being findable.
    """
    for t in tensors_over(storages):
        t._sig |= S.PENDING


def tensors_over(storages: list[Any]) -> list[Any]:
    """All tensors over *storages*, as the garbage collector knows them."""
    from . import Tensor  # which stands on this module

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
