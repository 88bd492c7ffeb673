"""Devices, dtypes, layouts and storages: what tensors stand on, without any tensor.

The names are torch's where torch has them (``Device`` is ``torch.device``, ``DType`` is
``torch.dtype``); importing this package imports numpy and nothing else.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from . import errors as errors
from . import hooks as hooks
from . import layout as layout
from .allocator import HostAllocator
from .device import (
    ACCELERATOR,
    ACCELERATOR_IS_CUDA,
    CPU,
    DEVICE_TYPES,
    META,
    Device,
    DeviceLike,
    as_device,
)
from .dtype import (
    ALL_DTYPES,
    DTYPE_NAMES,
    DType,
    bfloat16,
    cdouble,
    cfloat,
    complex64,
    complex128,
    double,
    float16,
    float32,
    float64,
    from_numpy,
    get_default_complex_dtype,
    get_default_dtype,
    half,
    int8,
    int16,
    int32,
    int64,
    long,
    set_default_dtype,
    short,
    uint8,
    uint16,
    uint32,
    uint64,
)
from .dtype import bool_ as bool  # torch's names
from .dtype import float32 as float
from .dtype import int32 as int
from .finfo import finfo, iinfo
from .promotion import can_cast, category, promote_types, result_type
from .protocols import Allocator, Block
from .untyped import UntypedStorage

if _TYPE_CHECKING:
    from .legacy import (
        BFloat16Storage,
        BoolStorage,
        ByteStorage,
        CharStorage,
        ComplexDoubleStorage,
        ComplexFloatStorage,
        DoubleStorage,
        FloatStorage,
        HalfStorage,
        IntStorage,
        LongStorage,
        QInt8Storage,
        QInt32Storage,
        QUInt2x4Storage,
        QUInt4x2Storage,
        QUInt8Storage,
        ShortStorage,
    )
    from .legacy_names import dtype_from_pickle_storage_type
    from .typed import TypedStorage

from .extended_dtypes import RARE_NAMES as _RARE_NAMES

__all__ = [
    "ACCELERATOR",
    "ACCELERATOR_IS_CUDA",
    "ALL_DTYPES",
    "Allocator",
    "BFloat16Storage",
    "Block",
    "BoolStorage",
    "ByteStorage",
    "CPU",
    "CharStorage",
    "ComplexDoubleStorage",
    "ComplexFloatStorage",
    "DEVICE_TYPES",
    "DTYPE_NAMES",
    "DType",
    "Device",
    "DeviceLike",
    "DoubleStorage",
    "FloatStorage",
    "HalfStorage",
    "HostAllocator",
    "IntStorage",
    "LongStorage",
    "META",
    "QInt32Storage",
    "QInt8Storage",
    "QUInt2x4Storage",
    "QUInt4x2Storage",
    "QUInt8Storage",
    "ShortStorage",
    "TypedStorage",
    "UntypedStorage",
    "as_device",
    "bfloat16",
    "bool",
    "can_cast",
    "category",
    "cdouble",
    "cfloat",
    "complex128",
    "complex64",
    "double",
    "dtype_from_pickle_storage_type",
    "finfo",
    "float",
    "float16",
    "float32",
    "float64",
    "from_numpy",
    "get_default_complex_dtype",
    "get_default_dtype",
    "half",
    "iinfo",
    "int",
    "int16",
    "int32",
    "int64",
    "int8",
    "long",
    "promote_types",
    "result_type",
    "set_default_dtype",
    "short",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
]

#: Where names live that are imported when first asked for: most programs never do.
_LAZY = {
    "BFloat16Storage": "legacy",
    "BoolStorage": "legacy",
    "ByteStorage": "legacy",
    "CharStorage": "legacy",
    "ComplexDoubleStorage": "legacy",
    "ComplexFloatStorage": "legacy",
    "DoubleStorage": "legacy",
    "FloatStorage": "legacy",
    "HalfStorage": "legacy",
    "IntStorage": "legacy",
    "LongStorage": "legacy",
    "QInt32Storage": "legacy",
    "QInt8Storage": "legacy",
    "QUInt2x4Storage": "legacy",
    "QUInt4x2Storage": "legacy",
    "QUInt8Storage": "legacy",
    "ShortStorage": "legacy",
    "TypedStorage": "typed",
    "dtype_from_pickle_storage_type": "legacy_names",
}


def __getattr__(name: str) -> _Any:
    home = _LAZY.get(name)
    if home is None and name in _RARE_NAMES:
        return _RARE_NAMES[name]
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(_import_module(f"{__name__}.{home}"), name)
    return found


def _typed_bytes(storage: _Any) -> _Any:
    return _import_module(f"{__name__}.typed").typed_bytes(storage)


def _storage_class(name: str) -> _Any:
    return _import_module(f"{__name__}.legacy").storage_class(name)


hooks.typed_bytes = _typed_bytes
hooks.storage_class = _storage_class


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
