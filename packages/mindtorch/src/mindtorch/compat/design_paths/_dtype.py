"""Every dtype by its name."""

from typing import Any

import mindtorch_storage as _storage
from mindtorch_storage import DType
from mindtorch_storage import DType as dtype

__all__ = ["DType", "dtype"]


def __getattr__(name: str) -> Any:
    found = getattr(_storage, name, None)
    if not isinstance(found, DType):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return found
