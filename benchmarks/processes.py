"""Collectives of two processes, against gloo."""

from __future__ import annotations

from .line import Probe

__all__ = ["PROCESSES"]

#: Two processes, the second a fork before any thread is there; the first prints the best time.
_ALL_REDUCE = """
import os, shutil, sys, tempfile, time
import {torch} as torch
import {torch}.distributed as dist
torch.set_num_threads(1)
folder = tempfile.mkdtemp()
child = os.fork()
dist.init_process_group(
    "gloo", init_method=f"file://{folder}/meeting", rank=int(child == 0), world_size=2
)
x = torch.zeros(COUNT)
best = float("inf")
for _ in range(ROUNDS):
    dist.barrier()
    start = time.perf_counter()
    for _ in range(CALLS):
        dist.all_reduce(x)
    best = min(best, (time.perf_counter() - start) / CALLS)
dist.barrier()
dist.destroy_process_group()
if child:  # it ends together with this process, which must not wait for it
    shutil.rmtree(folder, ignore_errors=True)
    print(best)
"""


def _all_reduce(count: int, rounds: int, calls: int) -> str:
    code = _ALL_REDUCE.replace("COUNT", str(count)).replace("ROUNDS", str(rounds))
    return code.replace("CALLS", str(calls))


#: Each start has rounds of its own, so few starts do.
PROCESSES = [
    Probe("all_reduce of 1 KB, 2 processes", _all_reduce(256, 10, 100), "s", 1.5, starts=3),
    Probe("all_reduce of 100 MB, 2 processes", _all_reduce(25_000_000, 5, 1), "s", 1.3, starts=3),
]
