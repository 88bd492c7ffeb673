"""``torch.ao.pruning.scheduler.base_scheduler``: the base of schedules of sparsity levels."""

from __future__ import annotations

import functools
import weakref
from typing import Any

from ....core.warning import warn
from ..sparsifier.base_sparsifier import BaseSparsifier

__all__ = ["BaseScheduler"]


def _counting(sparsifier: Any) -> None:
    """Let ``sparsifier.step`` count its calls."""
    if not getattr(sparsifier.step, "_with_counter", False):
        function = sparsifier.step.__func__
        me = weakref.ref(sparsifier)

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            own: Any = me()
            own._step_count += 1
            return function(own, *args, **kwargs)

        marked: Any = wrapper
        marked._with_counter = True
        sparsifier.step = marked
    sparsifier._step_count = 0


class BaseScheduler:
    """Base of schedules; a subclass computes the levels of all groups in :meth:`get_sl`.

    Args:
        sparsifier: whose groups have a ``sparsity_level``.
        last_epoch: where to go on; -1 starts anew.
        verbose: print each level that is set.

    Raises:
        TypeError: *sparsifier* is none.
    """

    _last_sl: list[float]

    def __init__(
        self, sparsifier: BaseSparsifier, last_epoch: int = -1, verbose: bool = False
    ) -> None:
        if not isinstance(sparsifier, BaseSparsifier):
            raise TypeError(
                f"{type(sparsifier).__name__} is not an instance of torch.ao.pruning.BaseSparsifier"
            )
        self.sparsifier: Any = sparsifier
        self.base_sl = [group["sparsity_level"] for group in sparsifier.groups]
        self.last_epoch = last_epoch
        _counting(sparsifier)
        self._step_count = 0
        self.verbose = verbose
        self._get_sl_called_within_step = False
        self.step()

    def state_dict(self) -> dict[str, Any]:
        """All attributes but the sparsifier."""
        return {key: value for key, value in self.__dict__.items() if key != "sparsifier"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what :meth:`state_dict` returned."""
        self.__dict__.update(state_dict)

    def get_last_sl(self) -> list[float]:
        """The levels of all groups as the last step set them."""
        return self._last_sl

    def get_sl(self) -> list[float]:
        """The levels of all groups for ``last_epoch``. For :meth:`step` to call."""
        self._warn_of_a_question_()
        raise NotImplementedError

    def _warn_of_a_question_(self) -> None:
        """Warn of a program that asks ``get_sl`` for the last levels."""
        if not self._get_sl_called_within_step:
            warn(
                "To get the last sparsity level computed by the scheduler, "
                "please use `get_last_sl()`.",
                UserWarning,
            )

    def print_sl(self, is_verbose: bool, group: int, sl: float, epoch: int | None = None) -> None:
        """Print the level of a group, if *is_verbose*."""
        if is_verbose:
            begin = "Adjusting" if epoch is None else f"Epoch {epoch:5d}: adjusting"
            print(f"{begin} sparsity level of group {group} to {sl:.4e}.")

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__} (\nSparsifier {self.sparsifier}\n    base_sl: {self.base_sl}\n)"
        )

    def step(self, epoch: int | None = None) -> None:
        """Go on by one, and set the levels.

        Args:
            epoch: what a line that is printed says.
        """
        if self._step_count == 1:
            if not hasattr(self.sparsifier.step, "_with_counter"):
                warn(
                    "Seems like `sparsifier.step()` has been overridden after sparsity scheduler "
                    "initialization. Please, make sure to call `sparsifier.step()` before "
                    "`scheduler.step()`.",
                    UserWarning,
                )
            elif self.sparsifier._step_count < 1:
                warn(
                    "Detected call of `scheduler.step()` before `sparsifier.step()`. "
                    "You have to make sure you run the sparsifier.step() BEFORE any "
                    "calls to the scheduler.step().",
                    UserWarning,
                )
        self._step_count += 1
        self.last_epoch += 1
        self._get_sl_called_within_step = True
        try:
            levels = self.get_sl()
        finally:
            self._get_sl_called_within_step = False
        groups = self.sparsifier.groups
        for number, (group, level) in enumerate(zip(groups, levels, strict=False)):
            group["sparsity_level"] = level
            self.print_sl(self.verbose, number, level, epoch)
        self._last_sl = [group["sparsity_level"] for group in groups]
        self.sparsifier.enable_mask_update = True

    def _make_sure_a_list(self, var: Any) -> list[Any]:
        """*var* for each group.

        Raises:
            ValueError: a sequence of another length.
        """
        count = len(self.sparsifier.groups)
        if not isinstance(var, list | tuple):
            return [var] * count
        if len(var) != count:
            raise ValueError(f"Expected variable of length {count}, but got {len(var)}")
        return list(var)
