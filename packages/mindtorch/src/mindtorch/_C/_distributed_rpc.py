"""``torch._C._distributed_rpc``: remote calls under the names of the bindings."""

from __future__ import annotations

from ..distributed.rpc.agent import TensorPipeAgent
from ..distributed.rpc.api import (
    PyRRef,
    _delete_all_user_and_unforked_owner_rrefs,
    _get_current_rpc_agent,
    _is_current_rpc_agent_set,
    _rref_context_get_debug_info,
    _set_rpc_timeout,
    enable_gil_profiling,
    get_rpc_timeout,
)
from ..distributed.rpc.options import RpcBackendOptions
from ..distributed.rpc.worker_info import WorkerInfo

__all__ = [
    "PyRRef",
    "RpcBackendOptions",
    "TensorPipeAgent",
    "WorkerInfo",
    "_delete_all_user_and_unforked_owner_rrefs",
    "_get_current_rpc_agent",
    "_is_current_rpc_agent_set",
    "_rref_context_get_debug_info",
    "_set_rpc_timeout",
    "enable_gil_profiling",
    "get_rpc_timeout",
]
