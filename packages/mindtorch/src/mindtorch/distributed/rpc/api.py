"""``torch.distributed.rpc``: calls in other processes, which are not available yet."""

from __future__ import annotations

import functools
from collections.abc import Callable
from datetime import timedelta
from enum import Enum
from typing import Any, Generic, TypeVar

from mindtorch._unavailable import offer_listed

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
T = TypeVar("T")


class BackendType(Enum):
    """The transports of RPC."""

    TENSORPIPE = "TENSORPIPE"


class RpcBackendOptions:
    """Options of a transport."""

    def __init__(self, rpc_timeout: float = 60.0, init_method: str = "env://") -> None:
        self.rpc_timeout, self.init_method = rpc_timeout, init_method


class TensorPipeRpcBackendOptions(RpcBackendOptions):
    """Options of TensorPipe."""

    def __init__(
        self,
        *,
        num_worker_threads: int = 16,
        rpc_timeout: float = 60.0,
        init_method: str = "env://",
        device_maps: dict[str, Any] | None = None,
        devices: list[Any] | None = None,
        _transports: list[Any] | None = None,
        _channels: list[Any] | None = None,
    ) -> None:
        super().__init__(rpc_timeout, init_method)
        self.num_worker_threads = num_worker_threads
        self.device_maps, self.devices = device_maps or {}, devices or []

    def set_device_map(self, to: str, device_map: dict[Any, Any]) -> None:
        """Say which devices of *to* belong to which here."""
        self.device_maps[to] = device_map


class WorkerInfo:
    """A process by name and number."""

    def __init__(self, name: str, id: int) -> None:
        self.name, self.id = name, id


class RRef(Generic[T]):
    """A value in another process."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise _unavailable()


PyRRef = RRef


def is_available() -> bool:
    """Whether there is RPC: not yet."""
    return False


def _unavailable() -> RuntimeError:
    return RuntimeError("RPC is not available: calls in other processes need several processes")


def init_rpc(
    name: str,
    backend: BackendType | None = None,
    rank: int = -1,
    world_size: int | None = None,
    rpc_backend_options: RpcBackendOptions | None = None,
) -> None:
    """Refuse: there is no RPC yet."""
    raise _unavailable()


def _needs_init() -> RuntimeError:
    return RuntimeError("RPC has not been initialized. Call torch.distributed.rpc.init_rpc first.")


def _require_initialized(func: Callable[..., Any]) -> Callable[..., Any]:
    """*func*, refused until RPC is begun."""

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        raise _needs_init()

    return wrapper


def shutdown(graceful: bool = True, timeout: float = 0) -> None:
    """Refuse: no RPC was begun."""
    raise _needs_init()


def get_worker_info(worker_name: str | None = None) -> WorkerInfo:
    """Refuse: no RPC was begun."""
    raise _needs_init()


def remote(
    to: Any, func: Any, args: Any = None, kwargs: Any = None, timeout: float = -1.0
) -> RRef[Any]:
    """Refuse: no RPC was begun."""
    raise _needs_init()


def rpc_sync(
    to: Any, func: Any, args: Any = None, kwargs: Any = None, timeout: float = -1.0
) -> Any:
    """Refuse: no RPC was begun."""
    raise _needs_init()


def rpc_async(
    to: Any, func: Any, args: Any = None, kwargs: Any = None, timeout: float = -1.0
) -> Any:
    """Refuse: no RPC was begun."""
    raise _needs_init()


_DEFAULT_TIMEOUT = timedelta(seconds=60)

offer_listed(globals())
