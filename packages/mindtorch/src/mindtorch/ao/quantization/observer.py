"""``torch.ao.quantization.observer``: names of ``torch.ao.quantization``."""

from __future__ import annotations

from . import (
    HistogramObserver,
    MinMaxObserver,
    MovingAverageMinMaxObserver,
    MovingAveragePerChannelMinMaxObserver,
    NoopObserver,
    ObserverBase,
    PerChannelMinMaxObserver,
    PlaceholderObserver,
    RecordingObserver,
    get_observer_state_dict,
    load_observer_state_dict,
)

__all__ = [
    "HistogramObserver",
    "MinMaxObserver",
    "MovingAverageMinMaxObserver",
    "MovingAveragePerChannelMinMaxObserver",
    "NoopObserver",
    "ObserverBase",
    "PerChannelMinMaxObserver",
    "PlaceholderObserver",
    "RecordingObserver",
    "get_observer_state_dict",
    "load_observer_state_dict",
]
