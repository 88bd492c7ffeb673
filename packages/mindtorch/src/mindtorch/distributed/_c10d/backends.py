"""The names of backends, and which device has which."""

from __future__ import annotations

import warnings
from collections import namedtuple
from collections.abc import Callable
from typing import Any, ClassVar

from mindtorch_storage import ACCELERATOR
from mindtorch_storage.device import CUDA

from ...core.module_names import living_in
from .options import BackendType

__all__ = ["Backend", "BackendConfig"]

_PAIR_FORM = (
    "Custom backend string is an experimental feature where the backend string must be in the "
    'format:\n                "<device_type1>:<backend1>,<device_type2>:<backend2>...". e.g. '
    "'cpu:gloo,cuda:nccl'"
)
_GAP = " " * 37
_KIND: Any = BackendType
#: The backend of the accelerator, which its extension of torch registers; torch's lists lack it.
HCCL = "hccl"


class Backend(str):
    """The name of a backend, in small letters; new ones are registered here."""

    UNDEFINED = "undefined"
    GLOO = "gloo"
    NCCL = "nccl"
    UCC = "ucc"
    MPI = "mpi"
    XCCL = "xccl"
    FAKE = "fake"

    _BackendPlugin = namedtuple("_BackendPlugin", ["creator_fn", "extended_api"])
    _plugins: ClassVar[dict[str, Any]] = {}

    backend_list: ClassVar[list[str]] = [UNDEFINED, GLOO, NCCL, XCCL, UCC, MPI, FAKE]
    default_device_backend_map: ClassVar[dict[str, str]] = {
        "cpu": GLOO,
        CUDA: NCCL,
        "xpu": XCCL,
        "mps": GLOO,
    } | ({} if ACCELERATOR == CUDA else {ACCELERATOR: HCCL})
    backend_capability: ClassVar[dict[str, list[str]]] = {
        GLOO: ["cpu", CUDA],
        NCCL: [CUDA],
        XCCL: ["xpu"],
        UCC: ["cpu", CUDA],
        MPI: ["cpu", CUDA],
        FAKE: ["cpu", CUDA, "hpu", "xpu"],
    }
    backend_type_map: ClassVar[dict[str, Any]] = {
        UNDEFINED: _KIND.UNDEFINED,
        GLOO: _KIND.GLOO,
        NCCL: _KIND.NCCL,
        XCCL: _KIND.XCCL,
        UCC: _KIND.UCC,
        MPI: _KIND.MPI,
        FAKE: _KIND.CUSTOM,
    }

    def __new__(cls, name: str) -> Any:
        if not isinstance(name, str):
            raise ValueError("Backend constructor parameter must be string-ish")
        value = getattr(Backend, name.upper(), Backend.UNDEFINED)
        return name.lower() if value == Backend.UNDEFINED else value

    @classmethod
    def register_backend(
        cls,
        name: str,
        func: Callable[..., Any],
        extended_api: bool = False,
        devices: str | list[str] | None = None,
    ) -> None:
        """Let *func* make the groups of backend *name* for *devices*."""
        setattr(Backend, name.upper(), name.lower())
        lower = name.lower()
        if lower not in Backend.backend_list:
            Backend.backend_list.append(lower)
        if devices is not None:
            for device in [devices] if isinstance(devices, str) else devices:
                if device not in Backend.default_device_backend_map:
                    Backend.default_device_backend_map[device] = lower
        Backend.backend_type_map[lower] = _KIND.CUSTOM
        if devices is None:
            warnings.warn(
                f"Device capability of {name} unspecified, assuming `cpu` and `cuda` or `xpu`. "
                "Please specify it via the `devices` argument of `register_backend`."
            )
            Backend.backend_capability[lower] = ["cpu", CUDA]
        else:
            Backend.backend_capability[lower] = [devices] if isinstance(devices, str) else devices
        Backend._plugins[name.upper()] = Backend._BackendPlugin(func, extended_api)


class BackendConfig:
    """Which backend serves which type of device."""

    def __init__(self, backend: Any) -> None:
        self.device_backend_map: dict[str, Any] = {}
        backend = str(backend)
        if backend == Backend.UNDEFINED:
            # torch takes the accelerator alone where there is one. Here a simulated one is always
            # there, also for programs that know the host only.
            known = Backend.default_device_backend_map
            self.device_backend_map = {d: Backend(known[d]) for d in ("cpu", ACCELERATOR)}
        elif ":" in backend:
            self._read_pairs(backend)
        elif backend.lower() == HCCL:
            self.device_backend_map = {ACCELERATOR: Backend(backend)}
        elif backend.lower() in Backend.backend_list:
            supported = Backend.backend_capability[backend.lower()]
            self.device_backend_map = {device: Backend(backend) for device in supported}
        else:
            warnings.warn(
                f"Device capability of {backend} unknown, assuming `cpu` and `cuda`. You can "
                "specify it in `device:backend` format in `init_process_group` call."
            )
            self.device_backend_map = {"cpu": Backend(backend), CUDA: Backend(backend)}

    def _read_pairs(self, text: str) -> None:
        for pair in text.lower().split(","):
            device, *rest = pair.split(":")
            if len(rest) != 1:
                raise ValueError(
                    f"Invalid device:backend pairing: {_GAP}{pair}. The custom backend string "
                    f"argument is invalid: {text}.\n                {_PAIR_FORM}"
                )
            if device in self.device_backend_map:
                raise ValueError(
                    f"Duplicate device type {device} {_GAP}in backend string: {rest[0]}. The "
                    f"custom backend string argument is invalid: {text}.\n                "
                    f"{_PAIR_FORM}"
                )
            self.device_backend_map[device] = Backend(rest[0])

    def __repr__(self) -> str:
        return ",".join(f"{d}:{b}" for d, b in self.device_backend_map.items())

    def get_device_backend_map(self) -> dict[str, Any]:
        """Backend by type of device."""
        return self.device_backend_map


living_in("mindtorch.distributed.distributed_c10d", Backend, BackendConfig)
