"""Pipes of batches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, TypeVar

from .._decorator import functional_datapipe
from ..datapipe import DataChunk, IterDataPipe
from ..utils.common import _check_unpickable_fn

__all__ = ["BatcherIterDataPipe", "GrouperIterDataPipe", "UnBatcherIterDataPipe"]

_T_co = TypeVar("_T_co", covariant=True)


def __getattr__(name: str) -> Any:
    # Where they were once.
    if name in ("SHARDING_PRIORITIES", "ShardingFilterIterDataPipe"):
        import warnings

        warnings.warn(
            f"`{name}` from `torch.utils.data.datapipes.iter.grouping` is going to be removed in "
            "PyTorch 2.1Please use `torch.utils.data.datapipes.iter.sharding` from the "
            "`torch.utils.data.datapipes.iter.sharding`",
            category=FutureWarning,
            stacklevel=2,
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
        batch: list[Any] = []
        for x in self.datapipe:
            batch.append(x)
            if len(batch) == self.batch_size:
                yield self.wrapper_class(batch)
                batch = []
        if batch and not self.drop_last:
            yield self.wrapper_class(batch)

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
        if unbatch_level == 0 or (
            unbatch_level == -1 and not isinstance(element, (list, DataChunk))
        ):
            yield element
            return
        if not isinstance(element, (list, DataChunk)):
            raise IndexError(
                f"unbatch_level {self.unbatch_level} exceeds the depth of the DataPipe"
            )
        deeper = -1 if unbatch_level == -1 else unbatch_level - 1
        for item in element:
            yield from self._dive(item, unbatch_level=deeper)


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
        self.datapipe: Any = datapipe
        self.group_key_fn: Any = group_key_fn
        self.keep_key = keep_key
        self.max_buffer_size = buffer_size
        self.buffer_elements: defaultdict[Any, list[Any]] = defaultdict(list)
        self.curr_buffer_size = 0
        self.group_size = group_size
        self.guaranteed_group_size: int | None = None
        if group_size is not None and buffer_size is not None:
            if not 0 < group_size <= buffer_size:
                raise AssertionError("group_size must be > 0 and <= buffer_size")
            self.guaranteed_group_size = group_size
        if guaranteed_group_size is not None:
            if group_size is None or not 0 < guaranteed_group_size <= group_size:
                raise AssertionError(
                    "guaranteed_group_size must be > 0 and <= group_size and group_size must be set"
                )
            self.guaranteed_group_size = guaranteed_group_size
        self.drop_remaining = drop_remaining
        self.wrapper_class = DataChunk

    def _remove_biggest_key(self) -> Any:
        """Take the biggest group out of the full buffer: to be given, or None if it is dropped."""
        biggest_key, biggest_size = None, 0
        for key, elements in self.buffer_elements.items():
            if len(elements) > biggest_size:
                biggest_size = len(elements)
                biggest_key = key
        too_small = (
            self.guaranteed_group_size is not None and biggest_size < self.guaranteed_group_size
        )
        if too_small and not self.drop_remaining:
            raise RuntimeError("Failed to group items", str(self.buffer_elements[biggest_key]))
        result = None
        if self.guaranteed_group_size is None or not too_small:
            result = self.buffer_elements[biggest_key]
        self.curr_buffer_size -= biggest_size
        del self.buffer_elements[biggest_key]
        return None if result is None else self._wrapped(biggest_key, result)

    def _wrapped(self, key: Any, elements: list[Any]) -> Any:
        group = self.wrapper_class(elements)
        return (key, group) if self.keep_key else group

    def __iter__(self) -> Iterator[Any]:
        for x in self.datapipe:
            key = self.group_key_fn(x)
            self.buffer_elements[key].append(x)
            self.curr_buffer_size += 1
            if self.group_size is not None and self.group_size == len(self.buffer_elements[key]):
                result = self._wrapped(key, self.buffer_elements[key])
                yield result
                self.curr_buffer_size -= len(self.buffer_elements[key])
                del self.buffer_elements[key]
            if self.curr_buffer_size == self.max_buffer_size:
                result = self._remove_biggest_key()
                if result is not None:
                    yield result
        for key in tuple(self.buffer_elements):
            elements = self.buffer_elements.pop(key)
            self.curr_buffer_size -= len(elements)
            yield self._wrapped(key, elements)

    def reset(self) -> None:
        self.curr_buffer_size = 0
        self.buffer_elements = defaultdict(list)

    def __getstate__(self) -> Any:
        state = (
            self.datapipe,
            self.group_key_fn,
            self.keep_key,
            self.max_buffer_size,
            self.group_size,
            self.guaranteed_group_size,
            self.drop_remaining,
            self.wrapper_class,
            self._valid_iterator_id,
            self._number_of_samples_yielded,
        )
        hook = IterDataPipe.getstate_hook
        return state if hook is None else hook(state)

    def __setstate__(self, state: Any) -> None:
        (
            self.datapipe,
            self.group_key_fn,
            self.keep_key,
            self.max_buffer_size,
            self.group_size,
            self.guaranteed_group_size,
            self.drop_remaining,
            self.wrapper_class,
            self._valid_iterator_id,
            self._number_of_samples_yielded,
        ) = state
        self.curr_buffer_size = 0
        self.buffer_elements = defaultdict(list)

    def __del__(self) -> None:
        if "buffer_elements" in self.__dict__:
            self.buffer_elements.clear()
