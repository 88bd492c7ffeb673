"""``torch.cuda.Stream`` and ``Event`` of a build without CUDA: classes that have no objects."""

from __future__ import annotations

from typing import Any

from . import _absent
from ._utils import _dummy_type

_CudaStreamBase: Any = _dummy_type("_CudaStreamBase")
_CudaEventBase: Any = _dummy_type("_CudaEventBase")


class Stream(_CudaStreamBase):
    """A queue of work on a device. Making one raises RuntimeError: there is no CUDA here."""

    def __new__(cls, device: Any = None, priority: int = 0, **kwargs: Any) -> Any:
        raise RuntimeError("torch.cuda.Stream requires CUDA support")

    def wait_event(self, event: Any) -> None:
        """Later work waits for *event*."""
        event.wait(self)

    def wait_stream(self, stream: Any) -> None:
        """Later work waits for what *stream* has by now."""
        self.wait_event(stream.record_event())

    def record_event(self, event: Any = None) -> Any:
        """An event after all work that is queued."""
        event = Event() if event is None else event
        event.record(self)
        return event

    def query(self) -> bool:
        """Whether all work is done."""
        return super().query()

    def synchronize(self) -> None:
        """Wait for all work."""
        super().synchronize()

    @property
    def _as_parameter_(self) -> Any:
        import ctypes  # for who hands streams to C alone

        return ctypes.c_void_p(self.cuda_stream)

    def __eq__(self, o: object) -> bool:
        return isinstance(o, Stream) and super().__eq__(o)

    def __hash__(self) -> int:
        return hash((self.cuda_stream, self.device))

    def __repr__(self) -> str:
        return f"<torch.cuda.Stream device={self.device} cuda_stream={self.cuda_stream:#x}>"

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.cuda_stream


class ExternalStream(Stream):
    """A stream that somebody else made. Making one raises: there is no CUDA here."""

    def __new__(cls, stream_ptr: Any, device: Any = None, **kwargs: Any) -> Any:
        with _absent.device(device):
            return super().__new__(cls, stream_ptr=stream_ptr, **kwargs)


class Event(_CudaEventBase):
    """A mark in a stream. Making one raises RuntimeError: there is no CUDA here."""

    def __new__(
        cls,
        enable_timing: bool = False,
        blocking: bool = False,
        interprocess: bool = False,
        external: bool = False,
    ) -> Any:
        raise RuntimeError("Tried to instantiate dummy base class Event")

    @classmethod
    def from_ipc_handle(cls, device: Any, handle: Any) -> Any:
        """The event of another process."""
        return super().from_ipc_handle(device, handle)

    def record(self, stream: Any = None) -> None:
        """Mark the work that *stream* has by now."""
        super().record(_absent.current_stream() if stream is None else stream)

    def wait(self, stream: Any = None) -> None:
        """Let *stream* wait for the mark."""
        super().wait(_absent.current_stream() if stream is None else stream)

    def query(self) -> bool:
        """Whether all marked work is done."""
        return super().query()

    def elapsed_time(self, end_event: Any) -> float:
        """Milliseconds from this mark to *end_event*."""
        return super().elapsed_time(end_event)

    def synchronize(self) -> None:
        """Wait for all marked work."""
        super().synchronize()

    def ipc_handle(self) -> Any:
        """What another process makes the event of."""
        return super().ipc_handle()

    @property
    def _as_parameter_(self) -> Any:
        import ctypes  # for who hands events to C alone

        return ctypes.c_void_p(self.cuda_event)

    def __repr__(self) -> str:
        if self.cuda_event:
            return f"<torch.cuda.Event {self._as_parameter_.value:#x}>"
        return "<torch.cuda.Event uninitialized>"
