"""A barrier whose first process says who did not come."""

from __future__ import annotations

import time
from typing import Any

from ...aten import torch

__all__ = ["meet"]

#: The tags of messages to the first process and from it.
_HERE, _GO = -1, -2
_NOBODY = "No ranks successfully processed in monitoredBarrier."


def _waited(seconds: float) -> str:
    return f"{round(1000 * seconds)} ms"


def meet(engine: Any, seconds: float, wait_all: bool) -> None:
    """Wait *seconds* for all of the group of an ``Engine`` as ``monitored_barrier`` does.

    Raises RuntimeError: in the first process one that names the first that did not come, or all of
    them if *wait_all*; in others one that the first did not answer.
    """
    if engine.rank:
        _report(engine)
    else:
        _count(engine, seconds, wait_all)


def _message() -> Any:
    return torch.zeros(1, dtype=torch.uint8)


def _report(engine: Any) -> None:
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


def _count(engine: Any, seconds: float, wait_all: bool) -> None:
    until = time.monotonic() + seconds
    here: list[int] = []
    failed = []
    # All are asked for before one is waited for: their times run from now on.
    asked = {rank: engine.receive(_message(), rank, _HERE) for rank in range(1, engine.size)}
    for rank, pending in asked.items():
        try:
            _await(pending, until, seconds, here)
        except RuntimeError as e:
            failed.append(rank)
            if not wait_all:
                raise RuntimeError(
                    f"[Rank 0]: Rank {rank} failed to pass monitoredBarrier in "
                    f"{_waited(seconds)}\n Original exception: \n{e}"
                ) from None
        else:
            here.append(rank)
    if failed:
        raise RuntimeError(
            f"[Rank 0]: Ranks {', '.join(map(str, failed))} failed to pass monitoredBarrier in "
            f"{_waited(seconds)}"
        )
    for rank in range(1, engine.size):
        pending = engine.send(_message(), rank, _GO)
        if pending is not None:
            pending.wait(None)


def _await(pending: Any, until: float, seconds: float, here: list[int]) -> None:
    """Wait for the message of a process. Raises RuntimeError where it does not come in time."""
    if pending is None:
        return
    left = until - time.monotonic()
    if left <= 0 and not pending.done():
        came = ", ".join(map(str, here))
        told = f"Successfully processed ranks: {came}" if here else _NOBODY
        raise RuntimeError(
            f"Rank 0 timed out in monitoredBarrier after {_waited(seconds)}.\n{told}"
        )
    pending.expire(max(0.0, left))
    pending.wait(None)
