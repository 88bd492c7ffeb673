"""The names of the classes of old, one per dtype: ``FloatStorage`` and its kin, also in files."""

from __future__ import annotations

from . import dtype as _dtypes
from . import storage_errors
from .device import ACCELERATOR, Device
from .dtype import DType
from .extended_dtypes import RARE_NAMES

STORAGE_NAMES: dict[DType, str] = {
    _dtypes.float64: "DoubleStorage",
    _dtypes.float32: "FloatStorage",
    _dtypes.float16: "HalfStorage",
    _dtypes.int64: "LongStorage",
    _dtypes.int32: "IntStorage",
    _dtypes.int16: "ShortStorage",
    _dtypes.int8: "CharStorage",
    _dtypes.uint8: "ByteStorage",
    _dtypes.bool_: "BoolStorage",
    _dtypes.bfloat16: "BFloat16Storage",
    _dtypes.complex128: "ComplexDoubleStorage",
    _dtypes.complex64: "ComplexFloatStorage",
    RARE_NAMES["quint8"]: "QUInt8Storage",
    RARE_NAMES["qint8"]: "QInt8Storage",
    RARE_NAMES["qint32"]: "QInt32Storage",
    RARE_NAMES["quint4x2"]: "QUInt4x2Storage",
    RARE_NAMES["quint2x4"]: "QUInt2x4Storage",
}
"""The legacy name of each dtype that has one; later dtypes have none, as in torch."""


def legacy_class_name(dtype: DType, device: Device) -> str | None:
    """``torch.FloatStorage``, ``torch.npu.FloatStorage`` and so on; None where there is no such."""
    name = STORAGE_NAMES.get(dtype)
    if name is None or device.type not in ("cpu", ACCELERATOR):
        return None
    return f"torch.{name}" if device.type == "cpu" else f"torch.{device.type}.{name}"


def dtype_from_pickle_storage_type(name: str) -> DType:
    """The dtype that a checkpoint means by ``FloatStorage``. Raises KeyError if none."""
    for dtype, storage_name in STORAGE_NAMES.items():
        if storage_name == name:
            return dtype
    raise storage_errors.pickle_name_unknown(name)
