"""The worker of this process, which calls need: there is none before RPC has begun."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from .agent import TensorPipeAgent

__all__ = ["current", "set_current"]

_current: TensorPipeAgent | None = None


def current() -> TensorPipeAgent | None:
    """The agent of this process, None before RPC is begun."""
    return _current


def set_current(agent: TensorPipeAgent | None) -> None:
    """Make *agent* that of this process."""
    global _current
    _current = agent


def _is_current_rpc_agent_set() -> bool:
    """Whether RPC has begun."""
    return current() is not None


def _get_current_rpc_agent() -> TensorPipeAgent:
    """The worker of this process. Raises RuntimeError before RPC has begun."""
    agent = current()
    if agent is None:
        raise RuntimeError(
            "Current RPC agent is not set! Did you initialize the RPC framework (e.g. by calling "
            "`rpc.init_rpc`)?"
        )
    return agent


def _set_and_start_rpc_agent(agent: Any) -> None:
    """Let *agent* be the worker of this process."""
    set_current(agent)


def _init_rpc_states(agent: Any) -> None:
    """Let *agent* be the worker of this process, if it is not."""
    if not _is_current_rpc_agent_set():
        _set_and_start_rpc_agent(agent)


def _require_initialized(func: Callable[..., Any]) -> Callable[..., Any]:
    """*func*, refused until RPC is begun."""

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if not _is_current_rpc_agent_set():
            raise RuntimeError(
                "RPC has not been initialized. Call torch.distributed.rpc.init_rpc first."
            )
        return func(*args, **kwargs)

    return wrapper
