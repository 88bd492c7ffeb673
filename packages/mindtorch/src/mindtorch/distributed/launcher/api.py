"""Starting functions and programs as groups of processes."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable
from typing import Any

from .agent import Agent
from .config import LaunchConfig
from .places import Place, free_port, meeting

__all__ = ["LaunchConfig", "elastic_launch", "launch_agent"]


def single(role: str, max_restarts: int, address: str, port: int, run_id: str) -> dict[str, str]:
    """What a program finds in its environment that is started as a group of one."""
    return Place(1, 1, 0, address, port, run_id, role, max_restarts).variables(0, 0)


def single_here(role: str, max_restarts: int) -> dict[str, str]:
    """The same on this host, at a free port, for a run of its own."""
    return single(role, max_restarts, "localhost", free_port(), str(uuid.uuid4()))


class elastic_launch:
    """Calls a function as each process of a group; gives what each has returned."""

    def __init__(self, config: LaunchConfig, entrypoint: Callable[..., Any] | str | None) -> None:
        self._config, self._entrypoint = config, entrypoint

    def __call__(self, *args: Any) -> dict[int, Any]:
        return launch_agent(self._config, self._entrypoint, list(args))


def launch_agent(
    config: LaunchConfig, entrypoint: Callable[..., Any] | str | None, args: list[Any]
) -> dict[int, Any]:
    """Start processes that call a function, or run a program; what functions return, by rank.

    A function of a group of one is called in this process.

    Raises ChildFailedError, which says how the processes ended, when one of them has failed.
    """
    nodes = config.max_nodes
    if callable(entrypoint) and config.nproc_per_node * nodes == 1:
        return {0: _called(entrypoint, args, single_here(config.role, max_restarts=0))}
    if entrypoint is None:
        raise AssertionError("an entrypoint must be given")
    with meeting(config) as place:
        agent = Agent(place, config, entrypoint, args)
        return agent.run()


def _called(function: Callable[..., Any], args: list[Any], given: dict[str, str]) -> Any:
    """What *function* returns in an environment to which *given* is added."""
    before = {k: os.environ.get(k) for k in given}
    os.environ.update(given)
    try:
        return function(*args)
    finally:
        for k, v in before.items():
            if v is None:
                os.environ.pop(k, None)
            else:
                os.environ[k] = v
