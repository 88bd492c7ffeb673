"""Pipes of several pipes, and several of one."""

from __future__ import annotations

import copy as copymodule
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Literal, TypeVar

from .....core.warning import warn
from .._decorator import functional_datapipe
from .._hook_iterator import _SnapshotState
from .._state import kept, restore
from ..datapipe import IterDataPipe
from ..utils.common import StreamWrapper, _check_unpickable_fn

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


class _SharedPipe(IterDataPipe[Any], _ContainerTemplate):
    """The pipe behind several children: they read *main_datapipe* together, in one pass."""

    #: What pickle keeps, in the order of the state; the rest begins anew.
    _KEPT: tuple[str, ...] = ()

    def __init__(
        self, datapipe: IterDataPipe[Any], num_instances: int, buffer_size: int, kind: str
    ) -> None:
        self.main_datapipe: Any = datapipe
        self.num_instances = num_instances
        self.buffer_size = buffer_size
        if buffer_size < 0:
            warn(
                f"Unlimited buffer size is set for `{kind}`, please be aware of OOM at random "
                "places",
                UserWarning,
            )
        self._begin_anew()

    def _begin_anew(self) -> None:
        """Forget the pass and all that waits."""
        self._datapipe_iterator: Iterator[Any] | None = None
        self._child_stop = [True] * self.num_instances

    def _begin_pass(self, instance_id: int) -> None:
        """Let the child *instance_id* read: in the pass of the others, or in a new one."""
        if self._datapipe_iterator is None and self._child_stop[instance_id]:
            self._datapipe_iterator = iter(self.main_datapipe)
            self._snapshot_state = _SnapshotState.Iterating
            self._child_stop = [False] * self.num_instances

    def _leave_pass(self, instance_id: int) -> bool:
        """The child *instance_id* reads no more. Returns whether it was the last that did."""
        self._child_stop[instance_id] = True
        alone = all(self._child_stop)
        if alone:
            self._datapipe_iterator = None
        return alone

    def reset(self) -> None:
        self._begin_anew()

    def __getstate__(self) -> Any:
        return kept(self, self._KEPT)

    def __setstate__(self, state: Any) -> None:
        restore(self, self._KEPT, state)
        self._begin_anew()


def _close_all(waiting: deque[Any]) -> None:
    """Close the streams among elements that nobody will read."""
    while waiting:
        StreamWrapper.close_streams(waiting.popleft())


_COPIES: dict[str | None, Callable[[Any], Any]] = {
    None: _no_op,
    "shallow": copymodule.copy,
    "deep": copymodule.deepcopy,
}
_NO_MORE = object()


class _ForkerIterDataPipe(_SharedPipe):
    """The pipe behind the children of a fork."""

    _KEPT = ("main_datapipe", "num_instances", "buffer_size", "copy_fn")

    def __init__(
        self,
        datapipe: IterDataPipe[Any],
        num_instances: int,
        buffer_size: int = 1000,
        copy: Literal["shallow", "deep"] | None = None,
    ) -> None:
        super().__init__(datapipe, num_instances, buffer_size, "fork")
        if copy not in _COPIES:
            raise ValueError(
                f"Unknown copy method `{copy}` requested, choose one of None, `shallow` or `deep`."
            )
        self.copy_fn = _COPIES[copy]

    def _begin_anew(self) -> None:
        super()._begin_anew()
        self.buffer: deque[Any] = deque()
        #: How many elements each child has asked for, the fewest and the most of these numbers,
        #: and where the source was at its end (None until that is known).
        self.child_pointers = [0] * self.num_instances
        self.slowest_ptr = self.leading_ptr = 0
        self.end_ptr: int | None = None

    def __len__(self) -> int:
        return len(self.main_datapipe)

    def _read(self, instance_id: int) -> Any:
        """The next element for the child *instance_id*, or ``_NO_MORE``."""
        place = self.child_pointers[instance_id] + 1
        self.child_pointers[instance_id] = place
        if place == self.end_ptr:
            return _NO_MORE
        if self.buffer and place <= self.leading_ptr:
            value = self.buffer[place - self.slowest_ptr - 1]
        else:
            self.leading_ptr = place
            value = next(self._datapipe_iterator, _NO_MORE)  # type: ignore[arg-type]
            if value is _NO_MORE:
                self._datapipe_iterator, self.end_ptr = None, place
                return value
            self.buffer.append(value)
        # What was the front of the buffer, all have read now.
        if self.slowest_ptr < min(self.child_pointers):
            self.slowest_ptr += 1
            self.buffer.popleft()
        if 0 <= self.buffer_size < self.leading_ptr - self.slowest_ptr:
            raise BufferError(
                "ForkerIterDataPipe buffer overflow,"
                f"buffer size {self.buffer_size} is insufficient."
            )
        return value

    def get_next_element_by_instance(self, instance_id: int) -> Any:
        self._begin_pass(instance_id)
        try:
            while not self._child_stop[instance_id]:
                value = self._read(instance_id)
                if value is _NO_MORE:
                    return
                yield self.copy_fn(value)
        finally:
            if self._leave_pass(instance_id):
                _close_all(self.buffer)

    def is_every_instance_exhausted(self) -> bool:
        return self.end_ptr is not None and all(self._child_stop)

    def get_length_by_instance(self, instance_id: int) -> int:
        return len(self.main_datapipe)

    def __del__(self) -> None:
        _close_all(self.__dict__.get("buffer", deque()))


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
                warn(
                    "Some child DataPipes are not exhausted when __iter__ is called. We are "
                    "resetting the buffer and each child DataPipe will read from the start again.",
                    UserWarning,
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


class _DemultiplexerIterDataPipe(_SharedPipe):
    """The pipe behind the children that :class:`DemultiplexerIterDataPipe` makes."""

    _KEPT = ("main_datapipe", "num_instances", "buffer_size", "classifier_fn", "drop_none")

    def __init__(
        self,
        datapipe: IterDataPipe[_T_co],
        num_instances: int,
        classifier_fn: Callable[[_T_co], int | None],
        drop_none: bool,
        buffer_size: int,
    ) -> None:
        super().__init__(datapipe, num_instances, buffer_size, "demux")
        self.classifier_fn: Any = classifier_fn
        self.drop_none = drop_none

    def _begin_anew(self) -> None:
        super()._begin_anew()
        self.child_buffers: list[deque[Any]] = [deque() for _ in range(self.num_instances)]
        self.current_buffer_usage = 0
        self.main_datapipe_exhausted = False

    def _child_of(self, value: Any) -> int | None:
        """Whose *value* is; None if it is dropped, and closed."""
        number = self.classifier_fn(value)
        if number is None and self.drop_none:
            StreamWrapper.close_streams(value)
        elif number is None or not 0 <= number < self.num_instances:
            raise ValueError(
                f"Output of the classification fn should be between 0 and "
                f"{self.num_instances - 1}. {number} is returned."
            )
        return number

    def _find_next(self, instance_id: int) -> Any:
        """Read on until an element of child *instance_id* comes; the others' wait."""
        while not (self.main_datapipe_exhausted or self._child_stop[instance_id]):
            if self._datapipe_iterator is None:
                raise ValueError(
                    "_datapipe_iterator has not been set, likely because this private method is "
                    "called directly without invoking get_next_element_by_instance() first."
                )
            value = next(self._datapipe_iterator)
            owner = self._child_of(value)
            if owner == instance_id:
                return value
            if owner is not None:
                self._keep_waiting(owner, value)
        raise StopIteration

    def _keep_waiting(self, owner: int, value: Any) -> None:
        self.child_buffers[owner].append(value)
        self.current_buffer_usage += 1
        if 0 <= self.buffer_size < self.current_buffer_usage:
            raise BufferError(
                "DemultiplexerIterDataPipe buffer overflow, buffer size "
                f"{self.buffer_size} is insufficient."
            )

    def _take_waiting(self, owner: int) -> Any:
        self.current_buffer_usage -= 1
        return self.child_buffers[owner].popleft()

    def get_next_element_by_instance(self, instance_id: int) -> Any:
        if self._datapipe_iterator is None and self._child_stop[instance_id]:
            self.main_datapipe_exhausted = False
        self._begin_pass(instance_id)
        try:
            while not self._child_stop[instance_id]:
                try:
                    if self.child_buffers[instance_id]:
                        value = self._take_waiting(instance_id)
                    else:
                        value = self._find_next(instance_id)
                except StopIteration:
                    self._datapipe_iterator, self.main_datapipe_exhausted = None, True
                    return
                yield value
        finally:
            self._leave_pass(instance_id)
            _close_all(self.child_buffers[instance_id])

    def is_every_instance_exhausted(self) -> bool:
        return self.main_datapipe_exhausted and all(self._child_stop)

    def get_length_by_instance(self, instance_id: int) -> int:
        raise TypeError

    def __del__(self) -> None:
        for waiting in self.__dict__.get("child_buffers", ()):
            _close_all(waiting)


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
                value = next(it, _NO_MORE)
                if value is _NO_MORE:
                    self.buffer.clear()
                    return
                self.buffer.append(value)
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
        return kept(self, ("datapipes",))

    def __setstate__(self, state: Any) -> None:
        restore(self, ("datapipes",), state)
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
