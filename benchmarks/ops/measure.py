"""Starts the processes that time, and lets them take turns over slices of the ops."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from .cliffs import CLIFFS
from .figures import OpResult, Run, geometric
from .first_calls import WARMING
from .plan import Op

__all__ = ["Failed", "ROOT", "commit_of", "measure", "steps", "uses_checkout"]

ROOT = Path(__file__).resolve().parents[2]
#: Turns of a visit, and visits: what slows the machine for a second slows one visit.
ROUNDS, VISITS = 3, 5
FIRST_CALLS = 2
_SLICE = 12


class Failed(Exception):
    """A process ended that should not have; the text is what it said last."""


class Process:
    """A process that answers commands."""

    def __init__(self, checkout: Path, module: str, *arguments: str) -> None:
        self.name = f"{module} of {checkout}"
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed by close)
        self.process = subprocess.Popen(
            [sys.executable, "-m", f"benchmarks.ops.{module}", *arguments],
            cwd=ROOT, env=os.environ | uses_checkout(checkout),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
        )  # fmt: skip

    def ask(self, *command: Any) -> Any:
        """Run a command there and wait for its answer."""
        assert self.process.stdin and self.process.stdout
        try:
            pickle.dump(command, self.process.stdin)
            self.process.stdin.flush()
            return pickle.load(self.process.stdout)
        except (EOFError, BrokenPipeError, pickle.UnpicklingError) as error:
            self.errors.seek(0)
            said = self.errors.read().decode(errors="replace").strip().splitlines()
            raise Failed(f"{self.name}: {said[-1] if said else 'ended'}") from error

    def close(self) -> None:
        """End it."""
        assert self.process.stdin and self.process.stdout
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        self.process.wait()
        self.process.stdout.close()
        self.errors.close()


def uses_checkout(checkout: Path) -> dict[str, str]:
    """What makes a process import the packages of *checkout*, whatever is installed."""
    folders = [str(p) for p in sorted(checkout.glob("packages/*/src"))]
    if not folders:
        raise Failed(f"{checkout} has no packages/*/src: not a checkout of mindtorch")
    return {"PYTHONPATH": os.pathsep.join(folders), "PYTHONDONTWRITEBYTECODE": ""}


def steps(ops: Sequence[Op]) -> int:
    """How often :func:`measure` will say that it got on, for each checkout."""
    return len(ops) * (VISITS + 2) + len(CLIFFS)


def measure(
    ops: Sequence[Op],
    checkouts: Sequence[Path],
    *,
    cliffs: Sequence[int],
    on_step: Callable[[str, int], None],
) -> list[Run]:
    """Time *ops* and the cliffs of those numbers with the mindtorch of each checkout."""
    with plan_file(ops) as path, ExitStack() as stack:

        def start(checkout: Path, module: str, *arguments: str) -> Process:
            process = Process(checkout, module, *arguments)
            stack.callback(process.close)
            return process

        workers = [start(c, "worker", path) for c in checkouts]
        lines: list[list[Any]] = [[] for _ in checkouts]
        for number in cliffs:
            for worker, found in zip(workers, lines, strict=True):
                found.append(worker.ask("cliff", number, 15))
                on_step("named calls", 1)
        warm = _warm(ops, workers, on_step)
        shapes = _shapes(ops, workers, on_step)
        frameworks = [(c, "mindtorch") for c in checkouts] + [(ROOT, "torch")]
        forks = [
            [start(c, "first_calls", name, path, str(which)) for which in range(len(WARMING))]
            for c, name in frameworks
        ]
        first = _first_calls(ops, forks, on_step)
    return [
        Run(
            str(checkout), commit_of(checkout),
            [
                _result(op, warm[i].get(n, "not measured"), shapes[i].get(n), first[i].get(n))
                for n, op in enumerate(ops)
            ],
            lines[i],
        )
        for i, checkout in enumerate(checkouts)
    ]  # fmt: skip


@contextmanager
def plan_file(ops: Sequence[Op]) -> Iterator[str]:
    """The ops in a file that the processes read."""
    with tempfile.NamedTemporaryFile(suffix=".pickle") as file:
        pickle.dump(list(ops), file)
        file.flush()
        yield file.name


def _slices(ops: Sequence[Op]) -> Iterator[list[int]]:
    numbers = list(range(len(ops)))
    for start in range(0, len(numbers), _SLICE):
        yield numbers[start : start + _SLICE]


def _warm(
    ops: Sequence[Op], workers: Sequence[Process], on_step: Callable[[str, int], None]
) -> list[dict[int, Any]]:
    found: list[dict[int, Any]] = [{} for _ in workers]
    for _ in range(VISITS):
        for numbers in _slices(ops):
            for worker, into in zip(workers, found, strict=True):
                into.update(worker.ask("warm", numbers, ROUNDS))
                on_step("warm calls", len(numbers))
    return found


def _shapes(
    ops: Sequence[Op], workers: Sequence[Process], on_step: Callable[[str, int], None]
) -> list[dict[int, Any]]:
    found: list[dict[int, Any]] = [{} for _ in workers]
    for numbers in _slices(ops):
        for worker, into in zip(workers, found, strict=True):
            into.update(worker.ask("shapes", numbers))
            on_step("new shapes", len(numbers))
    return found


def _first_calls(
    ops: Sequence[Op], forks: Sequence[Sequence[Process]], on_step: Callable[[str, int], None]
) -> list[dict[int, tuple[float, float]]]:
    """Of each checkout the least of a few; the last of *forks* are torch's."""
    found: list[dict[int, tuple[float, float]]] = [{} for _ in forks[:-1]]
    for number, op in enumerate(ops):
        base = op.name.partition(".")[0]
        which = next(i for i, names in enumerate(WARMING) if base not in names)
        best = [float("inf")] * len(forks)
        for _ in range(FIRST_CALLS):
            for side, servers in enumerate(forks):
                taken = servers[which].ask("first", number)
                if taken is not None:
                    best[side] = min(best[side], taken)
        for side, into in enumerate(found):
            if max(best[side], best[-1]) < float("inf"):
                into[number] = (best[side], best[-1])
            on_step("first calls", 1)
    return found


def _result(op: Op, warm: Any, shape: Any, first: Any) -> OpResult:
    head = (op.name, op.family, op.way.kind, op.dtype)
    if isinstance(warm, str):
        return OpResult(*head, {}, missing=warm)
    times: dict[str, tuple[float, float]] = {}
    for column in ("forward", "backward"):
        pairs = [sample[column] for sample in warm if column in sample]
        if pairs:
            times[column] = geometric(pairs)
    times.update(shape or {})
    if first is not None:
        times["first"] = first
    return OpResult(*head, times, tuple(warm))


def commit_of(checkout: Path) -> str:
    """The commit of a checkout, with + where the tree has changes; empty outside git."""
    words = ["git", "-C", str(checkout), "describe", "--always", "--dirty=+"]
    try:
        return subprocess.run(words, capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""
