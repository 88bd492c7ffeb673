"""The state of each thread: its current device, and the current stream of each device.

Launches ask for the current stream, and to ask costs a tenth of a launch. So while no thread of the
process has left its default streams nobody asks, and whoever need not ask hears when that changes.
"""

from __future__ import annotations

import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from itertools import count, repeat
from numbers import Integral

from mindtorch_npu import errors, runtime
from mindtorch_npu.protocols import Queue
from mindtorch_npu.runtime import check_ordinal, device_count, driver, lazy_init

__all__ = [
    "ThreadState",
    "bound_queue",
    "current_queue",
    "exchange_device",
    "here",
    "make_current",
    "strayed",
    "tls",
    "use_memory",
]

#: Not empty where some thread's current streams may not be the default ones, or where a stream has
#: to look at each launch: a number for each. While it is empty nobody need ask :data:`here`.
strayed: set[int] = set()
#: Told, by one thread at a time, that :data:`strayed` is not empty, or is empty again.
on_stray: Callable[[bool], object] | None = None
straying = threading.RLock()  # a signal's handler may change streams too
_numbers = count()


class Strayed:
    """An entry of :data:`strayed`. It is taken back when its owner ends, at the latest."""

    __slots__ = ("_number",)

    def __init__(self) -> None:
        self._number = next(_numbers)

    def put(self) -> None:
        """From now on launches ask which stream is current."""
        with straying:
            strayed.add(self._number)
            tell_strayed()

    def take_back(self) -> None:
        """For this owner they need not."""
        with straying:
            strayed.discard(self._number)
            if not strayed:
                tell_strayed()

    def __del__(self, ending: Callable[[], bool] = sys.is_finalizing) -> None:
        # A thread that ended, or Ctrl-C. Nobody is waited for: in a forked child the lock may be
        # held by a thread that is not there, and gates that stay shut only cost time.
        number = getattr(self, "_number", None)  # Ctrl-C may have come first
        if not ending() and number in strayed and straying.acquire(False):
            try:
                self.take_back()
            finally:
                straying.release()


class ThreadState(threading.local):
    """The current device of one thread; see also :data:`here`."""

    device = 0
    #: Where a stream that is not the default one is current: the thread's entry.
    left: Strayed | None = None
    spare: Strayed | None = None


tls = ThreadState()
#: ``here[index].queue`` is the current stream of a device in this thread. In a thread that has used
#: none there is no such attribute, and :func:`bound_queue` finds what it is to be. (A class with a
#: default would be asked by a longer way.)
here: list[threading.local] = []
#: The devices of which memory was taken.
in_use: set[int] = set()
#: Called whenever a device other than the first is made current or left, or memory taken of it.
on_other_device: Callable[[], object] | None = None
#: Told by a thread whose current streams are no longer all default ones (True), or are again.
on_stream_change: Callable[[bool], object] | None = None


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


def places_of_queues() -> list[threading.local]:
    """:data:`here`, with as many as there are devices."""
    if not here:
        places = [threading.local() for _ in range(driver().device_count())]
        with straying:
            if not here:
                here.extend(places)
    return here


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
        _left()
    while left and not tls.left:  # a signal's handler left and came back
        _left()
    # Nothing is called in between.
    here[queue.device_index].queue = queue
    tls.device = queue.device_index
    if not left:
        _came_back()


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
        _left()
    while left and not tls.left:  # as above
        _left()
    deque(setting, maxlen=0)
    if not left:
        _came_back()


# Who need not ask ``tls`` for the current stream hears whether all are default ones: before some
# are not, and after they are again. So Ctrl-C in between makes them ask in vain at most. A signal's
# handler (or a finalizer) may change streams in the middle of all this, for a while or for good:
# ``tls.left`` is looked at and set without a call in between, and each entry has one owner.


def _left() -> None:
    if not tls.left:
        entry, tls.spare = tls.spare or Strayed(), None
        entry.put()
        if tls.left:  # a handler's entry is there
            entry.take_back()
            tls.spare = entry
        else:
            tls.left = entry
    if on_stream_change is not None:  # again: what it sets may have been undone by its own guards
        on_stream_change(True)


def _came_back() -> None:
    if tls.left:
        if on_stream_change is not None:
            on_stream_change(False)
        entry, tls.left = tls.left, None  # who leaves from now on has an entry of his own
        if entry is None:
            return  # a handler took it back
        if any([each.stream_id for each in current_queues()]):  # a handler left for good before
            _left()
        entry.take_back()
        tls.spare = entry  # to let go of it would run Python, where Ctrl-C is lost


def tell_strayed() -> None:
    """Call :data:`on_stray`, once more where somebody new listens."""
    with straying:
        said = None
        while on_stray is not None and said != bool(strayed):  # a signal's handler may have strayed
            said = bool(strayed)
            on_stray(said)


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


_forked = Strayed()


def _after_fork_in_child() -> None:
    """The child has no streams; if it launches all the same, it is to ask, and hear that."""
    global straying
    straying = threading.RLock()
    if runtime.is_in_bad_fork():
        for each in here:
            vars(each).clear()
        _forked.put()


if hasattr(os, "register_at_fork"):  # after the runtime's own
    os.register_at_fork(after_in_child=_after_fork_in_child)
