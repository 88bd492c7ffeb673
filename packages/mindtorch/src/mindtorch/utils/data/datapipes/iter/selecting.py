"""A pipe that leaves elements out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from .._decorator import functional_datapipe
from ..dataframe import dataframe_wrapper as df_wrapper
from ..datapipe import IterDataPipe
from ..utils.common import _check_unpickable_fn, validate_input_col

__all__ = ["FilterIterDataPipe"]

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)


@functional_datapipe("filter")
class FilterIterDataPipe(IterDataPipe[_T_co]):
    """The elements for which *filter_fn*, of them or of their columns *input_col*, is True."""

    datapipe: IterDataPipe[_T_co]
    filter_fn: Callable[..., Any]

    def __init__(
        self, datapipe: IterDataPipe[_T_co], filter_fn: Callable[..., Any], input_col: Any = None
    ) -> None:
        super().__init__()
        self.datapipe = datapipe
        _check_unpickable_fn(filter_fn)
        self.filter_fn = filter_fn
        self.input_col = input_col
        validate_input_col(filter_fn, input_col)

    def _apply_filter_fn(self, data: Any) -> Any:
        if self.input_col is None:
            return self.filter_fn(data)
        if isinstance(self.input_col, (list, tuple)):
            return self.filter_fn(*[data[c] for c in self.input_col])
        return self.filter_fn(data[self.input_col])

    def __iter__(self) -> Iterator[_T_co]:
        for data in self.datapipe:
            kept, filtered = self._returnIfTrue(data)
            if kept:
                yield filtered

    def _returnIfTrue(self, data: Any) -> tuple[bool, Any]:
        """Whether *data* stays, and what of it: of a frame the rows that do."""
        condition = self._apply_filter_fn(data)
        if df_wrapper.is_column(condition):
            rows = [
                df_wrapper.get_item(data, i)
                for i, mask in enumerate(df_wrapper.iterate(condition))
                if mask
            ]
            return (True, df_wrapper.concat(rows)) if rows else (False, None)
        if not isinstance(condition, bool):
            raise ValueError(
                "Boolean output is required for `filter_fn` of FilterIterDataPipe, got",
                type(condition),
            )
        return condition, data
