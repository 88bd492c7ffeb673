"""Processes that a command starts: how they end with it, and what they say meanwhile."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NoReturn

from .script import INTERRUPT

__all__ = ["child", "ended_with", "pass_on", "passed_on"]

#: Seconds for what a process said last, when it has ended.
_PATIENCE = 5.0


@contextlib.contextmanager
def child(words: list[str], **how: Any) -> Iterator[subprocess.Popen[Any]]:
    """A process that ends with the context at the latest, also when this one is told to end."""

    def leave(number: int, frame: object) -> NoReturn:
        sys.exit(128 + number)

    before = signal.signal(signal.SIGTERM, leave)
    process = subprocess.Popen(words, **how)
    try:
        yield process
    finally:
        # Ctrl-C first, which a terminal sends to it too; then harder. Who is impatient and sends
        # more of them must not be left with a child.
        patient = signal.signal(signal.SIGINT, signal.SIG_IGN)
        asks: tuple[Callable[[], None], ...] = (
            partial(process.send_signal, INTERRUPT),
            process.terminate,
            process.kill,
        )
        for ask in asks:
            if process.poll() is not None:
                break
            ask()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(2.0)
        signal.signal(signal.SIGINT, patient)
        signal.signal(signal.SIGTERM, before)


def ended_with(code: int) -> int:
    """The exit code of a process, as shells count one that a signal ended."""
    return code if code >= 0 else 128 - code


def pass_on(said: bytes, to: Any) -> None:
    """Print what a child process said, whatever its encoding."""
    to.flush()
    to.buffer.write(said)
    to.buffer.flush()


@contextlib.contextmanager
def passed_on(said: Any | None, tell: Callable[[bytes], object]) -> Iterator[None]:
    """Inside, what comes out of the pipe *said* goes to *tell* as soon as it comes.

    At the end all has been told that was said until then; a process that outlives the one that was
    started may still have the pipe. Where nobody reads what is told, the rest is thrown away.
    Without a pipe there is nothing to do.
    """
    if said is None:
        yield
        return

    def copy() -> None:
        heard = True
        while piece := os.read(said.fileno(), 1 << 16):
            try:
                if heard:
                    tell(piece)
            except OSError:
                heard = False

    copying = threading.Thread(target=copy, name="mindtorch output", daemon=True)
    copying.start()
    try:
        yield
    finally:
        copying.join(_PATIENCE)
