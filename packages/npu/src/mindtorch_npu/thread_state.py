"""The state of each thread: its current device, and the current stream of each device."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import repeat
from numbers import Integral

from mindtorch_npu import errors, runtime
from mindtorch_npu.captures import Capture, underway
from mindtorch_npu.protocols import Queue
from mindtorch_npu.runtime import check_ordinal, device_count, driver, lazy_init

__all__ = [
    "ThreadState",
    "bound_queue",
    "current_capture",
    "current_queue",
    "everywhere",
    "exchange_device",
    "here",
    "make_current",
    "queues_apart",
    "tls",
    "use_memory",
]


class ThreadState(threading.local):
    """The current device of one thread; see also :data:`here`."""

    device = 0
    #: Whether a stream that is not the default one is current.
    left = False


tls = ThreadState()
#: ``here[index].queue`` is the current stream of a device in this thread. In a thread that has used
#: none there is no such attribute, and :func:`bound_queue` finds what it is to be. (A class with a
#: default would be asked by a longer way.)
here: list[threading.local] = []


class Everywhere:
    """The current stream of a device in all threads; None where one may have another."""

    __slots__ = ("queue",)

    queue: Queue | None

    def __init__(self) -> None:
        self.queue = None


#: By device: the default stream as long as no thread has ever left it. To ask costs a tenth of what
#: it costs to ask :data:`here`.
everywhere: list[Everywhere] = []
_making = threading.RLock()  # of these two; a signal's handler may ask, too
#: So many have other streams than :data:`everywhere` may say, for a while.
_apart = 0
#: Whether any thread ever left its default streams.
ever_left = False
#: The devices of which memory was taken.
in_use: set[int] = set()
#: Called whenever a device other than the first is made current or left, or memory taken of it.
on_other_device: Callable[[], object] | None = None
#: Told by a thread whose current streams are no longer all default ones (True), or are again.
on_stream_change: Callable[[bool], object] | None = None


def current_capture() -> Capture | None:
    """The capture that this thread's current stream takes part in."""
    if not underway:
        return None
    found: Capture | None = getattr(current_queue(tls.device), "captured_by", None)
    return found


def current_queues() -> list[Queue]:
    """The current streams of this thread, by device; those of a new one are the default ones."""
    while True:
        try:
            queues = [each.queue for each in here]
        except AttributeError:
            queues = []
        if queues:
            return queues
        lazy_init()
        queues = [driver().queue(i, 0) for i in range(len(places_of_queues()))]
        states = [vars(place) for place in here]
        # One call of C, and no stream that a signal's handler has chosen meanwhile is lost.
        deque(map(dict.setdefault, states, repeat("queue"), queues), maxlen=0)
        _say_everywhere()


def places_of_queues() -> list[threading.local]:
    """:data:`here`, with as many as there are devices."""
    if not here:
        places = [threading.local() for _ in range(driver().device_count())]
        with _making:
            if not here:
                everywhere.extend([Everywhere() for _ in places])
                here.extend(places)
    return here


def _say_everywhere() -> None:
    """Work :data:`everywhere` out."""
    with _making:
        for device_index, each in enumerate(everywhere):
            each.queue = None
            default = None if ever_left or _apart else driver().queue(device_index, 0)
            # No call from here on: what a signal's handler changes comes before or after that.
            if not ever_left and not _apart:
                each.queue = default


@contextmanager
def queues_apart() -> Iterator[None]:
    """This thread's entries of :data:`here` are about to be other streams, for a while."""
    global _apart
    with _making:
        _apart += 1
        _say_everywhere()
    try:
        yield
    finally:
        with _making:
            _apart -= 1
            _say_everywhere()


def _setting(queues: list[Queue]) -> Iterator[None]:
    """Makes these current once a deque takes it: one call of C, so no Ctrl-C comes in between."""
    return map(setattr, here, repeat("queue"), queues)


def bound_queue(device_index: int) -> Queue:
    """The current stream of a device, in a thread that may be new.

    Raises AcceleratorError where there is no such device.
    """
    queues = current_queues()
    if device_index >= len(queues):
        raise errors.invalid_ordinal() from None  # that it was asked for first says nothing
    return queues[device_index]


def stream_device(device_index: int) -> int:
    """Initialise, and say whose streams are meant: -1 stands for the current device's.

    Raises RuntimeError for any other index that has no device.
    """
    lazy_init()
    if device_index == -1:
        return tls.device
    if not 0 <= device_index < device_count():
        raise errors.stream_index(device_index, device_count())
    return device_index


def current_queue(device_index: int) -> Queue:
    """The current stream of a device, in this thread."""
    try:
        queue: Queue = here[device_index].queue
    except (AttributeError, IndexError):
        queue = bound_queue(device_index)
    return queue


def make_current(queue: Queue) -> None:
    """Make a queue current for its device, and its device current, in this thread."""
    queues = current_queues()
    others = [each.stream_id for each in queues if each.device_index != queue.device_index]
    left = bool(queue.stream_id) or any(others)
    if queue.device_index or tls.device:
        _went_elsewhere()
    if left:
        _tell(left)
    # Nothing is called in between, so Ctrl-C leaves none without the other.
    here[queue.device_index].queue = queue
    tls.device = queue.device_index
    if left != tls.left:  # it came back; or a signal's handler left and came back
        _tell(left)


def restore(*queues: Queue) -> None:
    """:func:`make_current` of one after the other, also where Ctrl-C comes in between."""
    try:
        for queue in queues:
            make_current(queue)
    except BaseException:
        for queue in queues:
            make_current(queue)
        raise


def replace_queues(queues: list[Queue]) -> None:
    """Make these the current streams of the devices, in this thread."""
    left = any([each.stream_id for each in queues])
    setting = _setting(queues)
    if left:
        _tell(left)
    deque(setting, maxlen=0)
    if left != tls.left:  # as above
        _tell(left)


def _tell(left: bool) -> None:
    """Note that this thread's current streams are no longer all default ones, or are so again.

    Before some are not, and after they are again: so Ctrl-C in between makes those who hear of it
    ask in vain at most. A signal's handler may change streams meanwhile, for a while or for good.
    """
    global ever_left
    if left:
        ever_left = True
        _say_everywhere()  # each time, as Ctrl-C may have come in the middle of the last
    tls.left = left
    if on_stream_change is not None:
        on_stream_change(left)
    if not left and any([each.stream_id for each in current_queues()]):
        _tell(True)


def device_number(value: object, function: str) -> int:
    """The number that a binding takes: any integer but a bool, as torch's unpacking has it."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise errors.invalid_argument_to(function)
    return int(value)


def exchange_device(device: int, function: str = "exchangeDevice") -> int:
    """Make a device current; return the one before. Negative: do nothing, return -1.

    Raises RuntimeError for what is no number, in the name of torch's *function*.
    """
    if type(device) is not int:
        device = device_number(device, function)
    if device < 0:
        return -1
    if device_count() == 0:
        raise errors.compiled_without_support()
    check_ordinal(device)
    if device or tls.device:
        _went_elsewhere()  # first: once the device is current, Ctrl-C must not come in between
    previous = tls.device
    tls.device = device
    return previous


def use_memory(device_index: int) -> None:
    """Memory of a device is taken from its driver."""
    in_use.add(device_index)
    if device_index:
        _went_elsewhere()


def _went_elsewhere() -> None:
    if on_other_device is not None:
        on_other_device()


def _after_fork_in_child() -> None:
    """The child has no streams: who launches all the same is to ask, and hear that."""
    if runtime.is_in_bad_fork():
        for each in everywhere:
            each.queue = None
        for place in here:
            vars(place).clear()


if hasattr(os, "register_at_fork"):  # after the runtime's own
    os.register_at_fork(after_in_child=_after_fork_in_child)
