"""``torch.distributed.rpc.backend_registry``: the transports of calls."""

from __future__ import annotations

from enum import Enum
from typing import Any

from mindtorch.core.unavailable import offer_listed

from .constants import DEFAULT_INIT_METHOD, DEFAULT_RPC_TIMEOUT_SEC
from .options import TensorPipeRpcBackendOptions

__all__ = ["backend_registered", "construct_rpc_backend_options"]


class BackendType(Enum):
    """The transports: one name, which stands for calls within the process."""

    TENSORPIPE = "TENSORPIPE"

    def __repr__(self) -> str:
        return f"BackendType.{self.name}"


def backend_registered(backend_name: str) -> bool:
    """Whether there is a transport of this name."""
    return backend_name in BackendType.__members__


def construct_rpc_backend_options(
    backend: BackendType,
    rpc_timeout: float = DEFAULT_RPC_TIMEOUT_SEC,
    init_method: str = DEFAULT_INIT_METHOD,
    **kwargs: Any,
) -> TensorPipeRpcBackendOptions:
    """The options of a transport."""
    return TensorPipeRpcBackendOptions(rpc_timeout=rpc_timeout, init_method=init_method, **kwargs)


offer_listed(globals())
