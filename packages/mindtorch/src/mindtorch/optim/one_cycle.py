"""One cycle of the learning rate: up to a peak, then far down."""

from __future__ import annotations

import math
from typing import Any

from .schedules import (
    LRScheduler,
    _check_optimizer,
    _copied,
    _per_group,
    _warn_get_lr_called_within_step,
)


class OneCycleLR(LRScheduler):
    """From ``max_lr / div_factor`` up to *max_lr*, then down to the start over *final_div_factor*.

    Momentum goes the other way. One step per batch.

    :param total_steps: length of the cycle; or *epochs* and *steps_per_epoch*.
    :param pct_start: the share of steps that go up.
    :param three_phase: go down to the start first, then farther.
    """

    def __init__(
        self,
        optimizer: Any,
        max_lr: Any,
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: str = "cos",
        cycle_momentum: bool = True,
        base_momentum: Any = 0.85,
        max_momentum: Any = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ) -> None:
        _check_optimizer(optimizer)
        self.optimizer = optimizer
        self.total_steps = _length(total_steps, epochs, steps_per_epoch)
        if pct_start < 0 or pct_start > 1 or not isinstance(pct_start, float):
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        self._schedule_phases = _phases(self.total_steps, pct_start, three_phase)
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}"
            )
        self._anneal_func_type = anneal_strategy
        max_lrs = _per_group("max_lr", optimizer, max_lr)
        if last_epoch == -1:
            for group, peak in zip(optimizer.param_groups, max_lrs):
                group["initial_lr"] = peak / div_factor
                group["max_lr"] = peak
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._start_momentum_(base_momentum, max_momentum, last_epoch)
        super().__init__(optimizer, last_epoch)

    def _start_momentum_(self, base_momentum: Any, max_momentum: Any, last_epoch: int) -> None:
        optimizer = self.optimizer
        if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
            raise ValueError(
                "optimizer must support momentum or beta1 with `cycle_momentum` option enabled"
            )
        self.use_beta1 = "betas" in optimizer.defaults
        highest = _per_group("max_momentum", optimizer, max_momentum)
        lowest = _per_group("base_momentum", optimizer, base_momentum)
        if last_epoch == -1:
            for group, high, low in zip(optimizer.param_groups, highest, lowest):
                # Each on its own, lest a tensor that is changed in place changes the ends too.
                self._put_momentum_(group, _copied(high))
                group["max_momentum"] = _copied(high)
                group["base_momentum"] = _copied(low)

    def _put_momentum_(self, group: dict[str, Any], value: Any) -> None:
        if self.use_beta1:
            group["betas"] = (value, *group["betas"][1:])
        else:
            group["momentum"] = value

    def get_lr(self) -> list[Any]:
        """The rates for :attr:`last_epoch`; sets the momentum of all groups as well."""
        _warn_get_lr_called_within_step(self)
        step = self.last_epoch
        if step > self.total_steps:
            raise ValueError(
                f"Tried to step {step} times. The specified number of total steps is "
                f"{self.total_steps}"
            )
        start: float = 0
        for phase in self._schedule_phases:
            if step <= phase["end_step"]:
                break
            start = phase["end_step"]
        else:  # one past the end still counts to the last phase
            start = self._schedule_phases[-2]["end_step"] if len(self._schedule_phases) > 1 else 0
        done = (step - start) / (phase["end_step"] - start)
        anneal = _cosine if self._anneal_func_type == "cos" else _linear
        rates = []
        for group in self.optimizer.param_groups:
            rates.append(anneal(group[phase["start_lr"]], group[phase["end_lr"]], done))
            if self.cycle_momentum:
                ends = group[phase["start_momentum"]], group[phase["end_momentum"]]
                self._put_momentum_(group, anneal(*ends, done))
        return rates


def _length(total_steps: Any, epochs: Any, steps_per_epoch: Any) -> int:
    if total_steps is not None:
        if total_steps <= 0 or not isinstance(total_steps, int):
            raise ValueError(f"Expected positive integer total_steps, but got {total_steps}")
        return int(total_steps)
    if epochs is None or steps_per_epoch is None:
        raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
    for name, value in (("epochs", epochs), ("steps_per_epoch", steps_per_epoch)):
        if not isinstance(value, int) or value <= 0:
            raise ValueError(f"Expected positive integer {name}, but got {value}")
    return int(epochs * steps_per_epoch)


def _phase(end: float, start_lr: str, end_lr: str, up: bool | None) -> dict[str, Any]:
    """A part of the cycle that ends at step *end*; *up* says where the rate goes, None nowhere."""
    high, low = "max_momentum", "base_momentum"
    return {
        "end_step": end,
        "start_lr": start_lr,
        "end_lr": end_lr,
        "start_momentum": low if up is False else high,
        "end_momentum": low if up else high,
    }


def _phases(total: int, pct_start: float, three: bool) -> list[dict[str, Any]]:
    peak = float(pct_start * total) - 1
    up = _phase(peak, "initial_lr", "max_lr", True)
    if not three:
        return [up, _phase(total - 1, "max_lr", "min_lr", False)]
    back = float(2 * pct_start * total) - 2
    return [
        up,
        _phase(back, "max_lr", "initial_lr", False),
        _phase(total - 1, "initial_lr", "min_lr", None),
    ]


def _cosine(start: Any, end: Any, done: float) -> Any:
    return end + (start - end) / 2.0 * (1 + math.cos(math.pi * done))


def _linear(start: Any, end: Any, done: float) -> Any:
    return (end - start) * done + start
