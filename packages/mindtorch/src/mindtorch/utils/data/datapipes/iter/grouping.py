"""Pipes of batches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import islice
from typing import Any, TypeVar

from .....core.warning import warn
from .._decorator import functional_datapipe
from .._state import kept, restore
from ..datapipe import DataChunk, IterDataPipe
from ..utils.common import _check_unpickable_fn

__all__ = ["BatcherIterDataPipe", "GrouperIterDataPipe", "UnBatcherIterDataPipe"]

_T_co = TypeVar("_T_co", covariant=True)


def __getattr__(name: str) -> Any:
    # Where they were once.
    if name in ("SHARDING_PRIORITIES", "ShardingFilterIterDataPipe"):
        warn(
            f"`{name}` from `torch.utils.data.datapipes.iter.grouping` is going to be removed in "
            "PyTorch 2.1Please use `torch.utils.data.datapipes.iter.sharding` from the "
            "`torch.utils.data.datapipes.iter.sharding`",
            category=FutureWarning,
        )
        return getattr(import_module("mindtorch.utils.data.datapipes.iter.sharding"), name)
    raise AttributeError(f"module torch.utils.data.datapipes.iter.grouping has no attribute {name}")


@functional_datapipe("batch")
class BatcherIterDataPipe(IterDataPipe[DataChunk[Any]]):
    """Batches of *batch_size* elements; a shorter last one unless *drop_last*."""

    datapipe: IterDataPipe[Any]
    batch_size: int
    drop_last: bool

    def __init__(
        self,
        datapipe: IterDataPipe[Any],
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

    def __iter__(self) -> Iterator[DataChunk[Any]]:
        source = iter(self.datapipe)
        while batch := list(islice(source, self.batch_size)):
            whole = len(batch) == self.batch_size
            if whole or not self.drop_last:
                yield self.wrapper_class(batch)
            if not whole:
                return

    def __len__(self) -> int:
        if not hasattr(type(self.datapipe), "__len__"):
            raise TypeError(f"{type(self).__name__} instance doesn't have valid length")
        whole, rest = divmod(len(self.datapipe), self.batch_size)
        return whole if self.drop_last or not rest else whole + 1


@functional_datapipe("unbatch")
class UnBatcherIterDataPipe(IterDataPipe[Any]):
    """The elements of batches, *unbatch_level* deep; -1 is all the way."""

    def __init__(self, datapipe: IterDataPipe[Any], unbatch_level: int = 1) -> None:
        self.datapipe = datapipe
        self.unbatch_level = unbatch_level

    def __iter__(self) -> Iterator[Any]:
        for element in self.datapipe:
            yield from self._dive(element, unbatch_level=self.unbatch_level)

    def _dive(self, element: Any, unbatch_level: int) -> Iterator[Any]:
        if unbatch_level < -1:
            raise ValueError("unbatch_level must be -1 or >= 0")
        is_batch = isinstance(element, (list, DataChunk))
        if unbatch_level > 0 and not is_batch:
            raise IndexError(
                f"unbatch_level {self.unbatch_level} exceeds the depth of the DataPipe"
            )
        if unbatch_level == 0 or not is_batch:
            yield element
        else:
            for item in element:
                yield from self._dive(item, max(unbatch_level - 1, -1))


@functional_datapipe("groupby")
class GrouperIterDataPipe(IterDataPipe[DataChunk[Any]]):
    """Batches of elements with one key: when *group_size* are together, or at the end.

    When the buffer is full the biggest group goes, if it has *guaranteed_group_size* elements;
    with *drop_remaining* smaller ones are dropped. With *keep_key* the key comes with each.
    """

    def __init__(
        self,
        datapipe: IterDataPipe[_T_co],
        group_key_fn: Callable[[_T_co], Any],
        *,
        keep_key: bool = False,
        buffer_size: int = 10000,
        group_size: int | None = None,
        guaranteed_group_size: int | None = None,
        drop_remaining: bool = False,
    ) -> None:
        _check_unpickable_fn(group_key_fn)
        if group_size is not None and buffer_size is not None:
            if not 0 < group_size <= buffer_size:
                raise AssertionError("group_size must be > 0 and <= buffer_size")
            least = group_size
        else:
            least = None
        if guaranteed_group_size is not None:
            if group_size is None or not 0 < guaranteed_group_size <= group_size:
                raise AssertionError(
                    "guaranteed_group_size must be > 0 and <= group_size and group_size must be set"
                )
            least = guaranteed_group_size
        self.datapipe: Any = datapipe
        self.group_key_fn: Any = group_key_fn
        self.max_buffer_size = buffer_size
        self.group_size = group_size
        self.guaranteed_group_size = least
        self.keep_key = keep_key
        self.drop_remaining = drop_remaining
        self.wrapper_class = DataChunk
        self._forget()

    def _forget(self) -> None:
        self.buffer_elements: defaultdict[Any, list[Any]] = defaultdict(list)
        self.curr_buffer_size = 0

    def _take(self, key: Any) -> list[Any]:
        """The group of *key*, which leaves the buffer."""
        elements = self.buffer_elements.pop(key)
        self.curr_buffer_size -= len(elements)
        return elements

    def _remove_biggest_key(self) -> Any:
        """Take the biggest group out of the full buffer: to be given, or None if it is dropped."""
        waiting = self.buffer_elements
        key = max(waiting, key=lambda each: len(waiting[each]))
        least = self.guaranteed_group_size
        if least is None or len(waiting[key]) >= least:
            return self._wrapped(key, self._take(key))
        if not self.drop_remaining:
            raise RuntimeError("Failed to group items", str(waiting[key]))
        self._take(key)
        return None

    def _wrapped(self, key: Any, elements: list[Any]) -> Any:
        group = self.wrapper_class(elements)
        return (key, group) if self.keep_key else group

    def __iter__(self) -> Iterator[Any]:
        for element in self.datapipe:
            key = self.group_key_fn(element)
            group = self.buffer_elements[key]
            group.append(element)
            self.curr_buffer_size += 1
            if len(group) == self.group_size:
                yield self._wrapped(key, self._take(key))
            if self.curr_buffer_size == self.max_buffer_size:
                biggest = self._remove_biggest_key()
                if biggest is not None:
                    yield biggest
        for key in list(self.buffer_elements):
            yield self._wrapped(key, self._take(key))

    def reset(self) -> None:
        self._forget()

    #: What pickle keeps, in the order of the state.
    _KEPT = (
        *("datapipe", "group_key_fn", "keep_key", "max_buffer_size", "group_size"),
        *("guaranteed_group_size", "drop_remaining", "wrapper_class"),
    )

    def __getstate__(self) -> Any:
        return kept(self, self._KEPT)

    def __setstate__(self, state: Any) -> None:
        restore(self, self._KEPT, state)
        self._forget()

    def __del__(self) -> None:
        if "buffer_elements" in self.__dict__:
            self.buffer_elements.clear()
