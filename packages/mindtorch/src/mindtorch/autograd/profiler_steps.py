"""Steps, counted over all who count them."""

from __future__ import annotations

from collections import defaultdict
from typing import ClassVar

from .._C._autograd import (  # type: ignore[attr-defined]  # lazy names
    _kineto_step,
)
from ..core.warning import warn

__all__ = [
    "KinetoStepTracker",
]


class KinetoStepTracker:
    """Counts steps over all who count them: the step is the furthest of theirs."""

    _current_step = 0
    _step_dict: ClassVar[dict[str, int]] = defaultdict(int)

    @classmethod
    def init_step_count(cls, requester: str) -> None:
        """Let *requester* count too, from the present step on."""
        cls._step_dict[requester] = cls._current_step

    @classmethod
    def erase_step_count(cls, requester: str) -> bool:
        """Forget *requester*; whether it was known."""
        return cls._step_dict.pop(requester, None) is not None

    @classmethod
    def increment_step(cls, requester: str) -> int:
        """Count a step of *requester*; the present step."""
        if requester not in cls._step_dict:
            cls.init_step_count(requester)
        cls._step_dict[requester] += 1
        furthest = max(cls._step_dict.values())
        if furthest > cls._current_step:
            delta = furthest - cls._current_step
            if delta > 1:
                warn(
                    "Profiler step count has increased more than 1 - "
                    f"current_step = {cls._current_step} step dict =  {cls._step_dict}",
                )
            for _ in range(delta):
                _kineto_step()
            cls._current_step = furthest
        return cls._current_step

    @classmethod
    def current_step(cls) -> int:
        """The present step."""
        return cls._current_step
