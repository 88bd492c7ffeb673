"""From indices to a batch: by the index, or from an iterator."""

from __future__ import annotations

import itertools
from typing import Any


class _BaseDatasetFetcher:
    def __init__(
        self, dataset: Any, auto_collation: bool, collate_fn: Any, drop_last: bool
    ) -> None:
        self.dataset = dataset
        self.auto_collation = auto_collation
        self.collate_fn = collate_fn
        self.drop_last = drop_last

    def fetch(self, possibly_batched_index: Any) -> Any:
        """The collated samples of *possibly_batched_index*."""
        raise NotImplementedError


class _IterableDatasetFetcher(_BaseDatasetFetcher):
    """The next samples, as many as there are indices."""

    def __init__(
        self, dataset: Any, auto_collation: bool, collate_fn: Any, drop_last: bool
    ) -> None:
        super().__init__(dataset, auto_collation, collate_fn, drop_last)
        self.dataset_iter = iter(dataset)
        self.ended = False

    def fetch(self, possibly_batched_index: Any) -> Any:
        if self.ended:
            raise StopIteration
        if not self.auto_collation:
            return self.collate_fn(next(self.dataset_iter))
        wanted = len(list(possibly_batched_index))
        data = list(itertools.islice(self.dataset_iter, wanted))
        self.ended = len(data) < wanted
        if not data or (self.drop_last and self.ended):
            raise StopIteration
        return self.collate_fn(data)


class _MapDatasetFetcher(_BaseDatasetFetcher):
    """The samples at the indices, in one call where the dataset has ``__getitems__``."""

    def fetch(self, possibly_batched_index: Any) -> Any:
        dataset = self.dataset
        if not self.auto_collation:
            data = dataset[possibly_batched_index]
        elif hasattr(dataset, "__getitems__") and dataset.__getitems__:
            data = dataset.__getitems__(possibly_batched_index)
        else:
            data = [dataset[i] for i in possibly_batched_index]
        return self.collate_fn(data)


class _DatasetKind:
    """Whether samples are read by index or one after the other."""

    Map = 0
    Iterable = 1

    @staticmethod
    def create_fetcher(
        kind: int, dataset: Any, auto_collation: bool, collate_fn: Any, drop_last: bool
    ) -> Any:
        """What reads batches of *dataset*."""
        make = _MapDatasetFetcher if kind == _DatasetKind.Map else _IterableDatasetFetcher
        return make(dataset, auto_collation, collate_fn, drop_last)
