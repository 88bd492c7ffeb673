"""``torch.distributed.rpc._testing.faulty_agent_backend_registry``: the transport by its name."""

from __future__ import annotations

from typing import Any

from ..._c10d.stores import Store
from ..backend_registry import begun, register_backend
from .faulty_agent import FaultyTensorPipeAgent, FaultyTensorPipeRpcBackendOptions

__all__: list[str] = []


def _faulty_tensorpipe_construct_rpc_backend_options_handler(
    rpc_timeout: float,
    init_method: str,
    num_worker_threads: int,
    messages_to_fail: list[str],
    messages_to_delay: dict[str, float],
    num_fail_sends: int,
    **kwargs: Any,
) -> FaultyTensorPipeRpcBackendOptions:
    return FaultyTensorPipeRpcBackendOptions(
        num_worker_threads,
        rpc_timeout,
        init_method,
        messages_to_fail,
        messages_to_delay,
        num_fail_sends,
    )


def _faulty_tensorpipe_init_backend_handler(
    store: Any, name: str, rank: int, world_size: int | None, rpc_backend_options: Any
) -> FaultyTensorPipeAgent:
    if not isinstance(store, Store):
        raise TypeError(f"`store` must be a c10d::Store. {store}")
    if not isinstance(rpc_backend_options, FaultyTensorPipeRpcBackendOptions):
        raise TypeError(
            "`rpc_backend_options` must be a `FaultyTensorPipeRpcBackendOptions`. "
            f"{rpc_backend_options}"
        )
    return begun(FaultyTensorPipeAgent(store, name, rank, world_size, rpc_backend_options))


register_backend(
    "FAULTY_TENSORPIPE",
    _faulty_tensorpipe_construct_rpc_backend_options_handler,
    _faulty_tensorpipe_init_backend_handler,
)
