"""Averages of models over processes, now and then."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from ... import distributed_c10d as dist
from .utils import average_parameters_or_parameter_groups

__all__ = ["ModelAverager", "PeriodicModelAverager"]


class ModelAverager(ABC):
    """Averages parameters."""

    def __init__(self, process_group: Any = None) -> None:
        self.process_group: Any = process_group if process_group is not None else dist.group.WORLD
        self.step = 0

    @abstractmethod
    def average_parameters(self, params: Any) -> None:
        """Average *params* over all processes."""
        raise NotImplementedError


class PeriodicModelAverager(ModelAverager):
    """Averages parameters after some steps, then again and again."""

    def __init__(self, period: int, warmup_steps: int = 0, process_group: Any = None) -> None:
        super().__init__(process_group)
        for name, value, least, kind in (
            ("warmup_steps", warmup_steps, 0, "non-negative number"),
            ("period", period, 1, "positive value"),
        ):
            if value < least:
                raise ValueError(f"Arg ``{name}`` must be a {kind}.")
        self.warmup_steps = warmup_steps
        if period == 1:
            warnings.warn(
                "When period is 1, no need to use model averaging because the communication cost "
                "of all-reducing parameters will be no less than the cost of all-reducing "
                "gradients by DistributedDataParallel in the backward pass. Therefore, only "
                "DistributedDataParallel should be used for this case."
            )
        self.period = period

    def average_parameters(self, params: Iterable[Any]) -> None:
        """Average *params*, if it is time, and count the step."""
        if self.step >= self.warmup_steps and (self.step - self.warmup_steps) % self.period == 0:
            average_parameters_or_parameter_groups(params, self.process_group)
        self.step += 1
