"""Schedules of two stages for each rank, which go there and back again like a V."""

from __future__ import annotations

from collections import deque

from ._actions import (
    BACKWARD_INPUT,
    BACKWARD_WEIGHT,
    FORWARD,
    FULL_BACKWARD,
    OVERLAP_F_B,
    B,
    F,
    I,
    W,
    _Action,
    _ComputationType,
)
from ._computed_schedules import _ComputedSchedule, _Numbered
from ._multi_stage_schedules import Order
from ._schedule_checks import _check_torch_compile_compatibility
from ._utils import generate_rank_to_stage_mapping, generate_stage_to_rank_mapping

__all__ = ["ScheduleDualPipeV", "ScheduleZBVZeroBubble"]


class _VSchedule(_ComputedSchedule):
    """A schedule of two stages for each rank."""

    def _check_numbers(self) -> None:
        _check_torch_compile_compatibility(self._stages, type(self).__name__)
        self._place_stages(
            generate_stage_to_rank_mapping(self.pp_group_size, self._num_stages, style="v")
        )
        if self.n_local_stages != 2:
            raise ValueError(
                f"ZBV requires exactly 2 stages per rank, but got {self.n_local_stages}."
            )
        self.num_stages = self._num_stages


class ScheduleZBVZeroBubble(_VSchedule):
    """The V without bubbles, if forward and both parts of backward take the same time.

    Source: https://arxiv.org/pdf/2401.10241, section 6.
    """

    def _calculate_single_rank_operations(self, rank: int) -> Order:
        size, n = self.pp_group_size, self._n_microbatches
        # As many as fill the pipeline; those that there are not leave gaps.
        full = max(2 * size - 1, n)
        down, up = rank, self.num_stages - 1 - rank
        made = _Numbered(bubbles=rank)
        count = made.counts
        for _ in range(2 * (size - rank) - 1):
            made.add(down, F)
        for _ in range(rank):
            made.add(up, F)
            made.add(down, F)
        for _ in range(size - rank):
            made.add(up, F, I, W)
        while count[up, F] < count[down, F] or count[down, F] < full:
            if count[down, F] < full:
                made.add(down, F)
            made.add(down, I, W)
            made.add(up, F, I, W)
        for _ in range(rank):
            made.add(down, I)
            made.add(up, I)
        for _ in range(size - rank):
            made.add(down, I, W)
        for stage in (up, down):
            made.add(stage, *[W] * (count[stage, I] - count[stage, W]))
        return [
            action if action is not None and (action.microbatch_index or 0) < n else None
            for action in made.order
        ]


class ScheduleDualPipeV(_VSchedule):
    """The V in which forward of one microbatch overlaps backward of another.

    Raises ValueError for fewer microbatches than stages. Source: https://arxiv.org/pdf/2412.19437,
    https://github.com/deepseek-ai/DualPipe.
    """

    def _check_numbers(self) -> None:
        super()._check_numbers()
        if self._n_microbatches < self._num_stages:
            raise ValueError(
                "DualPipeV requires at least as many microbatches as stages, but got "
                f"{self._n_microbatches} microbatches and {self._num_stages} stages."
            )

    def _calculate_single_rank_operations(self, rank: int) -> Order:
        size = self.pp_group_size
        first, second = generate_rank_to_stage_mapping(size, size * 2, style="v")[rank]
        after = size - rank - 1
        made = _Overlapping()
        for _ in range(2 * after):
            made.add(first, FORWARD)
        for _ in range(rank + 1):
            made.add(first, FORWARD)
            made.add(second, FORWARD)
        for _ in range(after):
            made.backward(second, apart=True)
            made.weight()
            made.add(second, FORWARD)
        for i in range(self._n_microbatches - size * 2 + rank + 1):
            if i == 0 and rank == size - 1:  # overlapping these would leave a larger gap
                made.add(first, FORWARD)
                made.backward(second)
            else:
                made.overlap(first, second)
            made.overlap(second, first)
        for _ in range(after):
            made.backward(second)
            made.overlap(second, first)
        half, odd = (rank + 1) // 2, rank % 2 == 1
        for i in range(rank + 1):  # the second half leaves weights for later
            made.backward(second, apart=i > half or (i == half and odd))
            made.backward(first, apart=i >= half)
        for _ in range(after):
            made.weight()
            made.backward(first, apart=True)
        for _ in range(rank + 1):
            made.weight()
        return made.order


class _Overlapping(_Numbered):
    """The actions of a rank in the making, with backwards whose weights come later, or at once."""

    def __init__(self) -> None:
        super().__init__()
        self._weights: deque[_Action] = deque()

    def backward(self, stage: int, apart: bool = False) -> None:
        """Run the next microbatch back, or only to its inputs."""
        kind: _ComputationType = I if apart else B
        action = _Action(stage, kind, self.take(stage, BACKWARD_INPUT))
        self.order.append(action)
        if apart:
            self._weights.append(action._replace(computation_type=BACKWARD_WEIGHT))

    def weight(self) -> None:
        """Compute the gradients of the weights that have waited longest, if any do."""
        if self._weights:
            self.order.append(self._weights.popleft())

    def overlap(self, forward: int, backward: int) -> None:
        """Run one stage forward while another runs back."""
        parts = (
            _Action(forward, FORWARD, self.take(forward, FORWARD)),
            _Action(backward, FULL_BACKWARD, self.take(backward, BACKWARD_INPUT)),
        )
        self.order.append(_Action(-1, OVERLAP_F_B, None, parts))
