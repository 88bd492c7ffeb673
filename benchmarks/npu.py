"""The simulated NPU beside the cpu of the same framework, and its allocator by itself.

``python -m benchmarks.npu`` prints a line for each target. Times are processor time, of the whole
process (the stream's worker included) or of the launching thread alone. Both sides take turns, and
what is shown is the median of the ratios of neighbours: the clock of a shared machine wanders, but
not within a pair. An allocation takes what the fastest of many rounds says; how fast the machine is
at that, the first lines tell.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import mindtorch as torch
import numpy as np
from mindtorch import nn
from mindtorch_npu import backend

Turn = Callable[[int], object]


def beside(first: Turn, second: Turn, count: int, rounds: int = 60) -> tuple[float, float]:
    """By what the second takes longer than the first: of the process's time, of this thread's."""
    processes, threads = [], []
    for _ in range(rounds):
        wholes, owns = [], []
        for turn in (first, second):
            process, thread = time.process_time(), time.thread_time()
            turn(count)
            owns.append(time.thread_time() - thread)
            torch.npu.synchronize()
            wholes.append(time.process_time() - process)
        processes.append(wholes[1] / wholes[0])
        threads.append(owns[1] / owns[0])
    return statistics.median(processes), statistics.median(threads)


def clock() -> tuple[float, float]:
    """Seconds that ``np.add`` of two numbers takes, the least and the median."""
    one = np.ones(2, np.float32)
    times = []
    for _ in range(200):
        start = time.process_time()
        for _ in range(1000):
            np.add(one, one)
        times.append((time.process_time() - start) / 1000)
    return min(times), statistics.median(times)


def allocations(live: int, sizes: list[int]) -> tuple[float, float]:
    """Allocation and free from the cache of blocks of *sizes*, with so many blocks alive."""
    held = [backend.allocate(512 * (1 + i % 50), 0) for i in range(live)]
    allocator = backend.allocator(0)
    count = len(sizes)
    times = []
    for _ in range(40):
        places: list[Any] = [None] * count
        start = time.process_time()
        for i in range(count):
            places[i] = allocator.take(sizes[i])
        middle = time.process_time()
        for place in places:
            allocator.give(place)
        times.append((middle - start, time.process_time() - middle))
        random.shuffle(sizes)
    del held
    return min(t[0] for t in times) / count, min(t[1] for t in times) / count


#: Statements that launch, and what they need.
LAUNCHES = {
    "add of 8 numbers": ("x + y", (8,), 500),
    "add of 8 numbers, kept": ("r = x + y", (8,), 500),
    "three kernels of 8 numbers": ("r = (x * y + x).relu()", (8,), 200),
    "exp of 8 numbers": ("r = x.exp()", (8,), 500),
    "clone of 8 numbers": ("r = x.clone()", (8,), 500),
    "add of 16x16": ("r = x + y", (16, 16), 500),
    "add of a row to 16x16": ("r = x + v", (16, 16), 500),
    "a number written at an index": ("x[0] = 1", (8,), 200),
    "add of 8 numbers in place": ("x.add_(y)", (8,), 500),
    "add of 8 numbers, out=": ("torch.add(x, y, out=z)", (8,), 200),
    "sum of 8 numbers": ("x.sum()", (8,), 500),
    "sum of 10000 numbers": ("x.sum()", (10_000,), 100),
    "add of 8 numbers of two bytes": ("r = h + h", (8,), 500),
    "add of two numbers without dimensions": ("r = s + s", (8,), 500),
    "zeros": ("torch.zeros(8, device=d)", (8,), 200),
    "add of 600 numbers": ("r = x + y", (600,), 200),
    "add of 1000 numbers": ("r = x + y", (1000,), 200),
    "add of 4000 numbers": ("r = x + y", (4000,), 200),
    "add of 5000 numbers": ("r = x + y", (5000,), 100),
    "add of 10000 numbers": ("r = x + y", (10_000,), 100),
    "add of 1000 numbers in place": ("x.add_(y)", (1000,), 200),
    "relu of 1000 numbers": ("r = x.relu()", (1000,), 200),
    "outer product of 30 numbers": ("r = x[:, None] * y", (30,), 200),
    "add of 64x784": ("x + y", (64, 784), 100),
    "relu of 64x784": ("x.relu()", (64, 784), 100),
    "linear 64x784 to 256": ("nn.functional.linear(x, w, b)", (64, 784), 10),
    "add of 100000 numbers": ("x + y", (100_000,), 100),
}

ON_ANOTHER_STREAM = (
    *("add of 8 numbers", "exp of 8 numbers", "sum of 8 numbers", "add of 8 numbers in place"),
    *("add of 1000 numbers", "add of 10000 numbers", "linear 64x784 to 256"),
)


def launching(statement: str, device: str, shape: tuple[int, ...]) -> Turn:
    """The statement again and again."""
    names: dict[str, Any] = {name: torch.ones(*shape, device=device) for name in "xyz"}
    names |= {"w": torch.ones(256, shape[-1], device=device), "b": torch.ones(256, device=device)}
    names |= {"v": torch.ones(shape[-1], device=device), "torch": torch, "nn": nn, "d": device}
    names |= {"h": names["x"].half(), "s": torch.tensor(1.0, device=device)}
    given = ", ".join(f"{name}={name}" for name in names)
    exec(f"def turn(n, {given}):\n    for _ in range(n):\n        {statement}", names)
    turn: Turn = names["turn"]
    return turn


def training(device: str, batch: int) -> Turn:
    """Steps of a network 784-256-10."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 10)).to(device)
    x = torch.randn(batch, 784).to(device)
    y = torch.randint(0, 10, (batch,)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    loss_of = nn.CrossEntropyLoss()

    def turn(count: int) -> None:
        for _ in range(count):
            optimizer.zero_grad()
            loss_of(model(x), y).backward()
            optimizer.step()

    return turn


def figures() -> list[dict[str, Any]]:
    """Every line: name, value, target, unit."""
    found = []

    def add(name: str, value: float, target: float, unit: str = "") -> None:
        found.append({"name": name, "value": value, "target": target, "unit": unit})

    mixed = [random.choice((32, 1000, 4096, 70_000, 1_000_000)) for _ in range(500)]
    unique = random.sample(range(1, 1_000_000), 500)
    for live in (0, 100_000):
        for kind, sizes in (
            ("of one size", [4096] * 2000),
            ("of mixed sizes", mixed),
            ("of sizes all different", unique),
        ):
            taken, freed = allocations(live, list(sizes))
            for what, seconds in (("allocation", taken), ("free", freed)):
                add(f"{what} {kind}, {live} live blocks", seconds * 1e6, 2.0, "µs")
    for name, (statement, shape, count) in LAUNCHES.items():
        here, there = (launching(statement, device, shape) for device in ("cpu", "npu"))
        process, thread = beside(here, there, count)
        add(f"{name}: process, npu / cpu", process, 1.5)
        add(f"{name}: launching thread", thread, 1.5)
    for name in ON_ANOTHER_STREAM:
        statement, shape, count = LAUNCHES[name]
        here, there = (launching(statement, device, shape) for device in ("cpu", "npu"))
        with torch.npu.stream(torch.npu.Stream()):
            process, _ = beside(here, there, count)
        add(f"{name}, on another stream: process, npu / cpu", process, 1.5)
    for batch in (8, 64, 256):
        process, _ = beside(training("cpu", batch), training("npu", batch), 2)
        add(f"training step of an MLP, batch {batch}", process, 1.3)
    return found


def main() -> None:
    """Print the lines, or with ``--json`` the data."""
    before = clock()
    found = figures()
    if "--json" in sys.argv:
        print(json.dumps(found, indent=2))
        return
    for when, (least, median) in (("before", before), ("after", clock())):
        print(f"np.add of two numbers {when}: {least * 1e9:.0f} ns, median {median * 1e9:.0f} ns")
    for line in found:
        mark = "" if line["value"] <= line["target"] else "  above the target"
        value = f"{line['value']:.2f} {line['unit']}".strip()
        print(f"{line['name']:52} {value:>9}  (target {line['target']}){mark}")


if __name__ == "__main__":
    main()
