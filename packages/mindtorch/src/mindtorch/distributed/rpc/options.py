"""``torch.distributed.rpc.options``: options of transports."""

from __future__ import annotations

from numbers import Real
from typing import Any

from .constants import DEFAULT_INIT_METHOD, DEFAULT_NUM_WORKER_THREADS, DEFAULT_RPC_TIMEOUT_SEC

__all__ = ["TensorPipeRpcBackendOptions"]


class RpcBackendOptions:
    """Options of a transport: how long a call may take, and how processes find each other."""

    def __init__(
        self,
        rpc_timeout: float = DEFAULT_RPC_TIMEOUT_SEC,
        init_method: str = DEFAULT_INIT_METHOD,
    ) -> None:
        self.rpc_timeout, self.init_method = rpc_timeout, init_method


class TensorPipeRpcBackendOptions(RpcBackendOptions):
    """Options of TensorPipe.

    :param num_worker_threads: how many calls run at the same time.
    :param device_maps: which devices of other workers stand for those here.
    :param devices: those that calls may use.
    """

    def __init__(
        self,
        *,
        num_worker_threads: int = DEFAULT_NUM_WORKER_THREADS,
        rpc_timeout: float = DEFAULT_RPC_TIMEOUT_SEC,
        init_method: str = DEFAULT_INIT_METHOD,
        device_maps: dict[str, Any] | None = None,
        devices: list[Any] | None = None,
        _transports: list[Any] | None = None,
        _channels: list[Any] | None = None,
    ) -> None:
        given: Any = rpc_timeout
        if not isinstance(given, Real):
            raise TypeError(
                "__init__(): incompatible constructor arguments. The following argument types are "
                "supported:\n    1. torch._C._distributed_rpc._TensorPipeRpcBackendOptionsBase("
                "num_worker_threads: int = 16, rpc_timeout: float = 60.0, init_method: str = "
                f"'env://', ...)\n\nInvoked with: kwargs: rpc_timeout={rpc_timeout!r}"
            )
        super().__init__(rpc_timeout, init_method)
        self.num_worker_threads = num_worker_threads
        self.device_maps = dict(device_maps or {})
        self.devices = list(devices or [])

    def set_device_map(self, to: str, device_map: dict[Any, Any]) -> None:
        """Say which devices of *to* stand for which here."""
        self.device_maps[to] = {**self.device_maps.get(to, {}), **device_map}

    def set_devices(self, devices: list[Any]) -> None:
        """Say which devices calls may use."""
        self.devices = list(devices)
