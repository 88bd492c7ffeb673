"""Threads that run programs, in shifts; between two shifts everything rests and is counted."""

from __future__ import annotations

import gc
import importlib
import sys
import threading
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import mindtorch
import numpy as np

from . import books
from .meddling import meddle, rest
from .programs import HOST, PROGRAMS
from .sharing import Partner, exchange
from .world import Difference, World

STRATEGIES = ("file_descriptor", "file_system")
PLACES = ("cpu", "cpu", "npu", "pipeline")
#: Bytes that a process may grow by in the second half of a run: what allocators keep in pieces.
SLACK = 16 << 20
#: The same in objects of Python's allocator, over the last shifts, which repeat one another.
BLOCK_SLACK = 1_000
#: So many of the last shifts play the programs of the shift before them once more. A call becomes
#: known when it has come a few times; in the last of them all are, and what still grows is a leak.
REPEATED, SETTLED = 8, 2


class Soak:
    """One run. ``problems`` holds what was found."""

    def __init__(self, seed: int, threads: int, *, oracle: bool, processes: bool) -> None:
        self.seed, self.threads, self.processes = seed, threads, processes
        self.oracle: Any = importlib.import_module("torch") if oracle else None
        if self.oracle is not None:
            self.oracle.set_num_threads(1)
        self.problems: list[str] = []
        self.done: Counter[str] = Counter()
        self._stop = threading.Event()
        self._turns = [0] * threads
        self._books: list[dict[str, int]] = []

    # ------------------------------------------------------------------ one program

    def play(self, thread: int, turn: int) -> str:
        """Run the program of that number in all worlds; its name. Raises Difference."""

        def rng() -> np.random.Generator:
            return np.random.default_rng([self.seed, thread, turn])

        choice = np.random.default_rng([self.seed, thread, turn, 1])
        name = list(PROGRAMS)[choice.integers(len(PROGRAMS))]
        place = "cpu" if name in HOST else PLACES[choice.integers(len(PLACES))]
        self._compared(name, place, rng)
        return name if place == "cpu" else f"{name} ({place})"

    def _compared(self, name: str, place: str, rng: Callable[[], np.random.Generator]) -> None:
        ours = World(mindtorch, place)
        PROGRAMS[name](ours, rng())
        if self.oracle is not None:
            theirs = World(self.oracle)
            PROGRAMS[name](theirs, rng())
            for got, want in zip(ours.seen, theirs.seen, strict=True):
                if got.dtype != want.dtype or not np.array_equal(got, want):
                    raise Difference(f"torch has\n{want!r}\nand not\n{got!r}")

    def rehearse(self) -> None:
        """Every program once in every place: what is made for good is there when counting begins.

        Not before the first shift, in which threads load what they need at the same time.
        """
        for name in PROGRAMS:
            for place in ["cpu"] if name in HOST else dict.fromkeys(PLACES):
                self._compared(name, place, lambda: np.random.default_rng(self.seed))
                self.done["rehearsed"] += 1

    def replay(self, thread: int, turn: int) -> None:
        """Run one program alone."""
        print(self.play(thread, turn))

    # ------------------------------------------------------------------ shifts

    def _player(self, thread: int, turns: Iterable[int]) -> None:
        for turn in turns:
            if self._stop.is_set():
                return
            try:
                self.done[self.play(thread, turn)] += 1
            except BaseException:
                self._found(f"--seed {self.seed} --replay {thread}:{turn}")
                return

    def _new_turns(self, thread: int, until: float) -> Iterator[int]:
        while time.monotonic() < until:
            yield self._turns[thread]
            self._turns[thread] += 1

    def _sharer(self, shift: int, until: float) -> None:
        rng = np.random.default_rng([self.seed, shift, 2])
        strategy = STRATEGIES[shift % 2]
        try:
            partner = Partner(mindtorch, strategy)
            try:
                while not self._stop.is_set():
                    exchange(partner, rng)
                    self.done[f"sharing by {strategy}"] += 1
                    if time.monotonic() >= until:
                        break
            finally:
                partner.close()
                del partner
        except BaseException:
            self._found(f"sharing by {strategy} in shift {shift}")

    def _meddler(self, shift: int, until: float) -> None:
        rng = np.random.default_rng([self.seed, shift, 3])
        try:
            while not self._stop.is_set() and time.monotonic() < until:
                meddle(rng)
                self.done["looks at the memory"] += 1
                time.sleep(0.002)
        except BaseException:
            self._found(f"looking at the memory in shift {shift}")
        finally:
            rest()

    def _found(self, where: str) -> None:
        self._stop.set()
        self.problems.append(f"{where}\n{traceback.format_exc()}")

    def _shift(self, number: int, seconds: float, turns: list[Iterable[int]] | None = None) -> None:
        """Some seconds of new programs, or the programs of *turns* for each thread."""
        until = time.monotonic() + seconds
        every = range(self.threads)
        turns = turns or [self._new_turns(thread, until) for thread in every]
        crew = [threading.Thread(target=self._player, args=(i, turns[i])) for i in every]
        crew.append(threading.Thread(target=self._meddler, args=(number, until)))
        if self.processes:
            crew.append(threading.Thread(target=self._sharer, args=(number, until)))
        for each in crew:
            each.start()
        for each in crew:
            each.join()

    def run(self, seconds: float, show: Callable[[float, str], None]) -> None:
        """Shifts until *seconds* are over; then the books are compared."""
        start = time.monotonic()
        shifts = max(1 + REPEATED, min(12, int(seconds / 5)))
        again: list[Iterable[int]] | None = None
        interval = sys.getswitchinterval()
        sys.setswitchinterval(1e-4)
        gc.collect()
        gc.disable()  # nothing may need it
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for number in range(shifts):
                    left = seconds - (time.monotonic() - start)
                    before = self._turns[:]
                    self._shift(number, max(0.2, left / (shifts - number)), again)
                    if number == shifts - REPEATED - 1:
                        again = [range(*ends) for ends in zip(before, self._turns, strict=True)]
                    if number == 0 and not self.problems:
                        self.rehearse()
                    self._books.append(self._balance())
                    show(time.monotonic() - start, f"{sum(self.done.values())} programs")
                    if self.problems:
                        return
        finally:
            gc.enable()
            sys.setswitchinterval(interval)
        self._compare()

    # ------------------------------------------------------------------ books

    def _balance(self) -> dict[str, int]:
        mindtorch.npu.synchronize()
        before = books.alive()
        books.forget()
        gc.collect()
        found = {**before, **books.held()}
        found["bytes"], found["blocks"] = books.resident(), books.blocks()
        return found

    def _compare(self) -> None:
        first, last = self._books[1], self._books[-1]
        for name, count in last.items():
            if name not in ("bytes", "blocks") and count > first[name]:
                self.problems.append(f"a leak of {name}: {first[name]}, then {count}")
                if name == "threads":
                    self.problems[-1] += f": {[t.name for t in threading.enumerate()]}"
        for name, slack, since in (
            ("bytes", SLACK, len(self._books) // 2),
            ("blocks", BLOCK_SLACK, -1 - SETTLED),
        ):
            settled = self._books[since]
            if last[name] - settled[name] > slack:
                story = [b[name] for b in self._books]
                self.problems.append(f"a leak of {name}: {story}")

    def summary(self) -> str:
        """Programs by name, what the books say, and the problems."""
        lines = [f"{count:8} {name}" for name, count in sorted(self.done.items())]
        lines.append(f"{sum(self.done.values()):8} programs" + (", as torch" * bool(self.oracle)))
        if self._books:
            last = self._books[-1]
            lines.append(", ".join(f"{count} {name}" for name, count in last.items()))
        lines += ["", *self.problems] if self.problems else ["no difference, no leak"]
        return "\n".join(lines)
