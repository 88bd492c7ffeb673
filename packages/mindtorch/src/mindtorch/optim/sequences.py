"""Schedules made of schedules: one after another, or all at once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from ..core.module_names import spelled_out
from .plateau import ReduceLROnPlateau
from .schedules import LRScheduler, _copied, _put

__all__ = ["ChainedScheduler", "SequentialLR"]


def _check_schedulers(name: str, schedulers: Sequence[Any], optimizer: Any) -> None:
    """Refuse what are no schedules of *optimizer*, or need more than a step."""
    for i, scheduler in enumerate(schedulers):
        if not hasattr(scheduler, "optimizer"):
            raise TypeError(f"{name} at index {i} should have `optimizer` as its attribute.")
        if isinstance(scheduler, ReduceLROnPlateau):
            raise ValueError(
                f"{name} does not support `ReduceLROnPlateau` scheduler as it requires additional "
                f"kwargs to be specified when calling `step`, but got one at index {i} in the "
                "given schedulers sequence."
            )
        if optimizer != scheduler.optimizer:
            raise ValueError(
                f"{name} expects all schedulers to belong to the same optimizer, but got "
                f"scheduler {type(scheduler).__name__} at index {i} has {scheduler.optimizer}, "
                f"which is different from {type(optimizer).__name__}."
            )


@spelled_out("state_dict", "load_state_dict")
class _OfSchedules(LRScheduler):
    """A schedule whose state holds that of others."""

    _schedulers: Any

    def state_dict(self) -> dict[str, Any]:
        """All attributes but the optimizer; of the schedules, their states."""
        state = {k: v for k, v in self.__dict__.items() if k not in ("optimizer", "_schedulers")}
        state["_schedulers"] = [scheduler.state_dict() for scheduler in self._schedulers]
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what :meth:`state_dict` returned."""
        own = dict(state_dict)
        states = own.pop("_schedulers")
        self.__dict__.update(own)
        for i, state in enumerate(states):
            self._schedulers[i].load_state_dict(state)


class SequentialLR(_OfSchedules):
    """One schedule after another.

    :param milestones: the epochs at which the next one takes over.
    """

    def __init__(
        self,
        optimizer: Any,
        schedulers: list[LRScheduler],
        milestones: list[int],
        last_epoch: int = -1,
    ) -> None:
        if len(schedulers) < 1:
            raise ValueError(
                f"{type(self).__name__} expects at least one scheduler, but got no scheduler."
            )
        _check_schedulers(type(self).__name__, schedulers, optimizer)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than "
                "the number of milestone points, but got number of schedulers "
                f"{len(schedulers)} and the number of milestones to be equal to {len(milestones)}"
            )
        self._schedulers = schedulers
        self._milestones = milestones
        self.last_epoch = last_epoch + 1
        self.optimizer = optimizer
        # All made a first step when they were made: it is taken back, but for the first one's.
        for group in optimizer.param_groups:
            _put(group, "lr", group["initial_lr"])
        self.recursive_undo()
        self._schedulers[0]._initial_step()
        self._last_lr = schedulers[0].get_last_lr()

    def recursive_undo(self, sched: Any = None) -> None:
        """Take back one step of all schedules inside."""
        scheduler = self if sched is None else sched
        if hasattr(scheduler, "_schedulers"):
            for inner in scheduler._schedulers:
                self.recursive_undo(inner)
        elif hasattr(scheduler, "last_epoch"):
            scheduler.last_epoch -= 1

    def step(self) -> None:  # type: ignore[override]  # torch's takes no epoch
        """A step of the schedule whose turn it is."""
        self.last_epoch += 1
        i = bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[i]
        if i > 0 and self._milestones[i - 1] == self.last_epoch:
            scheduler._update_lr(0)  # where it begins, which is no step of its own
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()


class ChainedScheduler(_OfSchedules):
    """Several schedules, each of which changes the rates that the one before left.

    :param optimizer: by default that of the first schedule.
    """

    def __init__(self, schedulers: Sequence[LRScheduler], optimizer: Any = None) -> None:
        if len(schedulers) < 1:
            raise ValueError(
                f"{type(self).__name__} expects at least one scheduler to be chained, but got no "
                "scheduler."
            )
        optimizer = optimizer or schedulers[0].optimizer
        _check_schedulers(type(self).__name__, schedulers, optimizer)
        self._schedulers = schedulers
        self.optimizer = optimizer
        self._last_lr = [_copied(g["lr"]) for g in schedulers[-1].optimizer.param_groups]

    def step(self) -> None:  # type: ignore[override]  # torch's takes no epoch
        """A step of all schedules."""
        for scheduler in self._schedulers:
            scheduler.step()
        groups = self._schedulers[-1].optimizer.param_groups
        self._last_lr = [_copied(group["lr"]) for group in groups]
