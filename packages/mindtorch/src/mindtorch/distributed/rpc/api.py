"""``torch.distributed.rpc.api``: calls in workers by name, and references to what they give."""

from __future__ import annotations

from typing import Any

from ...core.module_names import adopt
from . import all_gather, calls, current_agent, rref
from .all_gather import AllGatherStates
from .all_gather import _all_gather as _all_gather
from .all_gather import _barrier as _barrier
from .all_gather import _broadcast_to_followers as _broadcast_to_followers
from .all_gather import _gather_to_leader as _gather_to_leader
from .all_gather import _wait_all_workers as _wait_all_workers
from .calls import _thread_local_var as _thread_local_var
from .calls import _use_rpc_pickler as _use_rpc_pickler
from .calls import _wait_all as _wait_all
from .calls import rpc_async, rpc_sync
from .constants import DEFAULT_SHUTDOWN_TIMEOUT
from .constants import UNSET_RPC_TIMEOUT as UNSET_RPC_TIMEOUT
from .current_agent import _get_current_rpc_agent as _get_current_rpc_agent
from .current_agent import _init_rpc_states as _init_rpc_states
from .current_agent import _is_current_rpc_agent_set as _is_current_rpc_agent_set
from .current_agent import _require_initialized as _require_initialized
from .current_agent import _set_and_start_rpc_agent as _set_and_start_rpc_agent
from .current_agent import set_current
from .rref import PyRRef as PyRRef
from .rref import RRef, method_factory, new_method, remote
from .rref import _rref_context_get_debug_info as _rref_context_get_debug_info
from .rref import _rref_typeof_on_owner as _rref_typeof_on_owner
from .rref import _rref_typeof_on_user as _rref_typeof_on_user
from .worker_info import WorkerInfo

__all__ = [
    "AllGatherStates",
    "RRef",
    "get_worker_info",
    "method_factory",
    "new_method",
    "remote",
    "rpc_async",
    "rpc_sync",
    "shutdown",
]

#: Whether the end of RPC is silent about values that others still refer to.
_ignore_rref_leak = True
#: How long the end of RPC waits for references of others to go, in seconds.
_FLUSH = 100.0


@_require_initialized
def get_worker_info(worker_name: str | int | None = None) -> WorkerInfo:
    """The worker of a name; this process without one."""
    return _get_current_rpc_agent().get_worker_info(worker_name)


def get_rpc_timeout() -> float:
    """How long a call may take, in seconds, unless it says otherwise."""
    return _get_current_rpc_agent().timeout


def _set_rpc_timeout(rpcTimeoutSeconds: float) -> None:
    """Set how long a call may take, in seconds, unless it says otherwise."""
    _get_current_rpc_agent().timeout = rpcTimeoutSeconds


def enable_gil_profiling(flag: bool) -> None:
    """Measure, or do not, how long requests wait for a thread: ``get_debug_info()`` tells it."""
    _get_current_rpc_agent().measure_waits(flag)


def _delete_all_user_and_unforked_owner_rrefs(timeout: float = _FLUSH) -> None:
    """Let all references go, and wait for those of others."""
    _get_current_rpc_agent().references.flush(timeout)


@_require_initialized
def shutdown(graceful: bool = True, timeout: float = DEFAULT_SHUTDOWN_TIMEOUT) -> None:
    """End RPC.

    :param graceful: wait for all workers, and until the calls that run have ended.

    Raises RuntimeError where other workers do not come.
    """
    agent = _get_current_rpc_agent()
    try:
        if graceful:
            if agent.is_static_group:
                _wait_all_workers(timeout)
                _delete_all_user_and_unforked_owner_rrefs()
            agent.join(shutdown=True, timeout=timeout)
    finally:
        _finalize_shutdown()


def _finalize_shutdown() -> None:
    """End RPC in this process. Raises RuntimeError for values that others still refer to."""
    agent = _get_current_rpc_agent()
    try:
        agent.references.close(_ignore_rref_leak)
    finally:
        set_current(None)
        agent.close()
        all_gather.forget()


def __getattr__(name: str) -> Any:
    if name == "_default_pickler":
        return calls._default_pickler
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


adopt(__name__, all_gather, calls, current_agent, rref)
