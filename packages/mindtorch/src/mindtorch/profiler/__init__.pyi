# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import _pattern_matcher as _pattern_matcher
from . import _utils as _utils
from . import execution_trace as execution_trace
from . import itt as itt
from . import profiler as profiler
from . import schedules as schedules
from mindtorch._C._autograd import kineto_available as kineto_available
from mindtorch._C._profiler import ProfilerActivity as ProfilerActivity
from mindtorch._C._profiler_events import DeviceType as DeviceType
from mindtorch.autograd.profiler_ranges import record_function as record_function
from mindtorch.optim.optimizer import Optimizer
from mindtorch.profiler.execution_trace import ExecutionTraceObserver as ExecutionTraceObserver
from mindtorch.profiler.profiler import profile as profile
from mindtorch.profiler.profiler import supported_activities as supported_activities
from mindtorch.profiler.schedules import ProfilerAction as ProfilerAction
from mindtorch.profiler.schedules import schedule as schedule
from mindtorch.profiler.schedules import tensorboard_trace_handler as tensorboard_trace_handler
from typing import Any

def _optimizer_post_hook(optimizer: Optimizer, args: tuple[Any, ...], kwargs: Any) -> None: ...
