"""Exchanges between all workers, which one of them leads: what each gives, and barriers."""

from __future__ import annotations

import threading
from collections import defaultdict
from typing import Any

from .calls import rpc_async, rpc_sync
from .constants import DEFAULT_SHUTDOWN_TIMEOUT, UNSET_RPC_TIMEOUT
from .current_agent import _get_current_rpc_agent, _require_initialized

__all__ = ["AllGatherStates"]


class AllGatherStates:
    """What has come of the parts of an exchange between all workers."""

    def __init__(self) -> None:
        self.gathered_objects: dict[str, Any] = {}
        self.proceed_signal = threading.Event()


_all_gather_lock = threading.RLock()
_all_gather_counts: dict[str, int] = {}
_all_gather_states: dict[str, AllGatherStates] = defaultdict(AllGatherStates)


def _all_names() -> set[str]:
    return {info.name for info in _get_current_rpc_agent().get_worker_infos()}


def _gather_to_leader(
    sequence_id: str, worker_name: str, obj: Any, worker_names: set[str] | None = None
) -> None:
    """Note what a worker gave to an exchange that this one leads."""
    with _all_gather_lock:
        if not worker_names:
            worker_names = _all_names()
            assert worker_name in worker_names, f"{worker_name} is not expected by leader."
        states = _all_gather_states[sequence_id]
        assert worker_name not in states.gathered_objects, (
            f"{worker_name} reported intent sequence id {sequence_id} twice. "
        )
        states.gathered_objects[worker_name] = obj
        if worker_names == set(states.gathered_objects):
            states.proceed_signal.set()


def _broadcast_to_followers(sequence_id: str, objects_map: dict[str, Any]) -> None:
    """Note what all workers gave."""
    with _all_gather_lock:
        states = _all_gather_states[sequence_id]
    assert not states.proceed_signal.is_set(), (
        f"Termination signal sequence id {sequence_id} got set twice."
    )
    states.gathered_objects = objects_map
    states.proceed_signal.set()


@_require_initialized
def _all_gather(
    obj: Any, worker_names: set[str] | None = None, timeout: float = UNSET_RPC_TIMEOUT
) -> dict[str, Any]:
    """What each worker gave, by their names. The first of the names leads.

    :param timeout: how long it may take, in seconds; unless it is given, each call may take as long
        as calls may.

    Raises RuntimeError where it takes longer.
    """
    names = worker_names or _all_names()
    agent = _get_current_rpc_agent()
    me, leader = agent.info.name, min(names)
    if worker_names is not None:
        assert me in names, f"{me} is not expected by leader."
    joined = "".join(sorted(names))
    with _all_gather_lock:
        turn = _all_gather_counts.get(joined, 0)
        _all_gather_counts[joined] = turn + 1
    sequence_id = f"{joined}{turn}"
    limit = agent.timeout if timeout == UNSET_RPC_TIMEOUT else timeout
    if leader == me:
        _gather_to_leader(sequence_id, me, obj, names)
    else:
        rpc_sync(leader, _gather_to_leader, (sequence_id, me, obj, names), timeout=limit)
    with _all_gather_lock:
        states = _all_gather_states[sequence_id]
    states.proceed_signal.wait(timeout if timeout > 0 else None)
    if leader == me:
        _send_to_followers(sequence_id, states, names - {leader}, limit)
    with _all_gather_lock:
        return _all_gather_states.pop(sequence_id).gathered_objects


def _send_to_followers(
    sequence_id: str, states: AllGatherStates, followers: set[str], limit: float
) -> None:
    """Send what was gathered. Raises RuntimeError with the names of those that do not answer."""
    sent = (sequence_id, states.gathered_objects)
    futures = {
        name: rpc_async(name, _broadcast_to_followers, sent, timeout=limit) for name in followers
    }
    failed: list[tuple[str, RuntimeError]] = []
    for name, future in futures.items():
        try:
            future.wait()
        except RuntimeError as error:
            failed.append((name, error))
    if failed:
        raise RuntimeError(
            f"Followers {[name for name, _ in failed]} timed out in _all_gather after {limit:.2f} "
            f"seconds. The first exception is {failed[0][1]}"
        )


@_require_initialized
def _barrier(worker_names: set[str]) -> None:
    """Wait for all workers of these names."""
    _all_gather(None, set(worker_names))


@_require_initialized
def _wait_all_workers(timeout: float = DEFAULT_SHUTDOWN_TIMEOUT) -> None:
    """Wait until all workers have come here."""
    _all_gather(None, timeout=timeout)


def forget() -> None:
    """Let the next exchange be the first: RPC is over."""
    _all_gather_counts.clear()
    _all_gather_states.clear()
