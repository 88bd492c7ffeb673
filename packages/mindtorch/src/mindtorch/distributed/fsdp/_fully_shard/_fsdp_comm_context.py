"""What groups of parameters under one root have in common."""

from __future__ import annotations

from typing import Any

from ._fsdp_collectives import handle_of
from ._fsdp_common import TrainingState

__all__ = ["FSDPCommContext"]


class FSDPCommContext:
    """What groups under one root have in common: all exchanges run on the current stream."""

    def __init__(self) -> None:
        self.device: Any = None
        #: In the order of forward, for what backward needs next.
        self.post_forward_order: list[Any] = []
        self.reduce_scatter_max_input_buffers = 1

    def lazy_init(self, device: Any) -> None:
        """Take *device* as the one whose current stream is used."""
        self.device = device

    def _current(self) -> Any:
        if self.device is None or self.device.type == "cpu":
            return None
        return handle_of(self.device).current_stream()

    all_gather_copy_in_stream = property(_current)
    all_gather_stream = property(_current)
    reduce_scatter_stream = property(_current)
    all_reduce_stream = property(_current)

    def get_all_gather_streams(
        self, async_op: bool, training_state: TrainingState
    ) -> tuple[Any, Any]:
        """The streams on which parts are laid together and gathered."""
        return self.all_gather_copy_in_stream, self.all_gather_stream
