"""Streams: ``Stream``, the current stream of each thread, contexts.

A ``Stream`` object is only a name for a queue of the driver: 32 streams per device and priority
exist, are handed out in turn and never destroyed, so two objects may name the same stream.

A device without an index, or None, means the current one. A device of another kind is a ValueError,
an index without a device a RuntimeError ("out of index range"), no device at all an AssertionError.
Source: torch/cuda/streams.py; c10/cuda/CUDAStream.cpp.
"""

from __future__ import annotations

import ctypes
import operator
from typing import Any, Self, TypeVar

from mindtorch_storage.device import Device

from mindtorch_npu import argument_errors, errors, generic_streams, runtime, thread_state
from mindtorch_npu.devices import device as device_context
from mindtorch_npu.devices import device_index
from mindtorch_npu.events import Event
from mindtorch_npu.generic_streams import next_pool_queue
from mindtorch_npu.naming import TYPE, named_by_type
from mindtorch_npu.protocols import Queue
from mindtorch_npu.runtime import is_available, lazy_init
from mindtorch_npu.thread_state import current_queue, tls

__all__ = [
    "Event",
    "ExternalStream",
    "Stream",
    "StreamContext",
    "current_stream",
    "default_stream",
    "get_stream_from_external",
    "set_stream",
    "stream",
]


AnyStream = TypeVar("AnyStream", bound="Stream")


_LAST_POINTER = (1 << 64) - 1


@named_by_type
class Stream(generic_streams.Stream):
    """A sequence of work on one device, run in order and independently of other streams.

    :param device: where; default the current device.
    :param priority: 0 or lower; lower numbers go first. Values out of range are clamped.

    Raises RuntimeError where there is no device, AcceleratorError for an index without one.
    """

    __module__ = f"torch.{TYPE}"  # what users' reprs and pickles show

    _queue: Queue

    def __new__(cls, device: Any = None, priority: int = 0, **kwargs: Any) -> Self:
        if not is_available():
            raise errors.stream_requires_support()
        lazy_init()
        priority = operator.index(priority)
        if not -(1 << 31) <= priority < 1 << 31:
            raise argument_errors.int_overflow(priority)
        stream_id = operator.index(kwargs.pop("stream_id", 0))
        index = operator.index(kwargs.pop("device_index", 0))
        device_type = operator.index(kwargs.pop("device_type", 0))
        pointer = operator.index(kwargs.pop("stream_ptr", 0)) & _LAST_POINTER
        if kwargs:
            raise argument_errors.not_an_argument(next(iter(kwargs)))
        driver = runtime.driver()
        if stream_id or index or device_type:
            if device_type != generic_streams.DEVICE_TYPE:
                raise errors.stream_device_type()
            runtime.check_ordinal(index)
            return _wrap(driver.queue(index, stream_id), cls)
        index = tls.device if device is None else device_index(device, optional=True)
        if index < 0:
            index = tls.device
        runtime.check_ordinal(index)
        if not pointer:
            return _wrap(next_pool_queue(index, priority), cls)
        if priority:
            raise errors.external_priority()
        return _wrap(driver.queue(index, pointer), cls)

    @property
    def npu_stream(self) -> int:
        """The driver's handle; 0 for the default stream."""
        return self._queue.handle

    def __npu_stream__(self) -> tuple[int, int]:
        """The version of this protocol, 0, and the handle: torch's ``__cuda_stream__``."""
        return 0, self._queue.handle

    @property
    def _as_parameter_(self) -> Any:
        return ctypes.c_void_p(self._queue.handle)

    @property
    def priority(self) -> int:
        """0, or lower for streams that go first."""
        stream_id = self._queue.stream_id
        return -((stream_id >> 1 & 0xF) - 1) if stream_id & 1 else 0

    @staticmethod
    def priority_range() -> tuple[int, int]:
        """The least and the greatest priority, ``(0, -3)``: the greatest is the lowest number."""
        lazy_init()
        return 0, 1 - runtime.driver().priority_classes()

    def wait_event(self, event: Any) -> None:
        """Work queued from now on starts after *event*."""
        event.wait(self)

    def wait_stream(self, stream: Any) -> None:
        """Work queued from now on starts after what *stream* has been given so far."""
        self.wait_event(stream.record_event())

    def record_event(self, event: Any = None) -> Any:
        """Record *event*, or a new one, after the work queued so far; return it."""
        if event is None:
            event = Event()
        event.record(self)
        return event

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and self._queue is other._queue

    __hash__ = generic_streams.Stream.__hash__

    def __repr__(self) -> str:
        return f"<torch.{TYPE}.Stream device={self.device} {TYPE}_stream={self._queue.handle:#x}>"


class ExternalStream(Stream):
    """A stream that somebody else made, named by its pointer."""

    __module__ = f"torch.{TYPE}"  # what users' reprs and pickles show

    def __new__(cls, stream_ptr: int, device: Any = None, **kwargs: Any) -> Self:
        with device_context(device):
            return super().__new__(cls, stream_ptr=stream_ptr, **kwargs)


def _wrap(queue: Queue, cls: type[AnyStream]) -> AnyStream:
    made = object.__new__(cls)
    made._queue = queue
    made._device = Device(TYPE, queue.device_index)
    made._contexts = None
    return made


def _resolve(device: Any, function: str) -> int:
    lazy_init()
    index = thread_state.device_number(device_index(device, optional=True), function)
    return thread_state.stream_device(index)


def current_stream(device: Any = None) -> Stream:
    """The stream that this thread's work on a device goes to."""
    return _wrap(current_queue(_resolve(device, "getCurrentStream")), Stream)


def default_stream(device: Any = None) -> Stream:
    """The default stream of a device, whose handle is 0; no other waits for it by itself."""
    return _wrap(runtime.driver().queue(_resolve(device, "getDefaultStream"), 0), Stream)


def get_stream_from_external(data_ptr: int, device: Any = None) -> Stream:
    """A stream that somebody else made, named by its pointer."""
    index = _resolve(device, "getStreamFromExternal")
    return _wrap(
        runtime.driver().queue(index, operator.index(data_ptr) & _LAST_POINTER),
        Stream,
    )


def set_stream(stream: Stream | None) -> None:
    """Make *stream* current for its device, and its device current. None does nothing."""
    if stream is None:
        return
    if isinstance(stream, generic_streams.Stream) and stream._queue is not None:
        thread_state.make_current(stream._queue)
    else:  # something with the numbers of one, as torch takes it
        set_stream_by_id(stream.stream_id, stream.device_index, stream.device_type)


def set_stream_by_id(stream_id: int, device_index: int, device_type: int) -> None:
    """``torch._C._npu_setStream``."""
    if device_type != generic_streams.DEVICE_TYPE:
        raise errors.stream_device_type()
    runtime.check_ordinal(device_index)
    thread_state.make_current(runtime.driver().queue(device_index, stream_id))


class StreamContext:
    """``with stream(s):`` work goes to *s*; afterwards device and streams are as before."""

    __module__ = f"torch.{TYPE}"  # what users' reprs and pickles show

    def __init__(self, stream: Stream | None) -> None:
        self.stream = stream
        index = device_index(None, optional=True)
        self.idx = -1 if index is None else index
        self.src_prev_stream: Stream | None = None
        self.dst_prev_stream: Stream | None = None
        self._before: tuple[Queue, ...] = ()  # made current again

    def __enter__(self) -> None:
        chosen = self.stream
        if chosen is None or self.idx == -1:
            return
        source = self.src_prev_stream = current_stream(None)
        before = [source]
        if source.device != chosen.device:
            self.dst_prev_stream = current_stream(chosen.device)
            before.insert(0, self.dst_prev_stream)
        self._before = tuple([each._queue for each in before if each._queue is not None])
        try:
            set_stream(chosen)
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *exc_info: object) -> None:
        thread_state.restore(*self._before)


def stream(stream: Stream | None) -> StreamContext:
    """A context in which *stream* is current."""
    return StreamContext(stream)
