"""A learning rate that goes down when a metric stops getting better."""

from __future__ import annotations

from typing import Any, SupportsFloat

from ..core.warning import warn
from .schedules import EPOCH_DEPRECATION_WARNING, LRScheduler, _check_optimizer, _put

_INF = float("inf")


class ReduceLROnPlateau(LRScheduler):
    """Times *factor* after more than *patience* epochs without a better metric.

    :param mode: ``"min"`` where smaller is better, else ``"max"``.
    :param threshold: how much better counts, relative or absolute by *threshold_mode*.
    :param cooldown: epochs after a change in which nothing is counted.
    :param eps: smaller changes are not made.
    """

    def __init__(
        self,
        optimizer: Any,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: Any = 0,
        eps: float = 1e-8,
    ) -> None:
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        self.factor = factor
        _check_optimizer(optimizer)
        self.optimizer = optimizer
        n = len(optimizer.param_groups)
        if isinstance(min_lr, list | tuple):
            if len(min_lr) != n:
                raise ValueError(f"expected {n} min_lrs, got {len(min_lr)}")
            self.default_min_lr = None
            self.min_lrs = list(min_lr)
        else:
            self.default_min_lr = min_lr
            self.min_lrs = [min_lr] * n
        self.patience = patience
        self.cooldown = cooldown
        self.eps = eps
        self.last_epoch = 0
        self._last_lr = self._rates_()
        self._init_is_better(mode, threshold, threshold_mode)
        self._reset()

    def _init_is_better(self, mode: str, threshold: float, threshold_mode: str) -> None:
        if mode not in ("min", "max"):
            raise ValueError("mode " + mode + " is unknown!")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError("threshold mode " + threshold_mode + " is unknown!")
        self.mode_worse = _INF if mode == "min" else -_INF
        self.mode = mode
        self.threshold = threshold
        self.threshold_mode = threshold_mode

    def _reset(self) -> None:
        """Forget all metrics."""
        self.best: float = self.mode_worse
        self.cooldown_counter = 0
        self.num_bad_epochs = 0

    @property
    def in_cooldown(self) -> bool:
        """Whether bad epochs do not count at present."""
        return self.cooldown_counter > 0

    def _is_better(self, a: float, best: float) -> bool:
        margin = self.threshold if self.mode == "max" else -self.threshold
        if self.threshold_mode == "rel":
            bound = best * (margin + 1.0)
        else:
            bound = best + margin
        return a > bound if self.mode == "max" else a < bound

    def step(self, metrics: SupportsFloat, epoch: Any = None) -> None:  # type: ignore[override]  # torch's other signature
        """Note the metric of one more epoch, and set the rates."""
        current = float(metrics)
        if epoch is not None:
            warn(EPOCH_DEPRECATION_WARNING, UserWarning)
        self.last_epoch = epoch = self.last_epoch + 1 if epoch is None else epoch
        better = self._is_better(current, self.best)
        self.best = current if better else self.best
        self.num_bad_epochs = 0 if better or self.in_cooldown else self.num_bad_epochs + 1
        self.cooldown_counter -= self.in_cooldown
        if self.num_bad_epochs > self.patience:
            self._reduce_lr(epoch)
            self.num_bad_epochs, self.cooldown_counter = 0, self.cooldown
        self._last_lr = self._rates_()

    def _reduce_lr(self, epoch: Any) -> None:
        groups = self.optimizer.param_groups
        if len(groups) != len(self.min_lrs):
            if self.default_min_lr is None:
                raise RuntimeError(
                    f"The number of param groups in the `optimizer` ({len(groups)}) differs from "
                    f"when `ReduceLROnPlateau` was initialized ({len(self.min_lrs)}), usually due "
                    "to a new param group being added to the optimizer. Please modify the "
                    "`min_lrs` field to match the length of the `optimizer` param groups."
                )
            self.min_lrs = [self.default_min_lr] * len(groups)
        for group, floor in zip(groups, self.min_lrs):
            old = float(group["lr"])
            new = max(old * self.factor, floor)
            if old - new > self.eps:
                _put(group, "lr", new)

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what :meth:`state_dict` returned."""
        self.__dict__.update(state_dict)
        self._init_is_better(self.mode, self.threshold, self.threshold_mode)
