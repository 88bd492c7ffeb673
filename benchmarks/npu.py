"""The simulated NPU beside the cpu of the same framework, and its allocator by itself.

``python -m benchmarks.npu`` prints a line for each target. Times are processor time of
the whole process (the stream's worker included), the least of many short rounds that alternate
between both sides: what is left of the noise of a shared machine is in both.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import mindtorch as torch
from mindtorch import nn
from mindtorch_npu import backend

Turn = Callable[[int], object]


def least(turn: Turn, count: int, rounds: int = 40) -> float:
    """Seconds of one repetition."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        turn(count)
        best = min(best, (time.process_time() - start) / count)
    return best


def beside(first: Turn, second: Turn, count: int, rounds: int = 40) -> tuple[float, float]:
    """The same of two, in turns."""
    best = [float("inf")] * 2
    for _ in range(rounds):
        for i, turn in enumerate((first, second)):
            best[i] = min(best[i], least(turn, count, 1))
    return best[0], best[1]


def allocations(live: int) -> tuple[float, float]:
    """Allocation and free from the cache with so many blocks alive."""
    held = [backend.allocate(512 * (1 + i % 50), 0) for i in range(live)]
    count = 2000
    times = []
    for _ in range(40):
        blocks: list[Any] = [None] * count
        start = time.process_time()
        for i in range(count):
            blocks[i] = backend.allocate(4096, 0)
        middle = time.process_time()
        for block in blocks:
            block.free()
        times.append((middle - start, time.process_time() - middle))
    del held
    return min(t[0] for t in times) / count, min(t[1] for t in times) / count


def adding(device: str, size: int) -> Turn:
    """The launch of one addition after another; the last round waits for all."""
    x, y = torch.ones(size, device=device), torch.ones(size, device=device)

    def turn(count: int) -> None:
        for _ in range(count):
            x + y  # noqa: B018
        if device == "npu":
            torch.npu.synchronize()

    return turn


def training(device: str, batch: int) -> Turn:
    """Steps of a small network with three layers."""
    torch.manual_seed(0)
    layers = nn.Linear(128, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 10)
    model = nn.Sequential(*layers).to(device)
    x = torch.randn(batch, 128).to(device)
    y = torch.randint(0, 10, (batch,)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    loss_of = nn.CrossEntropyLoss()

    def turn(count: int) -> None:
        for _ in range(count):
            optimizer.zero_grad()
            loss_of(model(x), y).backward()
            optimizer.step()
        if device == "npu":
            torch.npu.synchronize()

    return turn


def figures() -> list[dict[str, Any]]:
    """Every line: name, value, target, unit."""
    found = []
    for live in (0, 100_000):
        taken, freed = allocations(live)
        for what, seconds in (("allocation", taken), ("free", freed)):
            name = f"{what} from the cache, {live} live blocks"
            found.append({"name": name, "value": seconds * 1e6, "target": 2.0, "unit": "µs"})
    for size in (64, 100_000):
        here, there = beside(adding("cpu", size), adding("npu", size), 300)
        name = f"add of {size} numbers, npu / cpu"
        found.append({"name": name, "value": there / here, "target": 1.5, "unit": ""})
    for batch in (8, 64, 256):
        here, there = beside(training("cpu", batch), training("npu", batch), 5)
        name = f"training step of an MLP, batch {batch}, npu / cpu"
        found.append({"name": name, "value": there / here, "target": 1.3, "unit": ""})
    return found


def main() -> None:
    """Print the lines, or with ``--json`` the data."""
    found = figures()
    if "--json" in sys.argv:
        print(json.dumps(found, indent=2))
        return
    for line in found:
        mark = "" if line["value"] <= line["target"] else "  above the target"
        value = f"{line['value']:.2f} {line['unit']}".strip()
        print(f"{line['name']:52} {value:>9}  (target {line['target']}){mark}")


if __name__ == "__main__":
    main()
