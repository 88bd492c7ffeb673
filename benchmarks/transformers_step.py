"""A training step of a small GPT-2 of Hugging Face's transformers: our time divided by torch's.

``python -m benchmarks.transformers_step [--rounds 9]``: each side is a process of its own, and the
sides take turns; the ratio is the median of the turns'. ``--profile`` shows where our time goes.
The program is an unmodified one: it says ``import torch`` on both sides.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

from tests.clients.steps import declare_torchvision_ops

#: Steps in a turn.
STEPS = 5


def training() -> Callable[[], float]:
    """A function that makes one step and returns the loss."""
    import torch

    declare_torchvision_ops(torch)
    from transformers import GPT2Config, GPT2LMHeadModel

    torch.set_num_threads(1)
    torch.manual_seed(0)
    config = GPT2Config(n_layer=2, n_embd=128, n_head=4, vocab_size=1000, n_positions=64)
    model = GPT2LMHeadModel(config).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    ids = torch.randint(0, 1000, (4, 64))

    def step() -> float:
        loss = model(input_ids=ids, labels=ids).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        return float(loss.item())

    return step


def serve() -> None:
    """Answer each line with the seconds of the processor for a step, the mean of a turn's."""
    warnings.filterwarnings("ignore")
    step = training()
    for _ in range(3):
        step()
    for _ in sys.stdin:
        begin = time.process_time()
        for _ in range(STEPS):
            step()
        print((time.process_time() - begin) / STEPS, flush=True)


def profile() -> None:
    """Print where a step's time goes, by function."""
    warnings.filterwarnings("ignore")
    step = training()
    step()
    with cProfile.Profile() as seen:
        for _ in range(STEPS):
            step()
    pstats.Stats(seen).sort_stats("tottime").print_stats(45)


def start(mindtorch: bool, *words: str) -> subprocess.Popen[str]:
    """This program in a process of its own, with torch or with mindtorch under its name."""
    ours = ["-m", "mindtorch"] if mindtorch else []
    return subprocess.Popen(
        [sys.executable, *ours, "-m", "benchmarks.transformers_step", *words],
        cwd=Path(__file__).parents[1],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
    )


def turn(side: subprocess.Popen[str]) -> float:
    """Milliseconds of a step in a turn of *side*."""
    assert side.stdin is not None and side.stdout is not None
    side.stdin.write("\n")
    side.stdin.flush()
    return float(side.stdout.readline()) * 1000


def main() -> int:
    """Read the command line, and print the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--show", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--profile", action="store_true", help="show where our time goes")
    given = parser.parse_args()
    if given.serve:
        serve()
    elif given.show:
        profile()
    elif given.profile:
        print(start(True, "--show").communicate()[0])
    else:
        sides = start(False, "--serve"), start(True, "--serve")
        turns = [tuple(map(turn, sides)) for _ in range(given.rounds)]
        for side in sides:
            side.communicate()
        ratio = statistics.median(ours / theirs for theirs, ours in turns)
        theirs, ours = (statistics.median(each) for each in zip(*turns, strict=True))
        print(f"torch {theirs:.1f} ms, mindtorch {ours:.1f} ms a step; ratio {ratio:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
