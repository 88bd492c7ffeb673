"""Pipes whose elements are frames of data."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from .._decorator import functional_datapipe
from ..datapipe import DFIterDataPipe, IterDataPipe
from . import dataframe_wrapper as df_wrapper

__all__ = [
    "ConcatDataFramesPipe",
    "DataFramesAsTuplesPipe",
    "ExampleAggregateAsDataFrames",
    "FilterDataFramesPipe",
    "PerRowDataFramesPipe",
    "ShuffleDataFramesPipe",
]


@functional_datapipe("_dataframes_as_tuples")
class DataFramesAsTuplesPipe(IterDataPipe):  # type: ignore[type-arg]
    """The rows of frames, as tuples."""

    def __init__(self, source_datapipe: Any) -> None:
        self.source_datapipe = source_datapipe

    def __iter__(self) -> Iterator[Any]:
        for df in self.source_datapipe:
            yield from df_wrapper.iterate(df)


@functional_datapipe("_dataframes_per_row", enable_df_api_tracing=True)
class PerRowDataFramesPipe(DFIterDataPipe):
    """The rows of frames, as frames."""

    def __init__(self, source_datapipe: Any) -> None:
        self.source_datapipe = source_datapipe

    def __iter__(self) -> Iterator[Any]:
        for df in self.source_datapipe:
            for i in range(len(df)):
                yield df[i : i + 1]


@functional_datapipe("_dataframes_concat", enable_df_api_tracing=True)
class ConcatDataFramesPipe(DFIterDataPipe):
    """Every *batch* frames as one."""

    def __init__(self, source_datapipe: Any, batch: int = 3) -> None:
        self.source_datapipe = source_datapipe
        self.n_batch = batch

    def __iter__(self) -> Iterator[Any]:
        waiting = []
        for df in self.source_datapipe:
            waiting.append(df)
            if len(waiting) == self.n_batch:
                yield df_wrapper.concat(waiting)
                waiting = []
        if waiting:
            yield df_wrapper.concat(waiting)


def _in_sizes(rows: list[Any], size: int | None) -> Iterator[Any]:
    """Frames of *rows*, *size* in each."""
    waiting = []
    for row in rows:
        waiting.append(row)
        if len(waiting) == size:
            yield df_wrapper.concat(waiting)
            waiting = []
    if waiting:
        yield df_wrapper.concat(waiting)


@functional_datapipe("_dataframes_shuffle", enable_df_api_tracing=True)
class ShuffleDataFramesPipe(DFIterDataPipe):
    """The rows of all frames at random, in frames of the first one's size."""

    def __init__(self, source_datapipe: Any) -> None:
        self.source_datapipe = source_datapipe

    def __iter__(self) -> Iterator[Any]:
        size: int | None = None
        rows = []
        for df in self.source_datapipe:
            size = df_wrapper.get_len(df) if size is None else size
            rows += [df_wrapper.get_item(df, i) for i in range(df_wrapper.get_len(df))]
        random.shuffle(rows)
        yield from _in_sizes(rows, size)


@functional_datapipe("_dataframes_filter", enable_df_api_tracing=True)
class FilterDataFramesPipe(DFIterDataPipe):
    """The rows for which *filter_fn* is true, in frames of the first one's size."""

    def __init__(self, source_datapipe: Any, filter_fn: Any) -> None:
        self.source_datapipe = source_datapipe
        self.filter_fn = filter_fn

    def __iter__(self) -> Iterator[Any]:
        size: int | None = None
        kept = []
        for df in self.source_datapipe:
            size = len(df.index) if size is None else size
            for i, keep in enumerate(self.filter_fn(df)):
                if keep:
                    kept.append(df_wrapper.get_item(df, i))
        yield from _in_sizes(kept, size)


@functional_datapipe("_to_dataframes_pipe", enable_df_api_tracing=True)
class ExampleAggregateAsDataFrames(DFIterDataPipe):
    """Elements as the rows of frames with *dataframe_size* rows."""

    def __init__(self, source_datapipe: Any, dataframe_size: int = 10, columns: Any = None) -> None:
        self.source_datapipe = source_datapipe
        self.columns = columns
        self.dataframe_size = dataframe_size

    def _as_list(self, item: Any) -> list[Any]:
        try:
            return list(item)
        except Exception:  # a number, say
            return [item]

    def __iter__(self) -> Iterator[Any]:
        rows = []
        for item in self.source_datapipe:
            rows.append(self._as_list(item))
            if len(rows) == self.dataframe_size:
                yield df_wrapper.create_dataframe(rows, columns=self.columns)
                rows = []
        if rows:
            yield df_wrapper.create_dataframe(rows, columns=self.columns)
