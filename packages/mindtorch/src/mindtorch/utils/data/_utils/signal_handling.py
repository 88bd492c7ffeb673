"""A worker that dies is noticed at once: by the signal that every child's end sends.

Without it, a process that waits for a worker's batch would only look after seconds. The handler
raises in the main thread, wherever that is, when a worker has failed; who waits for batches
catches that and says which workers are gone.
"""

from __future__ import annotations

import os
import signal
import threading
from typing import Any

from . import _process
from ._process import IS_WINDOWS

#: By the number of a loader's iterator: the process numbers of its workers.
_worker_pids: dict[int, set[int]] = {}

_SIGCHLD_handler_set = False


def _set_worker_signal_handlers() -> None:
    """In a worker: a handler that the parent has set for SIGTERM is the parent's affair."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        # Children of a worker are its own affair, too: nobody here waits for them.
        if not IS_WINDOWS:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _worker_pids.clear()


def _set_worker_pids(key: int, child_pids: tuple[int, ...]) -> None:
    """Watch the workers of the iterator whose number is *key*."""
    if key in _worker_pids:
        raise ValueError(
            "_set_worker_pids should be called only once for each _BaseDataLoaderIter."
        )
    if not isinstance(child_pids, tuple):
        raise TypeError(
            f"_set_worker_pids expects a tuple for child_pids, but got {type(child_pids).__name__}."
        )
    _worker_pids[key] = set(child_pids)


def _remove_worker_pids(key: int) -> None:
    """Watch them no longer."""
    if key not in _worker_pids:
        raise ValueError(f"Cannot find worker information for _BaseDataLoaderIter with id {key}")
    del _worker_pids[key]


def _error_if_any_worker_fails() -> None:
    """Raise RuntimeError if a watched worker was killed or has left with a code other than 0.

    The state of the process is only looked at, so that ``multiprocessing`` finds it, too.
    """
    if IS_WINDOWS or _process.python_exit_status is not False:
        return  # at its end ``multiprocessing`` kills those that are left
    for pids in list(_worker_pids.values()):
        for pid in list(pids):
            text = _failure(pid)
            if text:
                pids.clear()  # said once
                raise RuntimeError(text)


def _failure(pid: int) -> str:
    try:
        state = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return ""
    if state is None:
        return ""
    code = state.si_status
    if state.si_code == os.CLD_EXITED:
        if code == 0:
            return ""
        return (
            f"DataLoader worker (pid {pid}) exited unexpectedly with exit code {code}. "
            "Details are lost due to multiprocessing. Rerunning with num_workers=0 may give "
            "better error trace."
        )
    if state.si_code not in (os.CLD_KILLED, os.CLD_DUMPED):
        return ""
    text = f"DataLoader worker (pid {pid}) is killed by signal: {signal.strsignal(code)}. "
    if code == signal.SIGBUS:
        text += (
            "It is possible that dataloader's workers are out of shared memory. "
            "Please try to raise your shared memory limit."
        )
    return text


def _set_SIGCHLD_handler() -> None:
    """Look after the workers whenever a child ends; whoever handled that signal still does.

    Only the main thread may set a handler: from another one this does nothing.
    """
    global _SIGCHLD_handler_set
    if IS_WINDOWS or _SIGCHLD_handler_set:
        return
    if threading.current_thread() is not threading.main_thread():
        return
    previous = signal.getsignal(signal.SIGCHLD)
    if not callable(previous):  # the system's default, or a handler outside Python
        previous = None

    def handler(signum: int, frame: Any) -> None:
        _error_if_any_worker_fails()
        if previous is not None:
            previous(signum, frame)

    signal.signal(signal.SIGCHLD, handler)
    _SIGCHLD_handler_set = True
