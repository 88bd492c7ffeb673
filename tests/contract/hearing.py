"""The warnings of one call, and of nothing else."""

from __future__ import annotations

import gc
import warnings
from typing import Any

__all__ = ["hearing"]


def _filters() -> list[Any]:
    """What stands in ``warnings.filters`` where all is told of but files that nobody closed."""
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", ResourceWarning)
        return list(warnings.filters[:2])


class hearing(warnings.catch_warnings):
    """``with hearing() as heard:`` collects every warning of what runs inside.

    What an earlier test left behind would be cleared away whenever the collector happens to come
    by, and would warn then: it does not come by inside. Files that nobody closed are not counted.
    """

    _FILTERS = _filters()

    def __init__(self) -> None:
        super().__init__(record=True)

    def __enter__(self) -> Any:
        self._collects = gc.isenabled()
        gc.disable()
        heard = super().__enter__()
        # Two calls of simplefilter do the same, and take longer than most calls that are heard.
        warnings.filters[:] = self._FILTERS
        return heard

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        if self._collects:
            gc.enable()
