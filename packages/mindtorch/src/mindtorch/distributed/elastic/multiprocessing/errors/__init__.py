"""How processes end that fail: errors by rank, written to a file."""

from __future__ import annotations

import json
import os
import signal
import socket
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import wraps
from string import Template
from typing import Any, TypeVar

__all__ = [
    "ChildFailedError",
    "ErrorHandler",
    "ProcessFailure",
    "get_error_handler",
    "record",
]

T = TypeVar("T")
JSON = dict[str, Any]
_NOT_AVAILABLE = "<N/A>"
_EMPTY_ERROR_DATA: dict[str, Any] = {"message": _NOT_AVAILABLE}


@dataclass
class ProcessFailure:
    """A process that failed."""

    local_rank: int
    pid: int
    exitcode: int
    error_file: str
    error_file_data: JSON = field(init=False)
    message: Any = field(init=False)
    timestamp: int = field(init=False)

    def __post_init__(self) -> None:
        self.error_file_data = _EMPTY_ERROR_DATA
        self.message, self.timestamp = "", int(time.time())
        if os.path.isfile(self.error_file):
            with open(self.error_file) as file:
                self.error_file_data = json.load(file)
            self.message = self.error_file_data.get("message", "")
            if isinstance(self.message, dict):
                extra = self.message.get("extraInfo", {})
                self.timestamp = int(extra.get("timestamp", self.timestamp))
            return
        self.error_file = _NOT_AVAILABLE
        if self.exitcode < 0:
            self.message = (
                f"Signal {-self.exitcode} ({self.signal_name()}) received by PID {self.pid}"
            )
        else:
            self.message = (
                "To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html"
            )

    def _shown(self) -> str:
        """The traceback where the process has written one, else what it says."""
        if not isinstance(self.message, dict):
            return str(self.message)
        said = self.message.get("message", _NOT_AVAILABLE)
        stack = self.message.get("extraInfo", {}).get("py_callstack", said)
        return str(stack).replace("\n", "\n  ")

    def signal_name(self) -> str:
        """The name of the signal that ended it."""
        if self.exitcode >= 0:
            return _NOT_AVAILABLE
        try:
            return signal.Signals(-self.exitcode).name
        except ValueError:
            return _NOT_AVAILABLE

    def timestamp_isoformat(self) -> str:
        """When it failed."""
        return datetime.fromtimestamp(self.timestamp).isoformat(sep="_")


_FORMAT = Template(
    "\n${bar}\n${title}\n${line}\nFailures:\n${others}\n${line}\n"
    "Root Cause (first observed failure):\n${root}\n${bar}"
)


class ChildFailedError(Exception):
    """Raised where processes of a group have failed."""

    def __init__(self, name: str, failures: dict[int, ProcessFailure]) -> None:
        if not failures:
            raise AssertionError("failures must not be empty")
        self.name, self.failures = name, failures
        super().__init__(self.format_msg())

    def get_first_failure(self) -> tuple[int, ProcessFailure]:
        """The failure that came first."""
        rank = min(self.failures, key=lambda r: self.failures[r].timestamp)
        return rank, self.failures[rank]

    def format_msg(self, boarder_delim: str = "=", section_delim: str = "-") -> str:
        """All failures as a text."""
        title = f"{self.name} FAILED"
        first, _ = self.get_first_failure()
        texts = {r: self._format_failure(i, r, f) for i, (r, f) in enumerate(self.failures.items())}
        width = max(len(line) for text in texts.values() for line in [title, *text.split("\n")])
        width = min(width, 60)
        others = [text for rank, text in texts.items() if rank != first]
        return _FORMAT.substitute(
            bar=boarder_delim * width,
            line=section_delim * width,
            title=title,
            others="\n".join(others or ["  <NO_OTHER_FAILURES>"]),
            root=texts[first],
        )

    def _format_failure(self, index: int, rank: int, failure: ProcessFailure) -> str:
        name = failure.signal_name()
        signal_name = "" if name == _NOT_AVAILABLE else f" ({name})"
        return "\n".join(
            (
                f"[{index}]:",
                f"  time      : {failure.timestamp_isoformat()}",
                f"  host      : {socket.getfqdn()}",
                f"  rank      : {rank} (local_rank: {failure.local_rank})",
                f"  exitcode  : {failure.exitcode} (pid: {failure.pid}) {signal_name}",
                f"  error_file: {failure.error_file}",
                f"  traceback : {failure._shown()}",
            )
        )


class ErrorHandler:
    """Writes errors into the file that ``TORCHELASTIC_ERROR_FILE`` names."""

    def initialize(self) -> None:
        """Make ready."""

    def _get_error_file_path(self) -> str | None:
        return os.environ.get("TORCHELASTIC_ERROR_FILE")

    def record_exception(self, e: BaseException) -> None:
        """Write an error."""
        path = self._get_error_file_path()
        if path is None:
            return
        extra = {
            "py_callstack": traceback.format_exc(),
            "timestamp": str(int(time.time())),
        }
        data = {"message": {"message": f"{type(e).__name__}: {e}", "extraInfo": extra}}
        with open(path, "w") as file:
            json.dump(data, file)


def get_error_handler() -> ErrorHandler:
    """The handler."""
    return ErrorHandler()


def record(
    fn: Callable[..., T], error_handler: ErrorHandler | None = None
) -> Callable[..., T | None]:
    """Write what *fn* raises into a file, and raise it."""
    handler = error_handler or get_error_handler()

    @wraps(fn)
    def wrapper(*args: Any, **kwargs: Any) -> T | None:
        handler.initialize()
        try:
            return fn(*args, **kwargs)
        except SystemExit:
            raise
        except ChildFailedError:
            raise
        except Exception as e:
            handler.record_exception(e)
            raise

    return wrapper
