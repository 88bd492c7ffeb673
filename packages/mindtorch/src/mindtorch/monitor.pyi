# Written by `python -m tests.stubs --write`; see tests/stubs.
from mindtorch.tensor.types import _str
from typing import Any
from mindtorch._C._monitor import Aggregation as Aggregation
from mindtorch._C._monitor import Aggregation as _Aggregation
from mindtorch._C._monitor import Event as Event
from mindtorch._C._monitor import EventHandlerHandle as EventHandlerHandle
from mindtorch._C._monitor import Stat as Stat
from mindtorch._C._monitor import _WaitCounter as _WaitCounter
from mindtorch._C._monitor import data_value_t as data_value_t
from mindtorch._C._monitor import log_event as log_event
from mindtorch._C._monitor import register_event_handler as register_event_handler
from mindtorch._C._monitor import unregister_event_handler as unregister_event_handler
from mindtorch.utils.tensorboard import SummaryWriter

COUNT: _Aggregation
MAX: _Aggregation
MEAN: _Aggregation
MIN: _Aggregation
STAT_EVENT: _str
SUM: _Aggregation
class TensorboardEventHandler:
    _writer: Any

    def __init__(self, writer: SummaryWriter) -> None:
        ...

    def __call__(self, event: Event) -> None:
        ...
VALUE: _Aggregation
