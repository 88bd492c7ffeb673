"""The classes of old, one per dtype: ``FloatStorage`` and its kin.

Calling one gives a `TypedStorage`; ``isinstance`` asks for its dtype.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, ClassVar, NoReturn

import numpy as np

from . import dtype as _dtypes
from . import storage_errors
from .arguments import TorchNamed
from .device import ACCELERATOR, CUDA, VENDORS, Device
from .dtype import DType
from .extended_dtypes import RARE_NAMES
from .legacy_names import STORAGE_NAMES
from .typed import TypedStorage, _warn_typed_storage_removal
from .untyped import UntypedStorage


class LegacyStorageType(TorchNamed):
    """The type of the legacy classes: an instance is a `TypedStorage` of the right dtype."""

    _dtype: DType
    kind: str  # the type of the device

    @property
    def dtype(cls) -> DType:
        """The dtype of the elements. The first use in a process warns."""
        _warn_typed_storage_removal()
        return cls._dtype

    def __instancecheck__(cls, instance: object) -> bool:
        return (
            type(instance) is TypedStorage
            and cls is not _LegacyStorage
            and instance._untyped_storage.device.type == cls.kind
            and instance.dtype is cls._dtype
        )


class _LegacyStorage(TypedStorage, metaclass=LegacyStorageType):
    """Base of the classes; never has instances."""

    __slots__ = ()
    torch_name = "torch.storage._LegacyStorage"
    _dtype: ClassVar[DType]

    def __new__(  # type: ignore[misc]  # these classes make another, as torch's do
        cls,
        *args: Any,
        wrap_storage: Any = None,
        dtype: Any = None,
        device: Any = None,
        _internal: bool = False,
    ) -> TypedStorage:
        if not _internal:
            _warn_typed_storage_removal()
        if cls is _LegacyStorage:
            raise storage_errors.legacy_base()
        for name, given in (("device", device), ("dtype", dtype)):
            if given is not None:
                cls._refuse(f"Keyword argument '{name}' cannot be specified")
        if wrap_storage is not None:
            return cls._wrapping(args, wrap_storage)
        if len(args) > 1:
            cls._refuse("Too many positional arguments")
        if args and not isinstance(args[0], (int, np.integer, Sequence)):
            wrong = f"Argument type not recognized: {type(args[0])}"
            raise TypeError(storage_errors.legacy_arguments(cls, wrong))
        return TypedStorage(*args, dtype=cls._dtype, device=Device(cls.kind), _internal=True)

    @classmethod
    def _wrapping(cls, args: tuple[Any, ...], wrap_storage: Any) -> TypedStorage:
        if args:
            cls._refuse("No positional arguments should be given when using 'wrap_storage'")
        if not isinstance(wrap_storage, UntypedStorage):
            got = type(wrap_storage)
            wrong = f"Argument 'wrap_storage' must be UntypedStorage, but got {got}"
            raise TypeError(storage_errors.legacy_arguments(cls, wrong))
        got_kind = wrap_storage.device.type
        if got_kind != cls.kind:
            cls._refuse(f"Device of 'wrap_storage' must be {cls.kind}, but got {got_kind}")
        return TypedStorage(wrap_storage=wrap_storage, dtype=cls._dtype, _internal=True)

    @classmethod
    def _refuse(cls, wrong: str) -> NoReturn:
        raise RuntimeError(storage_errors.legacy_arguments(cls, wrong))

    @classmethod
    def _host_only(cls, what: str) -> None:
        if cls.kind != "cpu":
            raise storage_errors.not_of_accelerators(what, cls.kind)

    @classmethod
    def _from_buffer(
        cls, *args: Any, dtype: Any = None, device: Any = None, **kw: Any
    ) -> TypedStorage:
        cls._host_only("from_buffer")
        if dtype is not None or len(args) == 5:
            raise storage_errors.from_buffer_keyword("dtype")
        if device is not None:
            raise storage_errors.from_buffer_keyword("device")
        untyped = UntypedStorage.from_buffer(*args, **kw | {"dtype": cls._dtype})
        return TypedStorage(wrap_storage=untyped, dtype=cls._dtype, _internal=True)

    @classmethod
    def _new_shared(cls, size: int) -> TypedStorage:  # type: ignore[override]  # torch's other signature
        """A new storage of *size* elements in shared memory."""
        untyped = UntypedStorage._new_shared(size * cls._dtype.itemsize, device=cls.kind)
        return cls(wrap_storage=untyped)

    @classmethod
    def _new_shared_filename(cls, manager: bytes, obj: bytes, size: int) -> TypedStorage:
        """The storage of *size* elements that another process shares by a name."""
        cls._host_only("_new_shared_filename")
        untyped = UntypedStorage._new_shared_filename_cpu(manager, obj, size * cls._dtype.itemsize)
        return cls(wrap_storage=untyped)

    @classmethod
    def _new_with_weak_ptr(cls, *args: Any) -> Any:
        """The storage that a weak pointer of CUDA's processes points to."""
        cls._host_only("_new_with_weak_ptr")
        raise AttributeError(f"type object '{cls.__name__}' has no attribute '_new_with_weak_ptr'")

    @classmethod
    def from_file(cls, filename: str, shared: bool, size: int) -> TypedStorage:
        """Map *size* elements of a file. If *shared*, writes reach the file, made to fit."""
        _warn_typed_storage_removal()
        untyped = UntypedStorage.from_file(filename, shared, size * cls._dtype.itemsize)
        return TypedStorage(wrap_storage=untyped, dtype=cls._dtype, _internal=True)


#: Errors name the constructor of the typed storage, as torch's do.
_LegacyStorage.__new__.__qualname__ = "TypedStorage.__new__"


def _make(dtype: DType, kind: str = "cpu") -> LegacyStorageType:
    name = STORAGE_NAMES[dtype]
    home = "torch" if kind == "cpu" else f"torch.{kind}"
    body = {
        "__slots__": (),
        "__module__": __name__,
        "__doc__": f"A `TypedStorage` of {dtype}.",
        "torch_name": f"{home}.{name}",
        "_dtype": dtype,
        "kind": kind,
    }
    return LegacyStorageType(name, (_LegacyStorage,), body)


@cache
def accelerator_storage(name: str) -> LegacyStorageType | None:
    """``torch.npu.FloatStorage`` and its kin; None for another name."""
    dtypes = {each: dtype for dtype, each in STORAGE_NAMES.items()}
    return _make(dtypes[name], ACCELERATOR) if name in dtypes else None


@cache
def cuda_storage(name: str) -> LegacyStorageType:
    """``torch.cuda.FloatStorage`` and its kin: making one says that there is no CUDA."""
    dtypes = {each: dtype for dtype, each in STORAGE_NAMES.items()}
    return _make(dtypes[name], CUDA)


BFloat16Storage = _make(_dtypes.bfloat16)
BoolStorage = _make(_dtypes.bool_)
ByteStorage = _make(_dtypes.uint8)
CharStorage = _make(_dtypes.int8)
ComplexDoubleStorage = _make(_dtypes.complex128)
ComplexFloatStorage = _make(_dtypes.complex64)
DoubleStorage = _make(_dtypes.float64)
FloatStorage = _make(_dtypes.float32)
HalfStorage = _make(_dtypes.float16)
IntStorage = _make(_dtypes.int32)
LongStorage = _make(_dtypes.int64)
QInt32Storage = _make(RARE_NAMES["qint32"])
QInt8Storage = _make(RARE_NAMES["qint8"])
QUInt2x4Storage = _make(RARE_NAMES["quint2x4"])
QUInt4x2Storage = _make(RARE_NAMES["quint4x2"])
QUInt8Storage = _make(RARE_NAMES["quint8"])
ShortStorage = _make(_dtypes.int16)

_CLASSES: dict[str, Any] = {name: globals()[name] for name in STORAGE_NAMES.values()} | {
    "TypedStorage": TypedStorage,
    "UntypedStorage": UntypedStorage,
}


def storage_class(name: str) -> Any:
    """The class that ``torch.FloatStorage`` or ``torch.storage.UntypedStorage`` names.

    Raises AttributeError or ModuleNotFoundError as importing that name would.
    """
    module, _, last = name.rpartition(".")
    kind = module.removeprefix("torch.")
    if kind in VENDORS:
        raise storage_errors.device_not_compiled(kind)
    if kind == ACCELERATOR:
        found = accelerator_storage(last)
        if found is not None:
            return found
    if module not in ("torch", "torch.storage", "mindtorch", "mindtorch.storage"):
        raise ModuleNotFoundError(f"No module named '{name.partition('.')[0]}'")
    if last not in _CLASSES:
        raise AttributeError(f"module '{module}' has no attribute '{last}'")
    return _CLASSES[last]
