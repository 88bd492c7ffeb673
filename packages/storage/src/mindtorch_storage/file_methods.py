"""Storages in files of torch's oldest format, and on devices that are not there."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from . import storage_errors
from .device import ACCELERATOR, CUDA, HPU, Device, DeviceLike, as_device
from .storage_base import StoragePart

__all__ = ["FileMethods"]

_LENGTH = np.dtype("<i8")


def _is_real_file(f: Any) -> bool:
    """Whether *f* has a descriptor."""
    try:
        return bool(f.fileno() >= 0)
    except (AttributeError, OSError):
        return False


class FileMethods(StoragePart):
    """A storage writes its length in elements, then its bytes; and reads them back."""

    __slots__ = ()

    #: Where the numbers would be that a load, or a fake tensor, did without.
    _fake_device: Any = None
    #: Where in the file they are that a load did without.
    _checkpoint_offset: Any = None

    def _write_file(self, f: Any, is_real_file: bool, save_size: bool, element_size: int) -> None:
        """Write the bytes to *f*, after the number of elements if *save_size*."""
        if self.device.type == "meta":
            raise storage_errors.copy_out_of_meta()
        data = self._data()
        if save_size:
            f.write(np.array(data.size // element_size, _LENGTH).tobytes())
        f.write(data.tobytes())

    def _set_from_file(self, f: Any, offset: Any, is_real_file: bool, element_size: int) -> Self:
        """Read what `_write_file` wrote. Raises RuntimeError for another length."""
        if offset is not None:
            if not _is_real_file(f):
                raise RuntimeError("_set_from_file: offset is NYI for filelike objects")
            f.seek(offset)
        data = self._writable()
        length = int(np.frombuffer(f.read(_LENGTH.itemsize), _LENGTH)[0]) * element_size
        if length != data.size:
            raise storage_errors.file_of_other_length(length, data.size)
        data[:] = np.frombuffer(f.read(length), np.uint8)
        return self

    @classmethod
    def _new_with_file(cls, *args: Any) -> Any:
        """A storage of what `_write_file` wrote: ``_new_with_file(file, element_size)``.

        Raises RuntimeError for a file without a descriptor, or one that ends too soon.
        """
        if len(args) != 2:
            raise RuntimeError("_new_with_file takes exactly two arguments")
        f, element_size = args
        if not _is_real_file(f):
            raise RuntimeError(
                "_new_with_file couldn't retrieve a file descriptor from given object"
            )
        length = int(np.frombuffer(f.read(_LENGTH.itemsize), _LENGTH)[0]) * element_size
        data = f.read(length)
        if len(data) != length:
            raise RuntimeError(f"unexpected EOF. The file might be corrupted. {length=}")
        made: Any = cls(length)
        made._writable()[:] = np.frombuffer(data, np.uint8)
        return made

    def _resize_with_addr_(self, *args: Any) -> Any:
        """Memory of CUDA at an address. Raises RuntimeError: there is none."""
        if len(args) != 2:
            raise RuntimeError(f"_resize_with_addr_ expects 2 arguments, got {len(args)}")
        raise RuntimeError(
            f"_resize_with_addr_ is only supported on CUDA storage, got {self.device.type}"
        )

    def _byteswap(self, elem_size: Any) -> None:
        """Reverse the bytes of every element of *elem_size* bytes."""
        if not isinstance(elem_size, int):
            raise storage_errors.byteswap_size_not_int()
        if elem_size not in (1, 2, 4, 8):
            raise storage_errors.byteswap_size_unknown()
        data = self._writable()
        if data.size % elem_size:
            raise storage_errors.byteswap_length(elem_size)
        pieces = data.reshape(-1, elem_size)
        pieces[:] = pieces[:, ::-1].copy()

    def hpu(self, device: DeviceLike | None = None, non_blocking: bool = False) -> Any:
        """A copy on an HPU. Raises AssertionError: there is none."""
        return self.to(device=HPU, non_blocking=non_blocking)

    def cuda(self, device: DeviceLike | None = None, non_blocking: bool = False) -> Any:
        """A copy on a CUDA device. Raises AssertionError: there is none."""
        return self.to(device=CUDA, non_blocking=non_blocking)

    def npu(self, device: DeviceLike | None = None, non_blocking: bool = False) -> Any:
        """The storage itself if on that NPU (default: the current one), else a copy there."""
        where = Device(ACCELERATOR) if device is None else as_device(device)
        return self.to(device=where, non_blocking=non_blocking)

    @property
    def is_npu(self) -> bool:
        """Whether it is on an NPU."""
        return self.device.type == ACCELERATOR

    def mps(self) -> Any:
        """A copy on an MPS device. Raises RuntimeError: there is none."""
        return type(self)(0, device="mps")

    def _share_cuda_(self, *args: Any, **kwargs: Any) -> Any:
        raise storage_errors.cuda_not_available()

    @classmethod
    def _release_ipc_counter(cls, *args: Any, **kwargs: Any) -> Any:
        raise storage_errors.cuda_not_available()

    _new_shared_cuda = _release_ipc_counter_cuda = _release_ipc_counter
