"""Graphs: work that is captured once and replayed often, as ``torch.cuda.graphs`` has them.

While a stream is captured nothing runs (``captures.py``), and memory comes from a private pool,
which the graph keeps for itself as long as it lives. A replay queues what was captured on the
current stream, in the order in which it was captured, with the same memory. Kernels that draw
random numbers draw the next ones at each replay.

Source: torch/cuda/graphs.py; aten/src/ATen/cuda/CUDAGraph.cpp.
"""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from itertools import count
from typing import Any, ClassVar, Self

from mindtorch_npu import captures, errors, graph_errors, runtime
from mindtorch_npu import capturing_queues as _capturing_queues  # noqa: F401 - says what queues are
from mindtorch_npu.allocator import CachingAllocator
from mindtorch_npu.backend import allocator
from mindtorch_npu.block_pool import DEFAULT_POOL, PoolId
from mindtorch_npu.captures import Capture
from mindtorch_npu.devices import synchronize
from mindtorch_npu.memory import empty_cache
from mindtorch_npu.naming import NAME, TYPE, named_by_type
from mindtorch_npu.pinned import host_allocator
from mindtorch_npu.private_pools import new_id
from mindtorch_npu.runtime import HARDWARE
from mindtorch_npu.streams import Stream, StreamContext
from mindtorch_npu.thread_state import current_capture, current_queue, tls

__all__ = [
    "NPUGraph",
    "graph",
    "graph_pool_handle",
    "is_current_stream_capturing",
    "make_graphed_callables",
]

_addresses = count(0x5700_0000_0000, 0x40)


def is_current_stream_capturing() -> bool:
    """Whether what the current stream is given is captured. False before the initialisation."""
    if not runtime.is_initialized() or runtime.is_in_bad_fork():
        return False
    capture = current_capture()
    return capture is not None and capture.is_valid


def graph_pool_handle() -> PoolId:
    """A name for a pool of memory that several graphs share."""
    return new_id()


def _of_framework(name: str) -> Any:
    """A module that needs tensors."""
    return import_module(vars(sys.modules[__package__])["_with_tensors"][name])


def _launch_what_waits() -> None:
    for launch in captures.launch_what_waits:
        launch()


@named_by_type
class NPUGraph:
    """Work that was captured.

    :param keep_graph: :meth:`raw_npu_graph` may be asked, and :meth:`instantiate` is called by
        whoever captures, or by the first :meth:`replay`.
    """

    __module__ = f"torch.{TYPE}.graphs"  # what users' reprs and pickles show

    #: Whether :meth:`debug_dump` writes graphs that were not kept.
    _debugs: ClassVar[bool] = False

    _keeps: bool
    _capture: Capture | None  # from the begin on
    _inputs: Any  # what follows what it reads, or None
    _is_captured: bool
    _raw: int  # 0: not there
    _raw_exec: int  # the same
    _device: int
    _allocator: CachingAllocator
    _pool: PoolId

    def __new__(cls, keep_graph: bool = False) -> Self:
        if HARDWARE:
            raise errors.no_pools_on_hardware()
        runtime.lazy_init()
        self = object.__new__(cls)
        self._keeps = keep_graph
        self._inputs = None
        self._forget()
        return self

    def _forget(self) -> None:
        self._capture = None
        self._is_captured = False
        self._raw = self._raw_exec = 0

    def register_generator_state(self, generator: Any) -> None:
        """Nothing: every generator that a captured kernel draws from goes on at each replay."""

    def capture_begin(
        self,
        pool: PoolId | None = None,
        capture_error_mode: str = "global",
        check_input_liveness: bool = False,
    ) -> None:
        """Begin to capture the current stream, which is not the default one.

        :param pool: the pool of memory to share, as :func:`graph_pool_handle` or :meth:`pool` names
            it; default one of its own.
        :param capture_error_mode: what may not be done meanwhile; one of ``captures.MODES``.

        :param check_input_liveness: let :meth:`replay` raise RuntimeError where a tensor is gone
            that the graph reads.

        Raises RuntimeError where this graph was captured already, and on the default stream.
        """
        self._follow(None)
        if capture_error_mode not in captures.MODES:
            raise graph_errors.capture_mode(capture_error_mode)
        if self._raw_exec:
            raise graph_errors.graph_is_captured()
        index = tls.device
        queue = current_queue(index)
        if not queue.stream_id:
            raise graph_errors.capture_on_default_stream()
        _launch_what_waits()
        shared = pool is not None and tuple(pool) != DEFAULT_POOL
        self._pool = new_id(False) if pool is None or not shared else pool
        self._device = index
        self._allocator = allocator(index)
        self._allocator.begin_to_divert(self._pool, self._takes)
        try:
            self._capture = Capture(queue, capture_error_mode)
        except BaseException:
            self._leave()
            raise
        if check_input_liveness:
            self._follow(_of_framework("graph_inputs").Inputs())

    def _follow(self, inputs: Any) -> None:
        """Let *inputs* follow what is read; or nobody any more."""
        if self._inputs is not None:
            self._inputs.stop()
        self._inputs = inputs
        if inputs is not None:
            inputs.start()

    def _takes(self, handle: int) -> bool:
        capture = self._capture
        return capture is not None and capture.has_handle(handle)

    def _leave(self) -> None:
        self._allocator.end_to_divert(self._pool)
        self._allocator.release_pool(self._pool)

    def capture_end(self) -> None:
        """End the capture; :meth:`replay` may be called from now on.

        Raises RuntimeError on another stream than that on which it began, AcceleratorError where
        something was tried meanwhile that may not be done, or a stream was not waited for.
        """
        capture = self._capture
        if capture is None or current_queue(tls.device) is not capture.origin:
            raise graph_errors.capture_on_other_stream()
        _launch_what_waits()
        if self._inputs is not None:
            self._inputs.stop()
        try:
            capture.end()
        except errors.AcceleratorError:
            if capture not in captures.underway:
                self._capture = None
                self._leave()
            raise
        self._allocator.end_to_divert(self._pool)
        if not capture.works:
            warnings.warn(graph_errors.graph_is_empty(), UserWarning, stacklevel=2)
        self._is_captured = True
        self._raw = next(_addresses)
        if not self._keeps:
            self._make()

    def _make(self) -> None:
        self._raw_exec = next(_addresses)

    def instantiate(self) -> None:
        """Make ready what was captured. Raises RuntimeError before, and for graphs not kept."""
        if not self._is_captured:
            raise graph_errors.graph_is_not_captured("instantiate")
        if self._raw_exec and not self._keeps:
            raise graph_errors.graph_is_not_kept("instantiate")
        self._make()

    def replay(self) -> None:
        """Queue what was captured on the current stream. Raises RuntimeError before a capture."""
        capture = self._capture
        if capture is None or not self._is_captured:
            raise graph_errors.graph_is_not_captured("replay")
        _launch_what_waits()
        if self._inputs is not None:
            self._inputs.check(self._pool)
        if not self._raw_exec:
            self._make()
        queue = current_queue(self._device)
        for begin in capture.before_replay.values():
            begin(queue)
        for work in capture.works:
            work.replay(queue)
        for tell in capture.at_replay:
            tell(queue)

    def reset(self) -> None:
        """Forget what was captured; its memory may go once nothing else uses it."""
        if self._is_captured:
            self._allocator.release_pool(self._pool)
        self._follow(None)
        self._forget()

    def pool(self) -> PoolId:
        """What names the pool of memory. Raises RuntimeError before a capture."""
        if not self._is_captured:
            raise graph_errors.graph_is_not_captured("pool")
        return self._pool

    def enable_debug_mode(self) -> None:
        """Let :meth:`debug_dump` write graphs from now on, those too that are not kept."""
        NPUGraph._debugs = True

    def debug_dump(self, debug_path: str) -> None:
        """Write what was captured as a graph in the language of Graphviz; warns of what it does."""
        if not (self._debugs or self._keeps):
            text = f"{NAME} Graphs debug not enabled, set with [graph].enable_debug_mode()"
            warnings.warn(text, UserWarning, stacklevel=2)
            return
        warnings.warn("DEBUG: calling debug_dump()", UserWarning, stacklevel=2)
        if self._capture is not None and self._raw:
            text = f"DEBUG: calling {TYPE}GraphDebugDotPrint() with {debug_path}"
            warnings.warn(text, UserWarning, stacklevel=2)
            with open(debug_path, "w", encoding="utf-8") as file:
                file.write(_drawn(self._capture))

    def raw_npu_graph(self) -> int:
        """A number for what was captured. Raises RuntimeError where it is not kept or not there."""
        if not self._keeps:
            raise graph_errors.graph_is_not_kept("raw")
        if not self._raw:
            raise graph_errors.graph_is_not_captured("raw")
        return self._raw

    def raw_npu_graph_exec(self) -> int:
        """A number for what is ready to run. Raises RuntimeError before :meth:`instantiate`."""
        if not self._raw_exec:
            raise graph_errors.graph_is_not_captured("raw_exec")
        return self._raw_exec

    def __del__(self) -> None:
        if getattr(self, "_is_captured", False):
            self._is_captured = False
            self._allocator.leave_pool(self._pool, False)


def _drawn(capture: Capture) -> str:
    """The works of a capture with what comes before each, for Graphviz."""
    lines = ["digraph dot {"]
    for number, work in enumerate(capture.works):
        lines.append(f'  "{number}" [label="{number} {work.name}"];')
        lines += [f'  "{before}" -> "{number}";' for before in sorted(set(work.needs))]
    return "\n".join([*lines, "}", ""])


class graph:
    """``with graph(g):`` captures the work of the block into *g*, an :class:`NPUGraph`.

    :param pool: as of :meth:`NPUGraph.capture_begin`, as is *capture_error_mode*.
    :param stream: the stream that is current in the block; default one that all such blocks share.
    :param enable_annotations: False. Raises RuntimeError for another: no profiler listens.
    """

    __module__ = f"torch.{TYPE}.graphs"

    default_capture_stream: Stream | None = None

    def __init__(
        self,
        npu_graph: NPUGraph,
        pool: PoolId | None = None,
        stream: Stream | None = None,
        capture_error_mode: str = "global",
        enable_annotations: bool = False,
        check_input_liveness: bool = False,
    ) -> None:
        if enable_annotations:
            raise graph_errors.no_annotations()
        kind = type(self)
        if stream is None and kind.default_capture_stream is None:
            kind.default_capture_stream = Stream()
        self.pool: tuple[Any, ...] = () if pool is None else (pool,)
        self.capture_stream = kind.default_capture_stream if stream is None else stream
        self.stream_ctx = StreamContext(self.capture_stream)
        self.npu_graph = npu_graph
        self.capture_error_mode = capture_error_mode
        self.check_input_liveness = check_input_liveness

    def __enter__(self) -> None:
        synchronize()
        empty_cache()
        host_allocator.empty_cache()
        self.stream_ctx.__enter__()
        self.npu_graph.capture_begin(
            self.pool[0] if self.pool else None,
            capture_error_mode=self.capture_error_mode,
            check_input_liveness=self.check_input_liveness,
        )

    def __exit__(self, *args: object) -> None:
        self.npu_graph.capture_end()
        self.stream_ctx.__exit__(*args)


def make_graphed_callables(
    callables: Any,
    sample_args: Any,
    num_warmup_iters: int = 3,
    allow_unused_input: bool = False,
    pool: PoolId | None = None,
) -> Any:
    """Functions or modules whose work, forward and backward, is captured and replayed.

    The framework supplies it: see ``mindtorch.utils.graphed_callables``.
    """
    module = _of_framework("graphed_callables")
    return module.make_graphed_callables(
        callables, sample_args, num_warmup_iters, allow_unused_input, pool
    )
