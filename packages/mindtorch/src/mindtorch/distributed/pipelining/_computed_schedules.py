"""Schedules whose order is computed from the numbers of ranks, stages and microbatches."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable
from typing import Any

from ._actions import _Action, _ComputationType
from ._multi_stage_schedules import Order
from ._schedule_runtime import _PipelineScheduleRuntime
from .microbatch import TensorChunkSpec
from .stage import _PipelineStageBase

__all__ = ["_ComputedSchedule", "_Numbered"]


class _Numbered:
    """The actions of a rank in the making: those of a kind and a stage take one microbatch each."""

    def __init__(self, bubbles: int = 0) -> None:
        self.order: Order = [None] * bubbles
        self.counts: Counter[tuple[int, _ComputationType]] = Counter()

    def take(self, stage: int, kind: _ComputationType) -> int:
        """The next microbatch."""
        number = self.counts[stage, kind]
        self.counts[stage, kind] += 1
        return number

    def add(self, stage: int, *kinds: _ComputationType) -> None:
        """Let a stage do these things, each with the next microbatch."""
        self.order += [_Action(stage, kind, self.take(stage, kind)) for kind in kinds]


class _ComputedSchedule(_PipelineScheduleRuntime):
    """A schedule that says of each rank what it computes; the rest follows from that."""

    def __init__(
        self,
        stages: list[_PipelineStageBase],
        n_microbatches: int,
        loss_fn: Callable[..., Any] | None = None,
        args_chunk_spec: tuple[TensorChunkSpec, ...] | None = None,
        kwargs_chunk_spec: dict[str, TensorChunkSpec] | None = None,
        output_merge_spec: dict[str, Any] | tuple[Any] | None = None,
        scale_grads: bool = True,
        backward_requires_autograd: bool = True,
        defer_pp_recv: bool = False,
    ) -> None:
        super().__init__(
            stages=stages,
            n_microbatches=n_microbatches,
            loss_fn=loss_fn,
            args_chunk_spec=args_chunk_spec,
            kwargs_chunk_spec=kwargs_chunk_spec,
            output_merge_spec=output_merge_spec,
            scale_grads=scale_grads,
            backward_requires_autograd=backward_requires_autograd,
            defer_pp_recv=defer_pp_recv,
        )
        self.n_local_stages = len(stages)
        self._check_numbers()
        self.pipeline_order = self._computed_order()
        self._prepare_schedule_with_comms(self.pipeline_order)

    def _check_numbers(self) -> None:
        """Raise ValueError for numbers that there is no such schedule of."""

    def _computed_order(self) -> dict[int, Order]:
        ranks = range(self.pp_group_size)
        return {rank: self._calculate_single_rank_operations(rank) for rank in ranks}

    @abstractmethod
    def _calculate_single_rank_operations(self, rank: int) -> Order:
        """What a rank computes, step by step."""
