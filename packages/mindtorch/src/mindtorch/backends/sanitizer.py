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
        result = func(*args, **kwargs)
        schema = func._schema
        if any(r.alias_info is not None and not r.alias_info.is_write for r in schema.returns):
            return result  # a view looks at nothing
        reads: list[Place] = []
        writes = [place for place, _ in _places(result)]
        device = -1
        for i, argument in enumerate(schema.arguments):
            value = args[i] if i < len(args) else kwargs.get(argument.name)
            for place, index in _places(value):
                if device < 0 or func._opname != "copy_":
                    device = index
                written = argument.alias_info is not None and argument.alias_info.is_write
                (writes if written else reads).append(place)
        if device < 0 and writes:
            device = writes[0][0]
        if device >= 0:
            queue = runtime.current_queue(device)
            self._races.launched(queue, schema.name, reads, writes, call_site(1))
            for other in {place[0] for place in (*reads, *writes)} - {device}:
                # A copy between devices: the other one's stream goes on after it.
                self._races.stream_awaited(runtime.current_queue(other), queue)
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
