"""``torch.monitor``: events, and statistics that are told as events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindtorch._C._monitor import (
    COUNT,
    MAX,
    MEAN,
    MIN,
    SUM,
    VALUE,
    Aggregation,
    Event,
    EventHandlerHandle,
    Stat,
    data_value_t,
    log_event,
    register_event_handler,
    unregister_event_handler,
)
from mindtorch._C._monitor import _WaitCounter as _WaitCounter

if TYPE_CHECKING:
    from mindtorch.utils.tensorboard import SummaryWriter

STAT_EVENT = "torch.monitor.Stat"

__all__ = [
    "Aggregation",
    "COUNT",
    "Event",
    "EventHandlerHandle",
    "MAX",
    "MEAN",
    "MIN",
    "STAT_EVENT",
    "SUM",
    "Stat",
    "TensorboardEventHandler",
    "VALUE",
    "data_value_t",
    "log_event",
    "register_event_handler",
    "unregister_event_handler",
]


class TensorboardEventHandler:
    """Writes the values of statistics to TensorBoard.

    :param writer: a ``torch.utils.tensorboard.SummaryWriter``.
    """

    def __init__(self, writer: SummaryWriter) -> None:
        self._writer = writer

    def __call__(self, event: Event) -> None:
        if event.name == STAT_EVENT:
            for k, v in event.data.items():
                self._writer.add_scalar(k, v, walltime=event.timestamp.timestamp())
