"""Streams in autograd: nodes remember the stream of their forward op.

A thread that never leaves its default streams pays nothing: leaving them sets a flag in its state
word, and what stands in the tables for such a word stamps the nodes. What a backward does with it
is in :mod:`.backward_streams`.
"""

from __future__ import annotations

from typing import Any

from mindtorch_autograd import streams
from mindtorch_autograd.graph_task import current_graph_task
from mindtorch_autograd.node import extras_of, unwrap
from mindtorch_dispatch import tls
from mindtorch_npu import thread_state

from ..call.dispatch_entry import Call
from ..call.overload import Overload
from ..call.specialize import specialize
from ..core import signature as S
from ..tensor import Leaf, Tensor
from . import backward_streams

__all__ = ["left_default_streams", "streamed_call", "used_another_device"]


def left_default_streams(left: bool) -> None:
    """This thread's current streams are no longer all the default ones, or are so again."""
    word = tls.state.get()
    more = tls.extra(word)
    wanted = more | tls.STREAMED if left else more & ~tls.STREAMED
    if wanted != more:
        tls.state.set(tls.with_extra(word, wanted))
    if left:
        backward_streams.strayed = True
        used_another_device()


def used_another_device() -> None:
    """From now on backwards ask whether they go over several streams or devices.

    One that runs has not asked, or needed none: it comes back after the node, and at its end.
    """
    if streams.source is None:
        streams.set_source(backward_streams.streams_of_backward, _stamp_function)
    task = current_graph_task()
    if (
        task is not None
        and task.lanes is None
        and streams.astray.get(task, streams.STAYING) is streams.STAYING
    ):
        streams.astray[task] = backward_streams.BackwardStreams()


def streamed_call(overload: Overload, sig: int) -> Call:
    """The call of a signature, whose nodes remember the current stream."""
    inner = specialize(overload, sig, after="streams")

    def call(*args: Any) -> Any:
        before = [a._edge_ for a in args if isinstance(a, Tensor)]
        result = inner(*args)
        for t in result if isinstance(result, (tuple, list)) else (result,):
            edge = t._edge_ if isinstance(t, Tensor) else None
            if edge is None or type(edge) is Leaf or any(edge is each for each in before):
                continue  # what a call hands through (`x.to(x.device)`) was made elsewhere
            _stamp(t)
        return result

    return call


def _stamp(t: Tensor) -> None:
    extra = extras_of(unwrap(t._edge_)[0])
    if extra.stream is None and t._sig_ & S.STREAMED:
        extra.stream = thread_state.current_queue(t.device.index)


def _stamp_function(node: Any, results: Any) -> None:
    """A ``Function`` gave *results*: the current stream of where the first on an NPU lies counts.

    Source: torch csrc/autograd/function.h, ``Node::stream``.
    """
    if thread_state.tls.left:
        for t in results if isinstance(results, (tuple, list)) else (results,):
            if isinstance(t, Tensor) and t._sig_ & S.STREAMED:
                extra = extras_of(node)
                if extra.stream is None:
                    extra.stream = thread_state.current_queue(t.device.index)
                return
