"""Groups of several processes that stay for a session and run functions that tests name.

``python -m tests.contract.crew FRAMEWORK RANK SIZE PORT`` is one process of a group; a
:class:`Crew` starts all of them and asks them. One start serves many tests.
"""

from __future__ import annotations

import atexit
import importlib
import importlib.util
import os
import pickle
import select
import socket
import struct
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

_LENGTH = struct.Struct("!Q")
#: How long an answer may take, in seconds.
_PATIENCE = 60

#: For tests of several processes: mpi4py and an MPI, which the tests of one package alone lack.
needs_mpi = pytest.mark.skipif(
    importlib.util.find_spec("mpi4py") is None,
    reason='several processes need MPI: pip install "mindtorch[distributed]"',
)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def quiet_environment() -> dict[str, str]:
    """The environment of processes that share two cores with others."""
    return os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


class Crew:
    """*size* processes of *framework*, a module's name, in one default group of gloo."""

    def __init__(self, framework: str, size: int, **variables: str) -> None:
        port = free_port()
        words = [sys.executable, "-W", "ignore", "-m", "tests.contract.crew", framework]
        self.processes = [
            subprocess.Popen(
                [*words, str(rank), str(size), str(port)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=quiet_environment() | variables,
            )
            for rank in range(size)
        ]

    def run(self, function: Callable[..., Any], *args: Any) -> list[Any]:
        """What ``function(framework, *args)`` returns or raises in each process, by rank.

        An error is its type's name and its text, as a tuple.
        """
        message = pickle.dumps((function.__module__, function.__qualname__, args))
        for process in self.processes:
            assert process.stdin is not None
            process.stdin.write(_LENGTH.pack(len(message)) + message)
            process.stdin.flush()
        until = time.monotonic() + _PATIENCE
        return [pickle.loads(self._answer(process, until)) for process in self.processes]

    def _answer(self, process: Any, until: float) -> bytes:
        """The answer of *process*; all are killed if it does not come in time."""
        ready, _, _ = select.select([process.stdout], [], [], max(0.0, until - time.monotonic()))
        if not ready:
            for each in self.processes:
                each.kill()
            raise TimeoutError("a process of the crew does not answer")
        return _read(process.stdout)

    def close(self) -> None:
        """End the processes."""
        for process in self.processes:
            assert process.stdin is not None and process.stdout is not None
            process.stdin.close()
        for process in self.processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            process.stdout.close()


def _read(stream: Any) -> bytes:
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError("a process of the crew has ended")
    return stream.read(_LENGTH.unpack(head)[0])


_CREWS: dict[tuple[str, int], Crew] = {}


def crew(framework: str, size: int) -> Crew:
    """The crew of *framework* and *size*, which lives to the end of this process."""
    if not _CREWS:
        atexit.register(lambda: [each.close() for each in _CREWS.values()])
    if (framework, size) not in _CREWS or _CREWS[framework, size].processes[0].poll() is not None:
        _CREWS[framework, size] = Crew(framework, size)
    return _CREWS[framework, size]


def once(
    framework: str, size: int, function: Callable[..., Any], *args: Any, **variables: str
) -> list[Any]:
    """What *function* gives in a crew that is not used again."""
    own = Crew(framework, size, **variables)
    try:
        return own.run(function, *args)
    finally:
        for process in own.processes:
            process.kill()
        own.close()


def _serve(framework: str, rank: int, size: int, port: int) -> None:
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what programs print is no answer
    t = importlib.import_module(framework)
    d = importlib.import_module(f"{framework}.distributed")
    d.init_process_group(
        "gloo",
        init_method=f"tcp://127.0.0.1:{port}",
        rank=rank,
        world_size=size,
        timeout=timedelta(seconds=20),
    )
    while True:
        try:
            message = _read(sys.stdin.buffer)
        except EOFError:
            break
        module, name, args = pickle.loads(message)
        function: Any = importlib.import_module(module)
        for part in name.split("."):
            function = getattr(function, part)
        try:
            result = function(t, *args)
        except Exception as e:
            if "MINDTORCH_SHOW" in os.environ:
                traceback.print_exc()
            result = (type(e).__name__, str(e))
        body = pickle.dumps(result)
        answers.write(_LENGTH.pack(len(body)) + body)
        answers.flush()
    d.destroy_process_group()


if __name__ == "__main__":
    _serve(sys.argv[1], *map(int, sys.argv[2:5]))
