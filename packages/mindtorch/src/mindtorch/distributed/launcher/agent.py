"""Starting the processes of one host and watching them: when one fails, the others are ended."""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import IO, Any, Protocol

from ...multiprocessing.thread_name import _prctl_pr_set_pdeathsig
from ..elastic.multiprocessing.api import SignalException, Std, to_map
from ..elastic.multiprocessing.errors import ChildFailedError, ProcessFailure, record
from .config import LaunchConfig
from .places import Place

__all__ = ["Agent", "Program"]

log = logging.getLogger("torch.distributed.launcher")

#: The pause between two looks at the processes, in seconds.
_PAUSE = 0.02


class Program:
    """A program that each process runs: *words* of a command line, which may depend on the rank."""

    def __init__(self, name: str, words: Callable[[int], list[str]]) -> None:
        self.name, self.words = name, words


class _Process(Protocol):
    pid: int

    def poll(self) -> int | None: ...

    def terminate(self) -> None: ...

    def kill(self) -> None: ...


def _call(function: Any, args: Any, given: dict[str, str], path: str, streams: Any) -> None:
    """What a process does that calls a function: its value goes into a file."""
    _prctl_pr_set_pdeathsig(signal.SIGTERM)
    os.environ.update(given)
    for number, file in enumerate(streams, 1):
        if file is not None:
            with open(file, "ab") as stream:
                os.dup2(stream.fileno(), number)
    value = record(function)(*args)
    with open(path, "wb") as result:
        pickle.dump(value, result)


class _Called:
    """A process of multiprocessing, asked as those of subprocess are."""

    def __init__(self, process: Any) -> None:
        self._process = process
        process.start()
        self.pid = process.pid
        self.terminate, self.kill = process.terminate, process.kill

    def poll(self) -> int | None:
        """The exit code, None while it runs."""
        code: int | None = self._process.exitcode
        if code is not None:
            self._process.join()
        return code


@contextmanager
def _signals(names: str) -> Iterator[None]:
    """Raise SignalException at signals that would end this process, so that it can end others."""

    def received(number: int, frame: Any) -> None:
        raise SignalException(f"Process {os.getpid()} got signal: {number}", signal.Signals(number))

    before = {}
    if threading.current_thread() is threading.main_thread():
        for name in names.split(","):
            number = getattr(signal, name.strip(), None)
            if number is not None:
                before[number] = signal.signal(number, received)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Agent:
    """The processes of one host, which call a function or run a program.

    *place* says which ranks they have, *config* how they are watched and where their output goes.
    """

    def __init__(
        self, place: Place, config: LaunchConfig, entrypoint: Any, args: list[Any]
    ) -> None:
        self._place, self._config = place, config
        self._entrypoint, self._args = entrypoint, args
        self._pumps: list[threading.Thread] = []
        logs = config.logs_specs
        self._redirects = to_map(getattr(logs, "redirects", Std.NONE), place.local)
        self._tee = to_map(getattr(logs, "tee", Std.NONE), place.local)
        self._shown = getattr(logs, "local_ranks_filter", None)
        self._kept = getattr(logs, "log_dir", None)

    @property
    def name(self) -> str:
        """What is started."""
        entrypoint = self._entrypoint
        if isinstance(entrypoint, str):
            return entrypoint
        return getattr(entrypoint, "name", None) or entrypoint.__qualname__

    def run(self) -> dict[int, Any]:
        """Start the processes and wait for them; what functions return, by rank.

        They are started again up to *max_restarts* times when one has failed.

        Raises ChildFailedError for the last failure, SignalException where a signal ends all.
        """
        with ExitStack() as stack:
            stack.enter_context(_signals(self._config.signals_to_handle))
            folder = tempfile.mkdtemp(prefix="torchelastic_")
            stack.callback(shutil.rmtree, folder, ignore_errors=True)
            attempt = 0
            while True:
                try:
                    return self._attempt(attempt, folder)
                except ChildFailedError:
                    if attempt >= self._config.max_restarts:
                        raise
                attempt += 1
                log.warning("starting %s again, for the %d. time", self.name, attempt)

    def _attempt(self, attempt: int, folder: str) -> dict[int, Any]:
        place = self._place
        at = os.path.join(self._kept or folder, place.run_id, f"attempt_{attempt}")
        folders = [os.path.join(at, str(i)) for i in range(place.local)]
        processes: list[_Process] = []
        try:
            for i, each in enumerate(folders):
                os.makedirs(each, exist_ok=True)
                given = place.variables(i, attempt)
                given["TORCHELASTIC_ERROR_FILE"] = os.path.join(each, "error.json")
                processes.append(self._start(i, given, each))
            self._watch(processes, folders)
        finally:
            self._end(processes)
            for pump in self._pumps:
                pump.join()
            self._pumps.clear()
        return {place.rank(i): _result(each) for i, each in enumerate(folders)}

    # Processes

    def _files(self, index: int, folder: str) -> list[str | None]:
        """The files that output and errors of a process go into."""
        kept = self._redirects[index] | self._tee[index]
        names = (("stdout.log", Std.OUT), ("stderr.log", Std.ERR))
        return [os.path.join(folder, name) if kept & flag else None for name, flag in names]

    def _start(self, index: int, given: dict[str, str], folder: str) -> _Process:
        files = self._files(index, folder)
        if callable(self._entrypoint):
            mp: Any = multiprocessing.get_context(self._config.start_method)
            path = os.path.join(folder, "result")
            task = (self._entrypoint, self._args, given, path, files)
            return _Called(mp.Process(target=_call, args=task))
        if isinstance(self._entrypoint, str):
            words = [self._entrypoint, *map(str, self._args)]
        else:
            words = self._entrypoint.words(index)
        hidden = self._shown is not None and index not in self._shown
        with ExitStack() as stack:
            streams: list[Any] = []
            tees: list[tuple[int, str]] = []
            for number, path_ in enumerate(files, 1):
                if path_ is None:
                    streams.append(subprocess.DEVNULL if hidden else None)
                elif self._tee[index] & number and not hidden:
                    streams.append(subprocess.PIPE)
                    tees.append((number, path_))
                else:
                    streams.append(stack.enter_context(open(path_, "wb")))
            process = subprocess.Popen(
                words,
                env=os.environ | given,
                stdout=streams[0],
                stderr=streams[1],
                preexec_fn=_die_with_parent if sys.platform == "linux" else None,
            )
        for number, path_ in tees:
            source = process.stdout if number == 1 else process.stderr
            assert source is not None
            head = f"[{self._place.role}{self._place.rank(index)}]:".encode()
            pump = threading.Thread(target=_pump, args=(source, path_, number, head), daemon=True)
            pump.start()
            self._pumps.append(pump)
        return process

    def _watch(self, processes: list[_Process], folders: list[str]) -> None:
        """Wait until all have ended well. Raises ChildFailedError when one has not."""
        running = set(range(len(processes)))
        pause = min(_PAUSE, self._config.monitor_interval)
        while running:
            failed = {}
            for i in sorted(running):
                code = processes[i].poll()
                if code is None:
                    continue
                running.discard(i)
                if code:
                    file = os.path.join(folders[i], "error.json")
                    told = file if os.path.isfile(file) else ""
                    failure = ProcessFailure(i, processes[i].pid, code, told)
                    failed[self._place.rank(i)] = failure
            if failed:
                raise ChildFailedError(self.name, failed)
            if running:
                time.sleep(pause)

    def _end(self, processes: list[_Process]) -> None:
        """End those that still run, by force when they do not end by themselves."""
        alive = [each for each in processes if each.poll() is None]
        for each in alive:
            each.terminate()
        until = time.monotonic() + self._config.shutdown_timeout
        while alive and time.monotonic() < until:
            time.sleep(_PAUSE)
            alive = [each for each in alive if each.poll() is None]
        for each in alive:
            each.kill()
        while any(each.poll() is None for each in alive):
            time.sleep(_PAUSE)


def _die_with_parent() -> None:
    _prctl_pr_set_pdeathsig(signal.SIGTERM)


def _pump(source: IO[bytes], path: str, number: int, head: bytes) -> None:
    """Write what a process says into a file, and behind *head* to where this one says it."""
    shown = sys.stdout if number == 1 else sys.stderr
    with source, open(path, "wb") as file:
        for line in source:
            file.write(line)
            file.flush()
            shown.write((head + line).decode(errors="replace"))
            shown.flush()


def _result(folder: str) -> Any:
    try:
        with open(os.path.join(folder, "result"), "rb") as file:
            return pickle.load(file)
    except FileNotFoundError:
        return None  # a program returns nothing
