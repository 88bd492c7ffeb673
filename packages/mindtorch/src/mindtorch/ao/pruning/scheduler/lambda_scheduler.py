"""``torch.ao.pruning.scheduler.lambda_scheduler``: levels times a function of the epoch."""

from __future__ import annotations

from collections.abc import Callable

from ..sparsifier.base_sparsifier import BaseSparsifier
from .base_scheduler import BaseScheduler

__all__ = ["LambdaSL"]


class LambdaSL(BaseScheduler):
    """Sets the level of each group to its own times what a function gives for the epoch.

    Args:
        sparsifier: whose groups have a ``sparsity_level``.
        sl_lambda: a function of the epoch, or a list of one for each group.
        last_epoch: where to go on; -1 starts anew.
        verbose: print each level that is set.

    Raises:
        ValueError: another number of functions than of groups.
    """

    def __init__(
        self,
        sparsifier: BaseSparsifier,
        sl_lambda: Callable[[int], float] | list[Callable[[int], float]],
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        self.sparsifier = sparsifier
        count = len(sparsifier.groups)
        if not isinstance(sl_lambda, list | tuple):
            self.sl_lambdas = [sl_lambda] * count
        elif len(sl_lambda) != count:
            raise ValueError(f"Expected {count} lr_lambdas, but got {len(sl_lambda)}")
        else:
            self.sl_lambdas = list(sl_lambda)
        super().__init__(sparsifier, last_epoch, verbose)

    def get_sl(self) -> list[float]:
        """The levels of all groups for ``last_epoch``. For :meth:`step` to call."""
        self._warn_of_a_question_()
        pairs = zip(self.base_sl, self.sl_lambdas, strict=True)
        return [base * factor(self.last_epoch) for base, factor in pairs]
