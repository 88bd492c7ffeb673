"""What a device is: one value, whose fields are all that mindtorch asks of it.

cpu, npu and meta are values (see :mod:`.built_in`), and so is a device of the user's own::

    add_backend(Backend(name="demo", key=DispatchKey.PrivateUse2, allocator=memory, run=logged))

From then on ``torch.ones(3, device="demo")`` works, and all rows run there. No other module asks
which device a tensor is on by its name: who needs to know something of devices asks a field.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from mindtorch_dispatch import DispatchKey
from mindtorch_storage import Device, UntypedStorage
from mindtorch_storage.protocols import Allocator

from ..call.row import Out
from ..core.backend_registry import BACKENDS, add_backend, backend_at, backend_of, drop_backend
from ..tensor.generator import counted_numbers
from . import launching
from .launch import Launch

__all__ = [
    "BACKENDS",
    "Backend",
    "Copies",
    "Launch",
    "add_backend",
    "backend_at",
    "backend_of",
    "drop_backend",
]


class Copies(Protocol):
    """How numbers come to a device and leave it. Nothing is pending when these are called.

    The module :mod:`.launching` is one.
    """

    def to_device(self, t: Any, out: Any, device: Device, non_blocking: bool) -> Any:
        """A copy on *device* of *t*, which lies on the host, with dtype and layout of *out*."""

    def to_host(self, t: Any, out: Any, non_blocking: bool) -> Any:
        """A copy on the host of *t*, which lies on a device of the backend."""

    def within(self, t: Any, out: Any, device: Device, non_blocking: bool) -> Any:
        """A copy on *device* of *t*, which lies on another device of the same backend."""

    def into(
        self, target: Any, source: Any, non_blocking: bool, run: Callable[[Any], object]
    ) -> Any:
        """``target.copy_(source)`` of which one is on the host; *run* is it with another source."""

    def number(self, t: Any, device: Device) -> Any:
        """*t*, a number of the host, as a kernel on *device* takes it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Backend:
    """Devices of one type: their memory, and how kernels run there.

    Name and key are asked for; for the rest there is what suits a device whose memory is arrays of
    bytes and which runs the rows' numpy kernels.
    """

    #: The type of its devices, as users write it: ``torch.device("demo", 0)``.
    name: str
    #: The dispatch key of its kernels; autograd's follows from it. Two are free for devices of
    #: one's own beside the NPU: ``PrivateUse2`` and ``PrivateUse3``.
    key: DispatchKey
    #: From a device to what gives its memory, in blocks. A block with an ``array`` of its bytes is
    #: where the numbers lie. None: memory of the host, or none at all.
    allocator: Callable[[Device], Allocator] | None = None
    #: Whether tensors there have numbers; without, results are only inferred.
    memory: bool = True
    #: What the dispatcher has for every row: a builder in its box (``call.specialize.boxed``).
    #: None: every kernel is registered by somebody else.
    kernel: Callable[..., Any] | None = launching.launched
    #: Runs a launch, now or later: calling it computes into the results' memory.
    run: Callable[[Launch, Device], object] = launching.run_now
    #: A tensor of given shape, dtype and strides on a device, whose numbers a launch will write.
    empty: Callable[[Out, Device], Any] = launching.allocate
    #: A tensor on a device over, or with the numbers of, an array of the host.
    adopt: Callable[[Any, Device], Any] = launching.adopt
    #: What the flush of a pipeline runs for a launch that was recorded for a device: of the
    #: launch, its device, the tensors it reads, the storages it writes, the line of the program.
    recorded: Callable[[Launch, Device, Any, Any, Any], Callable[[], object]] = launching.Handed
    #: The host is about to read what this thread has launched on a device: wait for it.
    wait: Callable[[Device], object] = launching.nothing
    #: The host is about to read or write a storage's bytes: wait, or refuse it.
    before_bytes: Callable[[UntypedStorage], object] = launching.wait_for_bytes
    #: Waits for all that a device was given, by any thread; None: as ``wait``.
    synchronize: Callable[[Device], object] | None = None
    #: How many devices there are.
    device_count: Callable[[], int] = launching.one
    #: The index that a device without one means; None where devices have no index.
    current_device: Callable[[], int] | None = launching.first
    #: How numbers come and go.
    copies: Copies = launching
    #: Keeps a block until a stream has done what it has been given; None: there are no streams.
    record_stream: Callable[[Any, Any], object] | None = None
    #: An array of the host with the numbers of a tensor, where its own memory does not show them.
    read: Callable[[Any], Any] | None = None
    #: The stream of numbers of a new generator; None: no generators there.
    numbers: Callable[[Device], Any] | None = counted_numbers
    #: The generator from which a device's kernels draw where none is given; None: one is made.
    generator: Callable[[Device], Any] | None = None
    #: A ``with`` block for a device in which launches run at once and leave no trace: no memory is
    #: booked, no stream knows of them. What is learnt of calls for the next time is learnt there.
    #: None, or the block None: nothing is learnt of calls on the device but one by one.
    aside: Callable[[Device], AbstractContextManager[None] | None] | None = None
    #: Whether attention and RMS norm are one operator each, as CUDA has them.
    fused_kernels: bool = True
    #: The key of its autocast, if torch has one.
    autocast: DispatchKey | None = None
