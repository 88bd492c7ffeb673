"""Indices that follow to the device of what they index."""

from __future__ import annotations

from typing import Any

from ..core import signature as S
from .dispatch_entry import OVERLOADS, run
from .index_checks import check_indices

__all__ = ["moved_indices"]


def moved_indices(self: Any, indices: Any) -> list[Any]:
    """*indices* on the device of *self*.

    The host counts its own masks and sends where they are true, from pinned memory: it waits for
    nothing. Source: torch ATen/native/IndexingUtils.h, expandTensors.
    """
    here, moved = self.device, []
    for index in indices:
        if index is None or index.device == here:
            moved.append(index)
        elif not _counted_here(self, index):
            moved.append(index._to_(here))
        else:
            check_indices(self.shape, indices)
            found = index.nonzero().pin_memory()._to_(here, None, True)
            moved += run(OVERLOADS["aten::unbind.int"], (found, 1))
    return moved


def _counted_here(self: Any, index: Any) -> bool:
    """Whether *index* is a mask of the host whose true elements are sent to an NPU."""
    is_mask = index._a_.ndim and index._a_.dtype.kind == "b"
    return bool(is_mask and index._sig_ & S.CPU and self._sig_ & S.STREAMED)
