"""`UntypedStorage`: the bytes under tensors (``torch.UntypedStorage``)."""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Sequence
from types import FunctionType
from typing import Any, ClassVar, Self

import numpy as np

from . import errors, hooks, storage_errors
from .allocator import empty_bytes
from .arguments import TorchNamed, fits_int64, is_int
from .buffers import map_file, read_buffer
from .conversions import Conversions
from .copy_on_write import CopyOnWrite
from .device import CPU, Device, as_device
from .dtype import DType
from .file_methods import FileMethods
from .memory import (
    FILE,
    FIXED,
    LENT,
    ORDINARY,
    PINNED,
    SHARED,
    SHARED_FILE,
    Bytes,
    PartOfBlock,
    byte_view,
    extent,
)
from .placement import Placement
from .protocols import Block
from .shared_methods import Sharing
from .storage_base import TypedElements

_new = object.__new__


class UntypedStorage(
    Sharing, FileMethods, Conversions, CopyOnWrite, Placement, metaclass=TorchNamed
):
    """Bytes on a device. All views of a tensor refer to one object of this class.

    ``_owner`` is the ndarray, of any dtype and shape, whose memory this is; None for meta
    storages, which have only a size. ``pending`` is what will write the bytes (None when they are
    there), ``block`` the accelerator memory that they occupy (None on the host). ``_first`` is a
    weak reference to the tensor that it was made for, ``_viewers`` are the tensors over it by their
    ids, once it has moved: both None where none is known.
    """

    __slots__ = (
        "__dict__",
        "__weakref__",
        "_meta_nbytes",
        "block",
        "device",
        "pending",
    )
    torch_name = "torch.storage.UntypedStorage"

    _meta_nbytes: int
    _origin: str | None
    _owner: np.ndarray[Any, Any] | None
    block: Block | None
    device: Device
    pending: Any

    _first: Any = None
    _viewers: Any = None
    is_sparse: ClassVar[bool] = False
    is_sparse_csr: ClassVar[bool] = False

    # ------------------------------------------------------------------ construction

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        rest = dict(kwargs)
        device = rest.pop("device", None)
        if len(args) == 0 and len(rest) == 1:
            given = rest.pop("size", rest.pop("sequence", None))
        else:
            given = args[0] if args else 0
        if len(args) > 1 or rest:
            raise storage_errors.storage_arguments(args, kwargs)
        where = as_device(device)
        if is_int(given):
            if not fits_int64(int(given)):
                raise errors.integer_overflow()
            return cls._empty(int(given), where)
        return cls._from_sequence(given, where)

    @staticmethod
    def _from_array(array: np.ndarray[Any, Any], device: Device = CPU) -> UntypedStorage:
        """A storage over the memory of *array*, which it keeps; nothing is copied."""
        self = _new(UntypedStorage)
        self._owner = array
        self.device = device
        self._origin = self.pending = self.block = None
        return self

    def _lend(self) -> None:
        """Somebody else sees the memory from now on: it cannot be replaced by other."""
        if self._together is not None:
            self._separate()
        if self._origin is ORDINARY:
            self._origin = LENT

    @staticmethod
    def _borrowed(array: np.ndarray[Any, Any]) -> UntypedStorage:
        """A storage over memory that is somebody else's."""
        self = UntypedStorage._from_array(array)
        self._origin = FIXED
        return self

    @staticmethod
    def _pinned(array: np.ndarray[Any, Any]) -> UntypedStorage:
        """A storage over pinned memory of the host."""
        self = UntypedStorage._from_array(array)
        self._origin = PINNED
        return self

    @staticmethod
    def _meta(nbytes: int, device: Device) -> UntypedStorage:
        """A storage with a size and no memory."""
        self = _new(UntypedStorage)
        self._owner = self._origin = self.pending = self.block = None
        self.device = device
        self._meta_nbytes = nbytes
        return self

    @classmethod
    def _empty(cls, nbytes: int, device: Device) -> Self:
        if nbytes < 0:
            raise storage_errors.allocation_negative(nbytes)
        self = _new(cls)
        self._origin = self.pending = self.block = None
        self.device = device
        if device.type == "meta":
            self._owner, self._meta_nbytes = None, nbytes
        elif device.type == "cpu":
            self.device = CPU  # as in torch, host memory has no index
            self._owner = empty_bytes(nbytes)
        else:
            if device.index is None:
                self.device = device = hooks.current_device(device.type)
            self.block = hooks.allocate_block(device, nbytes)
            self._owner = hooks.bytes_of(self.block, nbytes)
        return self

    @classmethod
    def _from_sequence(cls, sequence: Any, device: Device) -> Self:
        if isinstance(sequence, UntypedStorage):
            return cls._empty(sequence.nbytes(), device).copy_(sequence)
        listed = isinstance(sequence, (Sequence, np.ndarray)) or (
            getattr(type(sequence), "torch_name", "") == "torch.storage.TypedStorage"
        )
        if not listed:
            raise storage_errors.storage_not_a_sequence(sequence)
        items = list(sequence)
        for item in items:
            if not is_int(item) and not isinstance(item, bool):
                raise storage_errors.storage_item_not_int(sequence, item)
            if not fits_int64(item):
                raise errors.integer_overflow()
        self = cls._empty(len(items), device)
        if self._owner is not None:
            self._data()[:] = np.frombuffer(bytes(int(item) & 0xFF for item in items), np.uint8)
        return self

    @classmethod
    def from_buffer(
        cls,
        buffer: Any,
        byte_order: str | None = None,
        count: int = -1,
        offset: int = 0,
        dtype: DType | None = None,
    ) -> Self:
        """A copy of the bytes of *buffer*, *count* elements of *dtype* from byte *offset* on."""
        data = read_buffer(buffer, byte_order, count, offset, dtype)
        self = cls._empty(data.size, CPU)
        self._data()[:] = data
        return self

    @classmethod
    def from_file(cls, filename: str, shared: bool = False, nbytes: int = 0) -> Self:
        """Map *nbytes* of a file. If *shared*, writes reach the file, which is made to fit."""
        self = cls._empty(0, CPU)
        data = map_file(filename, bool(shared), nbytes)
        if data is not None:
            self._owner = data
        self._origin = SHARED_FILE if shared else FILE
        self._file = filename
        return self

    def new(self) -> Self:
        """An empty storage on the same device."""
        return type(self)._empty(0, self.device)

    # ------------------------------------------------------------------------- memory

    def _data(self) -> Bytes:
        """All bytes, as a view of the owner, once they may be touched by the host.

        Raises NotImplementedError for meta storages, RuntimeError where there is no memory.
        """
        if self._absent():
            raise storage_errors.no_memory()
        if self.pending is not None or self.block is not None:
            hooks.before_read(self)
        if self._owner is None or self.device.type == "meta":
            raise storage_errors.not_available_for_meta()
        return byte_view(self._owner)

    def _absent(self) -> bool:
        """Whether there is no memory though the device has some: a tensor's that only has shape."""
        if self._owner is not None or self.device.type == "meta":
            return False
        return self.pending is None and self.block is None

    def _tell_moved(self) -> None:
        """Tensors over this storage look at its memory anew."""
        if hooks.on_moved is not None:
            hooks.on_moved(self)

    def nbytes(self) -> int:
        """The number of bytes."""
        owner = self._owner
        if owner is None:
            return self._meta_nbytes
        return owner.nbytes if owner.flags.c_contiguous else extent(owner)

    size = __len__ = nbytes

    def data_ptr(self) -> int:
        """The address of the first byte; 0 if there is none."""
        if self._absent():
            raise storage_errors.invalid_storage()
        if self.pending is not None:
            hooks.before_read(self)
        if self._together is not None:
            self._separate()
        if self.block is not None:
            return self.block.data_ptr
        if self._owner is None or self.device.type == "meta" or not self.nbytes():
            return 0
        address: builtins.int = self._owner.__array_interface__["data"][0]
        return address

    @property
    def filename(self) -> str | None:
        """The file that shared memory is mapped from, else None."""
        return self._get_filename()

    def element_size(self) -> int:
        """1: elements are bytes."""
        return 1

    def get_device(self) -> int | None:
        """The index of the device."""
        return self.device.index

    def resizable(self) -> bool:
        """Whether the storage owns memory of its own, so that `resize_` may replace it.

        As in torch 2.13, True after `share_memory_`, although resizing is refused then.
        """
        return self._origin in (ORDINARY, PINNED, SHARED)

    def resize_(self, size: int, /) -> Self:
        """Grow or shrink to *size* bytes; bytes past the old end are undefined.

        Raises RuntimeError if the memory is not resizable. Shared memory is not either: torch
        documents that and crashes.
        Source: torch aten/src/ATen/native/Resize.cpp, resize_bytes_cpu.
        """
        if not is_int(size):
            raise storage_errors.resize_not_int(size)
        size = int(size)
        if not fits_int64(size):
            raise errors.integer_overflow()
        if self._absent():
            raise storage_errors.invalid_storage("resize_")
        if not self.resizable() or self._origin == SHARED:
            raise storage_errors.not_resizable()
        if size < 0:
            raise storage_errors.allocation_negative(size)
        if self._owner is None or self.device.type == "meta":
            self._owner, self._meta_nbytes = None, size
            if self._together is not None:
                self._leave()
            return self
        fresh = type(self)._empty(size, self.device)
        owner = fresh._owner
        assert owner is not None
        if hooks.copy_elsewhere is None or not hooks.copy_elsewhere(fresh, self):
            old = self._data()
            kept = min(size, old.size)
            owner[:kept] = old[:kept]
        self.block = fresh.block
        if self._together is not None:
            self._exchange(owner)
            self._leave()
        else:
            self._exchange(owner)
            self._tell_moved()
        return self

    # ------------------------------------------------------------------------- values

    def __getitem__(self, index: Any) -> Any:
        if self.device.type == "meta":
            raise storage_errors.not_available_for_meta()
        size = self.nbytes()
        if isinstance(index, slice):
            start, stop, step = index.indices(size)
            if step != 1:
                raise storage_errors.storage_step(step)
            return self._part(start, max(start, stop))
        if not is_int(index):
            raise TypeError(storage_errors.storage_index_type(index))
        index = int(index)
        if not fits_int64(index):
            raise errors.integer_overflow()
        if index < 0:
            index += size
        if not 0 <= index < size:
            raise storage_errors.storage_index_out_of_range(index, size)
        return int(self._data()[index])

    def _part(self, start: int, stop: int) -> UntypedStorage:
        """Bytes *start* to *stop* as a storage that shares them."""
        part = UntypedStorage._from_array(self._writable()[start:stop], self.device)
        part._origin = FIXED
        if self.block is not None:
            part.block = PartOfBlock(self.block, start, stop - start)
        return part

    def __setitem__(self, index: Any, value: Any) -> None:
        if not is_int(value) and not isinstance(value, bool):
            raise storage_errors.storage_value_not_int(value)
        if not fits_int64(value):
            raise errors.integer_overflow()
        size = self.nbytes()
        if isinstance(index, slice):
            start, stop, step = index.indices(size)
            if step != 1:
                raise storage_errors.storage_step(step)
        elif is_int(index):
            start, stop = int(index), int(index) + 1
            if not 0 <= start < size:
                raise storage_errors.storage_index_out_of_bounds()
        else:
            raise RuntimeError(storage_errors.storage_index_type(index))
        if self.device.type != "meta":
            self._writable()[start:stop] = int(value) & 0xFF

    def fill_(self, value: int, /) -> Self:
        """Set every byte to *value* modulo 256."""
        if not is_int(value) and not isinstance(value, bool):
            raise storage_errors.fill_not_int(value)
        if not fits_int64(value):
            raise errors.integer_overflow()
        if self._absent():
            raise storage_errors.invalid_storage("fill_")
        if self.device.type != "meta":
            self._writable()[:] = int(value) & 0xFF
        return self

    def copy_(self, src: Any, non_blocking: bool | None = None) -> Self:
        """Copy all bytes of *src*, which has as many, from whatever device it is on."""
        src = getattr(src, "_untyped_storage", src)
        if not isinstance(src, UntypedStorage):
            raise storage_errors.copy_source_type(src)
        if self._absent() or src._absent():
            raise storage_errors.invalid_storage("copy_")
        size, other = self.nbytes(), src.nbytes()
        if size != other:
            raise storage_errors.copy_size_mismatch(size, other)
        if self.device.type == "meta":
            return self
        if src.device.type == "meta":
            raise storage_errors.copy_out_of_meta()
        if src is self or (hooks.copy_elsewhere is not None and hooks.copy_elsewhere(self, src)):
            return self
        self._writable()[:] = src._data()
        return self

    def clone(self) -> Self:
        """A copy on the same device."""
        return type(self)._empty(self.nbytes(), self.device).copy_(self)

    def tolist(self) -> list[int]:
        """The bytes as ints."""
        result: list[int] = self._data().tolist()
        return result

    def __iter__(self) -> Iterator[int]:
        return iter(self.tolist())

    def byteswap(self, dtype: DType) -> None:
        """Reverse the bytes of every element, read as *dtype* (of each part, if complex)."""
        if not isinstance(dtype, DType):
            raise storage_errors.not_a_dtype(dtype)
        width = dtype.itemsize // 2 if dtype.is_complex else dtype.itemsize
        if self.nbytes() % width:
            raise storage_errors.byteswap_length(width)
        if width > 1:
            data = self._writable().reshape(-1, width)
            data[:] = data[:, ::-1].copy()

    # ------------------------------------------------------------------------ as typed

    def untyped(self) -> Self:
        """The storage itself."""
        return self

    def type(self, dtype: Any = None, non_blocking: bool = False) -> Any:
        """The name of the class; given a storage class or its name, a copy of that class."""
        if dtype is None:
            return self.torch_name
        if isinstance(dtype, str):
            dtype = hooks.storage_class(dtype)
        if dtype is type(self):
            return self
        if dtype.is_sparse:
            raise RuntimeError("Cannot cast dense tensor to sparse tensor")
        return dtype(self.nbytes()).copy_(self, non_blocking)

    def _to(self, dtype: DType) -> TypedElements:
        """The bytes as elements of *dtype*, converted."""
        return self._as(dtype)

    def _as(self, dtype: DType) -> TypedElements:
        return hooks.typed_bytes(self)._to(dtype)

    # --------------------------------------------------------------------- as an object

    def __repr__(self) -> str:
        info = f"[{self.torch_name}(device={self.device}) of size {self.nbytes()}]"
        if self.device.type == "meta":
            return "...\n" + info
        return " " + "\n ".join(map(str, self.tolist())) + "\n" + info

    def __copy__(self) -> Self:
        return self.clone()

    def __deepcopy__(self, memo: dict[Any, Any]) -> Self:
        copies = memo.setdefault("torch", {})  # torch's key: tensors of one storage find it there
        if self._cdata not in copies:
            copies[self._cdata] = self.clone()
        found: Self = copies[self._cdata]
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        here = self if self.block is None else self.cpu()
        data = None if self.device.type == "meta" else here._data().tobytes()
        return (_rebuild, (data, self.nbytes(), self.device))

    def __sizeof__(self) -> builtins.int:
        return object.__sizeof__(self) + self.nbytes()


def _rebuild(data: bytes | None, nbytes: int, device: Device) -> UntypedStorage:
    storage = UntypedStorage._empty(nbytes, device)
    if data is not None:
        storage.copy_(UntypedStorage._from_array(np.frombuffer(data, np.uint8)))
    return storage


for _part in (
    Sharing,
    FileMethods,
    Conversions,
    CopyOnWrite,
    Placement,
):  # Python's own errors name a method by its class
    for _name, _method in vars(_part).items():
        if isinstance(_method, FunctionType):
            _method.__qualname__ = f"UntypedStorage.{_name}"
