"""Bytes that come from outside: buffers and files."""

from __future__ import annotations

import mmap
import os
import sys
from typing import Any

import numpy as np

from . import storage_errors
from .dtype import DType, bool_, int8, uint8
from .memory import Bytes


def read_buffer(
    buffer: Any, byte_order: str | None, count: int, offset: int, dtype: DType | None
) -> Bytes:
    """The bytes of ``UntypedStorage.from_buffer``, in this machine's order.

    Raises RuntimeError, ValueError or TypeError as torch does, in its order of checks.
    Source: torch csrc/StorageMethods.cpp, THPStorage_fromBuffer.
    """
    if dtype is None:
        raise storage_errors.buffer_dtype_missing()
    if not isinstance(dtype, DType):
        raise storage_errors.buffer_dtype_invalid()
    if byte_order is None:
        if dtype is not uint8 and dtype is not int8:
            raise storage_errors.buffer_byte_order_missing()
        byte_order = "native"
    if byte_order not in ("big", "little", "native"):
        raise storage_errors.buffer_byte_order_invalid(byte_order)
    data: Bytes = np.frombuffer(_contiguous(buffer), np.uint8)
    size, width = data.size, dtype.itemsize
    if offset < 0 or offset > size:
        raise storage_errors.buffer_offset(offset, size)
    if count < 0:
        if (size - offset) % width:
            raise storage_errors.buffer_not_a_multiple(size, width)
        count = (size - offset) // width
    elif offset + count * width > size:
        raise storage_errors.buffer_too_short(size - offset, offset, count)
    if dtype.name in ("uint16", "uint32", "uint64"):
        raise storage_errors.buffer_dtype_unknown(dtype.scalar_type)
    data = data[offset : offset + count * width]
    if dtype is bool_:
        return np.not_equal(data, 0).astype(np.uint8)
    part = width // 2 if dtype.is_complex else width
    if byte_order not in ("native", sys.byteorder) and part > 1:
        swapped: Bytes = data.reshape(-1, part)[:, ::-1].reshape(-1)
        return swapped
    return data


def _contiguous(buffer: Any) -> memoryview:
    try:
        view = memoryview(buffer)
    except TypeError:
        name = type(buffer).__name__
        raise TypeError(f"a bytes-like object is required, not '{name}'") from None
    if not view.c_contiguous:
        raise BufferError("memoryview: underlying buffer is not C-contiguous")
    return view


def map_file(path: str, shared: bool, nbytes: int) -> Bytes | None:
    """The first *nbytes* of a file as memory; None if that is none.

    Raises RuntimeError with torch's texts. Source: torch aten/src/ATen/MapAllocator.cpp.
    """
    if not isinstance(path, str):
        raise TypeError(f"argument 1 must be str, not {type(path).__name__}")
    nbytes = nbytes.__index__() if hasattr(nbytes, "__index__") else _refuse_size(nbytes)
    if nbytes == 0:
        return None
    flags = os.O_RDWR | os.O_CREAT if shared else os.O_RDONLY
    try:
        fd = os.open(path, flags, 0o600)
    except OSError as error:
        mode = "read-write" if shared else "read-only"
        raise storage_errors.file_unopenable(path, mode, error) from None
    try:
        if nbytes < 0:
            raise storage_errors.file_unmappable(path, nbytes, "Cannot allocate memory (12)")
        size = os.fstat(fd).st_size
        if nbytes > size:
            if not shared:
                raise storage_errors.file_too_small(path, size, nbytes)
            os.ftruncate(fd, nbytes)
        access = mmap.ACCESS_WRITE if shared else mmap.ACCESS_COPY
        try:
            mapped = mmap.mmap(fd, nbytes, access=access)
        except (OSError, ValueError) as error:
            # Python itself refuses what is no regular file; the kernel would say ENODEV.
            reason = (
                f"{error.strerror} ({error.errno})"
                if isinstance(error, OSError)
                else "No such device (19)"
            )
            raise storage_errors.file_unmappable(path, nbytes, reason) from None
    finally:
        os.close(fd)
    return np.frombuffer(mapped, np.uint8)


def _refuse_size(nbytes: Any) -> int:
    raise storage_errors.not_an_integer(nbytes)
