"""The bar."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn


class Bar:
    """How far a run is, on stderr; quiet where nobody looks."""

    def __init__(self, seconds: float) -> None:
        console = Console(stderr=True)
        self._progress = Progress(
            TextColumn("soak"),
            BarColumn(),
            TextColumn("{task.percentage:3.0f}%"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[text]}"),
            console=console,
            disable=not console.is_terminal,
        )
        self._task = self._progress.add_task("soak", total=seconds, text="")

    def show(self, done: float, text: str) -> None:
        """*done* seconds are over."""
        self._progress.update(self._task, completed=done, text=text)

    def __enter__(self) -> Bar:
        self._progress.start()
        return self

    def __exit__(self, *error: Any) -> None:
        self._progress.stop()
