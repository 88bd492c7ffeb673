"""Measuring: both sides take turns, and the median of the turns' ratios is the figure."""

from __future__ import annotations

import gc
import importlib
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from time import process_time_ns
from types import ModuleType
from typing import Any

import numpy as np

from .line import Line, Probe, Result

#: How long one turn of one side should take.
TURN_NS = 4_000_000
#: So many statements come before the first that counts, unless they take longer than a turn: what
#: is made for a layout that comes again is made in them.
WARMING = 32
#: No more turns than fit into this (per line and side), except three.
LINE_NS = 3_000_000_000

Turn = Callable[[int], int]  # number of statements -> nanoseconds


class NotThere(Exception):
    """Our side cannot run a line yet; the text says why."""


def measure(lines: Sequence[Line | Probe], *, rounds: int) -> list[Result]:
    """Measure *lines* one after the other, each with both sides interleaved."""
    oracle = importlib.import_module("torch")
    oracle.set_num_threads(1)
    results = []
    for line in lines:
        print(f"\r{line.name:<40}", end="", file=sys.stderr, flush=True)
        if isinstance(line, Probe):
            results.append(probe(line, rounds=min(max(5, rounds), line.starts)))
        else:
            results.append(compare(line, oracle, rounds=rounds))
    print("\r" + " " * 40 + "\r", end="", file=sys.stderr, flush=True)
    return results


def probe(line: Probe, *, rounds: int) -> Result:
    """Fresh processes, taking turns; the best of each side, since a process is only ever slowed.

    A warm-up each leaves byte code behind, as an installation does, also where the environment
    forbids to write it.
    """
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}

    def once(module: str) -> float:
        code = line.code.replace("{torch}", module)
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, env=environment
        )
        if done.returncode:
            last = (done.stderr.strip() or "it failed").splitlines()[-1]
            raise NotThere(last)
        return float(done.stdout)

    once("torch")  # the files are in the page cache then, for both sides
    try:
        once("mindtorch")
        pairs = [(once("mindtorch"), once("torch")) for _ in range(rounds)]
    except NotThere as reason:
        return Result(
            line.name, line.unit, None, once("torch"), None, line.first, line.then, str(reason)
        )
    best = tuple(map(min, zip(*pairs, strict=True)))
    return summed_up(line, line.unit, [(best[0], best[1])])


def compare(line: Line, oracle: ModuleType, *, rounds: int) -> Result:
    """Time one statement on both sides."""
    theirs, namespace = prepare(line, oracle, line.statement)
    per_call = calibrate(theirs)
    try:
        ours, our_namespace = start_ours(line)
        agree(line, our_namespace, namespace)
        our_per_call = calibrate(ours)
    except NotThere as reason:
        cost = theirs(repeats(per_call)) / repeats(per_call) / line.units / 1e9
        return Result(line.name, "s", None, cost, None, line.first, line.then, str(reason))
    n_theirs, n_ours = repeats(per_call), repeats(our_per_call)
    turn = max(n_theirs * per_call, n_ours * our_per_call)
    pairs = []
    for number in range(max(3, min(rounds, int(LINE_NS / turn)))):
        sides = [(ours, n_ours), (theirs, n_theirs)]
        if number % 2:  # who goes first alternates, as the first one warms the caches
            sides.reverse()
        times = {side: side(n) / n / line.units / 1e9 for side, n in sides}
        pairs.append((times[ours], times[theirs]))
        gc.collect()
    return summed_up(line, "s", pairs)


def start_ours(line: Line) -> tuple[Turn, dict[str, Any]]:
    """Our side, run once. Whatever it raises means that the line is not there yet."""
    try:
        torch = importlib.import_module("mindtorch")
        turn, namespace = prepare(line, torch, line.ours or line.statement)
        turn(1)
    except Exception as error:
        text = str(error).partition("\n")[0]
        raise NotThere(f"{type(error).__name__}: {text}") from error
    return turn, namespace


def prepare(line: Line, torch: ModuleType, statement: str) -> tuple[Turn, dict[str, Any]]:
    """A function that runs *statement* a number of times and returns the CPU time."""
    namespace: dict[str, Any] = {"torch": torch, **line.setup(torch), "_now": process_time_ns}
    body = statement.rstrip("\n").splitlines()
    before = line.before.splitlines()
    # The names of setup become locals of the timed function: globals would be slower to read.
    names = [n for n in namespace if n != "_now" and n.isidentifier()]
    head = [f"def _turn(_n, {', '.join(f'{n}={n}' for n in names)}):"]
    if before:
        loop = ["    _sum = 0", "    for _i in range(_n):"]
        loop += [f"        {s}" for s in before]
        loop += ["        _start = _now()"]
        loop += [f"        {s}" for s in body]
        loop += ["        _sum += _now() - _start"]
    else:
        loop = ["    _start = _now()", "    for _i in range(_n):"]
        loop += [f"        {s}" for s in body]
        loop += ["    _sum = _now() - _start"]
    tail = ["    _locals.update(locals())", "    return _sum"]
    # What the last repetition left is kept for the check.
    namespace["_locals"] = namespace
    exec("\n".join(head + loop + tail), namespace)
    timed = namespace["_turn"]

    def turn(n: int) -> int:
        enabled = gc.isenabled()
        gc.disable()
        try:
            return int(timed(n))
        finally:
            if enabled:
                gc.enable()

    return turn, namespace


def calibrate(turn: Turn) -> float:
    """Nanoseconds of one statement, warm."""
    spent = 0
    for _ in range(WARMING):
        spent += turn(1)
        if spent > TURN_NS:
            break
    n = 1
    while True:
        spent = turn(n)
        if spent > TURN_NS / 4 or n >= 1 << 20:
            return max(1.0, spent / n)
        n *= 4


def repeats(per_call: float) -> int:
    """How many statements make a turn."""
    return max(1, round(TURN_NS / per_call))


def agree(line: Line, ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Speed of a wrong answer is no figure: the values must agree (roughly: sums differ)."""
    if not line.check:
        return
    got = np.asarray(eval(line.check, ours).detach().numpy())
    want = np.asarray(eval(line.check, theirs).detach().numpy())
    if got.shape != want.shape or not np.allclose(got, want, rtol=1e-3, atol=1e-3):
        raise NotThere("its value differs from torch's")


def summed_up(line: Line | Probe, unit: str, pairs: list[tuple[float, float]]) -> Result:
    """Medians of both sides, and the median ratio of the turns."""
    return Result(
        name=line.name,
        unit=unit,
        ours=statistics.median(p[0] for p in pairs),
        torch=statistics.median(p[1] for p in pairs),
        ratio=statistics.median(p[0] / p[1] for p in pairs),
        first=line.first,
        then=line.then,
    )
