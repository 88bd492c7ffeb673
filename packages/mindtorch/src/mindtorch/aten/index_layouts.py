"""Indexing by tensors of shapes and strides that were met before.

What has to be checked of them, and how a result lies in memory, follows from the layouts alone:
what was found of one is not asked again. An index out of range is numpy's to find; the long way
then says it in torch's words. Masks, of which the numbers decide the shape, go the long way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from ..core.dims import laid_out

Array = np.ndarray[Any, Any]

__all__ = ["index_by", "layout_of", "note_index"]

#: So many layouts are remembered of each op.
_MOST: Final = 1024
#: What can be an index and is no mask.
_NUMBERS: Final = frozenset((np.dtype(np.int64).num, np.dtype(np.int32).num))
_WHOLE: Final = slice(None)
_reads: dict[Any, Callable[[Array, Sequence[Any]], Array]] = {}


def layout_of(self: Array, indices: Sequence[Any]) -> Any:
    """All that a layout says, as a key; None where indices are not all numbers, or nothing is."""
    key: list[Any] = [self.shape, self.strides, self.itemsize]
    for index in indices:
        if index is None:
            key.append(None)
            continue
        if index.dtype.num not in _NUMBERS or not index.size:
            return None
        key.append(index.shape)
        key.append(index.strides)
    return tuple(key) if self.size else None


def index_by(key: Any, self: Array, indices: Sequence[Any]) -> Array | None:
    """``self[indices]`` if the layout is known and no index is out of range; else None."""
    read = _reads.get(key)
    if read is None:
        return None
    try:
        return read(self, indices)
    except IndexError:
        return None


def note_index(key: Any, self: Array, indices: Sequence[Any], result: Array) -> None:
    """Remember that indexing of this layout is allowed, and how its *result* lies."""
    places = [d for d, index in enumerate(indices) if index is not None]
    if not places or all(indices[d].ndim == 0 for d in places):
        return  # numpy would take these for plain integers
    strides = result.strides
    wanted = tuple([s // result.itemsize for s in strides])
    alone = places[0] if len(places) == 1 and self.flags.c_contiguous else -1

    def read(a: Array, given: Sequence[Any]) -> Array:
        if alone >= 0:
            got = a.take(given[alone], alone)
        else:
            got = a[tuple([_WHOLE if index is None else index for index in given])]
        return got if got.strides == strides else laid_out(got, wanted)

    if len(_reads) >= _MOST:
        _reads.clear()
    _reads[key] = read
