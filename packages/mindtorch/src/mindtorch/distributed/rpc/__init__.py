"""``torch.distributed.rpc``: calls in workers, of which this process is the only one."""

from __future__ import annotations

from ...core.submodules import reached as _reached
from . import api, backend_registry, functions
from .agent import WorkerInfo
from .api import (
    AllGatherStates,
    PyRRef,
    RRef,
    get_rpc_timeout,
    get_worker_info,
    init_rpc,
    is_available,
    method_factory,
    new_method,
    remote,
    rpc_async,
    rpc_sync,
    shutdown,
)
from .backend_registry import BackendType
from .options import RpcBackendOptions, TensorPipeRpcBackendOptions

__all__ = [
    "AllGatherStates",
    "BackendType",
    "PyRRef",
    "RRef",
    "RpcBackendOptions",
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

__getattr__ = _reached(__name__, ("internal", "server_process_global_profiler"))
