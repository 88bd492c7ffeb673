"""What went wrong in a checkpoint, by process."""

from __future__ import annotations

import traceback as tb
from typing import Any

__all__ = ["CheckpointException"]

WRAPPED_EXCEPTION = tuple[BaseException, tb.StackSummary]


def _wrap_exception(exc: BaseException) -> Any:
    return exc, tb.extract_tb(exc.__traceback__)


def _is_wrapped_exception(obj: Any) -> bool:
    return (
        isinstance(obj, tuple)
        and len(obj) == 2
        and isinstance(obj[0], BaseException)
        and isinstance(obj[1], tb.StackSummary)
    )


class CheckpointException(BaseException):
    """Raised where a step of a checkpoint fails; ``failures`` says what, by process."""

    def __init__(self, msg: str, failures: dict[int, Any]) -> None:
        super().__init__(msg, failures)
        self._failures = failures

    @property
    def failures(self) -> dict[int, Any]:
        """What went wrong, by process."""
        return self._failures

    def __str__(self) -> str:
        text = f"CheckpointException ranks:{self._failures.keys()}\n"
        for rank, (error, trace) in self._failures.items():
            text += f"Traceback (most recent call last): (RANK {rank})\n"
            text += "".join(tb.format_list(trace))
            text += "".join(tb.format_exception_only(type(error), value=error))
        return text
