"""Storages."""

from mindtorch_storage import TypedStorage, UntypedStorage

__all__ = ["TypedStorage", "UntypedStorage"]
