"""The methods of `TypedStorage` by which processes share it; sizes are in elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from .device import DeviceLike
from .untyped import UntypedStorage

__all__ = ["TypedSharing"]


class TypedSharing:
    """Each asks the storage under it."""

    __slots__ = ()

    dtype: Any
    _untyped_storage: UntypedStorage

    if TYPE_CHECKING:  # the storage itself has it

        def _like(self, untyped: UntypedStorage) -> Any: ...

    def _share_fd_cpu_(self, *args: Any, **kwargs: Any) -> tuple[int, int]:
        fd, size = self._untyped_storage._share_fd_cpu_(*args, **kwargs)
        return fd, size // self.dtype.itemsize

    def _share_filename_cpu_(self, *args: Any, **kwargs: Any) -> tuple[bytes, bytes, int]:
        manager, name, size = self._untyped_storage._share_filename_cpu_(*args, **kwargs)
        return manager, name, size // self.dtype.itemsize

    def _shared_incref(self, *args: Any, **kwargs: Any) -> None:
        self._untyped_storage._shared_incref(*args, **kwargs)

    def _shared_decref(self) -> Self:
        self._untyped_storage._shared_decref()
        return self

    @classmethod
    def _expired(cls, *args: Any, **kwargs: Any) -> bool:
        return UntypedStorage._expired(*args, **kwargs)

    @classmethod
    def _free_weak_ref(cls, *args: Any, **kwargs: Any) -> None:
        UntypedStorage._free_weak_ref(*args, **kwargs)

    def _weak_ref(self, *args: Any, **kwargs: Any) -> int:
        return self._untyped_storage._weak_ref(*args, **kwargs)

    def _new_shared(self, size: int, *, device: DeviceLike | None = None) -> Any:
        """A new storage of *size* elements in shared memory."""
        untyped = UntypedStorage._new_shared(
            size * self.dtype.itemsize, device="cpu" if device is None else device
        )
        return self._new_wrapped_storage(untyped)

    def _new_wrapped_storage(self, untyped_storage: UntypedStorage) -> Any:
        """*untyped_storage* as elements of this dtype."""
        if type(untyped_storage) is not UntypedStorage:
            raise AssertionError
        return self._like(untyped_storage)

    def _write_file(self, *args: Any, **kwargs: Any) -> None:
        self._untyped_storage._write_file(*args, **kwargs)

    def _set_from_file(self, *args: Any, **kwargs: Any) -> Any:
        return self._untyped_storage._set_from_file(*args, **kwargs)

    def _share_cuda_(self, *args: Any, **kwargs: Any) -> Any:
        return self._untyped_storage._share_cuda_(*args, **kwargs)

    @classmethod
    def _new_shared_cuda(cls, *args: Any, **kwargs: Any) -> Any:
        return UntypedStorage._new_shared_cuda(*args, **kwargs)

    @classmethod
    def _release_ipc_counter(cls, *args: Any, **kwargs: Any) -> Any:
        return UntypedStorage._release_ipc_counter(*args, **kwargs)

    def hpu(self, device: DeviceLike | None = None, non_blocking: bool = False) -> Any:
        """As `UntypedStorage.hpu`."""
        return self._untyped_storage.hpu(device, non_blocking)

    def npu(self, device: DeviceLike | None = None, non_blocking: bool = False) -> Any:
        """The storage itself if on that NPU (default: the current one), else a copy there."""
        return self._like(self._untyped_storage.npu(device, non_blocking))

    @property
    def is_npu(self) -> bool:
        """Whether it is on an NPU."""
        return self._untyped_storage.is_npu

    def cuda(self, device: DeviceLike | None = None, non_blocking: bool = False) -> Any:
        """As `UntypedStorage.cuda`."""
        return self._untyped_storage.cuda(device, non_blocking)
