"""Finds races between streams: every operator tells which memory it reads and writes.

The ordering is worked out in ``mindtorch_npu.races``; here a dispatch mode sees the operators of a
thread, backward included, and reads of numbers are seen where the host gets at them. Pinned memory
is watched for what the host does to it while a copy may still run; what is done to it through an
array of numpy's is not seen after the call that gave the array.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from mindtorch_dispatch import DispatchKey
from mindtorch_npu import thread_state
from mindtorch_npu.call_site import call_site
from mindtorch_npu.observer import unwatch, watch
from mindtorch_npu.pinned import host_allocator
from mindtorch_npu.protocols import Queue
from mindtorch_npu.races import HOST, Races
from mindtorch_storage import ACCELERATOR

from ..core import signature as S
from ..core.tags import Tag
from ..tensor import Tensor
from ..tensor.array_memory import address, owner_of
from ._python_dispatch import TorchDispatchMode

__all__ = ["sanitized"]

Place = tuple[int, int]
#: What asks a tensor for its sizes and dtype only. Source: torch cuda/_sanitizer.py.
_FACTORY = re.compile(r"aten::(new_.*|.*_like)(\..*)?")
#: Arguments that a kernel changes though its schema says nothing of it: those of batch norms, where
#: the argument after them is true.
_RUNNING = ("running_mean", "running_var")
#: What a device may do to pinned memory by itself.
_COPIES = ("copy_", "_to_copy")


class _Inside(threading.local):
    """Whether a thread is in an operator, which has been told of already."""

    op = False


_inside = _Inside()


def _places(value: Any) -> Iterator[Place]:
    """The memory of the NPU's tensors in *value*, and pinned memory: device index and address."""
    if isinstance(value, Tensor):
        if value._sig_ & S.STREAMED and value._shared_ is not None:
            block = value._shared_.storage.block
            if block is not None and block.nbytes:
                yield block.device_index, block.data_ptr
        elif value._sig_ & S.CPU:
            at = address(owner_of(value._a_))
            if host_allocator.owns(at):
                yield HOST, at
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _places(each)


def _written(schema: Any, argument: Any, given: dict[str, Any]) -> bool:
    if argument.alias_info is not None:
        return bool(argument.alias_info.is_write)
    return argument.name in _RUNNING and bool(given.get("training", given.get("train")))


def _target(given: dict[str, Any]) -> int:
    """Index of the NPU that a copy goes to; HOST for none."""
    device = given.get("device")
    if device is None or device.type != ACCELERATOR:
        return HOST
    return thread_state.tls.device if device.index is None else int(device.index)


class _Mode(TorchDispatchMode):
    """Tells *races* of each operator of this thread."""

    def __init__(self, races: Races) -> None:
        super().__init__()
        self._races = races

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func._opname == "record_stream":  # it touches no memory, whatever its schema says
            return func(*args, **kwargs)
        if func.namespace == "c10d":  # copies on streams of the group: they tell what they touch
            with self:
                return func._op_dk(DispatchKey.CPU, *args, **kwargs)
        schema = func._schema
        shows = any(r.alias_info is not None and not r.alias_info.is_write for r in schema.returns)
        if shows or Tag.inplace_view in func.tags:
            return func(*args, **kwargs)  # a view looks at nothing
        given = kwargs | dict(zip((a.name for a in schema.arguments), args, strict=False))
        is_copy = func._opname in _COPIES
        device = HOST
        #: (reads, writes) of the device, and of the host
        there: tuple[list[Place], list[Place]] = [], []
        here: tuple[list[Place], list[Place]] = [], []
        if not _FACTORY.fullmatch(schema.name):
            for argument in schema.arguments:
                written = _written(schema, argument, given)
                for place in _places(given.get(argument.name)):
                    if device < 0 or (not is_copy and place[0] >= 0):
                        device = place[0]
                    (there if is_copy or place[0] >= 0 else here)[written].append(place)
        if is_copy and device < 0:
            device = _target(given)
        site, races = call_site(1), self._races
        queue = thread_state.current_queue(device) if device >= 0 else None
        if queue is not None and queue.captured_by is not None:
            result = func(*args, **kwargs)
            known = {*there[0], *there[1]}
            made = [place for place in _places(result) if place not in known]
            replayed = partial(_replayed, races, schema.name, there, made, site)
            queue.captured_by.at_replay.append(replayed)
            return result
        if queue is None:  # a copy from host to host
            here, there = (here[0] + there[0], here[1] + there[1]), ([], [])
        known = {*there[0], *there[1], *here[0], *here[1]}
        races.host_used(schema.name, *here, site)
        # Told before it runs: an op that waits for the device is over when the wait is. A copy
        # between devices is told afterwards, for it makes its stream wait first.
        devices = {place[0] for place in known} | ({_target(given)} if is_copy else set())
        copies = len(devices - {HOST}) > 1
        number = 0
        if queue is not None and not copies:
            number = races.launched(queue, schema.name, *there, site)
        outer, _inside.op = _inside.op, True
        try:
            result = func(*args, **kwargs)
        finally:
            _inside.op = outer
        if queue is not None and copies:
            number = races.launched(queue, schema.name, *there, site)
        made = [place for place in _places(result) if place not in known]
        if queue is not None:
            races.made(queue, number, schema.name, made, site)
        else:
            for index in {place[0] for place in made} - {HOST}:
                queue = thread_state.current_queue(index)
                races.launched(queue, schema.name, (), [p for p in made if p[0] == index], site)
        if queue is not None:
            for other in {place[0] for place in (*known, *made)} - {queue.device_index, HOST}:
                # A copy between devices: the other one's stream goes on after it.
                races.stream_awaited(thread_state.current_queue(other), queue)
        return result


def _replayed(
    races: Races,
    name: str,
    there: tuple[list[Place], list[Place]],
    made: list[Place],
    site: Any,
    queue: Queue,
) -> None:
    """What a captured operator does, which is launched on *queue* now."""
    number = races.launched(queue, name, *there, site)
    races.made(queue, number, name, made, site)


def _read(races: Races, t: Tensor) -> None:
    """The host gets at the numbers of *t*: those of a device when its current stream is done."""
    if _inside.op:
        return
    for place in _places(t):
        if place[0] >= 0:
            races.host_reads(place[1], thread_state.current_queue(place[0]), call_site(2))
        else:
            races.host_used("read by the host", [place], (), call_site(2))


@contextmanager
def sanitized() -> Iterator[Races]:
    """Watch what this thread, and threads started meanwhile, do on NPUs."""
    races = Races()
    run, host = threading.Thread.run, Tensor._host_

    def watched(thread: threading.Thread) -> None:
        with _Mode(races):
            run(thread)

    def read(t: Tensor) -> Any:
        _read(races, t)
        return host(t)

    watch(races)
    threading.Thread.run = watched  # type: ignore[method-assign, assignment]
    Tensor._host_ = read
    try:
        with _Mode(races):
            yield races
    finally:
        Tensor._host_ = host
        threading.Thread.run = run  # type: ignore[method-assign]
        unwatch(races)
