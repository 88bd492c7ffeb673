"""`TypedStorage`: the deprecated view of a storage as elements (``torch.TypedStorage``)."""

from __future__ import annotations

import builtins
import copy
import warnings
from collections.abc import Iterator, Sequence
from types import FunctionType
from typing import Any, ClassVar, Self

import numpy as np

from . import hooks, storage_errors
from .arguments import TorchNamed
from .conversions import Conversions
from .device import Device, DeviceLike, as_device
from .dtype import DType, get_default_dtype, uint8
from .elements import cast, sequence_elements, single_element
from .extended_dtypes import integers_of
from .legacy_names import STORAGE_NAMES, legacy_class_name
from .typed_sharing import TypedSharing
from .untyped import UntypedStorage

_DEPRECATED = (
    "TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be the "
    "only storage class. This should only matter to you if you are using storages directly.  To "
    "access UntypedStorage directly, use tensor.untyped_storage() instead of tensor.storage()"
)


class _Removal:
    """Whether the deprecation was announced: once in a process is enough, as in torch."""

    warned = False
    always = False


def _warn_typed_storage_removal(stacklevel: int = 2) -> None:
    if _Removal.always or not _Removal.warned:
        warnings.warn(_DEPRECATED, UserWarning, stacklevel=stacklevel + 1)
        _Removal.warned = True


def _get_always_warn_typed_storage_removal() -> bool:
    return _Removal.always


def _set_always_warn_typed_storage_removal(always_warn: bool) -> None:
    if not isinstance(always_warn, bool):
        raise AssertionError(f"always_warn must be bool, got {type(always_warn).__name__}")
    _Removal.always = always_warn


def _reset_warn_typed_storage_removal() -> None:
    _Removal.warned = False


class TypedStorage(TypedSharing, Conversions, metaclass=TorchNamed):
    """An `UntypedStorage` read as elements of a dtype. The first use in a process warns.

    Methods with a leading underscore are for other parts of the library: they do not warn.
    """

    __slots__ = ("__dict__", "__weakref__", "_untyped_storage", "dtype")
    torch_name = "torch.storage.TypedStorage"
    is_sparse: ClassVar[bool] = False

    dtype: DType
    _untyped_storage: UntypedStorage

    def __new__(
        cls,
        *args: Any,
        wrap_storage: Any = None,
        dtype: Any = None,
        device: DeviceLike | None = None,
        _internal: bool = False,
    ) -> TypedStorage:
        if not _internal:
            _warn_typed_storage_removal()
        self = object.__new__(TypedStorage)
        self._fill_in(args, wrap_storage, dtype, device)
        return self

    def _fill_in(
        self,
        args: tuple[Any, ...],
        wrap_storage: Any,
        dtype: Any,
        device: DeviceLike | None,
    ) -> None:
        if wrap_storage is not None:
            self._wrap(args, wrap_storage, dtype, device)
            return
        where = as_device(device)
        if dtype is None:
            dtype = get_default_dtype()
        elif not isinstance(dtype, DType):
            raise storage_errors.not_a_dtype(dtype)
        self.dtype = dtype
        if len(args) > 1:
            raise RuntimeError(storage_errors.typed_arguments("Too many positional arguments"))
        given = args[0] if args else 0
        if isinstance(given, (int, np.integer)):
            self._untyped_storage = UntypedStorage(int(given) * dtype.itemsize, device=where)
        elif isinstance(given, Sequence):
            elements = sequence_elements(given, integers_of(dtype))
            untyped = UntypedStorage(elements.nbytes, device=where)
            if where.type != "meta":
                untyped._data()[:] = elements.view(np.uint8)
            self._untyped_storage = untyped
        else:
            raise TypeError(
                storage_errors.typed_arguments(f"Argument type not recognized: {type(given)}")
            )

    def _wrap(self, args: tuple[Any, ...], wrap_storage: Any, dtype: Any, device: Any) -> None:
        wrong: str | None = None
        if args:
            wrong = "No positional arguments should be given when using 'wrap_storage'"
        elif dtype is None:
            wrong = "Argument 'dtype' must be specified"
        elif not isinstance(dtype, DType):
            wrong = f"Argument 'dtype' must be torch.dtype, not {type(dtype)}"
            raise TypeError(storage_errors.typed_arguments(wrong))
        elif device is not None:
            wrong = "Argument 'device' should not be specified when 'wrap_storage' is given"
        elif not isinstance(wrap_storage, UntypedStorage):
            wrong = f"Argument 'wrap_storage' must be UntypedStorage, but got {type(wrap_storage)}"
            raise TypeError(storage_errors.typed_arguments(wrong))
        if wrong is not None:
            raise RuntimeError(storage_errors.typed_arguments(wrong))
        self.dtype = dtype
        self._untyped_storage = wrap_storage

    def _like(self, untyped: UntypedStorage) -> TypedStorage:
        return TypedStorage(wrap_storage=untyped, dtype=self.dtype, _internal=True)

    def _elements(self) -> np.ndarray[Any, Any]:
        """The elements, as a view; bytes left over at the end are not among them."""
        data = self._untyped_storage._data()
        width = self.dtype.itemsize
        return data[: data.size // width * width].view(integers_of(self.dtype).np)

    # ------------------------------------------------------------------------- values

    @property
    def data(self) -> np.ndarray[Any, Any]:
        """The elements: an array of one dimension over the memory. torch has no such name.

        Raises NotImplementedError for a storage without memory, as an index does.
        """
        if self._untyped_storage.device.type == "meta":
            raise storage_errors.not_available_for_meta()
        return self._elements()

    def __getitem__(self, index: Any) -> Any:
        _warn_typed_storage_removal()
        return self._getitem(index)

    def _getitem(self, index: Any) -> Any:
        if self._untyped_storage.device.type == "meta":
            raise storage_errors.not_available_for_meta()
        if isinstance(index, slice):
            raise storage_errors.typed_slice()
        if not isinstance(index, int):
            raise RuntimeError(storage_errors.typed_index_type(self, index))
        if isinstance(index, bool):
            raise TypeError(storage_errors.typed_index_type(self, index))
        size = self._size()
        if not -size <= index < size:
            raise storage_errors.storage_index_out_of_range(index, size)
        return self._elements()[index : index + 1 or None].tolist()[0]

    def _maybe_wrap_index(self, idx: Any, is_stop: builtins.bool = False) -> Any:
        """*idx* counted from the beginning; as the end of a slice it may lie past the end."""
        if idx is None:
            return self._size() if is_stop else 0
        if type(idx) is not int:
            raise TypeError(storage_errors.typed_index_type(self, idx))
        if idx >= self._size() or idx < -self._size():
            raise storage_errors.storage_index_out_of_range(idx, self._size())
        return idx % self._size()

    def __setitem__(self, index: Any, value: Any) -> None:
        _warn_typed_storage_removal()
        self._setitem(index, value)

    def _setitem(self, index: Any, value: Any) -> None:
        if not isinstance(index, (int, slice)):
            raise RuntimeError(storage_errors.typed_index_type(self, index))
        if isinstance(value, (UntypedStorage, TypedStorage)):
            raise storage_errors.typed_value_is_storage(value)
        size = self._size()
        element = single_element(value, integers_of(self.dtype))
        if isinstance(index, slice):
            if index.step is not None and index.step <= 0:
                raise storage_errors.slice_step_not_positive()
        elif isinstance(index, bool):  # a 0-d mask in torch: all elements or none
            index = slice(None) if index else slice(0, 0)
        elif not -size <= index < size:
            raise storage_errors.tensor_index_out_of_bounds(index, size)
        if self._untyped_storage.device.type != "meta":
            with np.errstate(all="ignore"):
                self._elements()[index] = element

    def fill_(self, value: Any) -> Self:
        """Set every element to *value*."""
        _warn_typed_storage_removal()
        self._setitem(slice(0, self._size()), value)
        return self

    def copy_(self, source: Any, non_blocking: bool | None = None) -> Self:
        """Copy the bytes of *source*, which has as many, whatever its dtype."""
        _warn_typed_storage_removal()
        self._untyped_storage.copy_(source, non_blocking)
        return self

    def tolist(self) -> list[Any]:
        """The elements as Python values."""
        _warn_typed_storage_removal()
        return list(self)

    def __iter__(self) -> Iterator[Any]:
        _warn_typed_storage_removal()
        return iter(self._elements().tolist())

    # ------------------------------------------------------------------------- memory

    def untyped(self) -> UntypedStorage:
        """The storage itself."""
        _warn_typed_storage_removal()
        return self._untyped_storage

    @property
    def _dtype(self) -> DType:
        return self.dtype

    @property
    def _cdata(self) -> int:
        return self._untyped_storage._cdata

    @property
    def device(self) -> Device:
        """Where the bytes are."""
        _warn_typed_storage_removal()
        return self._untyped_storage.device

    @property
    def filename(self) -> str | None:
        """The file that shared memory is mapped from, else None."""
        return self._untyped_storage.filename

    def _size(self) -> builtins.int:
        return self._untyped_storage.nbytes() // self.dtype.itemsize

    def size(self) -> builtins.int:
        """The number of elements."""
        _warn_typed_storage_removal()
        return self._size()

    def __len__(self) -> builtins.int:
        _warn_typed_storage_removal()
        return self._size()

    def nbytes(self) -> builtins.int:
        """The number of bytes."""
        _warn_typed_storage_removal()
        return self._untyped_storage.nbytes()

    _nbytes = nbytes

    def element_size(self) -> builtins.int:
        """The number of bytes of an element."""
        _warn_typed_storage_removal()
        return self.dtype.itemsize

    def _element_size(self) -> builtins.int:
        return self.dtype.itemsize

    def data_ptr(self) -> builtins.int:
        """The address of the first byte."""
        _warn_typed_storage_removal()
        return self._untyped_storage.data_ptr()

    def _data_ptr(self) -> builtins.int:
        return self._untyped_storage.data_ptr()

    def get_device(self) -> builtins.int | None:
        """The index of the device."""
        _warn_typed_storage_removal()
        return self._untyped_storage.get_device()

    def resizable(self) -> builtins.bool:
        """As `UntypedStorage.resizable`."""
        _warn_typed_storage_removal()
        return self._untyped_storage.resizable()

    def resize_(self, size: builtins.int) -> None:
        """Grow or shrink to *size* elements. Returns nothing, as in torch."""
        _warn_typed_storage_removal()
        self._resize_(size)

    def _resize_(self, size: Any) -> None:
        self._untyped_storage.resize_(size * self.dtype.itemsize)

    # ----------------------------------------------------------------------- elsewhere

    def clone(self) -> TypedStorage:
        """A copy on the same device."""
        _warn_typed_storage_removal()
        return self._like(self._untyped_storage.clone())

    def cpu(self) -> TypedStorage:
        """A view of the same bytes if on the host, else of a copy there."""
        _warn_typed_storage_removal()
        return self._like(self._untyped_storage.cpu())

    def to(self, *, device: DeviceLike, non_blocking: bool = False) -> TypedStorage:
        """A view of the same bytes if on *device*, else of a copy there."""
        _warn_typed_storage_removal()
        return self._like(self._untyped_storage.to(device=device, non_blocking=non_blocking))

    def is_shared(self) -> builtins.bool:
        """As `UntypedStorage.is_shared`."""
        _warn_typed_storage_removal()
        return self._untyped_storage.is_shared()

    _is_shared = is_shared

    def share_memory_(self) -> Self:
        """As `UntypedStorage.share_memory_`."""
        _warn_typed_storage_removal()
        self._untyped_storage.share_memory_()
        return self

    _share_memory_ = share_memory_

    def is_pinned(self, device: DeviceLike | None = None) -> builtins.bool:
        """As `UntypedStorage.is_pinned`."""
        _warn_typed_storage_removal()
        return self._untyped_storage.is_pinned(device)

    def pin_memory(self, device: DeviceLike | None = None) -> TypedStorage:
        """As `UntypedStorage.pin_memory`."""
        _warn_typed_storage_removal()
        return self._like(self._untyped_storage.pin_memory(device))

    @property
    def is_cuda(self) -> builtins.bool:
        _warn_typed_storage_removal()
        return self._untyped_storage.is_cuda

    @property
    def is_hpu(self) -> builtins.bool:
        _warn_typed_storage_removal()
        return self._untyped_storage.is_hpu

    @classmethod
    def from_buffer(cls, *args: Any, **kwargs: Any) -> TypedStorage:
        """As `UntypedStorage.from_buffer`, with the default dtype where none is given."""
        _warn_typed_storage_removal()
        return cls._from_buffer(*args, **kwargs)

    @classmethod
    def _from_buffer(
        cls, *args: Any, dtype: Any = None, device: Any = None, **kw: Any
    ) -> TypedStorage:
        where = as_device(device)
        if where.type != "cpu":
            raise storage_errors.from_buffer_device(where.type)
        dtype = get_default_dtype() if dtype is None else dtype
        untyped = UntypedStorage.from_buffer(*args, **kw | {"dtype": dtype})
        return TypedStorage(wrap_storage=untyped, dtype=dtype, _internal=True)

    @classmethod
    def from_file(cls, filename: str, shared: builtins.bool, size: builtins.int) -> TypedStorage:
        """Only the legacy classes, which know a dtype, map files."""
        _warn_typed_storage_removal()
        raise storage_errors.from_file_needs_dtype()

    # --------------------------------------------------------------------------- types

    def type(self, dtype: Any = None, non_blocking: bool = False) -> Any:
        """The name of the legacy class, if there is one; given a class, a copy of that class."""
        _warn_typed_storage_removal()
        if dtype is not None:
            return self._untyped_storage.type(dtype, non_blocking)
        return legacy_class_name(self.dtype, self._untyped_storage.device) or self.torch_name

    def pickle_storage_type(self) -> str:
        """The legacy name under which checkpoints know this dtype. Raises KeyError if none."""
        _warn_typed_storage_removal()
        return self._pickle_storage_type()

    def _get_legacy_storage_class(self) -> Any:
        """``torch.FloatStorage`` and so on; None where torch has no such class."""
        name = legacy_class_name(self.dtype, self._untyped_storage.device)
        return None if name is None else hooks.storage_class(name)

    def _pickle_storage_type(self) -> str:
        name = STORAGE_NAMES.get(self.dtype)
        if name is None:
            raise storage_errors.pickle_type_unknown(self.dtype)
        return name

    def _to(self, dtype: Any) -> TypedStorage:
        """A new storage of *dtype* with the converted elements, on the same device."""
        if not isinstance(dtype, DType):
            raise storage_errors.cast_target_type(dtype)
        where = self._untyped_storage.device
        made = TypedStorage(self._size(), dtype=dtype, device=where, _internal=True)
        if where.type != "meta":
            made._elements()[:] = cast(self._elements(), dtype)
        return made

    def _as(self, dtype: DType) -> TypedStorage:
        _warn_typed_storage_removal(stacklevel=3)
        return self._to(dtype)

    # --------------------------------------------------------------------- as an object

    def __str__(self) -> str:
        _warn_typed_storage_removal()
        device = self._untyped_storage.device
        info = f"[{self.torch_name}(dtype={self.dtype}, device={device}) of size {self._size()}]"
        if device.type == "meta":
            return "...\n" + info
        return " " + "\n ".join(map(str, self._elements().tolist())) + "\n" + info

    __repr__ = __str__

    def __copy__(self) -> TypedStorage:
        _warn_typed_storage_removal()
        return self._like(copy.copy(self._untyped_storage))

    def __deepcopy__(self, memo: dict[Any, Any]) -> TypedStorage:
        _warn_typed_storage_removal()
        return self._deepcopy(memo)

    def _deepcopy(self, memo: dict[Any, Any]) -> TypedStorage:
        return self._like(copy.deepcopy(self._untyped_storage, memo))

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild, (self._untyped_storage, self.dtype))

    def __sizeof__(self) -> builtins.int:
        _warn_typed_storage_removal()
        return object.__sizeof__(self) + self._untyped_storage.nbytes()


def typed_bytes(storage: UntypedStorage) -> TypedStorage:
    """*storage* as elements of uint8."""
    return TypedStorage(wrap_storage=storage, dtype=uint8, _internal=True)


def _rebuild(untyped: UntypedStorage, dtype: DType) -> TypedStorage:
    return TypedStorage(wrap_storage=untyped, dtype=dtype, _internal=True)


for _name, _method in vars(TypedSharing).items():  # Python's own errors name a method by its class
    if isinstance(_method, FunctionType):
        _method.__qualname__ = f"TypedStorage.{_name}"
