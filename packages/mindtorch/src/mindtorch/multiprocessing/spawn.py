"""Starting processes that all run one function, and what becomes of them."""

from __future__ import annotations

import logging
import multiprocessing
import multiprocessing.connection
import os
import pickle
import signal
import sys
import tempfile
import time
from typing import Any

from ..core.warning import warn
from .thread_name import _prctl_pr_set_pdeathsig

#: Set to 1 it lets processes of a fork server start side by side.
ENV_VAR_PARALLEL_START = "TORCH_MP_PARALLEL_START"

log = logging.getLogger("torch.multiprocessing.spawn")

__all__ = [
    "ProcessContext",
    "ProcessException",
    "ProcessExitedException",
    "ProcessRaisedException",
    "SpawnContext",
    "spawn",
    "start_processes",
]


class ProcessException(Exception):
    """A process has failed."""

    __slots__ = ("error_index", "error_pid")

    def __init__(self, msg: str, error_index: int, error_pid: int) -> None:
        super().__init__(msg)
        self.msg = msg
        self.error_index = error_index
        self.error_pid = error_pid

    def __reduce__(self) -> Any:
        return type(self), (self.msg, self.error_index, self.error_pid)


class ProcessRaisedException(ProcessException):
    """A process has failed by an exception, whose traceback is in the text."""

    def __init__(self, msg: str, error_index: int, error_pid: int) -> None:
        super().__init__(msg, error_index, error_pid)


class ProcessExitedException(ProcessException):
    """A process has ended by a signal, or with an exit code."""

    __slots__ = ("exit_code",)

    def __init__(
        self,
        msg: str,
        error_index: int,
        error_pid: int,
        exit_code: int,
        signal_name: str | None = None,
    ) -> None:
        super().__init__(msg, error_index, error_pid)
        self.exit_code = exit_code
        self.signal_name = signal_name

    def __reduce__(self) -> Any:
        facts = (self.msg, self.error_index, self.error_pid, self.exit_code, self.signal_name)
        return type(self), facts


def _wrap(fn: Any, i: int, args: tuple[Any, ...], error_file: str) -> None:
    """What each process runs: its exception goes into a file that the parent reads."""
    # Not a daemon: nobody ends it when its parent is killed, so the system tells it.
    _prctl_pr_set_pdeathsig(signal.SIGINT)
    try:
        fn(i, *args)
    except KeyboardInterrupt:
        pass  # the parent has it as well
    except Exception:
        import traceback  # not at import: for a failure only

        with open(error_file, "wb") as file:
            pickle.dump(traceback.format_exc(), file)
        sys.exit(1)


class ProcessContext:
    """The processes of one call of :func:`start_processes`."""

    def __init__(self, processes: list[Any], error_files: list[str]) -> None:
        self.error_files = error_files
        self.processes = processes
        self.sentinels = {process.sentinel: i for i, process in enumerate(processes)}

    def pids(self) -> list[int]:
        """The numbers of the processes."""
        return [int(process.pid) for process in self.processes]

    def _join_procs_with_timeout(self, timeout: float) -> None:
        end = time.monotonic() + timeout
        for process in self.processes:
            process.join(max(0, end - time.monotonic()))

    def join(self, timeout: float | None = None, grace_period: float | None = None) -> bool:
        """Wait until a process ends, or for *timeout* seconds; True when all have ended.

        Once a process has failed the others are ended, by force after *grace_period* seconds.

        Raises ProcessRaisedException or ProcessExitedException for the first that has failed.
        """
        if not self.sentinels:
            return True
        ready = multiprocessing.connection.wait(list(self.sentinels), timeout=timeout)
        failed = next((i for i in map(self._joined, ready) if self.processes[i].exitcode), None)
        if failed is None:
            return not self.sentinels
        self._end_others(grace_period)
        raise self._failure(failed)

    def _joined(self, sentinel: Any) -> int:
        """The index of the process that has ended, as *sentinel* tells."""
        index = self.sentinels.pop(sentinel)
        self.processes[index].join()
        return index

    def _end_others(self, grace_period: float | None) -> None:
        for running in filter(lambda process: process.is_alive(), self.processes):
            log.warning("Terminating process %s via signal SIGTERM", running.pid)
            running.terminate()
        self._join_procs_with_timeout(30 if grace_period is None else grace_period)
        for stubborn in filter(lambda process: process.is_alive(), self.processes):
            log.warning(
                "Unable to shutdown process %s via SIGTERM , forcefully exiting via SIGKILL",
                stubborn.pid,
            )
            stubborn.kill()
        for process in self.processes:
            process.join()

    def _failure(self, index: int) -> ProcessException:
        process = self.processes[index]
        path = self.error_files[index]
        if os.access(path, os.R_OK) and os.path.getsize(path):
            with open(path, "rb") as file:
                text = pickle.load(file)
            head = f"\n\n-- Process {index} terminated with the following error:\n"
            return ProcessRaisedException(head + text, index, process.pid)
        code = process.exitcode
        if code < 0:
            try:
                name = signal.Signals(-code).name
            except ValueError:
                name = f"<Unknown signal {-code}>"
            text = f"process {index} terminated with signal {name}"
            return ProcessExitedException(text, index, process.pid, code, name)
        text = f"process {index} terminated with exit code {code}"
        return ProcessExitedException(text, index, process.pid, code)

    def __del__(self) -> None:
        for path in getattr(self, "error_files", ()):
            try:
                os.unlink(path)
            except OSError:
                pass


class SpawnContext(ProcessContext):
    """The older name of :class:`ProcessContext`."""

    def __init__(self, processes: list[Any], error_files: list[str]) -> None:
        warn("SpawnContext is renamed to ProcessContext since 1.4 release.")
        super().__init__(processes, error_files)


def start_processes(
    fn: Any,
    args: tuple[Any, ...] = (),
    nprocs: int = 1,
    join: bool = True,
    daemon: bool = False,
    start_method: str = "spawn",
) -> ProcessContext | None:
    """Run ``fn(i, *args)`` in *nprocs* processes; wait for them if *join*.

    Raises what :meth:`ProcessContext.join` raises.
    """
    mp: Any = multiprocessing.get_context(start_method)

    def start(i: int) -> tuple[Any, str]:
        # The file lies there empty: a process that leaves no word has left no exception.
        handle, path = tempfile.mkstemp(prefix="pytorch-errorfile-", suffix=".pickle")
        os.close(handle)
        process = mp.Process(target=_wrap, args=(fn, i, args, path), daemon=daemon)
        process.start()
        return process, path

    # Only a fork server starts a process without looking at this one's other threads.
    if start_method == "forkserver" and os.environ.get(ENV_VAR_PARALLEL_START, "0") == "1":
        log.info("Starting processes in parallel.")
        from concurrent.futures import ThreadPoolExecutor  # for this only

        with ThreadPoolExecutor(max_workers=nprocs) as threads:
            started = list(threads.map(start, range(nprocs)))
    else:
        started = [start(i) for i in range(nprocs)]
    processes = [process for process, _ in started]
    error_files = [path for _, path in started]
    context = ProcessContext(processes, error_files)
    while join and not context.join():
        pass
    return None if join else context


def spawn(
    fn: Any,
    args: tuple[Any, ...] = (),
    nprocs: int = 1,
    join: bool = True,
    daemon: bool = False,
    start_method: str = "spawn",
) -> ProcessContext | None:
    """:func:`start_processes` with the start method ``spawn``."""
    if start_method != "spawn":
        warn(
            f"This method only supports start_method=spawn (got: {start_method}).\n"
            "To use a different start_method use:\n\t\t torch.multiprocessing.start_processes(...)",
            FutureWarning,
        )
    return start_processes(fn, args, nprocs, join, daemon, start_method="spawn")
