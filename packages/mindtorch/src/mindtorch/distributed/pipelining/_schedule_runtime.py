"""Runs schedules that say when to send and receive: each rank in its own time."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from ...autograd.profiler import record_function
from ..fsdp import FSDPModule, UnshardHandle
from ._actions import (
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
    _Action,
    _ComputationType,
    _format_pipeline_order,
    _get_profiler_function_name,
)
from ._batched_messages import _batch_p2p, _wait_batch_p2p
from ._multi_stage_schedules import Order, PipelineScheduleMulti, _read, _write
from ._schedule_base import _PipelineSchedule, logger
from ._schedule_passes import (
    _add_reduce_grad,
    _add_send_recv,
    _add_unshard_reshard,
    _defer_recv_ops,
    _simulate_comms_compute,
)
from .stage import _PipelineStageBase

__all__ = ["_PipelineContext", "_PipelineScheduleRuntime"]

Format = Literal["compute_only", "compute_comms"]
_OF_STAGES = (UNSHARD, RESHARD, REDUCE_GRAD)


@dataclass
class _PipelineContext:
    """What a registered function gets with its action: the schedule and the microbatches."""

    schedule_ref: _PipelineSchedule
    arg_mbs: list[Any] | None = None
    kwarg_mbs: list[Any] | None = None
    target_mbs: list[Any] | None = None
    losses: list[Any] | None = None


class _CustomFunctionProtocol(Protocol):
    """What runs actions of a kind in place of the schedule."""

    def __call__(self, action: _Action, ctx: _PipelineContext) -> None: ...


class _PipelineScheduleRuntime(PipelineScheduleMulti):
    """A schedule whose actions include sending, receiving and gathering of parameters.

    Subclasses make one and call ``_prepare_schedule_with_comms``; ``_load_csv`` reads one.

    :param defer_pp_recv: receive as late as can be, not as early.

    The other parameters are those of schedules of several stages.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._defer_pp_recv: bool = kwargs.pop("defer_pp_recv", False)
        super().__init__(*args, **kwargs)
        self._comp_type_to_function_map: dict[_ComputationType, Callable[..., None]] = {}
        self.backward_counter: Counter[int] = Counter()
        #: By stage and microbatch, what is being received.
        self.bwd_recv_ops: dict[tuple[int, int], list[Any]] = {}
        self.fwd_recv_ops: dict[tuple[int, int], list[Any]] = {}
        #: By stage, parameters that are being gathered; and the stages whose parameters are there.
        self.unshard_ops: dict[int, list[UnshardHandle]] = defaultdict(list)
        self.unsharded_stages: set[int] = set()

    def register_custom_function(
        self, computation_type: _ComputationType, custom_function: _CustomFunctionProtocol
    ) -> None:
        """Let a function run all actions of a kind. Raises ValueError for sending and receiving."""
        if computation_type in (SEND_F, RECV_F, SEND_B, RECV_B):
            gap = " " * 17  # torch's text goes on in another line
            raise ValueError(
                f"Invalid computation type {computation_type}. Only FORWARD, FULL_BACKWARD,{gap}"
                "BACKWARD_INPUT, BACKWARD_WEIGHT, OVERLAP_F_B, UNSHARD, RESHARD and REDUCE_GRAD "
                "are supported."
            )
        if computation_type in self._comp_type_to_function_map:
            logger.warning(
                "Computation type %s is already registered. "
                "Overwriting the existing custom function.",
                computation_type,
            )
        self._comp_type_to_function_map[computation_type] = custom_function

    # Making a schedule

    def _prepare_schedule_with_comms(
        self, actions: dict[int, Order], format: Format = "compute_only"
    ) -> None:
        """Take a schedule; one that only computes is completed.

        Raises AssertionError for what is no schedule, ValueError for one that is said to compute
        only and does not.
        """
        self._validate_and_set_stage_mapping(actions)
        if format == "compute_comms":
            self.pipeline_order_with_comms = {r: _complete(order) for r, order in actions.items()}
        elif format == "compute_only":
            for rank, order in actions.items():
                _check_computes(rank, order)
            self.pipeline_order_with_comms = self._completed(actions)
        else:
            raise NotImplementedError(f"{format=} is not implemented")

    def _completed(self, actions: dict[int, Order]) -> dict[int, list[_Action]]:
        ranks = self.stage_index_to_group_rank
        orders: dict[int, Any] = {
            rank: _add_reduce_grad(_add_unshard_reshard(order), self._n_microbatches)
            for rank, order in actions.items()
        }
        made = _add_send_recv(orders, ranks.__getitem__, self._num_stages)
        return _defer_recv_ops(made, ranks.__getitem__) if self._defer_pp_recv else made

    def _load_csv(self, filename: str, format: Format = "compute_only") -> None:
        """Read a schedule from a file: one that only computes, or all of one."""
        if format == "compute_only":
            super()._load_csv(filename)
            self._prepare_schedule_with_comms(self.pipeline_order)
        elif format == "compute_comms":
            self._prepare_schedule_with_comms(_read(filename), format=format)
        else:
            raise NotImplementedError(f"{format=} is not implemented")

    def _dump_csv(self, filename: str, format: Format = "compute_comms") -> None:
        """Write the schedule to a file, a line for each rank: all of it, or what computes."""
        if format == "compute_only":
            if self.pipeline_order is None:
                raise AssertionError("Compute only schedule must be available")
            _write(filename, self.pipeline_order)
        elif format == "compute_comms":
            if self.pipeline_order_with_comms is None:
                raise AssertionError("Must initialize compute_comms schedule before dump_csv")
            _write(filename, self.pipeline_order_with_comms)

    def _simulate(self) -> dict[int, Order]:
        """What each rank does in each step if all take as long."""
        ranks = self.stage_index_to_group_rank
        order = self.pipeline_order_with_comms
        return _simulate_comms_compute(order, ranks.__getitem__, self._num_stages)

    # Running it

    def _assert_unsharded(self, stage: _PipelineStageBase) -> None:
        """Wait until the parameters of a sharded stage are there.

        Raises AssertionError where nobody has asked for them.
        """
        if not isinstance(stage.submod, FSDPModule):
            return
        stage_idx = stage.stage_index
        if stage_idx in self.unshard_ops:
            for op in self.unshard_ops.pop(stage_idx):
                op.wait()
            self.unsharded_stages.add(stage_idx)
        if stage_idx not in self.unsharded_stages:
            raise AssertionError(f"Attempted to compute on sharded {stage_idx=}")

    def _step_microbatches(
        self,
        arg_mbs: list[Any] | None = None,
        kwarg_mbs: list[Any] | None = None,
        target_mbs: list[Any] | None = None,
        losses: list[Any] | None = None,
        return_outputs: bool = True,
        loss_kwargs: dict[str, Any] | None = None,
    ) -> None:
        arg_mbs, kwarg_mbs = self._check_inputs(arg_mbs, kwarg_mbs, target_mbs, losses)
        first = target_mbs[0] if target_mbs is not None else None
        self._initialize_stages(arg_mbs[0], kwarg_mbs[0], first, loss_kwargs)
        if self.pipeline_order_with_comms is None:
            raise AssertionError(
                "Must call _prepare_schedule_with_comms() before calling _step_microbatches()"
            )
        self.backward_counter.clear()
        context = _PipelineContext(self, arg_mbs, kwarg_mbs, target_mbs, losses)
        step = _Step(self, context, return_outputs, loss_kwargs)
        for time_step, action in enumerate(self.pipeline_order_with_comms[self.rank]):
            try:
                with record_function(_get_profiler_function_name(action)):
                    step.run(action)
            except Exception:
                logger.error(
                    "_PipelineScheduleRuntime caught exception at step %s when running action %s.  "
                    "Full Schedule:",
                    time_step,
                    action,
                )
                logger.error(
                    _format_pipeline_order(
                        self.pipeline_order_with_comms, error_step_number=time_step
                    )
                )
                raise
        while step.sent:
            _wait_batch_p2p(step.sent.pop())
        if self.unshard_ops:
            raise AssertionError("Unused unshard operations")
        self._update_losses(self._stages, losses)


def _complete(order: Order) -> list[_Action]:
    for action in order:
        if action is None:
            raise AssertionError(f"Expected action to be not None, got {type(action)}")
    return [action for action in order if action is not None]


def _check_computes(rank: int, order: Order) -> None:
    for i, action in enumerate(order):
        if action is not None and not action.is_compute_op:
            raise ValueError(
                f"Expected compute-only schedule but found communication action '{action}' at rank "
                f"{rank}, position {i}. Communication actions (e.g. SEND_F, RECV_F, etc.) should "
                "not be present when format='compute_only'."
            )


class _Step:
    """The actions of one rank in one step."""

    def __init__(
        self,
        schedule: _PipelineScheduleRuntime,
        context: _PipelineContext,
        return_outputs: bool,
        loss_kwargs: Any,
    ) -> None:
        self._schedule, self._context = schedule, context
        self._return_outputs, self._loss_kwargs = return_outputs, loss_kwargs
        self._stages = {stage.stage_index: stage for stage in schedule._stages}
        #: What has been sent, to be waited for at the end.
        self.sent: list[list[Any]] = []

    def run(self, action: _Action) -> None:
        """Do one action, or those that overlap, unless a registered function does."""
        registered = self._schedule._comp_type_to_function_map.get(action.computation_type)
        if registered is not None:
            registered(action, self._context)
        elif action.computation_type is OVERLAP_F_B:
            if action.sub_actions is None:
                raise AssertionError("sub_actions must be set")
            for part in action.sub_actions:
                self._perform(part)
        else:
            self._perform(action)

    def _perform(self, action: _Action) -> None:
        kind = action.computation_type
        if action.microbatch_index is None and kind not in _OF_STAGES:
            raise AssertionError(f"{action=} missing mb_index")
        stage = self._stages[action.stage_index]
        i = -1 if action.microbatch_index is None else action.microbatch_index
        if kind in (SEND_F, SEND_B):
            forward = kind is SEND_F
            ops = stage.get_fwd_send_ops(i) if forward else stage.get_bwd_send_ops(i)
            self.sent.append(_batch_p2p(ops))
        elif kind in (RECV_F, RECV_B):
            self._receive(stage, i, kind is RECV_F)
        elif kind is UNSHARD:
            self._unshard(stage)
        elif kind is RESHARD:
            self._reshard(stage)
        elif kind is FORWARD:
            self._forward(stage, i, action)
        elif kind in (FULL_BACKWARD, BACKWARD_INPUT):
            self._backward(stage, i, action)
        elif kind is BACKWARD_WEIGHT:
            self._schedule._assert_unsharded(stage)
            stage.backward_weight_one_chunk(i, last_backward=self._is_last_backward(stage))
        elif kind is REDUCE_GRAD:
            stage.perform_reduce_grad(self._schedule._grad_scale_factor)
        else:
            raise ValueError(f"{action=} is unknown or unsupported")

    def _is_last_backward(self, stage: _PipelineStageBase) -> bool:
        counts = self._schedule.backward_counter
        counts[stage.stage_index] += 1
        return counts[stage.stage_index] == self._schedule._n_microbatches

    def _receive(self, stage: _PipelineStageBase, mb_index: int, forward: bool) -> None:
        stage_idx = stage.stage_index
        schedule = self._schedule
        received = schedule.fwd_recv_ops if forward else schedule.bwd_recv_ops
        if (stage_idx, mb_index) in received:
            what = "forward" if forward else "backward"
            raise AssertionError(
                f"Recv twice for {stage_idx=} {mb_index=} without executing {what}"
            )
        ops = stage.get_fwd_recv_ops(mb_index) if forward else stage.get_bwd_recv_ops(mb_index)
        received[stage_idx, mb_index] = _batch_p2p(ops)

    def _forward(self, stage: _PipelineStageBase, i: int, action: _Action) -> None:
        schedule, context, at = self._schedule, self._context, stage.stage_index
        schedule._assert_unsharded(stage)
        if not stage.is_first and at - 1 not in self._stages:
            if (at, i) not in schedule.fwd_recv_ops:
                raise AssertionError(f"Computing {action=} before receiving input")
            _wait_batch_p2p(schedule.fwd_recv_ops.pop((at, i)))
        assert context.arg_mbs is not None and context.kwarg_mbs is not None
        output = stage.forward_one_chunk(
            i, context.arg_mbs[i], context.kwarg_mbs[i], save_forward_output=self._return_outputs
        )
        schedule._maybe_compute_loss(stage, output, context.target_mbs, i, self._loss_kwargs)
        if at + 1 in self._stages:  # in a V nothing is sent there
            self._stages[at + 1].set_local_fwd_input(output, i)

    def _backward(self, stage: _PipelineStageBase, i: int, action: _Action) -> None:
        schedule, at = self._schedule, stage.stage_index
        schedule._assert_unsharded(stage)
        if not stage.is_last and at + 1 not in self._stages:
            if (at, i) not in schedule.bwd_recv_ops:
                raise AssertionError(f"Attempted to run compute {action=} before receiving input")
            _wait_batch_p2p(schedule.bwd_recv_ops.pop((at, i)))
        full = action.computation_type is FULL_BACKWARD
        loss = schedule._maybe_get_loss(stage, i)
        last = full and self._is_last_backward(stage)
        stage.backward_one_chunk(i, loss=loss, full_backward=full, last_backward=last)
        if at - 1 in self._stages:
            self._stages[at - 1].set_local_bwd_input(stage.get_local_bwd_output(i), i)

    def _unshard(self, stage: _PipelineStageBase) -> None:
        stage_idx, schedule = stage.stage_index, self._schedule
        if not isinstance(stage.submod, FSDPModule):
            return
        if stage_idx in schedule.unsharded_stages or stage_idx in schedule.unshard_ops:
            raise AssertionError(f"Unsharding the same {stage_idx=} twice")
        for module in stage.submod.modules():
            if isinstance(module, FSDPModule):
                handle = module.unshard(async_op=True)
                assert handle is not None
                schedule.unshard_ops[stage_idx].append(handle)

    def _reshard(self, stage: _PipelineStageBase) -> None:
        stage_idx, schedule = stage.stage_index, self._schedule
        if not isinstance(stage.submod, FSDPModule):
            return
        if stage_idx not in schedule.unsharded_stages:
            raise AssertionError(f"Resharding {stage_idx=} without unsharding")
        if stage_idx in schedule.unshard_ops:
            raise AssertionError(f"Resharding {stage_idx=} before finishing unshard")
        for module in stage.submod.modules():
            if isinstance(module, FSDPModule):
                module.reshard()
        schedule.unsharded_stages.remove(stage_idx)
