"""Pipes that call a function on every element."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, TypeVar

from ..._utils.collate import default_collate
from .._decorator import functional_datapipe
from ..dataframe import dataframe_wrapper as df_wrapper
from ..datapipe import IterDataPipe
from ..utils.common import _check_unpickable_fn, validate_input_col

__all__ = ["CollatorIterDataPipe", "MapperIterDataPipe"]

_T_co = TypeVar("_T_co", covariant=True)


@functional_datapipe("map")
class MapperIterDataPipe(IterDataPipe[_T_co]):
    """*fn* of every element, or of its columns *input_col*.

    The result takes the place of the (first of the) columns, or that of *output_col*; -1 is a new
    one at the end.
    """

    datapipe: IterDataPipe[Any]
    fn: Callable[..., Any]

    def __init__(
        self,
        datapipe: IterDataPipe[Any],
        fn: Callable[..., Any],
        input_col: Any = None,
        output_col: Any = None,
    ) -> None:
        super().__init__()
        self.datapipe = datapipe
        _check_unpickable_fn(fn)
        self.fn = fn
        self.input_col = input_col
        if input_col is None and output_col is not None:
            raise ValueError("`output_col` must be None when `input_col` is None.")
        if isinstance(output_col, (list, tuple)):
            if len(output_col) > 1:
                raise ValueError("`output_col` must be a single-element list or tuple")
            output_col = output_col[0]
        self.output_col = output_col
        validate_input_col(fn, input_col)

    def _apply_fn(self, data: Any) -> Any:
        columns = self.input_col
        if columns is None:
            return self.fn(data)
        several = isinstance(columns, (list, tuple))
        res = self.fn(*[data[c] for c in columns]) if several else self.fn(data[columns])
        was_tuple = isinstance(data, tuple)
        made: Any = list(data) if was_tuple else data
        if self.output_col is None:
            if several:
                made[columns[0]] = res
                for c in sorted(columns[1:], reverse=True):
                    del made[c]
            else:
                made[columns] = res
        elif self.output_col == -1:
            made.append(res)
        else:
            made[self.output_col] = res
        return tuple(made) if was_tuple else made

    def __iter__(self) -> Iterator[_T_co]:
        for data in self.datapipe:
            yield self._apply_fn(data)

    def __len__(self) -> int:
        if not hasattr(type(self.datapipe), "__len__"):
            raise TypeError(f"{type(self).__name__} instance doesn't have valid length")
        return len(self.datapipe)


def _collate_helper(conversion: Any, item: Any) -> Any:
    """The columns of a batch of frames: each as *conversion* says, or in torcharrow's way."""
    if len(item.items) > 1:
        raise RuntimeError("Only supports one DataFrame per batch")
    frame = item[0]
    columns_name = df_wrapper.get_columns(frame)
    tuple_names: list[Any] = []
    tuple_values: list[Any] = []
    for name in conversion:
        if name not in columns_name:
            raise RuntimeError("Conversion keys mismatch")
    for name in columns_name:
        if name in conversion:
            if not callable(conversion[name]):
                raise RuntimeError("Collate (DF)DataPipe requires callable as dict values")
            collation_fn = conversion[name]
        else:
            try:
                collation_fn = import_module("torcharrow.pytorch").rec.Default()
            except ModuleNotFoundError as error:
                raise RuntimeError(
                    "unable to import default collation function from the TorchArrow"
                ) from error
        tuple_names.append(str(name))
        tuple_values.append(collation_fn(frame[name]))
    from collections import namedtuple

    made: Any = namedtuple("CollateResult", tuple_names)  # type: ignore[misc]  # names of columns
    return made(*tuple_values)


@functional_datapipe("collate")
class CollatorIterDataPipe(MapperIterDataPipe[Any]):
    """Every batch as tensors: by *collate_fn*, or column by column with a dict as *conversion*."""

    def __init__(
        self,
        datapipe: IterDataPipe[Any],
        conversion: Callable[..., Any] | dict[Any, Any] | None = default_collate,
        collate_fn: Callable[..., Any] | None = None,
    ) -> None:
        # ``collate_fn`` is the older name, and has precedence.
        if collate_fn is not None:
            fn = collate_fn
        elif callable(conversion):
            fn = conversion
        else:
            fn = functools.partial(_collate_helper, conversion)
        super().__init__(datapipe, fn=fn)
