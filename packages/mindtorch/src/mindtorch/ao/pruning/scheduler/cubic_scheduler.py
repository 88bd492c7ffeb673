"""``torch.ao.pruning.scheduler.cubic_scheduler``: levels that rise fast at first, then slowly."""

from __future__ import annotations

from typing import Any

from ..sparsifier.base_sparsifier import BaseSparsifier
from .base_scheduler import BaseScheduler

__all__ = ["CubicSL"]


class CubicSL(BaseScheduler):
    """Raises the level of each group to its own, by a cubic curve.

    From ``s_0`` at ``t_0`` to ``s_f`` after ``n`` steps of ``dt``:
    ``s_f + (s_0 - s_f) * (1 - (t - t_0) / (n * dt)) ** 3`` (Zhu and Gupta, "To prune, or not to
    prune", 2017). Each number may be a list of one for each group.

    Args:
        sparsifier: whose groups have a ``sparsity_level``, ``s_f``.
        init_sl: ``s_0``.
        init_t: ``t_0``, the epoch in which pruning begins.
        delta_t: ``dt``, in epochs.
        total_t: ``n``.
        initially_zero: prune nothing before ``t_0``, where it is ``s_0`` otherwise.
        last_epoch: where to go on; -1 starts anew.
        verbose: print each level that is set.

    Raises:
        ValueError: a list of another length than there are groups.
    """

    def __init__(
        self,
        sparsifier: BaseSparsifier,
        init_sl: Any = 0.0,
        init_t: Any = 0,
        delta_t: Any = 10,
        total_t: Any = 100,
        initially_zero: Any = False,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        self.sparsifier = sparsifier
        self.init_sl = self._make_sure_a_list(init_sl)
        self.init_t = self._make_sure_a_list(init_t)
        self.delta_t = self._make_sure_a_list(delta_t)
        self.total_t = self._make_sure_a_list(total_t)
        self.initially_zero = self._make_sure_a_list(initially_zero)
        super().__init__(sparsifier, last_epoch, verbose)

    @staticmethod
    def sparsity_compute_fn(
        s_0: float,
        s_f: float,
        t: int,
        t_0: int,
        dt: int,
        n: int,
        initially_zero: bool = False,
    ) -> float:
        """The level at *t* on the curve from *s_0* to *s_f*."""
        if initially_zero and t < t_0:
            return 0
        level = s_f + (s_0 - s_f) * (1.0 - (t - t_0) / (dt * n)) ** 3
        return max(s_0, min(s_f, level))

    def get_sl(self) -> list[float]:
        """The levels of all groups for ``last_epoch``. For :meth:`step` to call."""
        self._warn_of_a_question_()
        curves = zip(
            self.init_sl,
            self.base_sl,
            self.init_t,
            self.delta_t,
            self.total_t,
            self.initially_zero,
            strict=True,
        )
        return [
            self.sparsity_compute_fn(s_0, s_f, self.last_epoch, t_0, dt, n, zero)
            for s_0, s_f, t_0, dt, n, zero in curves
        ]
