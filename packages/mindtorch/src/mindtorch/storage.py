"""``torch.storage``: the classes of storages and the helpers that programs ask for by name."""

from __future__ import annotations

import io
from typing import Any

import mindtorch_storage.legacy as _legacy
import numpy as np
from mindtorch_storage import TypedStorage, UntypedStorage
from mindtorch_storage.device import ACCELERATOR, CUDA, HPU
from mindtorch_storage.dtype import ALL_DTYPES
from mindtorch_storage.legacy import _LegacyStorage
from mindtorch_storage.legacy_names import STORAGE_NAMES
from mindtorch_storage.legacy_names import (
    dtype_from_pickle_storage_type as _get_dtype_from_pickle_storage_type,
)
from mindtorch_storage.typed import (
    _get_always_warn_typed_storage_removal,
    _reset_warn_typed_storage_removal,
    _set_always_warn_typed_storage_removal,
    _warn_typed_storage_removal,
)

from .serialization import load

__all__ = ["TypedStorage", "UntypedStorage"]


def _load_from_bytes(b: bytes) -> Any:
    return load(io.BytesIO(b), weights_only=False)


def _dtype_to_storage_type_map() -> dict[Any, str]:
    """dtype -> the name of its legacy class."""
    return dict(STORAGE_NAMES)


def _storage_type_to_dtype_map() -> dict[str, Any]:
    """The name of a legacy class -> its dtype."""
    return {name: dtype for dtype, name in STORAGE_NAMES.items()}


def _new_dtypes() -> set[Any]:
    """The dtypes that no legacy class has."""
    return {d for d in ALL_DTYPES if d not in STORAGE_NAMES}


def _get_device_from_module(module: str) -> str:
    """``cuda`` of ``torch.cuda``; ``cpu`` of ``torch``."""
    last = module.rsplit(".", 1)[-1]
    return last if last in (CUDA, ACCELERATOR, HPU) else "cpu"


def _isint(x: Any) -> bool:
    return isinstance(x, (int, np.integer))


#: Every class of storages.
_storage_classes = {
    UntypedStorage,
    TypedStorage,
    *[getattr(_legacy, name) for name in STORAGE_NAMES.values()],
}


def __getattr__(name: str) -> Any:
    if name.endswith("Storage") and hasattr(_legacy, name):
        return getattr(_legacy, name)
    raise AttributeError(f"module 'torch.storage' has no attribute '{name}'")


_EXPORTED = (
    _LegacyStorage,
    _get_always_warn_typed_storage_removal,
    _get_dtype_from_pickle_storage_type,
    _reset_warn_typed_storage_removal,
    _set_always_warn_typed_storage_removal,
    _warn_typed_storage_removal,
)
