"""Schedules of ranks with several stages each, step by step in time with their neighbours."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Literal

from ._actions import B, F, I, W, _Action, _format_pipeline_order
from ._batched_messages import _batch_p2p, _wait_batch_p2p
from ._receiving import _RecvInfo
from ._schedule_base import _PipelineSchedule, logger
from ._schedule_checks import _validate_schedule
from ._utils import generate_stage_to_rank_mapping
from .microbatch import TensorChunkSpec
from .stage import _PipelineStageBase

__all__ = ["PipelineScheduleMulti"]

Order = list[_Action | None]


class PipelineScheduleMulti(_PipelineSchedule):
    """A schedule of several stages; subclasses, or a file, say what each rank does in each step.

    :param stages: those of this rank.
    :param backward_requires_autograd: False: backward may run under ``no_grad``, for stages that
        have one of their own.

    The other parameters are those of all schedules.
    """

    def __init__(
        self,
        stages: list[_PipelineStageBase],
        n_microbatches: int,
        loss_fn: Callable[..., Any] | None = None,
        args_chunk_spec: tuple[TensorChunkSpec, ...] | None = None,
        kwargs_chunk_spec: dict[str, TensorChunkSpec] | None = None,
        output_merge_spec: dict[str, Any] | tuple[Any] | None = None,
        use_full_backward: bool | None = None,
        scale_grads: bool = True,
        backward_requires_autograd: bool = True,
    ) -> None:
        super().__init__(
            n_microbatches,
            loss_fn,
            args_chunk_spec,
            kwargs_chunk_spec,
            output_merge_spec,
            scale_grads,
        )
        self._stages = stages
        self._num_stages = stages[0].num_stages
        self.pp_group_size = stages[0].group_size
        self.rank = stages[0].group_rank
        self._place_stages(generate_stage_to_rank_mapping(self.pp_group_size, self._num_stages))
        self._stages_forward_initialized = False
        self._stages_backward_initialized = False
        #: What each rank does, step by step; None where it waits.
        self.pipeline_order: dict[int, Order] = {}
        self._backward_requires_autograd = backward_requires_autograd
        if use_full_backward is not None:
            logger.warning(
                "Deprecation warning: 'use_full_backward' is no longer supported. "
                "Simply stop passing it, and everything should still work fine."
            )

    def _should_compute_loss(self, stage: _PipelineStageBase) -> bool:
        return stage.is_last and self._loss_fn is not None

    def _place_stages(self, ranks: dict[int, int]) -> None:
        """Note which rank has which stage."""
        self.stage_index_to_group_rank = ranks
        for stage in self._stages:
            stage.stage_index_to_group_rank = ranks

    def _validate_and_set_stage_mapping(self, actions: dict[int, Order]) -> None:
        self._place_stages(
            _validate_schedule(actions, self.pp_group_size, self._num_stages, self._n_microbatches)
        )

    def _initialize_stages(
        self, args: Any, kwargs: Any, target: Any = None, loss_kwargs: Any = None
    ) -> None:
        before = self._stages_forward_initialized, self._stages_backward_initialized
        ready = self._initialize_pp_stages(
            self._stages, args, kwargs, target, *before, loss_kwargs=loss_kwargs
        )
        self._stages_forward_initialized, self._stages_backward_initialized = ready
        if not before[0] or before != ready:
            self._validate_adjacent_stage_communication()

    def _validate_adjacent_stage_communication(self) -> None:
        """Raise RuntimeError for a stage that exchanges with others than its neighbours."""

        def check(stage: int, way: str, found: Iterable[int | None], allowed: set[int]) -> None:
            stages = {each for each in found if each is not None}
            if stages - allowed:
                raise RuntimeError(
                    "PipelineScheduleMulti only supports adjacent-stage communication, but stage "
                    f"{stage} has {way} stages {sorted(stages)} with non-adjacent stages "
                    f"{sorted(stages - allowed)} (allowed adjacent stages: {sorted(allowed)}). "
                    "This commonly indicates skip connections, which are unsupported in this "
                    "schedule runtime."
                )

        for stage in self._stages:
            i = stage.stage_index
            sources = [x.source for x in stage.args_recv_info[0] if isinstance(x, _RecvInfo)]
            check(i, "forward recv", sources, set() if stage.is_first else {i - 1})
            sent = [to for stages in stage.act_send_info.values() for to in stages]
            check(i, "forward send", sent, set() if stage.is_last else {i + 1})

    # Files

    def _dump_csv(self, filename: str) -> None:
        """Write the schedule to a file, a line for each rank."""
        _write(filename, self.pipeline_order)

    def _load_csv(
        self,
        filename: str,
        format: Literal["compute_only", "compute_comms"] = "compute_only",
    ) -> None:
        """Read a schedule from a file. Raises AssertionError for what is no schedule."""
        if format != "compute_only":
            raise AssertionError(f'format must be "compute_only", got {format}')
        self.pipeline_order.update(_read(filename))
        self._validate_and_set_stage_mapping(self.pipeline_order)

    # A step

    def step(
        self,
        *args: Any,
        target: Any = None,
        losses: list[Any] | None = None,
        return_outputs: bool = True,
        loss_kwargs: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> Any:
        """Run one batch: the outputs where the last stage is, else None.

        :param target: what the loss compares outputs with, where the last stage is.
        :param losses: is filled with the loss of each microbatch, where the last stage is.
        :param return_outputs: False: keep no outputs.
        :param loss_kwargs: more arguments for the loss.

        Raises RuntimeError for a backward under ``no_grad``.
        """
        return self._run(
            self._stages,
            args,
            kwargs,
            target,
            losses,
            return_outputs,
            loss_kwargs,
            needs_grad=self._backward_requires_autograd,
        )

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
        mine = {stage.stage_index: stage for stage in self._stages}
        ranks = self.stage_index_to_group_rank
        before = {ranks[i - 1] for i in mine if i > 0}
        after = {ranks[i + 1] for i in mine if i < self._num_stages - 1}
        backwards: Counter[int] = Counter()

        def compute(action: _Action) -> list[Any]:
            """Do what this rank does in a step; what it sends then."""
            i, kind = _number(action), action.computation_type
            if kind not in (F, B, I, W):
                raise ValueError(f"Unknown computation type {kind}")
            stage = mine[action.stage_index]
            if kind is F:
                output = stage.forward_one_chunk(
                    i, arg_mbs[i], kwarg_mbs[i], save_forward_output=return_outputs
                )
                self._maybe_compute_loss(stage, output, target_mbs, i, loss_kwargs)
                return stage.get_fwd_send_ops(i)
            backwards[action.stage_index] += kind is not I
            last = kind is not I and backwards[action.stage_index] == self._n_microbatches
            if kind is W:
                stage.backward_weight_one_chunk(i, last_backward=last)
            else:
                loss = self._maybe_get_loss(stage, i)
                stage.backward_one_chunk(i, loss=loss, full_backward=kind is B, last_backward=last)
            if last:
                stage.scale_grads(self._grad_scale_factor)
            return [] if kind is W else stage.get_bwd_send_ops(i)

        def receive(step: int) -> list[Any]:
            """What neighbours send in a step to stages of this rank."""
            ops: list[Any] = []
            for neighbours, kinds, way in ((before, (F,), 1), (after, (I, B), -1)):
                for rank in neighbours:
                    action = (self.pipeline_order[rank][step : step + 1] or [None])[0]
                    if action is None:
                        continue
                    i, kind = _number(action), action.computation_type
                    if kind not in (F, B, I, W):
                        raise ValueError(f"Unknown computation type {kind}")
                    stage = mine.get(action.stage_index + way)
                    if kind in kinds and stage is not None:
                        forward = kind is F
                        ops += stage.get_fwd_recv_ops(i) if forward else stage.get_bwd_recv_ops(i)
            return ops

        for step, action in enumerate(self.pipeline_order[self.rank]):
            try:
                ops = [] if action is None else compute(action)
                _wait_batch_p2p(_batch_p2p(ops + receive(step)))
            except Exception as e:
                logger.error(
                    "[Rank %s] pipeline schedule %s caught the following exception '%s' "
                    "at time_step %s when running action %s",
                    self.rank,
                    type(self).__name__,
                    e,
                    step,
                    action,
                )
                logger.error(
                    "%s", _format_pipeline_order(self.pipeline_order, error_step_number=step)
                )
                raise
        self._update_losses(self._stages, losses)


def _number(action: _Action) -> int:
    if action.microbatch_index is None:
        raise AssertionError("All currently supported action types require valid microbatch_index")
    return action.microbatch_index


def _write(filename: str, order: dict[int, Any]) -> None:
    with open(filename, "w", newline="") as file:
        csv.writer(file).writerows(order.values())


def _read(filename: str) -> dict[int, Order]:
    with open(filename, newline="") as file:
        rows = csv.reader(file)
        return {rank: [_Action.from_str(text) for text in row] for rank, row in enumerate(rows)}
