"""``torch.Stream`` and ``torch.Event``: streams and events of any device.

The NPU's own classes are subclasses. A host has one stream, on which everything is done at once;
it has no events that could be recorded.
"""

from __future__ import annotations

import time
from itertools import count
from typing import Any, Self

from mindtorch_storage.device import ACCELERATOR_IS_CUDA, Device

from mindtorch_npu import argument_errors, errors, observer, runtime, sync_debug, thread_state
from mindtorch_npu.accelerator_device import is_available
from mindtorch_npu.captures import Point, check_safe, underway
from mindtorch_npu.naming import TYPE, Named
from mindtorch_npu.protocols import Queue
from mindtorch_npu.runtime import lazy_init
from mindtorch_npu.thread_state import current_queue, tls

__all__ = ["DEVICE_TYPE", "Event", "Stream", "named", "queue_of"]

DEVICE_TYPE = 1 if ACCELERATOR_IS_CUDA else 20  # torch's numbers of CUDA and PrivateUse1
_HOSTS = {"cpu": 0, "meta": 14}  # devices without streams; their numbers
_POOL_SIZE = 32
#: (device, class) -> the number of streams handed out; shared by all threads.
_handed_out: dict[tuple[int, int], Any] = {}
_handles = count(0x5600_0000_0000, 0x40)
next_handle = _handles.__next__


def next_pool_queue(index: int, priority: int) -> Queue:
    """The next stream of the pool for this device and priority."""
    driver = runtime.driver()
    priority_class = min(max(-priority, 0), driver.priority_classes() - 1)
    # setdefault is atomic, and so is next on a count: no lock.
    counter = _handed_out.setdefault((index, priority_class), count())
    number: int = next(counter)
    queue = driver.queue(index, (number % _POOL_SIZE) << 5 | (priority_class + 1) << 1 | 1)
    if observer.current is not None and number < _POOL_SIZE:
        observer.current.stream_created(queue)
    return queue


def _device_of(what: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The device among the arguments: the only one that may come by position."""
    if len(args) > 1:
        raise argument_errors.too_many_positional(what, len(args))
    return args[0] if args else kwargs.pop("device", None)


def _place(device: Any, what: str, by_position: bool) -> Device:
    """The device of a new stream or event: the accelerator's, unless told otherwise."""
    if device is None:
        return Device(TYPE if is_available() else "cpu")
    if isinstance(device, int) and not isinstance(device, bool):
        if not is_available():
            raise errors.no_accelerator()
        return Device(TYPE, device)
    if isinstance(device, str):
        device = Device(device)
    if not isinstance(device, Device):
        raise argument_errors.not_a_device(what, type(device).__name__, by_position)
    if device.type not in _HOSTS and (device.type != TYPE or not is_available()):
        raise errors.not_linked(device.type)
    return device


def queue_of(stream: Any) -> Any:
    """The queue that *stream* names, None on the host; by default the current one.

    Raises RuntimeError for what is no stream.
    """
    if stream is None:
        return current_queue(tls.device)
    try:
        return stream._queue
    except AttributeError:
        raise errors.not_a_stream() from None


class Stream(metaclass=Named):
    """An in-order queue of work on a device; as a context it is the current one.

    :param device: default the accelerator, or the cpu where there is none.
    :param priority: 0 or lower; lower numbers go first.
    """

    __module__ = "torch"

    __slots__ = ("__weakref__", "_contexts", "_device", "_numbers", "_queue")

    _contexts: list[Any] | None
    _device: Device
    _numbers: tuple[int, int]  # on the host: what it was made from
    _queue: Queue | None

    def __new__(cls, *args: Any, priority: int = 0, **kwargs: Any) -> Self:
        self = object.__new__(cls)
        self._contexts = None
        device = _device_of("Stream", args, kwargs)
        if kwargs.keys() == {"stream_id", "device_index", "device_type"}:
            return self._named(**kwargs)
        if kwargs:
            raise argument_errors.unexpected_keyword("Stream", next(iter(kwargs)))
        if not isinstance(priority, int):
            raise argument_errors.argument_must_be(
                "Stream", "priority", "int", type(priority).__name__
            )
        place = _place(device, "Stream", bool(args))
        if place.type in _HOSTS:
            self._device = place
            self._numbers = 0, -1
            self._queue = None
            return self
        lazy_init()
        index = thread_state.stream_device(-1 if place.index is None else place.index)
        self._device = Device(TYPE, index)
        self._queue = next_pool_queue(index, priority)
        return self

    def _named(self, stream_id: int, device_index: int, device_type: int) -> Self:
        numbers = {"stream_id": stream_id, "device_index": device_index, "device_type": device_type}
        for name, value in numbers.items():
            if not isinstance(value, int):
                raise argument_errors.argument_must_be("Stream", name, "int", type(value).__name__)
        if device_type == DEVICE_TYPE:
            runtime.check_ordinal(device_index)
            self._device = Device(TYPE, device_index)
            self._queue = runtime.driver().queue(device_index, stream_id)
        else:
            names = {number: name for name, number in _HOSTS.items()}
            self._device = Device(names.get(device_type, "cpu"))
            self._numbers = stream_id, device_index
            self._queue = None
        return self

    @property
    def stream_id(self) -> int:
        """Its number on the device; 0 is the default stream."""
        return self._numbers[0] if self._queue is None else self._queue.stream_id

    @property
    def device_index(self) -> int:
        """The device's number; -1 on the host."""
        return self._numbers[1] if self._queue is None else self._queue.device_index

    @property
    def device_type(self) -> int:
        """torch's number of the kind of device."""
        return DEVICE_TYPE if self._queue is not None else _HOSTS[self._device.type]

    @property
    def device(self) -> Device:
        """Where it is."""
        return self._device

    @property
    def native_handle(self) -> int:
        """The driver's handle; 0 for the default stream."""
        if self._queue is None:
            raise errors.no_native_handle()
        return self._queue.handle

    def is_capturing(self) -> bool:
        """Whether what it is given is captured for a graph."""
        capture = getattr(self._queue, "captured_by", None)
        return capture is not None and bool(capture.is_valid)

    def query(self) -> bool:
        """Whether all work queued so far has finished."""
        queue = self._queue
        done = queue is None or queue.query()
        if observer.current is not None and done and queue is not None:
            observer.current.stream_seen_done(queue)
        return done

    def synchronize(self) -> None:
        """Wait for all work queued so far."""
        queue = self._queue
        if queue is not None:
            if sync_debug.mode:
                sync_debug.notice()
            if observer.current is not None:
                observer.current.stream_synchronized(queue)
            queue.synchronize()

    def wait_event(self, event: Any) -> None:
        """Work queued from now on starts after *event*; None is no event."""
        if event is not None:
            if not isinstance(event, Event):
                raise errors.event_expected()
            event.wait(self)

    def wait_stream(self, stream: Any) -> None:
        """Work queued from now on starts after what *stream* has been given so far."""
        if not isinstance(stream, Stream):
            raise errors.not_a_stream()
        self.wait_event(stream.record_event())

    def record_event(self, event: Any = None) -> Any:
        """Record *event*, or a new one, after the work queued so far; return it."""
        if event is None:
            event = Event(self._device)
        elif not isinstance(event, Event):
            raise errors.event_expected()
        event.record(self)
        return event

    def __enter__(self) -> Stream:
        if self._queue is None:
            return self
        if self._contexts is None:
            self._contexts = []
        here = current_queue(tls.device)
        self._contexts.append((current_queue(self._queue.device_index), here))
        try:
            thread_state.make_current(self._queue)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *exc_info: object) -> None:
        if self._contexts:  # there, here
            thread_state.restore(*self._contexts[-1])
            del self._contexts[-1]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Stream):
            return False
        if self._queue is None:
            return other._queue is None and self._device == other._device
        return self._queue is other._queue

    def _is_before(self, other: object) -> bool:
        """False: as in torch streams have no order, but may be compared."""
        return False

    __lt__ = __le__ = __gt__ = __ge__ = _is_before

    def __hash__(self) -> int:
        return hash((0 if self._queue is None else self._queue.handle, self._device))

    def __repr__(self) -> str:
        return (
            f"torch.Stream device_type={self._device.type}, device_index={self.device_index}, "
            f"stream_id={self.stream_id}"
        )

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise argument_errors.cannot_pickle(self)


def named(queue: Queue) -> Stream:
    """The stream over *queue* that belongs to no device's own class."""
    return Stream(
        stream_id=queue.stream_id, device_index=queue.device_index, device_type=DEVICE_TYPE
    )


class Event(metaclass=Named):
    """A mark in a stream, which others can wait for and which can be timed.

    :param device: default the accelerator, or the cpu where there is none.
    :param blocking: accepted; every wait sleeps.
    :param interprocess: accepted; the simulator's devices exist in one process only.
    """

    __module__ = "torch"

    __slots__ = ("__weakref__", "_handle", "_index", "_mark", "_ticket", "_timing", "_type")

    _handle: int
    _index: int | None
    _mark: Any
    _ticket: Any  # None: nothing is left to do; see Point
    _timing: bool
    _type: str

    def __new__(
        cls,
        *args: Any,
        enable_timing: bool = False,
        blocking: bool = False,
        interprocess: bool = False,
        **kwargs: Any,
    ) -> Self:
        device = _device_of("Event", args, kwargs)
        if kwargs:
            raise argument_errors.unexpected_keyword("Event", next(iter(kwargs)))
        flags = {
            "enable_timing": enable_timing,
            "blocking": blocking,
            "interprocess": interprocess,
        }
        for name, value in flags.items():
            if not isinstance(value, bool):
                raise argument_errors.argument_must_be("Event", name, "bool", type(value).__name__)
        return cls._blank(_place(device, "Event", bool(args)).type, enable_timing)

    @classmethod
    def _blank(cls, kind: str, timing: bool) -> Self:
        self = object.__new__(cls)
        self._type = kind
        self._timing = timing
        self._index = None
        self._handle = 0
        self._mark = None
        self._ticket = None
        return self

    @property
    def device(self) -> Device | None:
        """Where it is; without an index before the first record."""
        return Device(self._type) if self._index is None else Device(self._type, self._index)

    @property
    def event_id(self) -> int:
        """A number for the event; 0 before the first record."""
        return self._handle

    def record(self, stream: Any = None) -> None:
        """Mark what *stream* (default: the current one) has been given so far."""
        if self._type != TYPE or (stream is not None and queue_of(stream) is None):
            kind = self._type if stream is None else stream.device.type
            if kind != self._type:
                raise errors.event_device_type_mismatch(self._type, kind)
            raise errors.no_events(kind)
        lazy_init()
        queue = queue_of(stream)
        if self._index is None:
            self._begin(queue.device_index)
        elif self._index != queue.device_index:
            raise errors.event_device_mismatch(self._index, queue.device_index)
        ticket = None
        if self._timing:
            self._mark, ticket = queue.mark()
        self._ticket = queue.point() if ticket is None else ticket
        if observer.current is not None and queue.captured_by is None:
            observer.current.event_recorded(self, queue)

    def _begin(self, index: int) -> None:
        """It is an event of that device from now on."""
        self._index = index
        self._handle = next_handle()
        if observer.current is not None:
            observer.current.event_created(self)

    def _is_done(self) -> bool:
        return self._ticket is None or self._ticket[0] is None

    def query(self) -> bool:
        """Whether everything before the mark has finished."""
        if underway:
            check_safe()
        done = self._is_done()
        if not done:
            time.sleep(0)  # somebody who polls must let the stream's worker have the GIL
            done = self._is_done()
        if observer.current is not None and done:
            observer.current.event_seen_done(self)
        return done

    def wait(self, stream: Any = None) -> None:
        """Work given to *stream* (default: the current one) from now on starts after the mark."""
        if self._index is None:
            return
        queue = queue_of(stream)
        outside = queue.captured_by is None and type(self._ticket) is not Point
        if observer.current is not None and outside:
            observer.current.event_awaited(self, queue)
        queue.wait_for(self._ticket)

    def synchronize(self) -> None:
        """Wait until everything before the mark has finished."""
        if underway:
            check_safe()
        if observer.current is not None and self._index is not None:
            observer.current.event_synchronized(self)
        ticket = self._ticket
        if ticket is not None:
            queue = ticket[4]
            if ticket[0] is not None:
                queue.finish(ticket)
            if queue.error is not None:
                queue.raise_error()

    def elapsed_time(self, end_event: Any) -> float:
        """Milliseconds from this mark to that of *end_event*, as a float; below 0 if it is earlier.

        On the simulator these are of the host's clock, of kernels of the host. Raises ValueError
        where one was made without ``enable_timing`` or not recorded, RuntimeError where one has not
        finished, or is no event, AcceleratorError for two devices.
        """
        if not isinstance(end_event, Event):
            raise errors.not_an_event()
        if not (self._timing and end_event._timing):
            raise errors.event_without_timing()
        if self._index is None or end_event._index is None:
            raise errors.event_not_recorded()
        if not (self._is_done() and end_event._is_done()):
            raise errors.event_not_completed()
        if self._index != end_event._index:
            raise errors.invalid_handle()
        return float(end_event._mark.end - self._mark.end) / 1e6

    def ipc_handle(self) -> bytes:
        """Raises NotImplementedError, as torch does."""
        raise errors.no_event_ipc()

    @classmethod
    def from_ipc_handle(cls, device: Any, ipc_handle: bytes) -> Event:
        """Raises NotImplementedError, as torch does."""
        raise errors.no_event_ipc()

    def __repr__(self) -> str:
        index = -1 if self._index is None else self._index
        return (
            f"torch.Event device_type={self._type}, device_index={index}, "
            f"event_flag={int(self._timing)}, event_id={self._handle}"
        )

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise argument_errors.cannot_pickle(self)
