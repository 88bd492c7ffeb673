"""Streams in autograd: nodes remember the stream of their forward op, and run there again.

Rules are torch's: a node runs on the stream that was current when it was recorded, after the
streams which made its gradient, whose memory is not given away before; when a backward is over, the
streams that are current where it was called go on after all of its work. A thread that never leaves
its default streams pays nothing: leaving them sets a flag in its state word, and what stands in the
tables for such a word stamps the nodes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mindtorch_autograd import streams
from mindtorch_autograd.node import extras_of, unwrap
from mindtorch_dispatch import tls
from mindtorch_npu import observer, runtime
from mindtorch_npu.backend import queue_after, record_stream

from .. import signature as S
from ..calls import Call
from ..ops.overload import Overload
from ..resolution import resolve_call
from ..tensor import Leaf, Tensor

__all__ = ["left_default_streams", "streamed_call"]


def left_default_streams(left: bool) -> None:
    """This thread's current streams are no longer all the default ones, or are so again."""
    word = tls.state.get()
    more = tls.extra(word)
    wanted = more | tls.STREAMED if left else more & ~tls.STREAMED
    if wanted != more:
        tls.state.set(tls.with_extra(word, wanted))
    if left and streams.source is None:
        streams.set_source(BackwardStreams, _stamp_current)


def streamed_call(overload: Overload, sig: int) -> Call:
    """The call of a signature, whose nodes remember the current stream."""
    inner = resolve_call(overload, sig)

    def call(*args: Any) -> Any:
        before = [a._edge for a in args if isinstance(a, Tensor)]
        result = inner(*args)
        for t in result if isinstance(result, (tuple, list)) else (result,):
            edge = t._edge if isinstance(t, Tensor) else None
            if edge is None or type(edge) is Leaf or any(edge is each for each in before):
                continue  # what a call hands through (`x.to(x.device)`) was made elsewhere
            _stamp(t)
        return result

    return call


def _stamp(t: Tensor) -> None:
    extra = extras_of(unwrap(t._edge)[0])
    if extra.stream is None and t._sig & S.NPU:
        extra.stream = runtime.current_queue(t.device.index)


def _stamp_current(node: Any) -> None:
    """A ``Function`` ran: on the current stream of the current device, as far as one can tell."""
    state = runtime.tls
    if state.left:
        extra = extras_of(node)
        if extra.stream is None:
            extra.stream = state.queues[state.device]


class BackwardStreams:
    """The streams of one backward; see :class:`mindtorch_autograd.streams.Streams`."""

    def __init__(self) -> None:
        # A forked child has no streams, and its graphs are of the host.
        known = runtime.tls.queues or (runtime.bind_thread() if runtime.is_initialized() else ())
        self._ambient = list(known)
        self._device = runtime.tls.device
        driver = runtime.driver()
        self._defaults = [driver.queue(i, 0) for i in range(len(self._ambient))]
        #: What made the gradient of a node: nodes that are roots have the caller's streams.
        self._made_on: dict[Any, list[Any]] = {}
        self._used: dict[Any, None] = {}
        self._now: list[Any] = self._ambient

    def enter(self, node: Any, gradient: Any) -> None:
        """Make the node's stream current, after the streams that made its gradient."""
        extra = node._extra
        stream = None if extra is None else extra.stream
        queues = list(self._defaults)
        if stream is not None:
            queues[stream.device_index] = stream
        for made in self._made_on.pop(node, self._ambient):
            queue_after(queues[made.device_index], made)
        self._now = queues
        runtime.replace_queues(queues)
        self.use(gradient)

    def use(self, gradient: Any) -> None:
        """The memory of *gradient* stays until the current stream has read it."""
        for each in gradient if isinstance(gradient, (list, tuple)) else (gradient,):
            if isinstance(each, Tensor) and each._sig & S.NPU and each._shared is not None:
                block = each._shared.storage.block
                if block is not None:
                    record_stream(block, self._now[block.device_index])

    def leave(self, node: Any, targets: Iterable[Any]) -> None:
        """What the node made lies on its streams."""
        watched = observer.current is not None  # to whom an idle stream matters too
        queues = [queue for queue in self._now if watched or queue.last() is not None]
        for queue in queues:
            self._used[queue] = None
        for target in targets:
            if target is not None:
                made = self._made_on.setdefault(target, [])
                for queue in made:  # the gradients are summed here, so after both
                    queue_after(self._now[queue.device_index], queue)
                made += [queue for queue in queues if queue not in made]

    def finish(self) -> None:
        """The caller's streams are current again, and go on after all that was used."""
        runtime.replace_queues(self._ambient)
        runtime.tls.device = self._device
        for queue in self._used:
            queue_after(self._ambient[queue.device_index], queue)
