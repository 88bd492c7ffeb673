"""Pipes of several pipes, and several of one."""

from __future__ import annotations

import copy as copymodule
import warnings
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Literal, TypeVar

from mindtorch.utils.data.datapipes._hook_iterator import _SnapshotState
from mindtorch.utils.data.datapipes.utils.common import StreamWrapper, _check_unpickable_fn

from .._decorator import functional_datapipe
from ..datapipe import IterDataPipe

__all__ = [
    "ConcaterIterDataPipe",
    "DemultiplexerIterDataPipe",
    "ForkerIterDataPipe",
    "MultiplexerIterDataPipe",
    "ZipperIterDataPipe",
]

_T_co = TypeVar("_T_co", covariant=True)


def _sized(pipes: Any) -> bool:
    return all(hasattr(type(pipe), "__len__") for pipe in pipes)


def _no_length(pipe: Any) -> TypeError:
    return TypeError(f"{type(pipe).__name__} instance doesn't have valid length")


@functional_datapipe("concat")
class ConcaterIterDataPipe(IterDataPipe[Any]):
    """One pipe after the other."""

    datapipes: tuple[IterDataPipe[Any], ...]

    def __init__(self, *datapipes: IterDataPipe[Any]) -> None:
        if len(datapipes) == 0:
            raise ValueError("Expected at least one DataPipe, but got nothing")
        if not all(isinstance(dp, IterDataPipe) for dp in datapipes):
            raise TypeError("Expected all inputs to be `IterDataPipe`")
        self.datapipes = datapipes

    def __iter__(self) -> Iterator[Any]:
        for dp in self.datapipes:
            yield from dp

    def __len__(self) -> int:
        if not _sized(self.datapipes):
            raise _no_length(self)
        return sum(len(dp) for dp in self.datapipes)


@functional_datapipe("fork")
class ForkerIterDataPipe(IterDataPipe[Any]):
    """*num_instances* pipes with the elements of one; *copy* says whether each has its own.

    What one has read and another has not waits in a buffer of *buffer_size*; -1 is no limit.
    """

    def __new__(
        cls,
        datapipe: IterDataPipe[Any],
        num_instances: int,
        buffer_size: int = 1000,
        copy: Literal["shallow", "deep"] | None = None,
    ) -> Any:
        if num_instances < 1:
            raise ValueError(
                f"Expected `num_instances` larger than 0, but {num_instances} is found"
            )
        if num_instances == 1:
            return datapipe
        container = _ForkerIterDataPipe(datapipe, num_instances, buffer_size, copy)
        return [_ChildDataPipe(container, i) for i in range(num_instances)]


class _ContainerTemplate(ABC):
    """What the pipe behind several children can do."""

    @abstractmethod
    def get_next_element_by_instance(self, instance_id: int) -> Any:
        """An iterator for the child *instance_id*."""

    @abstractmethod
    def is_every_instance_exhausted(self) -> bool:
        """Whether all children are at their ends."""

    @abstractmethod
    def reset(self) -> None:
        """Go back to the beginning, for all children."""

    @abstractmethod
    def get_length_by_instance(self, instance_id: int) -> int:
        """The length of the child *instance_id*. Raises TypeError where it is not known."""


def _no_op(x: Any) -> Any:
    return x


class _ForkerIterDataPipe(IterDataPipe[Any], _ContainerTemplate):
    """The pipe behind the children of a fork."""

    def __init__(
        self,
        datapipe: IterDataPipe[Any],
        num_instances: int,
        buffer_size: int = 1000,
        copy: Literal["shallow", "deep"] | None = None,
    ) -> None:
        self.main_datapipe = datapipe
        self._datapipe_iterator: Iterator[Any] | None = None
        self.num_instances = num_instances
        self.buffer: deque[Any] = deque()
        self.buffer_size = buffer_size
        if self.buffer_size < 0:
            warnings.warn(
                "Unlimited buffer size is set for `fork`, please be aware of OOM at random places",
                UserWarning,
                stacklevel=2,
            )
        if copy is None:
            self.copy_fn: Callable[[Any], Any] = _no_op
        elif copy == "shallow":
            self.copy_fn = copymodule.copy
        elif copy == "deep":
            self.copy_fn = copymodule.deepcopy
        else:
            raise ValueError(
                f"Unknown copy method `{copy}` requested, choose one of None, `shallow` or `deep`."
            )
        #: How many elements each child has read, the fewest and the most of them, and how many
        #: there are (None until that is known).
        self.child_pointers = [0] * num_instances
        self.slowest_ptr = 0
        self.leading_ptr = 0
        self.end_ptr: int | None = None
        self._child_stop = [True] * num_instances

    def __len__(self) -> int:
        return len(self.main_datapipe)

    def get_next_element_by_instance(self, instance_id: int) -> Any:
        if self._datapipe_iterator is None and self._child_stop[instance_id]:
            self._datapipe_iterator = iter(self.main_datapipe)
            self._snapshot_state = _SnapshotState.Iterating
            self._child_stop = [False] * self.num_instances
        try:
            while not self._child_stop[instance_id]:
                self.child_pointers[instance_id] += 1
                place = self.child_pointers[instance_id]
                if self.end_ptr is not None and place == self.end_ptr:
                    self._child_stop[instance_id] = True
                    break
                if self.buffer and place <= self.leading_ptr:
                    value = self.buffer[place - self.slowest_ptr - 1]
                else:
                    self.leading_ptr = place
                    try:
                        value = next(self._datapipe_iterator)  # type: ignore[arg-type]
                        self.buffer.append(value)
                    except StopIteration:
                        self._child_stop[instance_id] = True
                        self._datapipe_iterator = None
                        self.end_ptr = self.leading_ptr
                        continue
                if place == self.slowest_ptr + 1:
                    slowest = min(self.child_pointers)
                    if self.slowest_ptr < slowest:
                        self.slowest_ptr = slowest
                        self.buffer.popleft()
                if 0 <= self.buffer_size < self.leading_ptr - self.slowest_ptr:
                    raise BufferError(
                        "ForkerIterDataPipe buffer overflow,"
                        f"buffer size {self.buffer_size} is insufficient."
                    )
                yield self.copy_fn(value)
        finally:
            self._child_stop[instance_id] = True
            # Left early: the others may begin anew.
            if all(self._child_stop):
                self._datapipe_iterator = None
                self._cleanup()

    def is_every_instance_exhausted(self) -> bool:
        return self.end_ptr is not None and all(self._child_stop)

    def get_length_by_instance(self, instance_id: int) -> int:
        return len(self.main_datapipe)

    def reset(self) -> None:
        self._datapipe_iterator = None
        self.buffer = deque()
        self.child_pointers = [0] * self.num_instances
        self.slowest_ptr = 0
        self.leading_ptr = 0
        self.end_ptr = None
        self._child_stop = [True] * self.num_instances

    def __getstate__(self) -> Any:
        state = (
            self.main_datapipe,
            self.num_instances,
            self.buffer_size,
            self.copy_fn,
            self._valid_iterator_id,
            self._number_of_samples_yielded,
        )
        hook = IterDataPipe.getstate_hook
        return state if hook is None else hook(state)

    def __setstate__(self, state: Any) -> None:
        (
            self.main_datapipe,
            self.num_instances,
            self.buffer_size,
            self.copy_fn,
            self._valid_iterator_id,
            self._number_of_samples_yielded,
        ) = state
        self._datapipe_iterator = None
        self.buffer = deque()
        self.child_pointers = [0] * self.num_instances
        self.slowest_ptr = 0
        self.leading_ptr = 0
        self.end_ptr = None
        self._child_stop = [True] * self.num_instances

    def _cleanup(self) -> None:
        while self.buffer:
            StreamWrapper.close_streams(self.buffer.popleft())

    def __del__(self) -> None:
        if "buffer" in self.__dict__:
            self._cleanup()


class _ChildDataPipe(IterDataPipe[Any]):
    """One of several pipes of *main_datapipe*, which does the work.

    Iterators of all children are valid together: a second one of the same child begins all anew.
    """

    _is_child_datapipe: bool = True

    def __init__(self, main_datapipe: IterDataPipe[Any], instance_id: int) -> None:
        if not isinstance(main_datapipe, _ContainerTemplate):
            raise AssertionError("main_datapipe must implement _ContainerTemplate")
        self.main_datapipe: IterDataPipe[Any] = main_datapipe
        self.instance_id = instance_id

    def __iter__(self) -> Any:
        # Not a generator: whether it is valid is to be known at once.
        return self.main_datapipe.get_next_element_by_instance(self.instance_id)

    def __len__(self) -> int:
        return int(self.main_datapipe.get_length_by_instance(self.instance_id))

    def _set_main_datapipe_valid_iterator_id(self) -> int:
        """Begin an iterator of this child: the first of a new pass begins the pass."""
        main = self.main_datapipe
        if main._valid_iterator_id is None:
            main._valid_iterator_id = 0
        elif self._valid_iterator_id == main._valid_iterator_id:
            main._valid_iterator_id += 1
            if not main.is_every_instance_exhausted():
                warnings.warn(
                    "Some child DataPipes are not exhausted when __iter__ is called. We are "
                    "resetting the buffer and each child DataPipe will read from the start again.",
                    UserWarning,
                    stacklevel=2,
                )
            main.reset()
        self._valid_iterator_id = main._valid_iterator_id
        return self._valid_iterator_id

    def _check_valid_iterator_id(self, iterator_id: int) -> bool:
        return (
            iterator_id == self._valid_iterator_id
            and iterator_id == self.main_datapipe._valid_iterator_id
        )


@functional_datapipe("demux")
class DemultiplexerIterDataPipe(IterDataPipe[Any]):
    """*num_instances* pipes, each with the elements that *classifier_fn* gives its number for.

    None is no pipe's: an error, unless *drop_none*. Elements wait in a buffer of *buffer_size*.
    """

    def __new__(
        cls,
        datapipe: IterDataPipe[Any],
        num_instances: int,
        classifier_fn: Callable[[Any], int | None],
        drop_none: bool = False,
        buffer_size: int = 1000,
    ) -> Any:
        if num_instances < 1:
            raise ValueError(
                f"Expected `num_instances` larger than 0, but {num_instances} is found"
            )
        _check_unpickable_fn(classifier_fn)
        container = _DemultiplexerIterDataPipe(
            datapipe, num_instances, classifier_fn, drop_none, buffer_size
        )
        return [_ChildDataPipe(container, i) for i in range(num_instances)]


class _DemultiplexerIterDataPipe(IterDataPipe[Any], _ContainerTemplate):
    """The pipe behind the children that :class:`DemultiplexerIterDataPipe` makes."""

    def __init__(
        self,
        datapipe: IterDataPipe[_T_co],
        num_instances: int,
        classifier_fn: Callable[[_T_co], int | None],
        drop_none: bool,
        buffer_size: int,
    ) -> None:
        self.main_datapipe: Any = datapipe
        self._datapipe_iterator: Iterator[Any] | None = None
        self.num_instances = num_instances
        self.buffer_size = buffer_size
        if self.buffer_size < 0:
            warnings.warn(
                "Unlimited buffer size is set for `demux`, please be aware of OOM at random places",
                UserWarning,
                stacklevel=2,
            )
        self.current_buffer_usage = 0
        self.child_buffers: list[deque[Any]] = [deque() for _ in range(num_instances)]
        self.classifier_fn: Any = classifier_fn
        self.drop_none = drop_none
        self.main_datapipe_exhausted = False
        self._child_stop = [True] * num_instances

    def _find_next(self, instance_id: int) -> Any:
        """Read on until an element of child *instance_id* comes; the others' wait."""
        while True:
            if self.main_datapipe_exhausted or self._child_stop[instance_id]:
                raise StopIteration
            if self._datapipe_iterator is None:
                raise ValueError(
                    "_datapipe_iterator has not been set, likely because this private method is "
                    "called directly without invoking get_next_element_by_instance() first."
                )
            value = next(self._datapipe_iterator)
            classification = self.classifier_fn(value)
            if classification is None and self.drop_none:
                StreamWrapper.close_streams(value)
                continue
            if classification is None or classification >= self.num_instances or classification < 0:
                raise ValueError(
                    f"Output of the classification fn should be between 0 and "
                    f"{self.num_instances - 1}. {classification} is returned."
                )
            if classification == instance_id:
                return value
            self.child_buffers[classification].append(value)
            self.current_buffer_usage += 1
            if 0 <= self.buffer_size < self.current_buffer_usage:
                raise BufferError(
                    "DemultiplexerIterDataPipe buffer overflow, buffer size "
                    f"{self.buffer_size} is insufficient."
                )

    def get_next_element_by_instance(self, instance_id: int) -> Any:
        if self._datapipe_iterator is None and self._child_stop[instance_id]:
            self._datapipe_iterator = iter(self.main_datapipe)
            self._snapshot_state = _SnapshotState.Iterating
            self.main_datapipe_exhausted = False
            self._child_stop = [False] * self.num_instances
        try:
            while not self._child_stop[instance_id]:
                if self.child_buffers[instance_id]:
                    self.current_buffer_usage -= 1
                    yield self.child_buffers[instance_id].popleft()
                    continue
                try:
                    yield self._find_next(instance_id)
                except StopIteration:
                    self._child_stop[instance_id] = True
                    self.main_datapipe_exhausted = True
                    self._datapipe_iterator = None
        finally:
            self._child_stop[instance_id] = True
            if all(self._child_stop):
                self._datapipe_iterator = None
            if self.child_buffers[instance_id]:
                self._cleanup(instance_id)

    def is_every_instance_exhausted(self) -> bool:
        return self.main_datapipe_exhausted and all(self._child_stop)

    def get_length_by_instance(self, instance_id: int) -> int:
        raise TypeError

    def reset(self) -> None:
        self._datapipe_iterator = None
        self.current_buffer_usage = 0
        self.child_buffers = [deque() for _ in range(self.num_instances)]
        self._child_stop = [True] * self.num_instances
        self.main_datapipe_exhausted = False

    def __getstate__(self) -> Any:
        state = (
            self.main_datapipe,
            self.num_instances,
            self.buffer_size,
            self.classifier_fn,
            self.drop_none,
            self._valid_iterator_id,
            self._number_of_samples_yielded,
        )
        hook = IterDataPipe.getstate_hook
        return state if hook is None else hook(state)

    def __setstate__(self, state: Any) -> None:
        (
            self.main_datapipe,
            self.num_instances,
            self.buffer_size,
            self.classifier_fn,
            self.drop_none,
            self._valid_iterator_id,
            self._number_of_samples_yielded,
        ) = state
        self._datapipe_iterator = None
        self.current_buffer_usage = 0
        self.child_buffers = [deque() for _ in range(self.num_instances)]
        self._child_stop = [True] * self.num_instances
        self.main_datapipe_exhausted = False

    def _cleanup(self, instance_id: int | None = None) -> None:
        ids = range(self.num_instances) if instance_id is None else [instance_id]
        for i in ids:
            waiting = self.child_buffers[i]
            while waiting:
                StreamWrapper.close_streams(waiting.popleft())

    def __del__(self) -> None:
        if "child_buffers" in self.__dict__:
            self._cleanup()


@functional_datapipe("mux")
class MultiplexerIterDataPipe(IterDataPipe[Any]):
    """One element of each pipe in turn, until the shortest is at its end."""

    def __init__(self, *datapipes: IterDataPipe[Any]) -> None:
        self.datapipes = datapipes
        #: The elements of a round that is not complete.
        self.buffer: list[Any] = []

    def __iter__(self) -> Iterator[Any]:
        iterators = [iter(dp) for dp in self.datapipes]
        while iterators:
            for it in iterators:
                try:
                    self.buffer.append(next(it))
                except StopIteration:
                    self.buffer.clear()
                    return
            yield from self.buffer
            self.buffer.clear()

    def __len__(self) -> int:
        if not _sized(self.datapipes):
            raise _no_length(self)
        shortest = min(len(dp) for dp in self.datapipes)
        return shortest * len(self.datapipes)

    def reset(self) -> None:
        self.buffer = []

    def __getstate__(self) -> Any:
        state = (self.datapipes, self._valid_iterator_id, self._number_of_samples_yielded)
        hook = IterDataPipe.getstate_hook
        return state if hook is None else hook(state)

    def __setstate__(self, state: Any) -> None:
        self.datapipes, self._valid_iterator_id, self._number_of_samples_yielded = state
        self.buffer = []

    def __del__(self) -> None:
        self.buffer.clear()


@functional_datapipe("zip")
class ZipperIterDataPipe(IterDataPipe[tuple[_T_co]]):
    """Tuples of one element of each pipe, until the shortest is at its end."""

    datapipes: tuple[IterDataPipe[Any], ...]

    def __init__(self, *datapipes: IterDataPipe[Any]) -> None:
        if not all(isinstance(dp, IterDataPipe) for dp in datapipes):
            raise TypeError("All inputs are required to be `IterDataPipe` for `ZipIterDataPipe`.")
        super().__init__()
        self.datapipes = datapipes

    def __iter__(self) -> Iterator[Any]:
        yield from zip(*[iter(dp) for dp in self.datapipes], strict=False)

    def __len__(self) -> int:
        if not _sized(self.datapipes):
            raise _no_length(self)
        return min(len(dp) for dp in self.datapipes)
