"""Schedules of stages that are dealt out to the ranks in turn, again and again."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from ._actions import (
    BACKWARD_INPUT,
    BACKWARD_WEIGHT,
    FORWARD,
    FULL_BACKWARD,
    _Action,
    _ComputationType,
)
from ._computed_schedules import _ComputedSchedule, _Numbered
from ._multi_stage_schedules import Order
from ._schedule_checks import _check_torch_compile_compatibility
from .stage import _PipelineStageBase

__all__ = ["ScheduleInterleaved1F1B", "ScheduleInterleavedZeroBubble", "ScheduleLoopedBFS"]


class ScheduleLoopedBFS(_ComputedSchedule):
    """Breadth first: all microbatches of a rank's first stage, then of its next one.

    Source: https://arxiv.org/abs/2211.05953.
    """

    def __init__(
        self,
        stages: list[_PipelineStageBase],
        n_microbatches: int,
        loss_fn: Callable[..., Any] | None = None,
        output_merge_spec: dict[str, Any] | tuple[Any] | None = None,
        scale_grads: bool = True,
        backward_requires_autograd: bool = True,
        defer_pp_recv: bool = False,
    ) -> None:
        super().__init__(
            stages,
            n_microbatches,
            loss_fn,
            output_merge_spec=output_merge_spec,
            scale_grads=scale_grads,
            backward_requires_autograd=backward_requires_autograd,
            defer_pp_recv=defer_pp_recv,
        )

    def _calculate_single_rank_operations(self, rank: int) -> Order:
        size, numbers = self.pp_group_size, range(self._n_microbatches)
        stages = range(rank, size * self.n_local_stages, size)
        order: Order = [None] * rank
        order += [_Action(stage, FORWARD, i) for stage in stages for i in numbers]
        order += [None] * (2 * (size - 1 - rank))  # until the first gradient comes up
        order += [
            _Action(stage, FULL_BACKWARD, i)
            for stage in reversed(stages)
            for i in reversed(numbers)
        ]
        return order


def _get_1f1b_rank_ops(
    n_local_stages: int,
    pp_group_size: int,
    warmup_ops: int,
    fwd_bwd_ops: int,
    cooldown_ops: int,
    rank: int,
    forward_stage_index: Callable[[int], int],
    backward_stage_index: Callable[[int], int],
    num_1f1b_microbatches: int = 0,
    enable_zero_bubble: bool = False,
) -> Order:
    """One forward, one backward: what a rank computes, step by step.

    :param warmup_ops: how many forwards come before the first backward.
    :param fwd_bwd_ops: how many pairs of both follow.
    :param cooldown_ops: how many backwards are left then.
    :param forward_stage_index: the stage of the forward of each step.
    :param backward_stage_index: the stage of the backward of each step.
    :param num_1f1b_microbatches: how many backwards of inputs come before the first of weights.
    :param enable_zero_bubble: whether backwards of inputs and of weights are apart.
    """
    kind = BACKWARD_INPUT if enable_zero_bubble else FULL_BACKWARD
    gap = n_local_stages * pp_group_size + 2 * (pp_group_size - 1 - rank) - (warmup_ops + rank)
    if enable_zero_bubble:
        gap = pp_group_size - rank - 1
    made = _Numbered(bubbles=rank)
    weights: deque[int] = deque()
    for op in range(warmup_ops + fwd_bwd_ops + cooldown_ops):
        if op < warmup_ops:
            made.add(forward_stage_index(op), FORWARD)
            if op == warmup_ops - 1:
                made.order += [None] * gap  # until the first gradient comes up
            continue
        if op < warmup_ops + fwd_bwd_ops:
            made.add(forward_stage_index(op), FORWARD)
        elif not enable_zero_bubble:
            made.order.append(None)  # others still go forward
        stage = backward_stage_index(op)
        made.add(stage, kind)
        if enable_zero_bubble:
            weights.append(stage)
            if op - warmup_ops >= num_1f1b_microbatches:
                made.add(weights.popleft(), BACKWARD_WEIGHT)
    for stage in weights:
        made.add(stage, BACKWARD_WEIGHT)
    return made.order


def _get_warmup_ops(
    rank: int,
    n_local_stages: int,
    microbatches_per_round: int,
    pp_group_size: int,
    n_microbatches: int,
    multiply_factor: int = 2,
) -> int:
    """How many forwards a rank runs before its first backward: more, the further from the end.

    :param multiply_factor: how many more for each rank.
    """
    last = (n_local_stages - 1) * microbatches_per_round
    wanted = last + multiply_factor * (pp_group_size - 1 - rank)
    return min(wanted, n_microbatches * n_local_stages)


class _InterleavedSchedule(_ComputedSchedule):
    """Rounds of microbatches that go through all stages of a rank."""

    #: What errors call it, and how many more forwards come first for each rank.
    _NAME: str
    _MORE: int

    def _check_numbers(self) -> None:
        n = self._n_microbatches
        self.number_of_rounds = max(1, n // self.pp_group_size)
        self.microbatches_per_round = n // self.number_of_rounds
        if n % self.number_of_rounds != 0:
            raise ValueError(
                f"{self._NAME} requires the number of microbatches to be a multiple of the number "
                f"of rounds ({self.number_of_rounds}), but got {n}."
            )

    def _interleaved(self, rank: int, *apart: Any) -> Order:
        """What a rank computes: see :func:`_get_1f1b_rank_ops`, which gets *apart*, too."""
        stages, size, n = self.n_local_stages, self.pp_group_size, self._n_microbatches
        each = self.microbatches_per_round
        ahead = _get_warmup_ops(rank, stages, each, size, n, self._MORE)
        return _get_1f1b_rank_ops(
            stages,
            size,
            ahead,
            stages * n - ahead,
            ahead,
            rank,
            lambda op: op // each % stages * size + rank,
            lambda op: (stages - 1 - (op - ahead) // each % stages) * size + rank,
            *apart,
        )


class ScheduleInterleaved1F1B(_InterleavedSchedule):
    """One forward, one backward, for ranks with several stages; earlier microbatches come first.

    There are as many rounds as microbatches fill all ranks; their number has to divide that of the
    microbatches. Source: https://arxiv.org/pdf/2104.04473.
    """

    _NAME, _MORE = "Interleaved 1F1B", 2

    def _calculate_single_rank_operations(self, rank: int) -> Order:
        return self._interleaved(rank)


class ScheduleInterleavedZeroBubble(_InterleavedSchedule):
    """One forward, one backward; gradients of weights are computed where the rank would wait.

    It is the schedule ZB1P of https://arxiv.org/pdf/2401.10241.
    """

    _NAME, _MORE = "Zero bubble", 1

    def _check_numbers(self) -> None:
        _check_torch_compile_compatibility(self._stages, type(self).__name__)
        super()._check_numbers()

    def _calculate_single_rank_operations(self, rank: int) -> Order:
        return self._interleaved(rank, rank, True)

    def _computed_order(self) -> dict[int, Order]:
        self.pipeline_order = super()._computed_order()
        return self._add_bubbles_to_actions(self.n_local_stages * self.pp_group_size)

    def _add_bubbles_to_actions(self, num_stages_global: int) -> dict[int, Order]:
        """Let ranks wait where what they need is not computed yet."""
        done: set[tuple[int, _ComputationType, int]] = set()
        made: dict[int, Order] = {rank: [] for rank in range(self.pp_group_size)}
        left = {rank: deque(self.pipeline_order[rank]) for rank in made}

        def waits(action: _Action) -> bool:
            stage, kind, number = action[:3]
            if number is None or kind not in (FORWARD, FULL_BACKWARD):
                return False
            if kind is FORWARD:
                return stage != 0 and (stage - 1, kind, number) not in done
            if stage == num_stages_global - 1:
                return (stage, FORWARD, number) not in done
            return (stage + 1, kind, number) not in done

        while any(left.values()):
            now = set()
            for rank, actions in left.items():
                if not actions:
                    continue
                action = actions[0]
                if action is not None and waits(action):
                    made[rank].append(None)
                    continue
                made[rank].append(actions.popleft())
                if action is not None and action.microbatch_index is not None:
                    now.add((action.stage_index, action.computation_type, action.microbatch_index))
            done |= now
        return made
