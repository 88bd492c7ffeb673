"""Checks of schedules, and of stages that cannot run in one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..._dynamo.eval_frame import OptimizedModule
from ...nn import Module
from ._actions import B, F, I, W, _Action, _ComputationType, _format_pipeline_order

__all__: list[str] = []

#: What has to have run before an action of a kind, by the names of both.
_BEFORE = {
    B: (F, "Full Backward", "Forward"),
    I: (F, "Backward Input", "Forward"),
    W: (I, "Backward Weight", "Backward Input"),
}


def _validate_schedule(
    actions: Mapping[int, Sequence[_Action | None]],
    pp_group_size: int,
    num_stages: int,
    num_microbatches: int,
) -> dict[int, int]:
    """Check that every stage runs forward and backward of all microbatches; the rank of each stage.

    Raises AssertionError for ranks that are missing, for a backward before its forward, for a stage
    of two ranks, and for other numbers of microbatches.
    """
    if len(actions) != pp_group_size:
        raise AssertionError(
            f"Schedule has incorrect number of ranks - expected {pp_group_size}, "
            f"actual {len(actions)}"
        )
    for rank in range(pp_group_size):
        if rank not in actions:
            raise AssertionError(f"Schedule is missing actions for rank {rank}")
    done: dict[int, dict[_ComputationType, set[Any]]] = {
        stage: {kind: set() for kind in (F, B, I, W)} for stage in range(num_stages)
    }
    ranks: dict[int, int] = {}
    for rank, order in actions.items():
        for step, action in enumerate(order):
            if action is None:
                continue
            if not isinstance(action, _Action):
                raise AssertionError(
                    f"Rank {rank}, step {step}: Got an invalid action: {action}, expected "
                    "instance of _Action"
                )
            for part in action.parts:
                _note(part, done[part.stage_index], f"Rank {rank}, step {step}", actions, step)
                known = ranks.setdefault(part.stage_index, rank)
                if known != rank:
                    raise AssertionError(
                        f"Rank {rank}, step {step}: Stage {part.stage_index} is assigned to both "
                        f"rank {rank} and rank {known}"
                    )
    for stage, by_kind in done.items():
        _check_counts(stage, by_kind, num_microbatches)
    return ranks


def _note(
    action: _Action,
    done: dict[_ComputationType, set[Any]],
    where: str,
    actions: Mapping[int, Sequence[_Action | None]],
    step: int,
) -> None:
    stage, kind, number = action[:3]
    if kind in _BEFORE:
        first, this, needed = _BEFORE[kind]
        if number not in done[first]:
            raise AssertionError(
                f"{where}: Running {this} for stage {stage}, microbatch {number} without first "
                f"running {needed}\n\nFull pipeline schedule:\n"
                f"{_format_pipeline_order(actions, error_step_number=step)}"
            )
    if kind in done:
        done[kind].add(number)


def _check_counts(stage: int, done: dict[_ComputationType, set[Any]], expected: int) -> None:
    f, b, i, w = (len(done[kind]) for kind in (F, B, I, W))
    invalid = f"Invalid backward microbatches for stage {stage}: "
    gap = " " * 13  # torch's text goes on in another line
    if f != expected:
        raise AssertionError(f"Got {f} {F} microbatches for stage {stage}, expected {expected}")
    if i != w:
        raise AssertionError(f"{invalid}I and W must have equal counts,{gap}but got I={i}, W={w}")
    if b + (i + w) // 2 != expected:
        raise AssertionError(
            f"{invalid}expected {expected} total backwards,{gap}but got B={b}, I={i}, W={w}"
        )


def _check_torch_compile_compatibility(stages: Iterable[Any], schedule_name: str) -> None:
    """Raise RuntimeError for compiled modules: their backward cannot be run in two parts."""
    for stage in stages:
        if not isinstance(stage.submod, Module):
            continue
        for module in stage.submod.modules():
            if isinstance(module, OptimizedModule):
                raise RuntimeError(
                    f"The {schedule_name} schedule is not supported with stage modules that have "
                    f"used torch.compile. Found OptimizedModule in {type(module).__name__}"
                )
