"""``torch.distributed.rpc``: calls in workers, which are processes that know each other by name."""

from __future__ import annotations

from ...core.submodules import reached as _reached
from . import api, backend_registry, functions
from .agent import TensorPipeAgent
from .api import (
    AllGatherStates,
    PyRRef,
    RRef,
    _delete_all_user_and_unforked_owner_rrefs,
    _get_current_rpc_agent,
    _is_current_rpc_agent_set,
    _rref_context_get_debug_info,
    _set_rpc_timeout,
    enable_gil_profiling,
    get_rpc_timeout,
    get_worker_info,
    method_factory,
    new_method,
    remote,
    rpc_async,
    rpc_sync,
    shutdown,
)
from .backend_registry import BackendType
from .constants import _DEFAULT_INIT_METHOD as _DEFAULT_INIT_METHOD
from .constants import _DEFAULT_NUM_WORKER_THREADS as _DEFAULT_NUM_WORKER_THREADS
from .constants import _DEFAULT_RPC_TIMEOUT_SEC as _DEFAULT_RPC_TIMEOUT_SEC
from .constants import _UNSET_RPC_TIMEOUT as _UNSET_RPC_TIMEOUT
from .options import RpcBackendOptions, TensorPipeRpcBackendOptions
from .server_process_global_profiler import _server_process_global_profile
from .start import _get_debug_info, _init_rpc_backend, init_rpc
from .worker_info import WorkerInfo

__all__ = [
    "AllGatherStates",
    "BackendType",
    "PyRRef",
    "RRef",
    "RpcBackendOptions",
    "TensorPipeAgent",
    "TensorPipeRpcBackendOptions",
    "WorkerInfo",
    "api",
    "backend_registry",
    "functions",
    "get_rpc_timeout",
    "get_worker_info",
    "init_rpc",
    "is_available",
    "method_factory",
    "new_method",
    "remote",
    "rpc_async",
    "rpc_sync",
    "shutdown",
]


def is_available() -> bool:
    """Whether there is RPC."""
    return True


__getattr__ = _reached(__name__, ("internal",))
