"""``torch.accelerator.graphs``: graphs of the accelerator, whichever it is; here the NPU's.

Source: torch/accelerator/graphs.py.
"""

from __future__ import annotations

from typing import Self

from mindtorch_npu import devices
from mindtorch_npu.accelerator_device import require
from mindtorch_npu.accelerator_memory import empty_cache, empty_host_cache
from mindtorch_npu.block_pool import PoolId
from mindtorch_npu.graphs import NPUGraph

__all__ = ["Graph"]


class Graph(NPUGraph):
    """Work that was captured; as a context it captures what the current stream is given.

    :param keep_graph: :meth:`instantiate` is called by whoever captures, or by the first
        :meth:`replay`.
    :param pool: the pool of memory to share; default one of its own.
    :param capture_error_mode: what may not be done meanwhile: ``"global"``, which is the default,
        ``"thread_local"`` or ``"relaxed"``.

    Raises RuntimeError where there is no accelerator.
    """

    __module__ = "torch.accelerator.graphs"

    graph_pool: PoolId | None
    capture_error_mode: str

    def __new__(
        cls,
        keep_graph: bool = False,
        *,
        pool: PoolId | None = None,
        capture_error_mode: str = "default",
    ) -> Self:
        require()
        made = super().__new__(cls, keep_graph)
        made.graph_pool = pool
        made.capture_error_mode = capture_error_mode
        return made

    def capture_begin(self) -> None:  # type: ignore[override]  # torch has it so
        """Begin to capture the current stream, with the pool and the mode of this graph."""
        mode = self.capture_error_mode
        super().capture_begin(self.graph_pool, "global" if mode == "default" else mode)

    def __enter__(self) -> None:
        devices.synchronize()
        empty_cache()
        empty_host_cache()
        self.capture_begin()

    def __exit__(self, *exc_info: object) -> None:
        self.capture_end()
