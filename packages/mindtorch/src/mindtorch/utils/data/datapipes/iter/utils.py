"""A pipe of anything that can be iterated."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from .....core.warning import warn
from ..datapipe import IterDataPipe

_T = TypeVar("_T")

__all__ = ["IterableWrapperIterDataPipe"]


class IterableWrapperIterDataPipe(IterDataPipe[_T]):
    """The elements of *iterable*; of a copy for each pass, unless *deepcopy* is False."""

    def __init__(self, iterable: Iterable[_T], deepcopy: bool = True) -> None:
        self.iterable = iterable
        self.deepcopy = deepcopy

    def __iter__(self) -> Iterator[_T]:
        source = self.iterable
        if self.deepcopy:
            try:
                source = copy.deepcopy(source)
            except TypeError:  # generators, for instance
                warn(
                    "The input iterable can not be deepcopied, please be aware of in-place "
                    "modification would affect source data.",
                )
        yield from source

    def __len__(self) -> int:
        sized: Any = self.iterable
        if not hasattr(type(sized), "__len__"):
            raise TypeError(f"{type(self).__name__} instance doesn't have valid length")
        return len(sized)
