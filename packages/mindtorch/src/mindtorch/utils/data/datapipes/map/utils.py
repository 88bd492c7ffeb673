"""A pipe of any sequence or mapping."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from .....core.warning import warn
from ..datapipe import MapDataPipe

_T = TypeVar("_T")

__all__ = ["SequenceWrapperMapDataPipe"]


class SequenceWrapperMapDataPipe(MapDataPipe[_T]):
    """The elements of *sequence*; of a copy, unless *deepcopy* is False."""

    sequence: Any

    def __init__(self, sequence: Sequence[_T] | Mapping[Any, _T], deepcopy: bool = True) -> None:
        self.sequence = sequence
        if deepcopy:
            try:
                self.sequence = copy.deepcopy(sequence)
            except TypeError:  # generators in it, for instance
                warn(
                    "The input sequence can not be deepcopied, please be aware of in-place "
                    "modification would affect source data",
                )

    def __getitem__(self, index: Any) -> Any:
        return self.sequence[index]

    def __len__(self) -> int:
        return len(self.sequence)
