"""Finds races between streams: every operator tells which memory it reads and writes.

The ordering is worked out in ``mindtorch_npu.races``; here a dispatch mode sees the operators of a
thread, backward included.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mindtorch_npu import runtime
from mindtorch_npu.observer import set_observer
from mindtorch_npu.races import Races
from mindtorch_npu.site import call_site

from .. import signature as S
from ..tensor import Tensor
from ..utils._python_dispatch import TorchDispatchMode

__all__ = ["sanitized"]

Place = tuple[int, int]


def _places(value: Any) -> Iterator[tuple[Place, int]]:
    """The memory of the NPU's tensors in *value*, and the device."""
    if isinstance(value, Tensor):
        if value._sig & S.NPU and value._shared is not None:
            block = value._shared.storage.block
            if block is not None and block.nbytes:
                yield (block.device_index, block.data_ptr), block.device_index
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _places(each)


class _Mode(TorchDispatchMode):
    """Tells *races* of each operator of this thread."""

    def __init__(self, races: Races) -> None:
        super().__init__()
        self._races = races

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        schema = func._schema
        if any(r.alias_info is not None and not r.alias_info.is_write for r in schema.returns):
            return func(*args, **kwargs)  # a view looks at nothing
        reads: list[Place] = []
        writes: list[Place] = []
        device = -1
        for i, argument in enumerate(schema.arguments):
            value = args[i] if i < len(args) else kwargs.get(argument.name)
            for place, index in _places(value):
                if device < 0 or func._opname != "copy_":
                    device = index
                written = argument.alias_info is not None and argument.alias_info.is_write
                (writes if written else reads).append(place)
        site, races = call_site(1), self._races
        queue = runtime.current_queue(device) if device >= 0 else None
        known = {*reads, *writes}
        # Told before it runs: an op that waits for the device is over when the wait is. A copy
        # between devices is told afterwards, for it makes its stream wait first.
        copies = len({place[0] for place in known}) > 1
        number = 0
        if queue is not None and not copies:
            number = races.launched(queue, schema.name, reads, writes, site)
        result = func(*args, **kwargs)
        if queue is not None and copies:
            number = races.launched(queue, schema.name, reads, writes, site)
        made = [place for place, _ in _places(result) if place not in known]
        if queue is not None:
            races.made(queue, number, schema.name, made, site)
        elif made:
            queue = runtime.current_queue(made[0][0])
            races.launched(queue, schema.name, (), made, site)
        if queue is not None:
            for other in {place[0] for place in (*known, *made)} - {queue.device_index}:
                # A copy between devices: the other one's stream goes on after it.
                races.stream_awaited(runtime.current_queue(other), queue)
        return result


@contextmanager
def sanitized() -> Iterator[Races]:
    """Watch what this thread, and threads started meanwhile, do on NPUs."""
    races = Races()
    run = threading.Thread.run

    def watched(thread: threading.Thread) -> None:
        with _Mode(races):
            run(thread)

    set_observer(races)
    threading.Thread.run = watched  # type: ignore[method-assign]
    try:
        with _Mode(races):
            yield races
    finally:
        threading.Thread.run = run  # type: ignore[method-assign]
        set_observer(None)
