"""Batches of frames of data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..datapipe import DataChunk
from . import dataframe_wrapper as df_wrapper

__all__ = ["DataChunkDF"]


class DataChunkDF(DataChunk[Any]):
    """Frames whose rows are the elements."""

    def __iter__(self) -> Iterator[Any]:
        for df in self.items:
            yield from df_wrapper.iterate(df)

    def __len__(self) -> int:
        return sum(df_wrapper.get_len(df) for df in self.items)
