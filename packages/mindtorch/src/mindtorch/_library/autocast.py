"""Casts of a custom op's arguments where autocast is on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from mindtorch_dispatch import DispatchKey, exclude_keys, parse_key
from mindtorch_storage import dtype as dtypes

from .. import amp  # noqa: F401  (see Note [Packages first])
from .._ops import OpOverload
from ..amp.switches import is_autocast_available
from ..tensor import Tensor
from .keys import backend_key

__all__ = ["autocast_kernel", "check_device_type"]


def check_device_type(device_type: str) -> None:
    """Raise ValueError where there is no autocast, RuntimeError for an unknown type of device."""
    if not is_autocast_available(device_type):
        raise ValueError(f"Device type '{device_type}' does not support autocast.")


def autocast_kernel(op: OpOverload, device_type: str, dtype: Any) -> Callable[..., Any]:
    """The kernel at the Autocast key: casts, then calls *op* with the key excluded."""
    key: DispatchKey = parse_key(f"Autocast{backend_key(device_type).name}")

    def kernel(keyset: Any, *args: Any, **kwargs: Any) -> Any:
        if kwargs:
            raise AssertionError(f"Custom ops do not support kwargs yet, got {list(kwargs)}")
        with exclude_keys(key):
            return op(*_cast(args, device_type, dtype))

    return kernel


def _cast(value: Any, device_type: str, dtype: Any) -> Any:
    if isinstance(value, Tensor):
        eligible = (
            value.is_floating_point()
            and value.device.type == device_type
            and value.dtype is not dtypes.float64
        )
        return value.to(dtype) if eligible else value
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        return value
    parts = (_cast(v, device_type, dtype) for v in value)
    return type(value)(parts) if isinstance(value, (list, tuple)) else parts
