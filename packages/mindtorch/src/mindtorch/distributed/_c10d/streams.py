"""Tensors of accelerators, carried on streams by an engine that carries those of the host.

As with NCCL, a call on an accelerator's tensors is work of a stream: it begins after what the
current stream was given before, the program goes on at once, and ``Work.wait`` lets the current
stream wait, not the program. Here the work is a copy to the host, the call, and a copy back, all on
a stream of the group. So profilers, timelines and the sanitizer see it as they see other work: a
tensor that is used before ``wait`` is a race.

Collectives have one stream, on which they keep their order. What is sent needs nobody to wait for
it, and what is received from one process waits for that one alone: these have streams of their own.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from contextvars import Context
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from mindtorch_autograd import no_grad

from ...aten import torch
from ...backends.launch import Launch
from ...core.backend_registry import BACKENDS
from ...tensor import Tensor
from .errors import DistBackendError

if TYPE_CHECKING:
    from .engine import Engine, Pending

__all__ = ["OnStreams"]

#: Between two looks at a stream by a program that waits for it, in seconds.
_PAUSE = 0.0005
#: A call of the engine below on what is read and what is written.
_Exchange = Callable[[list[Tensor], list[Tensor]], "Pending | None"]


class _Asked(NamedTuple):
    """What a process has asked for, in terms of NCCL."""

    rank: int
    number: int
    kind: str
    given: int
    taken: int

    def expired(self, seconds: float, waited: float) -> str:
        """What is said where nobody has answered in time."""
        return (
            f"[Rank {self.rank}] Watchdog caught collective operation timeout: "
            f"WorkNCCL(SeqNum={self.number}, OpType={self.kind}, NumelIn={self.given}, "
            f"NumelOut={self.taken}, Timeout(ms)={round(1000 * seconds)}) ran for "
            f"{round(1000 * waited)} milliseconds before timing out."
        )


class _Call:
    """A call of the engine below, which a stream makes."""

    def __init__(self, begin: Callable[[], Pending | None], waits: bool) -> None:
        self._begin, self._waits = begin, waits
        self.pending: Any = None
        self.error: BaseException | None = None
        self._given_up = False

    def give_up(self, error: BaseException) -> None:
        """Let the stream go on without its result, which *error* says."""
        self._given_up, self.error = True, error
        if self.pending is not None:
            self.pending.expire(0)

    def __call__(self, launch: object) -> None:
        try:
            # Any thread may run it that waits for the stream: its modes have no part in it.
            self.pending = Context().run(self._begin)
            if self.pending is None:
                return
            if self._given_up:
                self.pending.expire(0)
            if self._waits:
                self.pending.wait(None)
            else:
                self.pending.carry_on()
        except BaseException as error:
            if self._given_up:
                return
            self.error = error
            raise


class _Launched:
    """A call that a stream has been given. Its tensors live until somebody has waited.

    :param asked: what was asked for, in terms of NCCL.
    """

    def __init__(
        self, event: Any, device: Any, call: _Call | None, kept: list[Tensor], asked: _Asked
    ) -> None:
        self._event, self._device, self._call, self._kept = event, device, call, kept
        self._asked = asked

    @property
    def error(self) -> BaseException | None:
        """What went wrong, as far as is known."""
        return None if self._call is None else self._call.error

    @property
    def source(self) -> int | None:
        """Who has sent what was received; waits for it."""
        self._event.synchronize()
        return getattr(self._call and self._call.pending, "source", None)

    def done(self) -> bool:
        """Whether the stream has done it."""
        return bool(self._event.query())

    def let_go(self) -> None:
        """Its tensors may go."""
        self._kept = []

    def wait(self, seconds: float | None) -> bool:
        """Let the current stream wait. Raises what is known to have gone wrong.

        :param seconds: for so long the program waits, too.
        """
        if seconds is not None:
            self._await(seconds)
        if self.error is not None:
            raise self.error
        self._event.wait(torch.get_device_module(self._device).current_stream(self._device))
        self.let_go()
        return True

    def _await(self, seconds: float) -> None:
        """Let the program wait. Raises DistBackendError if it has to for longer than *seconds*."""
        begin = time.monotonic()
        while not self._event.query():
            waited = time.monotonic() - begin
            if waited >= seconds:
                error = DistBackendError(self._asked.expired(seconds, waited))
                if self._call is not None:
                    self._call.give_up(error)
                try:
                    raise error
                finally:
                    del error  # it holds this frame
            time.sleep(_PAUSE)

    def expire(self, seconds: float) -> None:
        """The call has the time-out of the group: a stream does not know when it began."""

    def carry_on(self) -> None:
        """The stream does so by itself."""

    def at_end(self, function: Callable[[], None]) -> None:
        """Call *function* now: the host's part has ended, and the lane of the stream shows its."""
        function()

    def when_done(self, function: Callable[[BaseException | None], None]) -> None:
        """Call *function* now: the current stream waits, so what it launches comes after the end.

        torch's futures of accelerators are done at once, too.
        """
        try:
            self.wait(None)
        except BaseException as error:
            function(error)
        else:
            function(None)


class OnStreams:
    """An engine for tensors on all devices, over one that *below* may know some of them only."""

    def __init__(self, below: Engine) -> None:
        self._below = below
        self.devices = below.devices
        #: By device and kind.
        self._streams: dict[tuple[Any, Hashable], Any] = {}
        self._under_way: deque[_Launched] = deque()
        self._number = 0

    @property
    def name(self) -> str:
        """What the group calls its backend."""
        return self._below.name

    @name.setter
    def name(self, name: str) -> None:
        self._below.name = name

    @property
    def rank(self) -> int:
        """The number of this process in the group."""
        return self._below.rank

    @property
    def size(self) -> int:
        """How many processes the group has."""
        return self._below.size

    @property
    def timeout(self) -> float:
        """How long a call may take, in seconds."""
        return self._below.timeout

    @timeout.setter
    def timeout(self, seconds: float) -> None:
        self._below.timeout = seconds

    # On which stream

    def _stream(self, device: Any, kind: Hashable) -> Any:
        found = self._streams.get((device, kind))
        if found is None:
            found = torch.get_device_module(device).Stream(device)
            self._streams[device, kind] = found
        return found

    def _settled(self, besides: Any = None) -> None:
        """Wait until streams have made their calls: the next one comes after them everywhere.

        :param besides: a stream that keeps the order by itself.
        """
        for (_, kind), stream in tuple(self._streams.items()):
            if kind == "collective" and stream is not besides:
                stream.synchronize()

    def _run(
        self,
        name: str,
        reads: Sequence[Tensor],
        writes: Sequence[Tensor],
        call: _Exchange,
        kind: Hashable = "collective",
        waits: bool = True,
    ) -> Any:
        """Make *call*, which is called *name*, here or on a stream.

        :param call: takes what stands for *reads* and for *writes*, and keeps none of these alive.
        :param kind: which of the streams of a device.
        :param waits: whether the stream waits for the end of what the call begins.
        """
        tensors = [*reads, *writes]
        device = next((t.device for t in tensors if t.device.type != "cpu"), None)
        if any(t.device.type == "meta" for t in tensors):
            return None  # there are no numbers
        if device is None:
            if kind == "collective":
                self._settled()
            return call(list(reads), list(writes))
        stream = self._stream(device, kind)
        if kind == "collective":
            self._settled(besides=stream)
        module = torch.get_device_module(device)
        stream.wait_stream(module.current_stream(device))
        made = None
        with module.stream(stream), no_grad():
            if device.type in self._below.devices:
                call(list(reads), list(writes))
            else:
                beside = {id(t): _beside(t) for t in {id(t): t for t in tensors}.values()}
                for t in reads:
                    beside[id(t)].copy_(t.detach(), non_blocking=True)
                given, taken = ([beside[id(t)] for t in each] for each in (reads, writes))
                made = _Call(partial(call, given, taken), waits)
                BACKENDS[device.type].run(Launch(f"c10d::{name}", None, [], [], made), device)
                for t, near in zip(writes, taken, strict=True):
                    t.detach().copy_(near, non_blocking=True)
            event = stream.record_event()
        while self._under_way and self._under_way[0].done():
            self._under_way.popleft().let_go()
        self._number += 1
        sizes = (sum(t.numel() for t in each) for each in (reads, writes))
        asked = _Asked(self.rank, self._number, name.removesuffix("_").upper(), *sizes)
        launched = _Launched(event, device, made, tensors, asked)
        self._under_way.append(launched)
        return launched

    # Calls

    def broadcast(self, tensor: Tensor, root: int) -> Any:
        """Write the tensor of *root* into that of everybody."""
        sends, below = self.rank == root, self._below
        return self._run(
            "broadcast_",
            [tensor] if sends else [],
            [] if sends else [tensor],
            lambda reads, writes: below.broadcast((reads or writes)[0], root),
        )

    def all_reduce(self, tensor: Tensor, op: Any) -> Any:
        """Write what reduction *op* makes of all tensors into each."""
        below = self._below
        return self._run(
            "allreduce_", [tensor], [tensor], lambda _, writes: below.all_reduce(writes[0], op)
        )

    def reduce(self, tensor: Tensor, op: Any, root: int) -> Any:
        """The same, for *root* alone."""
        below = self._below
        return self._run(
            "reduce_",
            [tensor],
            [tensor] if self.rank == root else [],
            lambda reads, _: below.reduce(reads[0], op, root),
        )

    def all_gather(self, outputs: Sequence[Tensor], tensor: Tensor) -> Any:
        """Write the tensor of each rank into ``outputs[rank]`` of everybody."""
        below = self._below
        return self._run(
            "allgather_",
            [tensor],
            outputs,
            lambda reads, writes: below.all_gather(writes, reads[0]),
        )

    def gather(self, outputs: Sequence[Tensor] | None, tensor: Tensor, root: int) -> Any:
        """The same, for *root* alone; the others have no outputs."""
        below = self._below
        return self._run(
            "gather_",
            [tensor],
            outputs or [],
            lambda reads, writes: below.gather(writes or None, reads[0], root),
        )

    def scatter(self, output: Tensor, inputs: Sequence[Tensor] | None, root: int) -> Any:
        """Write ``inputs[rank]`` of *root* into the output of each; the others have no inputs."""
        below = self._below
        return self._run(
            "scatter_",
            inputs or [],
            [output],
            lambda reads, writes: below.scatter(writes[0], reads or None, root),
        )

    def reduce_scatter(self, output: Tensor, inputs: Sequence[Tensor], op: Any) -> Any:
        """Write what *op* makes of the ``inputs[rank]`` of all into the output of rank."""
        below = self._below
        return self._run(
            "reduce_scatter_",
            inputs,
            [output],
            lambda reads, writes: below.reduce_scatter(writes[0], reads, op),
        )

    def all_to_all(self, outputs: Sequence[Tensor], inputs: Sequence[Tensor]) -> Any:
        """Write ``inputs[b]`` of rank a into ``outputs[a]`` of rank b; shapes may differ."""
        below = self._below
        return self._run(
            "alltoall_", inputs, outputs, lambda reads, writes: below.all_to_all(writes, reads)
        )

    def send(self, tensor: Tensor, to: int, tag: int) -> Any:
        """Send a tensor to one process."""
        below = self._below
        return self._run(
            "send",
            [tensor],
            [],
            lambda reads, _: below.send(reads[0], to, tag),
            kind="send",
            waits=False,
        )

    def receive(self, tensor: Tensor, source: int | None, tag: int) -> Any:
        """Write what *source* has sent, or anybody if None; what is pending has a ``source``."""
        below = self._below
        return self._run(
            "recv_",
            [],
            [tensor],
            lambda _, writes: below.receive(writes[0], source, tag),
            kind=("receive", source),
        )

    def barrier(self) -> Any:
        """Wait for everybody, after the work of the current streams of devices that are used."""
        for device in {device for device, _ in self._streams}:
            torch.get_device_module(device).current_stream(device).synchronize()
        self._settled()
        return self._below.barrier()

    def split(self, ranks: Sequence[int], name: str) -> OnStreams | None:
        """The engine of a group of *ranks*; None outside of it."""
        below = self._below.split(ranks, name)
        return None if below is None else OnStreams(below)

    def close(self) -> None:
        """Let go of what the system holds, once streams have made their calls."""
        self._settled()
        self._under_way.clear()
        self._below.close()


def _beside(t: Tensor) -> Tensor:
    """Memory of the host that is pinned, for the numbers of *t*."""
    return torch.empty(t.shape, dtype=t.dtype, pin_memory=True)
