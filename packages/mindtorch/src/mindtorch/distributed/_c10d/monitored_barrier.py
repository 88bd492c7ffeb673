"""A barrier whose first process says who did not come."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

from ...aten import torch

__all__ = ["meet"]

#: The tags of messages to the first process and from it.
_HERE, _GO = -1, -2


def _waited(timeout: timedelta) -> str:
    return f"{round(1000 * timeout.total_seconds())} ms"


def meet(engine: Any, timeout: timedelta, wait_all: bool) -> None:
    """Wait for all of the group of an ``Engine`` as ``monitored_barrier`` does.

    Raises RuntimeError: in the first process one that names the first that did not come, or all of
    them if *wait_all*; in others one that the first did not answer.
    """
    if engine.rank:
        _report(engine, timeout)
    else:
        _count(engine, timeout, wait_all)


def _message() -> Any:
    return torch.zeros(1, dtype=torch.uint8)


def _report(engine: Any, timeout: timedelta) -> None:
    try:
        for pending in (engine.send(_message(), 0, _HERE), engine.receive(_message(), 0, _GO)):
            if pending is not None:
                # The first process answers late where others came late.
                pending.wait(None)
    except RuntimeError as e:
        raise RuntimeError(
            f"Rank {engine.rank} successfully reached monitoredBarrier, but received errors while "
            "waiting for send/recv from rank 0. Please check rank 0 logs for faulty rank.\n "
            f"Original exception: \n{e}"
        ) from e


def _count(engine: Any, timeout: timedelta, wait_all: bool) -> None:
    until = time.monotonic() + timeout.total_seconds()
    failed = []
    # All are asked for before one is waited for: their times run from now on.
    asked = {rank: engine.receive(_message(), rank, _HERE) for rank in range(1, engine.size)}
    for rank, pending in asked.items():
        wrong: str | None = None
        try:
            if pending is not None and not pending.wait(max(0.0, until - time.monotonic())):
                shown = _waited(timeout).replace(" ", "")
                wrong = f"Timed out waiting {shown} for recv operation to complete"
        except RuntimeError as e:
            wrong = str(e)
        if wrong is None:
            continue
        failed.append(rank)
        if not wait_all:
            raise RuntimeError(
                f"[Rank 0]: Rank {rank} failed to pass monitoredBarrier in {_waited(timeout)}\n "
                f"Original exception: \n{wrong}"
            )
    if failed:
        raise RuntimeError(
            f"[Rank 0]: Ranks {', '.join(map(str, failed))} failed to pass monitoredBarrier in "
            f"{_waited(timeout)}"
        )
    for rank in range(1, engine.size):
        pending = engine.send(_message(), rank, _GO)
        if pending is not None:
            pending.wait(None)
