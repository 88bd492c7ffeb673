"""Backwards over streams and devices: a node runs again where its forward op ran.

Rules are torch's. A node runs with the device of its results current, on the stream that was
current there when it was recorded and on the default streams of other devices; a node of the host
with what is current where the backward was called. It runs after what made its gradient, not after
what the same stream was given later; the memory of the gradient is not given away before. Two
gradients are summed where they go to. At the end the streams that are current where it was called
go on after all of it, and device and streams are what they were, also after an error.
Source: torch csrc/autograd/engine.cpp, Note [Streaming backwards]; input_buffer.cpp.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mindtorch_autograd.node import AccumulateGrad
from mindtorch_npu import observer, runtime, thread_state
from mindtorch_npu.backend import queue_after, record_stream
from mindtorch_npu.generic_streams import next_handle
from mindtorch_npu.naming import NAME
from mindtorch_npu.thread_state import current_queues

from ..core import signature as S
from ..core.warning import warn_once
from ..tensor import Tensor
from ..tensor.tensor_meta import Facts

__all__ = ["BackwardStreams", "streams_of_backward"]

#: Whether some thread ever left its default streams: nodes may remember others.
strayed = False
#: ``torch.autograd.graph.set_warn_on_accumulate_grad_stream_mismatch``.
warns_on_mismatch = True

_MISMATCH = (
    "The AccumulateGrad node's stream does not match the stream of the node that produced the "
    "incoming gradient. This may incur unnecessary synchronization and break CUDA graph capture if "
    "the AccumulateGrad node's stream is the default stream. This mismatch is caused by an "
    "AccumulateGrad node created prior to the current iteration being kept alive. This can happen "
    "if the autograd graph is still being kept alive by tensors such as the loss, or if you are "
    "using DDP, which will stash a reference to the node. To resolve the mismatch, delete all "
    "references to the autograd graph or ensure that DDP initialization is performed under the "
    "same stream as subsequent forwards. If the mismatch is intentional, you can use "
    "torch.autograd.graph.set_warn_on_accumulate_grad_stream_mismatch(False) to suppress this "
    "warning."
).replace("CUDA", NAME)


def streams_of_backward() -> BackwardStreams | None:
    """The streams of a backward that begins in this thread; None where all is done in one place.

    That is where nobody left the default streams, one device has memory, and it is current.
    """
    used = thread_state.in_use
    if strayed or len(used) > 1 or (used and thread_state.tls.device not in used):
        # A forked child has no streams, and its graphs are of the host.
        return BackwardStreams() if runtime.is_initialized() else None
    return None


class _Mark:
    """How far a stream was when a gradient was made."""

    __slots__ = ("__weakref__", "_handle", "queue", "ticket")

    def __init__(self, queue: Any) -> None:
        self.queue = queue
        self.ticket = queue.point()
        if observer.current is not None:
            self._handle = next_handle()  # to whoever watches it is an event
            observer.current.event_created(self)
            if queue.captured_by is None:
                observer.current.event_recorded(self, queue)


_Marks = dict[Any, _Mark]  # by stream


class BackwardStreams:
    """The streams of one backward; see :class:`mindtorch_autograd.streams.Streams`."""

    def __init__(self) -> None:
        self._ambient = current_queues()
        self._device = self._at = thread_state.tls.device
        driver = runtime.driver()
        self._defaults = [driver.queue(i, 0) for i in range(len(self._ambient))]
        self._now: list[Any] = self._ambient
        self._own: Any = None  # the stream of the node that runs; None on the host
        self._marks: list[_Mark] = []  # an observer knows them by their identity
        #: What made the first gradients: they come from where the backward was called.
        self._start = self._marked()
        #: Behind what each node has to wait.
        self._made_on: dict[Any, _Marks] = {}
        #: Which stream a gradient comes to a leaf from.
        self._comes_from: dict[Any, Any] = {}
        self._used: dict[Any, _Mark] = {}

    def enter(self, node: Any, gradient: Any) -> None:
        """Make the device and the stream of the node current, after what made its gradient."""
        own = self._place(node, gradient)
        state = thread_state.tls
        if own is not self._own or current_queues() != self._now or state.device != self._at:
            self._go(own)
        marks = self._made_on.pop(node, self._start)
        if marks:
            self._wait(marks)
        if strayed:
            self._keep(gradient)
            if type(node) is AccumulateGrad and gradient is not None:
                came_from = self._comes_from.pop(node, None)
                if warns_on_mismatch and came_from is not None and came_from is not self._own:
                    warn_once(_MISMATCH)

    def leave(self, node: Any, targets: Iterable[Any]) -> None:
        """What the node made lies on its streams."""
        if not (strayed or self._start) and observer.current is None:
            for queue in self._now:
                if queue.point() is not None:
                    break
            else:
                return  # nothing to wait for
        marks = self._marked()
        self._used.update(marks)
        own = self._own
        for target in targets:
            if target is not None:
                self._made_on.setdefault(target, {}).update(marks)
                if (
                    own is not None
                    and type(target) is AccumulateGrad
                    and target._variable.device.index == own.device_index
                ):
                    self._comes_from[target] = own

    def gather(self, target: Any, first: Any, second: Any) -> None:
        """Go to where *target* runs, after what made both of its gradients."""
        self._go(self._place(target, first))
        self._wait(self._made_on.get(target, self._start))
        self._keep(first)
        self._keep(second)

    def gathered(self, target: Any) -> None:
        """The sum lies where *target* runs."""
        marks = self._made_on[target] = self._marked()
        self._used.update(marks)

    def pass_on(self, node: Any, target: Any) -> None:
        """What waits for *node* waits for *target*."""
        self._made_on.setdefault(target, {}).update(self._made_on.pop(node, self._start))

    def finish(self) -> None:
        """The caller's streams and device are current again, and go on after all that was used."""
        thread_state.tls.device = self._device
        thread_state.replace_queues(self._ambient)
        for queue in self._used:
            queue_after(self._ambient[queue.device_index], queue)

    def abandon(self) -> None:
        """This thread ran the backward for another one, and ends."""
        thread_state.replace_queues(list(self._defaults))

    def _place(self, node: Any, gradient: Any) -> Any:
        """The stream of a node; None on the host."""
        extra = node._extra_
        if extra is not None and extra.stream is not None:
            return extra.stream
        for each in gradient if isinstance(gradient, (list, tuple)) else (gradient,):
            if isinstance(each, Tensor) and each._sig_ & S.STREAMED:
                return self._defaults[each.device.index]
        for facts in getattr(node, "_result_facts_", ()):  # a Function that was given no gradient
            if isinstance(facts, Facts) and facts.sig & S.STREAMED:
                return self._defaults[facts.device.index]
        return None

    def _go(self, own: Any) -> None:
        state = thread_state.tls
        if own is not self._own:
            self._own = own
            self._now = self._ambient
            if own is not None:
                self._now = list(self._defaults)
                self._now[own.device_index] = own
        if current_queues() != self._now:
            thread_state.replace_queues(list(self._now))  # a copy: the user may change it
        state.device = self._at = self._device if own is None else own.device_index

    def _wait(self, marks: _Marks) -> None:
        own = self._own
        for queue, mark in marks.items():
            _queue_after(self._now[queue.device_index], mark)
            if own is not None and own.device_index != queue.device_index:
                _queue_after(own, mark)

    def _marked(self) -> _Marks:
        """How far the current streams are: those that do something."""
        if observer.current is None:
            return {queue: _Mark(queue) for queue in self._now if queue.point() is not None}
        marks = {queue: _Mark(queue) for queue in self._now}  # to it an idle one matters too
        self._marks += marks.values()
        return marks

    def _keep(self, gradient: Any) -> None:
        """The memory of *gradient* stays until the current stream has read it."""
        for each in gradient if isinstance(gradient, (list, tuple)) else (gradient,):
            if isinstance(each, Tensor) and each._sig_ & S.STREAMED and each._shared_ is not None:
                block = each._shared_.storage.block
                if block is not None:
                    record_stream(block, self._now[block.device_index])


def _queue_after(queue: Any, mark: _Mark) -> None:
    if queue is not mark.queue:
        outside = queue.captured_by is None and mark.queue.captured_by is None
        if observer.current is not None and outside:
            observer.current.event_awaited(mark, queue)
        if mark.ticket is not None:
            queue.wait_for(mark.ticket)
