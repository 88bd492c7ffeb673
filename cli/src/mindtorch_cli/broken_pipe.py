"""Whoever reads what a command prints, and may go away: ``mindtorch … | head``.

Tools end there without a word, by SIGPIPE. Python ignores that signal, for a script may have pipes
of its own, and a command has things to do that nobody reads: files to write, processes to end. So
the command goes on without the reader, and ends with the code that shells show of such tools.
"""

from __future__ import annotations

import os
import select
import sys

__all__ = ["GONE", "go_on_unread", "has_gone", "is_about_readers"]

#: The exit code of a command whose reader went away: 128 and SIGPIPE.
GONE = 141
_OUTPUTS = (1, 2)


def has_gone(descriptor: int) -> bool:
    """Whether what is written to *descriptor* is read by nobody any more."""
    if not hasattr(select, "poll"):  # Windows
        return False
    asked = select.poll()
    asked.register(descriptor, 0)
    found = asked.poll(0)
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in found)


def go_on_unread() -> bool:
    """From now on throw away what nobody reads; whether there is such output."""
    gone = [descriptor for descriptor in _OUTPUTS if has_gone(descriptor)]
    if gone:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for descriptor in gone:
            os.dup2(nowhere, descriptor)
        os.close(nowhere)
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()  # what is left of it
    return bool(gone)


def is_about_readers(error: BaseException | None) -> bool:
    """Whether *error*, or what led to it, says that a reader is gone."""
    while error is not None:
        if isinstance(error, BrokenPipeError):
            return True
        error = error.__cause__ or error.__context__
    return False
