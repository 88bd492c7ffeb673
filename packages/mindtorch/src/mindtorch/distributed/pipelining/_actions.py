"""Actions of a schedule: what a rank does with a microbatch of a stage, and how that is written."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import lru_cache
from typing import Any, NamedTuple

__all__ = [
    "BACKWARD_INPUT",
    "BACKWARD_WEIGHT",
    "FORWARD",
    "FULL_BACKWARD",
    "OVERLAP_F_B",
    "RECV_B",
    "RECV_F",
    "REDUCE_GRAD",
    "RESHARD",
    "SEND_B",
    "SEND_F",
    "UNSHARD",
    "B",
    "F",
    "I",
    "W",
]


class _ComputationType(str, Enum):  # noqa: UP042  # texts of errors show its name
    """What an action does; its value is how it is written."""

    FORWARD = "F"
    BACKWARD_INPUT = "I"
    BACKWARD_WEIGHT = "W"
    UNSHARD = "UNSHARD"
    RESHARD = "RESHARD"
    SEND_F = "SEND_F"
    RECV_F = "RECV_F"
    SEND_B = "SEND_B"
    RECV_B = "RECV_B"
    FULL_BACKWARD = "B"
    OVERLAP_F_B = "OVERLAP_F_B"
    REDUCE_GRAD = "REDUCE_GRAD"

    @staticmethod
    def from_str(action: str) -> _ComputationType:
        """Read one. Raises RuntimeError for what is none."""
        try:
            return _ComputationType(action)
        except ValueError as e:
            raise RuntimeError(f"Invalid computation type {action}") from e


FORWARD = _ComputationType.FORWARD
BACKWARD_INPUT = _ComputationType.BACKWARD_INPUT
BACKWARD_WEIGHT = _ComputationType.BACKWARD_WEIGHT
UNSHARD = _ComputationType.UNSHARD
RESHARD = _ComputationType.RESHARD
SEND_F = _ComputationType.SEND_F
RECV_F = _ComputationType.RECV_F
SEND_B = _ComputationType.SEND_B
RECV_B = _ComputationType.RECV_B
FULL_BACKWARD = _ComputationType.FULL_BACKWARD
OVERLAP_F_B = _ComputationType.OVERLAP_F_B
REDUCE_GRAD = _ComputationType.REDUCE_GRAD

# The letters that schedules are written in.
F = FORWARD
I = BACKWARD_INPUT  # noqa: E741  # torch's name
W = BACKWARD_WEIGHT
B = FULL_BACKWARD

_COMPUTES = (FORWARD, FULL_BACKWARD, BACKWARD_INPUT, BACKWARD_WEIGHT, OVERLAP_F_B)
_WORDS = "|".join("F I B W UNSHARD RESHARD REDUCE_GRAD SEND_F RECV_F SEND_B RECV_B".split())
_action_regex = re.compile(rf"(\d+)({_WORDS})(\d*)")


class _Action(NamedTuple):
    """One action, or several that overlap: a stage, what it does, and with which microbatch."""

    stage_index: int
    computation_type: _ComputationType
    microbatch_index: int | None = None
    sub_actions: tuple[_Action, ...] | None = None

    def __str__(self) -> str:
        return self.__repr__()

    def __repr__(self) -> str:
        kind = self.computation_type.value
        if self.sub_actions is not None:
            return f"({';'.join(map(repr, self.sub_actions))}){kind}"
        number = "" if self.microbatch_index is None else self.microbatch_index
        return f"{self.stage_index}{kind}{number}"

    @property
    def is_compute_op(self) -> bool:
        """Whether it computes, and neither sends, receives nor gathers parameters."""
        return self.computation_type in _COMPUTES

    @property
    def parts(self) -> tuple[_Action, ...]:
        """The actions that overlap, or this one."""
        return (self,) if self.sub_actions is None else self.sub_actions

    @staticmethod
    def from_str(action_string: str) -> _Action | None:
        """Read what ``repr`` writes; None for an empty text.

        Raises RuntimeError for what is no action.
        """
        text = action_string.strip()
        if text == "":
            return None
        if text.startswith("(") and ")" in text:
            inside, _, kind = text[1:].partition(")")
            read = [_Action.from_str(part) for part in inside.split(";")]
            parts = tuple(action for action in read if action is not None)
            return _Action(-1, _ComputationType.from_str(kind), None, parts or None)
        match = _action_regex.match(text)
        if match is None:
            raise RuntimeError(
                f"Invalid action string: {text}, should be formatted as "
                "[stage][action type][(microbatch)] e.g. 2F0"
            )
        stage, kind, number = match.groups()
        return _Action(int(stage), _ComputationType.from_str(kind), int(number) if number else None)


@lru_cache
def _get_profiler_function_name(action: _Action) -> str:
    """How profiles name the action."""
    return f"PP:{action}"


def _format_pipeline_order(
    pipeline_order: Mapping[int, Sequence[Any]], error_step_number: int | None = None
) -> str:
    """Write a schedule as a table: a line for each step, a column for each rank.

    :param error_step_number: the line that is marked.
    """
    columns = [
        ["" if action is None else str(action) for action in pipeline_order[rank]]
        for rank in sorted(pipeline_order)
    ]
    steps = max(map(len, columns))
    digits = len(str(steps - 1))
    labels = [f"Step {i:0{digits}}" for i in range(steps)]
    widths = [max(map(len, [labels[0], *column])) for column in columns]

    def line(cells: Sequence[str]) -> str:
        return " ".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True))

    heading = " " * (len(labels[0]) + 2) + line([f"Rank {i}" for i in range(len(columns))])
    rows = [f"{label}: " for label in labels]
    for i, cells in enumerate(itertools.zip_longest(*columns, fillvalue="")):
        rows[i] += line(cells) + (" <-- ERROR HERE" if i == error_step_number else "")
    return "\n".join([heading, *rows]) + "\n"
