"""``torch.accelerator.graphs``: graphs of the accelerator, whichever it is; here the NPU's.

Source: torch/accelerator/graphs.py.
"""

from __future__ import annotations

from mindtorch_npu import devices
from mindtorch_npu.accelerator_device import require
from mindtorch_npu.accelerator_memory import empty_cache, empty_host_cache
from mindtorch_npu.block_pool import PoolId
from mindtorch_npu.graphs import NPUGraph

__all__ = ["Graph"]


class Graph:
    """Work that was captured; as a context it captures what the current stream is given.

    :param keep_graph: :meth:`instantiate` is called by whoever captures, or by the first
        :meth:`replay`.
    :param pool: the pool of memory to share; default one of its own.
    :param capture_error_mode: what may not be done meanwhile: ``"global"``, which is the default,
        ``"thread_local"`` or ``"relaxed"``.

    Raises RuntimeError where there is no accelerator.
    """

    __module__ = "torch.accelerator.graphs"

    def __init__(
        self,
        keep_graph: bool = False,
        *,
        pool: PoolId | None = None,
        capture_error_mode: str = "default",
    ) -> None:
        require()
        self.graph_pool = pool
        self.capture_error_mode = capture_error_mode
        self._graph = NPUGraph(keep_graph)

    def capture_begin(self) -> None:
        """Begin to capture the current stream, with the pool and the mode of this graph."""
        mode = self.capture_error_mode
        self._graph.capture_begin(self.graph_pool, "global" if mode == "default" else mode)

    def capture_end(self) -> None:
        """See :meth:`NPUGraph.capture_end`."""
        self._graph.capture_end()

    def instantiate(self) -> None:
        """See :meth:`NPUGraph.instantiate`."""
        self._graph.instantiate()

    def replay(self) -> None:
        """See :meth:`NPUGraph.replay`."""
        self._graph.replay()

    def reset(self) -> None:
        """See :meth:`NPUGraph.reset`."""
        self._graph.reset()

    def pool(self) -> PoolId:
        """See :meth:`NPUGraph.pool`."""
        return self._graph.pool()

    def enable_debug_mode(self) -> None:
        """See :meth:`NPUGraph.enable_debug_mode`."""
        self._graph.enable_debug_mode()

    def debug_dump(self, path: str) -> None:
        """See :meth:`NPUGraph.debug_dump`."""
        self._graph.debug_dump(path)

    def __enter__(self) -> None:
        devices.synchronize()
        empty_cache()
        empty_host_cache()
        self.capture_begin()

    def __exit__(self, *exc_info: object) -> None:
        self.capture_end()


for _method in vars(Graph).values():
    if callable(_method):
        _method.__module__ = Graph.__module__
