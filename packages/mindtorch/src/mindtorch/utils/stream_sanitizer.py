"""``torch.npu._sanitizer``: stops a program at the first race between streams.

torch's names and texts over the clocks of ``mindtorch_npu.races``. ``TORCH_NPU_SANITIZER=1`` in the
environment, or :func:`enable_npu_sanitizer`, watches the whole program. ``mindtorch npu sanitize``
tells all races of a script and more kinds of them.

Source: torch cuda/_sanitizer.py.
"""

from __future__ import annotations

import enum
import logging
import re
import sys
import traceback
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any

from mindtorch_dispatch import DispatchKey
from mindtorch_npu import runtime, thread_state
from mindtorch_npu.call_site import users_frame
from mindtorch_npu.observer import Observer, unwatch, watch
from mindtorch_npu.protocols import Queue
from mindtorch_npu.races import Races

from ..core import signature as S
from ..tensor import Tensor
from ._python_dispatch import TorchDispatchMode
from ._pytree import tree_leaves

__all__ = [
    "Access",
    "AccessType",
    "ArgumentHandler",
    "EventHandler",
    "NPUSanitizer",
    "NPUSanitizerDispatchMode",
    "NPUSanitizerErrors",
    "SynchronizationError",
    "UnsynchronizedAccessError",
    "enable_npu_sanitizer",
    "npu_sanitizer",
]

DEFAULT_STREAM_ID = 0
#: A stream: its handle, or anything else that names one.
StreamId = Any

logger = logging.getLogger(__name__)

#: Factories that take a tensor look at its sizes and dtype only.
_FACTORY = re.compile("(new_.*|.*_like)")
_LATE = "Perhaps the sanitizer was enabled after some torch operations?"
_STREAM = (
    "Found Stream with id: %s, but no matching stream creation in the trace. "
    f"Backfilling the trace now. {_LATE}"
)
_STREAM_TWICE = (
    "Found duplicate Stream creation in the trace for Stream with id: %s. PyTorch Streams are "
    "only created once, so this trace entry is ignored."
)
_EVENT = (
    "Found Event with id: %s, but no matching event creation in the trace. "
    f"Backfilling the trace now. {_LATE}"
)
_EVENT_TWICE = (
    "Found duplicate event creation in the trace for event with id: %s. Assuming the trace for "
    f"event deletion wasn't caught and backfilling it now. {_LATE}"
)
_TENSOR = (
    "Found tensor with pointer: %s, but no matching tensor allocation in the trace. "
    f"Backfilling the trace now. {_LATE}"
)
_TENSOR_TWICE = (
    "Found duplicate tensor allocation in the trace for tensor with pointer: %s. Assuming the "
    f"trace for tensor deallocation wasn't caught and backfilling it now. {_LATE}"
)


class AccessType(enum.Enum):
    """What a kernel does to a tensor."""

    READ = enum.auto()
    WRITE = enum.auto()

    def __str__(self) -> str:
        return "reading from" if self is AccessType.READ else "writing to"


@dataclass(eq=False)
class Access:
    """One access of a kernel to a tensor.

    :param operator: the schema of the kernel, as text or object.
    :param aliases: the names of the arguments that are the tensor.
    :param is_output: whether it is a result too.
    """

    type: AccessType
    seq_num: int
    stream: StreamId
    operator: Any
    aliases: list[str]
    is_output: bool
    stack_trace: traceback.StackSummary

    def _shown(self) -> str:
        places = ""
        if self.aliases:
            places = " argument(s) " + ", ".join(self.aliases)
            places += ", and to" if self.is_output else ""
        places += " the output" if self.is_output else ""
        stack = "".join(self.stack_trace.format())
        return f"{self.operator}\n{self.type}{places}\nWith stack trace:\n{stack}\n"


class SynchronizationError(Exception):
    """What the sanitizer finds."""


class UnsynchronizedAccessError(SynchronizationError):
    """Two accesses to one tensor that nothing orders."""

    def __init__(
        self,
        data_ptr: int,
        allocation_stack_trace: traceback.StackSummary | None,
        current_access: Access,
        previous_access: Access,
    ) -> None:
        self.data_ptr = data_ptr
        self.allocation_stack_trace = allocation_stack_trace
        self.current_access = current_access
        self.previous_access = previous_access

    def __str__(self) -> str:
        current, previous = self.current_access, self.previous_access
        made = "Trace for tensor allocation not found."
        if self.allocation_stack_trace:
            made = "Tensor was allocated with stack trace:\n"
            made += "".join(self.allocation_stack_trace.format())
        return (
            f"============================\nCSAN detected a possible data race on tensor with "
            f"data pointer {self.data_ptr}\nAccess by stream {current.stream} during kernel:\n"
            f"{current._shown()}Previous access by stream {previous.stream} during kernel:\n"
            f"{previous._shown()}{made}"
        )


class NPUSanitizerErrors(Exception):
    """All that was found at one kernel."""

    __module__ = "torch.npu._sanitizer"

    def __init__(self, errors: list[SynchronizationError]) -> None:
        self.errors = errors

    def __str__(self) -> str:
        return f"detected {len(self.errors)} errors"


def _stack() -> traceback.StackSummary:
    """The program's stack, down to its call of mindtorch.

    Lines of files are read when somebody shows it.
    """
    frames = traceback.walk_stack(users_frame(2))
    found = traceback.StackSummary.extract(frames, lookup_lines=False)
    found.reverse()
    return found


class EventHandler:
    """Works out from what happens which accesses race; streams and events are told by ids."""

    def __init__(self) -> None:
        self.seq_num = 0
        self._races = Races()
        self._queues: dict[Hashable, Any] = {}
        #: id -> the object that stands for the event
        self._events: dict[Hashable, Any] = {}
        #: data pointer -> the stack that allocated it
        self._tensors: dict[int, traceback.StackSummary | None] = {}
        self._handle_stream_creation(DEFAULT_STREAM_ID)

    # ---- who is there

    def _queue(self, stream: StreamId) -> Any:
        if stream not in self._queues:
            logger.info(_STREAM, stream)
            self._handle_stream_creation(stream)
        return self._queues[stream]

    def _event(self, event: Hashable) -> Any:
        if event not in self._events:
            logger.info(_EVENT, event)
            self._handle_event_creation(event)
        return self._events[event]

    def _ensure_tensor_exists(self, data_ptr: int) -> None:
        if data_ptr not in self._tensors:
            logger.info(_TENSOR, data_ptr)
            self._add_tensor(data_ptr, None)

    def _add_tensor(self, data_ptr: int, stack: traceback.StackSummary | None) -> None:
        self._tensors[data_ptr] = stack
        self._races.allocated(data_ptr, 0, 0, 0)

    def _handle_stream_creation(self, stream: StreamId) -> None:
        if stream in self._queues:
            logger.info(_STREAM_TWICE, stream)
            return
        self._queues[stream] = SimpleNamespace(device_index=0, handle=stream, stream_id=stream)

    def _handle_event_creation(self, event: Hashable) -> None:
        if event in self._events:
            logger.info(_EVENT_TWICE, event)
            self._handle_event_deletion(event)
        self._events[event] = SimpleNamespace()

    def _handle_event_deletion(self, event: Hashable) -> None:
        self._races.forget_event(self._event(event))
        del self._events[event]

    def _handle_memory_allocation(self, data_ptr: int) -> None:
        if data_ptr in self._tensors:
            logger.info(_TENSOR_TWICE, data_ptr)
        self._add_tensor(data_ptr, _stack())

    def _handle_memory_deallocation(self, data_ptr: int) -> None:
        self._ensure_tensor_exists(data_ptr)
        del self._tensors[data_ptr]
        self._races.forget(data_ptr, 0)

    # ---- what orders

    def _handle_event_record(self, event: Hashable, stream: StreamId) -> None:
        self._races.event_recorded(self._event(event), self._queue(stream))

    def _handle_event_wait(self, event: Hashable, stream: StreamId) -> None:
        queue = self._queue(stream)
        self._races.event_awaited(self._event(event), queue)

    def _handle_stream_wait(self, waiting: StreamId, awaited: StreamId) -> None:
        self._races.stream_awaited(self._queue(waiting), self._queue(awaited))

    def _handle_device_synchronization(self) -> None:
        self._races.device_synchronized(0)

    def _handle_stream_synchronization(self, stream: StreamId) -> None:
        self._races.stream_synchronized(self._queue(stream))

    def _handle_event_synchronization(self, event: Hashable) -> None:
        self._races.event_synchronized(self._event(event))

    # ---- work

    def _handle_kernel_launch(
        self,
        stream: StreamId,
        read_only: set[int],
        read_write: set[int],
        outputs: set[int],
        operator: Any,
        tensor_aliases: dict[int, list[str]],
    ) -> list[SynchronizationError]:
        """A kernel on *stream* uses tensors, named by their data pointers; returns what races."""
        self.seq_num += 1
        queue, stack, before = self._queue(stream), _stack(), len(self._races.found)
        name = str(operator)
        for kind, places in ((AccessType.READ, read_only), (AccessType.WRITE, read_write)):
            for place in places:
                self._ensure_tensor_exists(place)
                # The place names the access: each of a kernel's tensors has arguments of its own.
                access = Access(
                    kind, self.seq_num, stream, operator, tensor_aliases[place],
                    place in outputs, stack,
                )  # fmt: skip
                told = [(0, place)]
                reads, writes = (told, []) if kind is AccessType.READ else ([], told)
                self._races.launched(queue, name, reads, writes, access)
        return [
            UnsynchronizedAccessError(
                race.address, self._tensors[race.address], race.second.site, race.first.site
            )
            for race in self._races.found[before:]
        ]


class ArgumentHandler:
    """Which tensors of the NPU an operator reads and writes, by their data pointers."""

    def __init__(self) -> None:
        self.dataptrs_read: set[int] = set()
        self.dataptrs_written: set[int] = set()
        self.tensor_aliases: dict[int, list[str]] = {}
        self.outputs: set[int] = set()

    def _handle(self, values: Any, writes: bool, looks_only: bool, name: str | None = None) -> None:
        for value in tree_leaves(values):
            if not (isinstance(value, Tensor) and value._sig_ & S.STREAMED):
                continue
            data_ptr = self._pointer(value) or id(value)  # no two empty tensors are the same
            if writes:
                self.dataptrs_written.add(data_ptr)
            elif not looks_only:
                self.dataptrs_read.add(data_ptr)
            names = self.tensor_aliases.setdefault(data_ptr, [])
            if name is None:
                self.outputs.add(data_ptr)
            else:
                names.append(name)

    @staticmethod
    def _pointer(t: Tensor) -> int:
        return int(t.data_ptr())

    def parse_inputs(
        self, schema: Any, args: tuple[Any, ...], kwargs: dict[str, Any], *, is_factory: bool
    ) -> None:
        """The arguments of a call, before it."""
        for argument, value in _zipped(schema, args, kwargs):
            alias = argument.alias_info
            writes = alias is not None and alias.is_write
            looks_only = is_factory or (alias is not None and not writes)
            self._handle(value, writes, looks_only, argument.name)

    def parse_outputs(self, schema: Any, outputs: Any, *, is_factory: bool) -> None:
        """What the call returned."""
        for result, value in zip(schema.returns, (outputs,), strict=False):
            alias = result.alias_info
            looks_only = is_factory or (alias is not None and not alias.is_write)
            self._handle(value, not looks_only, looks_only)


class _StorageHandler(ArgumentHandler):
    """By the pointers of storages: a view races with what is done to the whole."""

    @staticmethod
    def _pointer(t: Tensor) -> int:
        block = t._shared_.storage.block if t._shared_ is not None else None
        return 0 if block is None else int(block.data_ptr)


def _zipped(schema: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[Any]:
    """Each argument of the schema that was given, with its value."""
    yield from zip(schema.arguments, args, strict=False)
    for argument in schema.arguments[len(args) :]:
        if argument.name in kwargs:
            yield argument, kwargs[argument.name]


def _id(queue: Queue) -> StreamId:
    """A stream's handle; default streams of other devices, whose handles are 0 too, say where."""
    if queue.device_index and not queue.handle:
        return f"{queue.handle} of npu:{queue.device_index}"
    return queue.handle


class _Watch(Observer):
    """Tells an :class:`EventHandler` what happens on all devices."""

    def __init__(self, handler: EventHandler) -> None:
        self._handler = handler

    def event_recorded(self, event: Any, queue: Queue) -> None:
        self._handler._handle_event_record(event._handle, _id(queue))

    def event_awaited(self, event: Any, queue: Queue) -> None:
        self._handler._handle_event_wait(event._handle, _id(queue))

    def event_synchronized(self, event: Any) -> None:
        self._handler._handle_event_synchronization(event._handle)

    def event_created(self, event: Any) -> None:
        self._handler._handle_event_creation(event._handle)

    def stream_created(self, queue: Queue) -> None:
        self._handler._handle_stream_creation(_id(queue))

    def stream_awaited(self, waiting: Queue, awaited: Queue) -> None:
        self._handler._handle_stream_wait(_id(waiting), _id(awaited))

    def stream_synchronized(self, queue: Queue) -> None:
        self._handler._handle_stream_synchronization(_id(queue))

    def device_synchronized(self, device_index: int) -> None:
        for queue in runtime.driver().queues(device_index):
            self._handler._handle_stream_synchronization(_id(queue))

    def allocated(self, address: int, nbytes: int, device_index: int, stream: int) -> None:
        if device_index >= 0:
            self._handler._handle_memory_allocation(address)

    def freed(self, address: int, device_index: int) -> None:
        if device_index >= 0:
            self._handler._handle_memory_deallocation(address)


class NPUSanitizerDispatchMode(TorchDispatchMode):
    """Raises NPUSanitizerErrors from the operator that races; the texts go to standard error."""

    def __init__(self) -> None:
        super().__init__()
        self.event_handler = EventHandler()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func._opname == "record_stream":  # no kernel
            return func(*args, **kwargs)
        if func.namespace == "c10d":  # copies on streams of the group: they tell what they touch
            with self:
                return func._op_dk(DispatchKey.CPU, *args, **kwargs)
        schema = func._schema
        is_factory = _FACTORY.match(schema.name.partition("::")[2]) is not None
        handler = _StorageHandler()
        handler.parse_inputs(schema, args, kwargs, is_factory=is_factory)
        result = func(*args, **kwargs)
        handler.parse_outputs(schema, result, is_factory=is_factory)
        used = (t for t in tree_leaves((args, kwargs, result)) if isinstance(t, Tensor))
        devices = dict.fromkeys(t.get_device() for t in used if t._sig_ & S.STREAMED)
        if not devices:
            return result
        queues = [thread_state.current_queue(index) for index in devices]
        here, *others = map(_id, queues)
        access = (
            handler.dataptrs_read - handler.dataptrs_written,
            handler.dataptrs_written,
            handler.outputs,
            schema,
            handler.tensor_aliases,
        )
        if queues[0].captured_by is not None:  # it runs when the graph is replayed, on one stream
            launch = self.event_handler._handle_kernel_launch
            replayed = partial(_replayed, launch, access)
            queues[0].captured_by.at_replay.append(replayed)
            return result
        errors = self.event_handler._handle_kernel_launch(here, *access)
        for other in others:  # a copy between devices: the other one's stream goes on after it
            self.event_handler._handle_stream_wait(other, here)
        _raise_all(errors)
        return result


def _replayed(launch: Callable[..., Any], access: tuple[Any, ...], queue: Queue) -> None:
    """The *access* of a captured kernel, which is launched on *queue* now."""
    _raise_all(launch(_id(queue), *access))


def _raise_all(errors: list[SynchronizationError]) -> None:
    if errors:
        for error in errors:
            print(error, file=sys.stderr)
        raise NPUSanitizerErrors(errors)


class NPUSanitizer:
    """Switches the sanitizer on and off."""

    def __init__(self) -> None:
        self.enabled = False

    def enable(self) -> None:
        """Watch this thread's operators from now on, and all streams and events."""
        self.dispatch = NPUSanitizerDispatchMode()
        self._watch = _Watch(self.dispatch.event_handler)
        watch(self._watch)
        self.dispatch.__enter__()
        self.enabled = True

    def disable(self) -> None:
        """Watch no more."""
        self.dispatch.__exit__(None, None, None)
        unwatch(self._watch)
        self.enabled = False


def enable_npu_sanitizer() -> None:
    """Stop at the first race between streams; best called before anything is on the device."""
    npu_sanitizer.enable()


npu_sanitizer = NPUSanitizer()
