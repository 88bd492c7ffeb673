"""Samples per second of a loader with workers, ours divided by torch's.

``python -m benchmarks.dataloader [--workers 2] [--rounds 5]``: each side is a process of its own
that reads whole passes on demand, and the sides take turns. The ratio is the median of the turns'.
"""

from __future__ import annotations

import argparse
import importlib
import statistics
import subprocess
import sys
import time
from typing import Any

#: What a sample is, how many there are, and the size of a batch.
CASES = {
    "the same vector of 64": ("same", 6400, 32),
    "rows of a tensor": ("rows", 6400, 32),
    "vectors of 64": ((64,), 6400, 32),
    "images 3x32x32": ((3, 32, 32), 6400, 64),
    "images 3x224x224": ((3, 224, 224), 320, 16),
    "image, label, dict": ("mixed", 6400, 64),
}


def dataset(torch: Any, shape: Any, length: int) -> Any:
    """*length* samples of *shape*, made when asked for."""

    class Samples(torch.utils.data.Dataset):  # type: ignore[misc, name-defined]  # of either side
        def __len__(self) -> int:
            return length

        def __getitem__(self, i: int) -> Any:
            if shape == "mixed":
                return image, i, {"weight": 0.5, "name": "x"}
            return vector if shape == "same" else torch.full(shape, float(i))

    if shape == "rows":
        return torch.utils.data.TensorDataset(torch.zeros(length, 64), torch.arange(length))
    vector = torch.zeros(64)
    image = torch.zeros(3, 32, 32)
    return Samples()


def serve(name: str, workers: int) -> None:
    """Answer each line (the name of a case) with the seconds that a pass took."""
    torch = importlib.import_module(name)
    importlib.import_module(f"{name}.utils.data")
    torch.set_num_threads(1)
    loaders = {}
    for line in sys.stdin:
        case = line.strip()
        if case not in loaders:
            shape, length, size = CASES[case]
            loaders[case] = torch.utils.data.DataLoader(
                dataset(torch, shape, length),
                batch_size=size,
                num_workers=workers,
                persistent_workers=workers > 0,
            )
            sum(1 for _ in loaders[case])
        start = time.perf_counter()
        sum(1 for _ in loaders[case])
        print(time.perf_counter() - start, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        serve(args.serve, args.workers)
        return
    command = [sys.executable, "-m", "benchmarks.dataloader", "--workers", str(args.workers)]
    sides = [
        subprocess.Popen(
            [*command, "--serve", name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for name in ("mindtorch", "torch")
    ]

    def turn(side: Any, case: str) -> float:
        side.stdin.write(f"{case}\n")
        side.stdin.flush()
        return float(side.stdout.readline())

    print(f"{'samples per second':<22}{'ours':>10}{'torch':>10}{'ratio':>8}")
    for case, (_, length, _) in CASES.items():
        pairs = [[turn(side, case) for side in sides] for _ in range(args.rounds)]
        ours, theirs = (length / statistics.median(column) for column in zip(*pairs, strict=True))
        ratio = statistics.median(other / own for own, other in pairs)
        print(f"{case:<22}{ours:>10.0f}{theirs:>10.0f}{ratio:>8.2f}")
    for side in sides:
        side.communicate()


if __name__ == "__main__":
    main()
