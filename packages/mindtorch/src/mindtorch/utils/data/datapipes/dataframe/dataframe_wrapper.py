"""What frames of data can do, whoever's they are: those of pandas unless others are set."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib import import_module
from typing import Any

_pandas: Any = None
_WITH_PANDAS: bool | None = None


def _try_import_pandas() -> bool:
    global _pandas
    try:
        _pandas = import_module("pandas")
    except ImportError:
        return False
    return True


def _with_pandas() -> bool:
    """Whether pandas is installed; it is imported by the first who asks."""
    global _WITH_PANDAS
    if _WITH_PANDAS is None:
        _WITH_PANDAS = _try_import_pandas()
    return _WITH_PANDAS


def _needed() -> Any:
    if not _with_pandas():
        raise RuntimeError("DataFrames prototype requires pandas to function")
    return _pandas


class PandasWrapper:
    """Frames of pandas."""

    @classmethod
    def create_dataframe(cls, data: Any, columns: Any) -> Any:
        """A frame of rows."""
        return _needed().DataFrame(data, columns=columns)

    @classmethod
    def is_dataframe(cls, data: Any) -> bool:
        """Whether *data* is a frame; without pandas in use nothing is."""
        return "pandas" in sys.modules and _with_pandas() and isinstance(data, _pandas.DataFrame)

    @classmethod
    def is_column(cls, data: Any) -> bool:
        """Whether *data* is a column of a frame; without pandas in use nothing is."""
        return "pandas" in sys.modules and _with_pandas() and isinstance(data, _pandas.Series)

    @classmethod
    def iterate(cls, data: Any) -> Any:
        """The rows of a frame."""
        _needed()
        return data.itertuples(index=False) if cls.is_dataframe(data) else iter(data)

    @classmethod
    def concat(cls, buffer: Any) -> Any:
        """Several frames as one."""
        return _needed().concat(buffer)

    @classmethod
    def get_item(cls, data: Any, idx: Any) -> Any:
        """A row, as a frame."""
        _needed()
        return data[idx : idx + 1]

    @classmethod
    def get_len(cls, df: Any) -> int:
        """The number of rows."""
        _needed()
        return len(df.index)

    @classmethod
    def get_columns(cls, df: Any) -> Any:
        """The names of the columns."""
        _needed()
        return list(df.columns.values.tolist())


#: Where the functions below go; :func:`set_df_wrapper` sets it.
default_wrapper: Any = PandasWrapper


def get_df_wrapper() -> Any:
    """Whose frames are in use."""
    return default_wrapper


def set_df_wrapper(wrapper: Any) -> None:
    """Use others' frames: *wrapper* has the methods of :class:`PandasWrapper`."""
    global default_wrapper
    default_wrapper = wrapper


def create_dataframe(data: Any, columns: Any = None) -> Any:
    """A frame of rows."""
    return get_df_wrapper().create_dataframe(data, columns)


def is_dataframe(data: Any) -> Any:
    """Whether *data* is a frame."""
    return get_df_wrapper().is_dataframe(data)


def get_columns(data: Any) -> Any:
    """The names of the columns."""
    return get_df_wrapper().get_columns(data)


def is_column(data: Any) -> Any:
    """Whether *data* is a column of a frame."""
    return get_df_wrapper().is_column(data)


def concat(buffer: Iterable[Any]) -> Any:
    """Several frames as one."""
    return get_df_wrapper().concat(buffer)


def iterate(data: Any) -> Any:
    """The rows of a frame."""
    return get_df_wrapper().iterate(data)


def get_item(data: Any, idx: Any) -> Any:
    """A row, as a frame."""
    return get_df_wrapper().get_item(data, idx)


def get_len(df: Any) -> Any:
    """The number of rows."""
    return get_df_wrapper().get_len(df)
