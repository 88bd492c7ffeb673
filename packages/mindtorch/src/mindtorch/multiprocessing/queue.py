"""Queues over connections that pickle by :class:`ForkingPickler`, also where those are others'."""

from __future__ import annotations

import io
import multiprocessing.queues
import pickle
from multiprocessing.reduction import ForkingPickler
from typing import Any

__all__ = ["ConnectionWrapper", "Queue", "SimpleQueue"]


class ConnectionWrapper:
    """A connection whose ``send`` and ``recv`` take tensors by handle."""

    def __init__(self, conn: Any) -> None:
        self.conn = conn

    def send(self, obj: Any) -> None:
        """Send *obj*."""
        buffer = io.BytesIO()
        ForkingPickler(buffer, pickle.HIGHEST_PROTOCOL).dump(obj)
        self.send_bytes(buffer.getvalue())

    def recv(self) -> Any:
        """The next object."""
        return pickle.loads(self.recv_bytes())

    def __getattr__(self, name: str) -> Any:
        if "conn" in self.__dict__:
            return getattr(self.conn, name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute 'conn'")


class Queue(multiprocessing.queues.Queue):  # type: ignore[type-arg]  # a subscript makes another base class
    """``multiprocessing.Queue`` over wrapped connections."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._reader: Any = ConnectionWrapper(self._reader)
        self._writer: Any = ConnectionWrapper(self._writer)
        self._send = self._writer.send
        self._recv = self._reader.recv


class SimpleQueue(multiprocessing.queues.SimpleQueue):  # type: ignore[type-arg]  # a subscript makes another base class
    """``multiprocessing.SimpleQueue`` over wrapped connections."""

    def __init__(self, *, ctx: Any) -> None:
        super().__init__(ctx=ctx)
        for name in ("_reader", "_writer"):
            setattr(self, name, ConnectionWrapper(getattr(self, name)))
