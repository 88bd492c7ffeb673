"""A process that times mindtorch and torch side by side: ``python -m benchmarks.ops.worker``.

It reads pickled commands from its input and answers each with a pickle. Which mindtorch it has is a
matter of its PYTHONPATH.
"""

from __future__ import annotations

import gc
import importlib
import os
import pickle
import sys
import warnings
from collections.abc import Iterable
from statistics import median
from typing import Any, BinaryIO

from ..run import compare
from .cliffs import CLIFFS
from .portable import unpack
from .statements import Turn, backward, forward, function, once

#: How long one side's turn should take.
TURN_NS = 400_000
_MOST_CALLS = 2000

Pair = tuple[float, float]  # nanoseconds of ours, of torch


class Pairing:
    """The same statement on both sides, and the least that a call took so far."""

    def __init__(self, ours: Turn, theirs: Turn) -> None:
        self.sides = [(ours, calls_per_turn(ours)), (theirs, calls_per_turn(theirs))]
        self.best = [float("inf"), float("inf")]

    def run(self, rounds: int) -> None:
        """Let the sides take turns; who goes first alternates."""
        for number in range(rounds):
            for which in (0, 1) if number % 2 else (1, 0):
                turn, calls = self.sides[which]
                self.best[which] = min(self.best[which], turn(calls) / calls)


def calls_per_turn(turn: Turn) -> int:
    """How many calls fill a turn, once the statement is warm."""
    turn(3)
    least = min(turn(2), turn(2), turn(2)) / 2
    return max(1, min(_MOST_CALLS, round(TURN_NS / max(least, 1.0))))


class Worker:
    """What the commands do. Numbers of ops are places in the list that the process was given."""

    def __init__(self, ops: list[Any]) -> None:
        self.ops = ops
        self.torch = importlib.import_module("torch")
        self.torch.set_num_threads(1)
        self.ours = importlib.import_module("mindtorch")
        self.pairings: dict[int, list[dict[str, Pairing]]] = {}
        self.missing: dict[int, str] = {}

    def prepare(self, number: int) -> None:
        """Make the statements of an op; an error of ours, or another result, is why it has none."""
        op = self.ops[number]
        found: list[dict[str, Pairing]] = []
        try:
            for case in op.cases:
                found.append({"forward": self._pairing(op.way, case.call, None)})
                if case.grad_call is not None:
                    made = self._pairing(op.way, case.grad_call, case.results)
                    found[-1]["backward"] = made
        except Exception as error:
            text = str(error).partition("\n")[0]
            self.missing[number] = f"{type(error).__name__}: {text}"
            return
        self.pairings[number] = found

    def _pairing(self, way: Any, call: Any, results: tuple[int, ...] | None) -> Pairing:
        sides, values = [], []
        for torch in (self.ours, self.torch):
            made = unpack(torch, call)
            values.append(function(torch, way)(*made.args, **made.kwargs))
            if results is None:
                sides.append(forward(torch, way, made))
            else:
                sides.append(backward(torch, way, made, results))
        shapes = [described(t, v) for t, v in zip((self.ours, self.torch), values, strict=True)]
        if shapes[0] != shapes[1]:
            raise ValueError(f"gives {shapes[0]}, torch {shapes[1]}")
        return Pairing(*sides)

    def warm(self, numbers: list[int], rounds: int) -> dict[int, Any]:
        """A few turns of each op: the least so far, by sample and column."""
        answer: dict[int, Any] = {}
        gc.collect()
        gc.freeze()  # so that the next time looks at nothing that stays
        for number in numbers:
            if number not in self.pairings and number not in self.missing:
                self.prepare(number)
            if number in self.missing:
                answer[number] = self.missing[number]
                continue
            for pairings in self.pairings[number]:
                for pairing in pairings.values():
                    pairing.run(rounds)
            answer[number] = [
                {column: tuple(p.best) for column, p in pairings.items()}
                for pairings in self.pairings[number]
            ]
        return answer

    def shapes(self, numbers: list[int]) -> dict[int, dict[str, Pair]]:
        """The first call with each of some new shapes, of ops that are warm: the medians.

        Between them one of a shape that is known (``"known"``). A single call takes several times
        as long as one in a loop, whose machine code is at hand; so only single ones compare.
        """
        answer: dict[int, dict[str, Pair]] = {}
        for number in numbers:
            op = self.ops[number]
            if number in self.missing or not op.cases or not op.cases[0].shapes:
                continue
            new: list[list[int]] = [[], []]
            known: list[list[int]] = [[], []]
            frameworks = (self.ours, self.torch)
            try:
                # Machine code of the call itself is warm, as it is inside a loop over shapes.
                for torch in frameworks:
                    made = unpack(torch, op.cases[0].call)
                    once(torch, op.way, made)
                for call in op.cases[0].shapes:
                    for times, each in ((new, call), (known, op.cases[0].call)):
                        for side, torch in zip(times, frameworks, strict=True):
                            side.append(once(torch, op.way, unpack(torch, each)))
            except Exception as error:
                print(f"{op.name}, another shape: {error}", file=sys.stderr)
                continue
            answer[number] = {
                "shape": (median(new[0]), median(new[1])),
                "known": (median(known[0]), median(known[1])),
            }
        return answer

    def cliff(self, number: int, rounds: int) -> Any:
        """One of the named calls, as a line of the other benchmarks."""
        return compare(CLIFFS[number], self.torch, rounds=rounds)


def described(torch: Any, value: Any) -> Any:
    """What both sides must agree on: kinds of results, dtypes and sizes."""
    if isinstance(value, torch.Tensor):
        return (str(value.dtype), tuple(value.shape))
    if isinstance(value, (list, tuple)):
        return tuple(described(torch, item) for item in value)
    return type(value).__name__


def own_output() -> BinaryIO:
    """Standard output for answers alone: whatever else is printed goes to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def serve(target: Any, source: BinaryIO, answers: BinaryIO) -> None:
    """Run methods of *target* as they are asked for, until the input ends."""
    while True:
        try:
            name, *arguments = pickle.load(source)
        except EOFError:
            return
        pickle.dump(getattr(target, name)(*arguments), answers)
        answers.flush()


def main(argv: Iterable[str]) -> int:
    answers = own_output()
    warnings.simplefilter("ignore")
    (path,) = argv
    with open(path, "rb") as file:
        worker = Worker(pickle.load(file))
    gc.disable()
    serve(worker, sys.stdin.buffer, answers)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
