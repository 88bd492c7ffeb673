"""Runs a program on several ranks: threads of this process, joined by the ``threaded`` backend."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import mindtorch.distributed as dist
from mindtorch.testing._internal.distributed import multi_threaded_pg as threaded

__all__ = ["on_ranks"]


def on_ranks(world_size: int, program: Callable[[int], Any]) -> list[Any]:
    """What ``program(rank)`` returns on each rank, each in a default group of *world_size*.

    Raises what the first rank that failed has raised, after all have ended.
    """
    store = dist.HashStore()
    results: list[Any] = [None] * world_size
    errors: list[tuple[int, BaseException]] = []
    threaded._install_threaded_pg()

    def run(rank: int) -> None:
        try:
            dist.init_process_group("threaded", rank=rank, world_size=world_size, store=store)
            results[rank] = program(rank)
            dist.destroy_process_group()
        except BaseException as error:
            errors.append((rank, error))
            threaded.ProcessLocalGroup.exception_handle(error)

    ranks = [threading.Thread(target=run, args=(r,), daemon=True) for r in range(world_size)]
    try:
        for each in ranks:
            each.start()
        ends = time.monotonic() + 60
        for each in ranks:
            each.join(max(0.0, ends - time.monotonic()))
    finally:
        threaded._uninstall_threaded_pg()
        threaded.ProcessLocalGroup.reset()
    waiting = [r for r, each in enumerate(ranks) if each.is_alive()]
    if errors:
        raise errors[0][1]
    assert not waiting, f"ranks {waiting} wait for ever"
    return results
