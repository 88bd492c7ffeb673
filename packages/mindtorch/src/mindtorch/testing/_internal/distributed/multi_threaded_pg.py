"""The ``threaded`` backend: threads of one process stand for the processes of a group.

``_install_threaded_pg()`` gives each thread groups of its own. Then each calls
``init_process_group("threaded", rank=…, world_size=…, store=…)`` with the same ``HashStore``, by
which the threads find each other.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import reduce as fold
from typing import Any
from weakref import WeakKeyDictionary

from mindtorch_autograd import no_grad
from mindtorch_storage import ACCELERATOR

from ....aten import torch
from ....distributed import distributed_c10d as c10d
from ....tensor import Tensor

__all__ = ["ProcessLocalGroup", "ThreadedRanks"]

_OP: Any = c10d.ReduceOp
_JOINS: dict[Any, Callable[[Any, Any], Any]] = {
    "SUM": torch.add,
    "AVG": torch.add,
    "PREMUL_SUM": torch.add,
    "PRODUCT": torch.mul,
    "MIN": torch.minimum,
    "MAX": torch.maximum,
    "BAND": torch.bitwise_and,
    "BOR": torch.bitwise_or,
    "BXOR": torch.bitwise_xor,
}


def _reduced(tensors: Sequence[Tensor], op: Any) -> Tensor:
    """What reduction *op* makes of the tensors of all ranks."""
    kind = getattr(op, "op", op).name
    factor = getattr(op, "_factor", None)
    if factor is not None:
        tensors = [t * factor for t in tensors]
    result = fold(_JOINS[kind], [t.detach() for t in tensors])
    if kind == "AVG":
        whole = not (result.is_floating_point() or result.is_complex())
        result = result.div(len(tensors), rounding_mode="trunc" if whole else None)
    return result.clone() if len(tensors) == 1 else result


class _Meeting:
    """Where the threads of one group meet: each leaves something, and takes what all have left."""

    def __init__(self, size: int) -> None:
        self._left: list[Any] = [None] * size
        self._here, self._taken = threading.Barrier(size), threading.Barrier(size)
        self._mail: dict[tuple[int, int, int], list[Tensor]] = {}
        self._posted = threading.Condition()
        self._closed = False

    def exchange(self, rank: int, value: Any, take: Callable[[list[Any]], Any]) -> Any:
        """Leave *value*; what *take* makes of what all left, before any of them goes on."""
        try:
            self._left[rank] = value
            self._here.wait(c10d.default_pg_timeout.total_seconds())
            made = take(self._left)
            self._taken.wait(c10d.default_pg_timeout.total_seconds())
        except threading.BrokenBarrierError:
            raise RuntimeError("another rank of the group has failed") from None
        except BaseException:
            self.close()
            raise
        return made

    def post(self, source: int, to: int, tag: int, tensor: Tensor) -> None:
        """Send a copy."""
        with self._posted:
            self._mail.setdefault((source, to, tag), []).append(tensor.detach().clone())
            self._posted.notify_all()

    def fetch(self, source: int | None, to: int, tag: int) -> tuple[int, Tensor]:
        """Wait for what *source*, or anybody, sends; who it was."""

        def found() -> Any:
            for (a, b, t), tensors in self._mail.items():
                if tensors and (b, t) == (to, tag) and source in (None, a):
                    return a, tensors
            return self._closed

        with self._posted:
            arrived = self._posted.wait_for(found, c10d.default_pg_timeout.total_seconds())
            if not arrived or arrived is True:
                raise RuntimeError("another rank of the group has failed")
            sender, tensors = arrived
            return sender, tensors.pop(0)

    def close(self) -> None:
        """Let nobody wait any longer."""
        self._here.abort()
        self._taken.abort()
        with self._posted:
            self._closed = True
            self._posted.notify_all()


class _Received:
    """What has arrived, and from whom."""

    def __init__(self, source: int) -> None:
        self.source = source

    def done(self) -> bool:
        """True."""
        return True

    def wait(self, seconds: float | None) -> bool:
        """True."""
        return True


class ThreadedRanks:
    """The engine of a group of threads. An exchange ends when the call returns."""

    name = "threaded"
    devices = ("cpu", ACCELERATOR)

    def __init__(self, meeting: _Meeting, rank: int, size: int) -> None:
        self.rank, self.size, self._meeting = rank, size, meeting
        self.timeout = 1800.0

    def _all(self, value: Any, take: Callable[[list[Any]], Any]) -> Any:
        with no_grad():
            return self._meeting.exchange(self.rank, value, take)

    def _write(self, output: Tensor, made: Tensor) -> None:
        with no_grad():
            output.copy_(made)

    def broadcast(self, tensor: Tensor, root: int) -> None:
        """Write the tensor of *root* into that of everybody."""
        made = self._all(tensor, lambda left: left[root].clone())
        self._write(tensor, made)

    def all_reduce(self, tensor: Tensor, op: Any) -> None:
        """Write the reduction of all tensors into each."""
        self._write(tensor, self._all(tensor, lambda left: _reduced(left, op)))

    def reduce(self, tensor: Tensor, op: Any, root: int) -> None:
        """The same, for *root* alone."""
        made = self._all(tensor, lambda left: _reduced(left, op))
        if self.rank == root:
            self._write(tensor, made)

    def all_gather(self, outputs: Sequence[Tensor], tensor: Tensor) -> None:
        """Write the tensor of each rank into the outputs of everybody."""
        made = self._all(tensor, lambda left: [t.clone() for t in left])
        for output, each in zip(outputs, made, strict=True):
            self._write(output, each)

    def gather(self, outputs: Sequence[Tensor] | None, tensor: Tensor, root: int) -> None:
        """The same, for *root* alone."""
        made = self._all(tensor, lambda left: [t.clone() for t in left])
        for output, each in zip(outputs or (), made, strict=False):
            self._write(output, each)

    def scatter(self, output: Tensor, inputs: Sequence[Tensor] | None, root: int) -> None:
        """Write the inputs of *root* into the output of each."""
        self._write(output, self._all(inputs, lambda left: left[root][self.rank].clone()))

    def reduce_scatter(self, output: Tensor, inputs: Sequence[Tensor], op: Any) -> None:
        """Write the reduction of what all have for a rank into its output."""
        made = self._all(inputs, lambda left: _reduced([given[self.rank] for given in left], op))
        self._write(output, made)

    def all_to_all(self, outputs: Sequence[Tensor], inputs: Sequence[Tensor]) -> None:
        """Write what each rank has for this one into its output."""
        made = self._all(inputs, lambda left: [given[self.rank].clone() for given in left])
        for output, each in zip(outputs, made, strict=True):
            self._write(output, each)

    def send(self, tensor: Tensor, to: int, tag: int) -> None:
        """Send a copy of a tensor to one rank."""
        self._meeting.post(self.rank, to, tag, tensor)

    def receive(self, tensor: Tensor, source: int | None, tag: int) -> _Received:
        """Wait for what *source*, or anybody, sends."""
        sender, made = self._meeting.fetch(source, self.rank, tag)
        self._write(tensor, made)
        return _Received(sender)

    def barrier(self) -> None:
        """Wait for everybody."""
        self._all(None, lambda left: None)

    def split(self, ranks: Sequence[int], name: str) -> ThreadedRanks | None:
        """The engine of a group of *ranks*; None where this thread is not one of them."""
        self.barrier()
        if self.rank not in ranks:
            return None
        meeting = _meeting(self._meeting, name, len(ranks))
        return ThreadedRanks(meeting, list(ranks).index(self.rank), len(ranks))

    def close(self) -> None:
        """Nothing is held."""


_meetings: WeakKeyDictionary[Any, dict[str, _Meeting]] = WeakKeyDictionary()
_lock = threading.Lock()


def _meeting(of: Any, name: str, size: int) -> _Meeting:
    """Where those meet that have the same object *of* and the same *name*."""
    with _lock:
        return _meetings.setdefault(of, {}).setdefault(name, _Meeting(size))


class ProcessLocalGroup(c10d.ProcessGroup):
    """A group of threads."""

    @staticmethod
    def exception_handle(exc: Any) -> None:
        """End the waiting of all threads, for one of them has failed."""
        with _lock:
            for by_name in _meetings.values():
                for meeting in by_name.values():
                    meeting.close()

    @staticmethod
    def reset() -> None:
        """Forget all groups."""
        with _lock:
            _meetings.clear()


def _create_threaded_pg(
    prefix_store: Any, rank: int, world_size: int, timeout: timedelta
) -> ProcessLocalGroup:
    store, name = prefix_store, ""
    while isinstance(store, c10d.PrefixStore):
        store, name = store.underlying_store, f"{store._prefix}{name}"
    engine = ThreadedRanks(_meeting(store, name, world_size), rank, world_size)
    return ProcessLocalGroup(prefix_store, rank, world_size, engine=engine)


c10d.Backend.register_backend("threaded", _create_threaded_pg, devices=["cpu", ACCELERATOR])


def _install_threaded_pg() -> Any:
    """Give each thread groups of its own."""
    c10d._world.by_thread(True)
    return c10d._world


def _uninstall_threaded_pg() -> None:
    """Let all threads have the same groups again, those from before."""
    c10d._world.by_thread(False)
