"""``torch.distributed.rpc``: calls in other processes, which are not available yet."""

from __future__ import annotations

from .api import (
    BackendType,
    PyRRef,
    RpcBackendOptions,
    RRef,
    TensorPipeRpcBackendOptions,
    WorkerInfo,
    get_worker_info,
    init_rpc,
    is_available,
    remote,
    rpc_async,
    rpc_sync,
    shutdown,
)

__all__ = [
    "BackendType",
    "PyRRef",
    "RRef",
    "RpcBackendOptions",
    "TensorPipeRpcBackendOptions",
    "WorkerInfo",
    "get_worker_info",
    "init_rpc",
    "is_available",
    "remote",
    "rpc_async",
    "rpc_sync",
    "shutdown",
]
