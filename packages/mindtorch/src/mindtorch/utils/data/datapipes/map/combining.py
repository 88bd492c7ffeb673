"""Pipes of several pipes."""

from __future__ import annotations

from collections.abc import Sized
from typing import Any, TypeVar

from .._decorator import functional_datapipe
from ..datapipe import MapDataPipe

__all__ = ["ConcaterMapDataPipe", "ZipperMapDataPipe"]

_T_co = TypeVar("_T_co", covariant=True)


def _check(datapipes: tuple[Any, ...]) -> None:
    if len(datapipes) == 0:
        raise ValueError("Expected at least one DataPipe, but got nothing")
    if not all(isinstance(dp, MapDataPipe) for dp in datapipes):
        raise TypeError("Expected all inputs to be `MapDataPipe`")
    if not all(isinstance(dp, Sized) for dp in datapipes):
        raise TypeError("Expected all inputs to be `Sized`")


@functional_datapipe("concat")
class ConcaterMapDataPipe(MapDataPipe[Any]):
    """One pipe after the other."""

    datapipes: tuple[MapDataPipe[Any], ...]

    def __init__(self, *datapipes: MapDataPipe[Any]) -> None:
        _check(datapipes)
        self.datapipes = datapipes

    def __getitem__(self, index: Any) -> Any:
        offset = 0
        for dp in self.datapipes:
            count = len(dp)
            if index - offset < count:
                return dp[index - offset]
            offset += count
        raise IndexError(f"Index {index} is out of range.")

    def __len__(self) -> int:
        return sum(len(dp) for dp in self.datapipes)


@functional_datapipe("zip")
class ZipperMapDataPipe(MapDataPipe[tuple[_T_co, ...]]):
    """Tuples of one element of each pipe."""

    datapipes: tuple[MapDataPipe[Any], ...]

    def __init__(self, *datapipes: MapDataPipe[Any]) -> None:
        _check(datapipes)
        self.datapipes = datapipes

    def __getitem__(self, index: Any) -> Any:
        res = []
        for dp in self.datapipes:
            try:
                res.append(dp[index])
            except IndexError as error:
                raise IndexError(
                    f"Index {index} is out of range for one of the input MapDataPipes {dp}."
                ) from error
        return tuple(res)

    def __len__(self) -> int:
        return min(len(dp) for dp in self.datapipes)
