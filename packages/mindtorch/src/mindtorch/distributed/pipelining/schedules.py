"""``torch.distributed.pipelining.schedules``: in which order stages run microbatches."""

from __future__ import annotations

import json
from typing import Any

from ._actions import (  # noqa: F401  (torch has all of these here)
    BACKWARD_INPUT,
    BACKWARD_WEIGHT,
    FORWARD,
    FULL_BACKWARD,
    OVERLAP_F_B,
    RECV_B,
    RECV_F,
    REDUCE_GRAD,
    RESHARD,
    SEND_B,
    SEND_F,
    UNSHARD,
    B,
    F,
    I,
    W,
    _Action,
    _action_regex,
    _ComputationType,
    _format_pipeline_order,
    _get_profiler_function_name,
)
from ._batched_messages import _batch_p2p, _sorted_batch_p2p, _wait_batch_p2p  # noqa: F401  (likewise)
from ._looped_schedules import (  # noqa: F401  (likewise)
    ScheduleInterleaved1F1B,
    ScheduleInterleavedZeroBubble,
    ScheduleLoopedBFS,
    _get_1f1b_rank_ops,
    _get_warmup_ops,
)
from ._multi_stage_schedules import PipelineScheduleMulti
from ._schedule_base import _PipelineSchedule  # noqa: F401  (likewise)
from ._schedule_checks import (  # noqa: F401  (likewise)
    _check_torch_compile_compatibility,
    _validate_schedule,
)
from ._schedule_passes import (  # noqa: F401  (likewise)
    _add_reduce_grad,
    _add_send_recv,
    _add_unshard_reshard,
    _defer_recv_ops,
    _merge_bw,
    _requires_reduce_grad,
    _simulate_comms_compute,
)
from ._schedule_runtime import (  # noqa: F401  (likewise)
    _CustomFunctionProtocol,
    _PipelineContext,
    _PipelineScheduleRuntime,
)
from ._single_stage_schedules import (  # noqa: F401  (likewise)
    PipelineScheduleSingle,
    Schedule1F1B,
    ScheduleGPipe,
    _ScheduleForwardOnly,
)
from ._v_schedules import ScheduleDualPipeV, ScheduleZBVZeroBubble

__all__ = [
    "PipelineScheduleMulti",
    "PipelineScheduleSingle",
    "Schedule1F1B",
    "ScheduleDualPipeV",
    "ScheduleGPipe",
    "ScheduleInterleaved1F1B",
    "ScheduleInterleavedZeroBubble",
    "ScheduleLoopedBFS",
    "ScheduleZBVZeroBubble",
    "get_schedule_class",
]

#: Schedules by the names that configurations have for them.
_BY_NAME: dict[str, Any] = {
    "1F1B": Schedule1F1B,
    "Interleaved1F1B": ScheduleInterleaved1F1B,
    "GPipe": ScheduleGPipe,
    "LoopedBFS": ScheduleLoopedBFS,
    "InterleavedZeroBubble": ScheduleInterleavedZeroBubble,
    "PipelineScheduleSingle": PipelineScheduleSingle,
    "PipelineScheduleMulti": PipelineScheduleMulti,
    "ZBVZeroBubble": ScheduleZBVZeroBubble,
    "DualPipeV": ScheduleDualPipeV,
}


def get_schedule_class(schedule_name: str) -> Any:
    """Find the class of a schedule by its name, in any case. Raises ValueError for other names."""
    for name, schedule in _BY_NAME.items():
        if name.lower() == schedule_name.lower():
            return schedule
    raise ValueError(
        f"Unknown schedule name '{schedule_name}'. The valid options are {list(_BY_NAME)}"
    )


def _dump_chrometrace(schedule: Any, filename: str) -> None:
    """Write a schedule, a step to a microsecond, for the viewer of Chrome's traces."""
    events = [
        {
            "name": str(action),
            "cat": "computation" if action.computation_type in (F, B, W) else "communication",
            "ph": "X",
            "pid": rank,
            "tid": rank,
            "ts": step,
            "dur": 1,
        }
        for rank in sorted(schedule)
        for step, action in enumerate(schedule[rank])
        if action is not None
    ]
    with open(filename, "w") as file:
        json.dump({"traceEvents": events}, file)
