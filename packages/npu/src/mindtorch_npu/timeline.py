"""What ran when on which stream: the lanes of a time line."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Any

from mindtorch_npu.call_site import describe
from mindtorch_npu.protocols import Queue

__all__ = ["Recording", "record_lanes"]


class Recording:
    """The kernels that ran, oldest first; at most *limit* of them."""

    def __init__(self, limit: int = 100_000) -> None:
        self._spans: deque[tuple[int, int, str, Any, int, int]] = deque(maxlen=limit)

    def timed(
        self, queue: Queue, name: str, site: Any, function: Callable[..., object]
    ) -> Callable[..., None]:
        """*function*, noting when it begins and ends."""
        spans = self._spans
        device, stream = queue.device_index, queue.stream_id

        def run(*args: Any) -> None:
            start = time.time_ns()
            try:
                function(*args)
            finally:
                spans.append((device, stream, name, site, start, time.time_ns()))

        return run

    def spans(self) -> list[dict[str, Any]]:
        """One dictionary for each kernel: where, what, asked for by which line, when (µs)."""
        return [
            {
                "device": device,
                "stream": stream,
                "name": name,
                "site": describe(site),
                "start_us": start // 1000,
                "end_us": end // 1000,
            }
            for device, stream, name, site, start, end in tuple(self._spans)
        ]


recording: Recording | None = None
#: Called when recording starts or stops: streams prepare what they ask.
listeners: list[Callable[[], object]] = []


def record_lanes(wanted: Recording | None) -> None:
    """Note into *wanted* what every stream runs from now on; None stops."""
    global recording
    recording = wanted
    for listener in listeners:
        listener()
