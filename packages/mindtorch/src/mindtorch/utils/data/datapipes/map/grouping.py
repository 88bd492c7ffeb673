"""A pipe of batches."""

from __future__ import annotations

from collections.abc import Sized
from typing import Any, TypeVar

from .._decorator import functional_datapipe
from ..datapipe import DataChunk, MapDataPipe

__all__ = ["BatcherMapDataPipe"]

_T = TypeVar("_T")


@functional_datapipe("batch")
class BatcherMapDataPipe(MapDataPipe[DataChunk[Any]]):
    """Batches of *batch_size* elements; a shorter last one unless *drop_last*."""

    datapipe: MapDataPipe[Any]
    batch_size: int
    drop_last: bool

    def __init__(
        self,
        datapipe: MapDataPipe[_T],
        batch_size: int,
        drop_last: bool = False,
        wrapper_class: type[DataChunk[Any]] = DataChunk,
    ) -> None:
        if batch_size <= 0:
            raise AssertionError("Batch size is required to be larger than 0!")
        super().__init__()
        self.datapipe = datapipe
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.wrapper_class = wrapper_class

    def __getitem__(self, index: Any) -> DataChunk[Any]:
        first = index * self.batch_size
        batch: list[Any] = []
        try:
            for i in range(first, first + self.batch_size):
                batch.append(self.datapipe[i])
        except IndexError:
            if not batch or self.drop_last:
                raise IndexError(f"Index {index} is out of bound.") from None
        return self.wrapper_class(batch)

    def __len__(self) -> int:
        if not isinstance(self.datapipe, Sized):
            raise TypeError(f"{type(self).__name__} instance doesn't have valid length")
        whole, rest = divmod(len(self.datapipe), self.batch_size)
        return whole if self.drop_last or not rest else whole + 1
