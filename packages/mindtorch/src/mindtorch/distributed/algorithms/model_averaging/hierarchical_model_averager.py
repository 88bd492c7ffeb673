"""Averages of models over groups of growing size, the larger the more seldom."""

from __future__ import annotations

import logging
import warnings
from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

from ... import distributed_c10d as dist
from .averagers import ModelAverager
from .utils import average_parameters_or_parameter_groups

__all__ = ["HierarchicalModelAverager"]

logger = logging.getLogger(__name__)


class HierarchicalModelAverager(ModelAverager):
    """Averages parameters over groups of processes, each size of group with its own period.

    At a step that several periods divide, the largest of them counts.
    """

    def __init__(
        self,
        period_group_size_dict: Any = None,
        warmup_steps: int = 0,
        process_group: Any = None,
    ) -> None:
        super().__init__(process_group)
        if not period_group_size_dict:
            raise ValueError("Arg ``period_group_size_dict`` must not be empty.")
        self._periods = list(period_group_size_dict)
        if self._periods[0] <= 0:
            raise ValueError(
                "The minimum period in arg ``period_group_size_dict`` must be a positive value."
            )
        if self._periods[-1] == 1:
            warnings.warn(
                "When the maximum period in arg ``period_group_size_dict`` is 1, no need to use "
                "model averaging because the communication cost of all-reducing parameters will "
                "be no less than the cost of all-reducing gradients by DistributedDataParallel in "
                "the backward pass. Therefore, only DistributedDataParallel should be used for "
                "this case.",
                stacklevel=2,
            )
        whole = dist.get_world_size(group=self.process_group)
        largest = list(period_group_size_dict.values())[-1]
        if largest != whole:
            raise ValueError(
                f"The last value in arg ``period_group_size_dict`` {largest} must be equal to the "
                f"size of arg ``process_group`` {whole}."
            )
        #: The group that averages with each period.
        self.period_process_group_dict: OrderedDict[int, Any] = OrderedDict()
        logger.info("Model averaging hierarchy:")
        for period, size in period_group_size_dict.items():
            logger.info(
                "\tEach group that has %s processes average parameters every %s iterations, "
                "if no higher-level averaging.",
                size,
                period,
            )
            group = self.process_group
            if size != whole:
                group, _ = dist.new_subgroups(group_size=size, group=self.process_group)
            self.period_process_group_dict[period] = group
        if warmup_steps < 0:
            raise ValueError("Arg ``warmup_steps`` must be a non-negative number.")
        self.warmup_steps = warmup_steps

    def _find_process_group(self) -> Any:
        """The group that averages at this step; None where none does."""
        due = [period for period in self._periods if self.step % period == 0]
        return self.period_process_group_dict[due[-1]] if due else None

    def average_parameters(self, params: Iterable[Any]) -> None:
        """Average *params* over the group whose turn it is, and count the step."""
        if self.step >= self.warmup_steps:
            group = self._find_process_group()
            if group is not None:
                average_parameters_or_parameter_groups(params, group)
        self.step += 1
