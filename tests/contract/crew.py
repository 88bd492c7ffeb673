"""Groups of several processes that stay for a file of tests and run functions that these name.

``python -m tests.contract.crew FRAMEWORK PORT IN,OUT ...`` imports the framework, forks one process
of a group for each pair of pipes and waits for them; a :class:`Crew` starts that and asks them. One
start serves many tests.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import os
import pickle
import select
import signal
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
        asking, answering = [os.pipe() for _ in range(size)], [os.pipe() for _ in range(size)]
        theirs = [(ask[0], answer[1]) for ask, answer in zip(asking, answering, strict=True)]
        self._questions = [os.fdopen(ask[1], "wb") for ask in asking]
        self._answers = [os.fdopen(answer[0], "rb") for answer in answering]
        words = [sys.executable, "-W", "ignore", "-m", "tests.contract.crew", framework]
        self._process = subprocess.Popen(
            [*words, str(free_port()), *[f"{i},{o}" for i, o in theirs]],
            pass_fds=[end for pair in theirs for end in pair],
            env=quiet_environment() | variables,
            start_new_session=True,  # one signal ends all
        )
        for pair in theirs:
            for end in pair:
                os.close(end)

    def run(self, function: Callable[..., Any], *args: Any) -> list[Any]:
        """What ``function(framework, *args)`` returns or raises in each process, by rank.

        An error is its type's name and its text, as a tuple.
        """
        message = pickle.dumps((function.__module__, function.__qualname__, args))
        for question in self._questions:
            question.write(_LENGTH.pack(len(message)) + message)
            question.flush()
        until = time.monotonic() + _PATIENCE
        return [pickle.loads(self._answer(answer, until)) for answer in self._answers]

    def _answer(self, answer: Any, until: float) -> bytes:
        """What comes from *answer*; all processes are killed if it does not come in time."""
        ready, _, _ = select.select([answer], [], [], max(0.0, until - time.monotonic()))
        if not ready:
            self.kill()
            raise TimeoutError("a process of the crew does not answer")
        return _read(answer)

    def has_ended(self) -> bool:
        """Whether its processes are gone."""
        return self._process.poll() is not None

    def kill(self) -> None:
        """End the processes at once."""
        if not self.has_ended():
            os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """End the processes when they are done."""
        for question in self._questions:
            with contextlib.suppress(BrokenPipeError):
                question.close()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()
            self._process.wait()
        for answer in self._answers:
            answer.close()


def _read(stream: Any) -> bytes:
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError("a process of the crew has ended")
    body: bytes = stream.read(_LENGTH.unpack(head)[0])
    return body


_CREWS: dict[tuple[str, int], Crew] = {}


def close_all() -> None:
    """End all crews that :func:`crew` gave; at once, for torch's take seconds to take leave."""
    while _CREWS:
        _, ending = _CREWS.popitem()
        ending.kill()
        ending.close()


def crew(framework: str, size: int) -> Crew:
    """The crew of *framework* and *size*, which lives to the end of the file of tests."""
    if (framework, size) not in _CREWS or _CREWS[framework, size].has_ended():
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
        own.kill()
        own.close()


def _serve(t: Any, rank: int, size: int, port: int, given: int, taken: int) -> None:
    """Be one process of a group, to the end of what is asked."""
    questions, answers = os.fdopen(given, "rb"), os.fdopen(taken, "wb")
    d = importlib.import_module(f"{t.__name__}.distributed")
    d.init_process_group(
        "gloo",
        init_method=f"tcp://127.0.0.1:{port}",
        rank=rank,
        world_size=size,
        timeout=timedelta(seconds=20),
    )
    while True:
        try:
            message = _read(questions)
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


def _main(framework: str, port: int, pipes: list[tuple[int, int]]) -> None:
    """Import *framework* once for all processes of the group, and fork them."""
    os.dup2(2, 1)  # what programs print is no answer
    t = importlib.import_module(framework)
    importlib.import_module(f"{framework}.distributed")
    children = []
    for rank, own in enumerate(pipes):
        child = os.fork()
        if not child:
            for end in (end for pair in pipes if pair != own for end in pair):
                os.close(end)
            _serve(t, rank, len(pipes), port, *own)
            return
        children.append(child)
    for end in (end for pair in pipes for end in pair):
        os.close(end)
    for child in children:
        os.waitpid(child, 0)


if __name__ == "__main__":
    _ends = [pair.partition(",") for pair in sys.argv[3:]]
    _main(sys.argv[1], int(sys.argv[2]), [(int(given), int(taken)) for given, _, taken in _ends])
