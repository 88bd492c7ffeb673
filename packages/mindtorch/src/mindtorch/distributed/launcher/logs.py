"""Where the output of processes goes."""

from __future__ import annotations

from typing import Any

from ..elastic.multiprocessing.api import Std

__all__ = ["Logs"]


class Logs:
    """The settings of ``--log-dir``, ``--redirects``, ``--tee`` and ``--local-ranks-filter``.

    *redirects* and *tee* are numbers, or numbers by rank, as ``Std.from_str`` reads them.
    """

    def __init__(self, log_dir: str | None, redirects: str, tee: str, shown: str) -> None:
        self.log_dir = log_dir
        self.redirects: Any = Std.from_str(redirects)
        self.tee: Any = Std.from_str(tee)
        self.local_ranks_filter = {int(each) for each in shown.split(",")} if shown else None
