"""DLPack both ways, without a copy: numpy makes and reads the capsules.

Of dtypes that numpy lacks it handles integers of the same width; the name of the dtype is set in,
and read from, the capsule's memory. Source of the layout: dlpack.h.
"""

from __future__ import annotations

import ctypes
from enum import IntEnum
from typing import Any

import mindtorch_storage as st
import numpy as np
from mindtorch_dispatch.argument_errors import python_type_name
from mindtorch_storage.device import CUDA
from mindtorch_storage.storage_errors import device_not_compiled

from ..core import signature as S
from ..tensor import Tensor
from ..tensor.array_memory import storage_of, writable
from ..tensor.pending import flush_current
from ..tensor.storage_windows import look_at
from .from_data import from_numpy

__all__ = ["DLDeviceType", "device_of", "exported", "from_dlpack", "to_dlpack"]


class DLDeviceType(IntEnum):
    """The devices that DLPack knows."""

    kDLCPU = 1
    kDLCUDA = 2
    kDLCUDAHost = 3
    kDLOpenCL = 4
    kDLVulkan = 7
    kDLMetal = 8
    kDLVPI = 9
    kDLROCM = 10
    kDLROCMHost = 11
    kDLExtDev = 12
    kDLCUDAManaged = 13
    kDLOneAPI = 14
    kDLWebGPU = 15
    kDLHexagon = 16
    kDLMAIA = 17


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
    )


#: What lies before the tensor in a capsule with a version: version, manager, deleter, flags.
_BEFORE = {b"dltensor": 0, b"dltensor_versioned": 32}
_INT, _UINT, _BFLOAT = 0, 1, 4
#: (code, bits, lanes) of dtypes that numpy has no word for.
_CODES = {
    "bfloat16": (_BFLOAT, 16, 1),
    "complex32": (5, 32, 1),
    "float8_e4m3fn": (10, 8, 1),
    "float8_e4m3fnuz": (11, 8, 1),
    "float8_e5m2": (12, 8, 1),
    "float8_e5m2fnuz": (13, 8, 1),
    "float8_e8m0fnu": (14, 8, 1),
    "float4_e2m1fn_x2": (17, 4, 2),
    **{f"uint{n}": (_UINT, 8, 1) for n in range(1, 8)},
    **{f"int{n}": (_INT, 8, 1) for n in range(1, 8)},
}

_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
_is_valid = ctypes.pythonapi.PyCapsule_IsValid
_is_valid.argtypes = (ctypes.py_object, ctypes.c_char_p)


def _inside(capsule: Any) -> _Tensor | None:
    """What the capsule says; None if it is none, or was used."""
    if type(capsule).__name__ != "PyCapsule":
        return None
    for name, before in _BEFORE.items():
        if _is_valid(capsule, name):
            return _Tensor.from_address(_pointer(capsule, name) + before)
    return None


def device_of(t: Any) -> tuple[DLDeviceType, int]:
    """``Tensor.__dlpack_device__``. Raises ValueError for devices that DLPack does not know."""
    if not t._sig_ & S.CPU:
        raise ValueError(f"Unknown device type {t.device.type} for Dlpack")
    return DLDeviceType.kDLCPU, 0


def exported(t: Any, stream: Any, max_version: Any, dl_device: Any, copy: bool | None) -> Any:
    """``Tensor.__dlpack__``. Raises BufferError for what cannot be given away."""
    if t._sig_ & S.REQUIRES_GRAD:
        raise BufferError("Can't export tensors that require gradient, use tensor.detach()")
    if t._sig_ & S.CONJ:
        raise BufferError("Can't export tensors with the conjugate bit set")
    if t._sig_ & S.SPARSE_LAYOUTS:
        raise BufferError("Can't export tensors with layout other than torch.strided")
    if stream is not None and type(stream) is not int:
        raise TypeError("stream must be ``int`` or ``none``")
    if not t._sig_ & S.CPU:
        raise BufferError(f"Cannot pack tensors on {t.device}")
    if stream not in (None, -1):
        raise AssertionError("stream should be None on cpu.")
    given = _agreed(max_version, dl_device, copy)
    return _capsule(t, given)


def _agreed(max_version: Any, dl_device: Any, copy: Any) -> dict[str, Any]:
    """What numpy is asked for. Raises TypeError, RuntimeError or ValueError as torch does.

    Source: torch/_tensor.py, Tensor.__dlpack__; torch csrc/Module.cpp, _to_dlpack.
    """
    given: dict[str, Any] = {}
    if max_version is not None and max_version[0] >= 1:
        given["max_version"] = (1, 0)
    if dl_device is not None:
        if not isinstance(dl_device, tuple):
            name = python_type_name(dl_device)
            raise TypeError(f"_to_dlpack(): argument 'dl_device' must be tuple of ints, not {name}")
        if len(dl_device) != 2:
            raise RuntimeError("dl_device must be either None or a tuple of ints")
        given["dl_device"] = dl_device
    if copy is not None:
        if not isinstance(copy, bool):
            name = python_type_name(copy)
            raise TypeError(f"_to_dlpack(): argument 'copy' must be bool, not {name}")
        given["copy"] = copy
    return given


def _capsule(t: Any, given: dict[str, Any]) -> Any:
    """A capsule over the memory of *t*, as numpy makes it."""
    flush_current()
    if t._sig_ & S.COW:
        t.data_ptr()
    array = t._host_()
    if t.dtype.name.startswith("bits"):
        raise BufferError("Bit types are not supported by dlpack")
    foreign = _CODES.get(t.dtype.name)
    if foreign is not None:
        array = array.view(f"u{array.itemsize}")
    capsule = array.__dlpack__(**given)
    if foreign is None and array.size:
        return capsule
    inside = _inside(capsule)
    assert inside is not None
    if foreign is not None:
        inside.code, inside.bits, inside.lanes = foreign
    if not array.size and inside.strides:  # numpy's own are 0
        for d, step in enumerate(t.stride()):
            inside.strides[d] = step
    return capsule


def to_dlpack(tensor: Any) -> Any:
    """A capsule over the memory of *tensor*; a history of its stays behind.

    Raises TypeError for what is no tensor, BufferError for memory that is not on the host.
    """
    if not isinstance(tensor, Tensor):
        raise TypeError(
            "_to_dlpack(): argument 'data' (position 1) must be Tensor, not "
            f"{python_type_name(tensor)}"
        )
    return exported(tensor.detach(), None, None, None, None)


class _Given:
    """A capsule, for numpy."""

    def __init__(self, capsule: Any) -> None:
        self.capsule = capsule

    def __dlpack__(self, **kwargs: Any) -> Any:
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


def _wanted(device: Any) -> tuple[int, int]:
    """The device that the other side is asked for. Raises AssertionError for no device."""
    if not isinstance(device, (str, st.Device)):
        raise AssertionError(f"from_dlpack: unsupported device type: {type(device)}")
    kind, index = device_of(Tensor([]).to(st.Device(device)))
    return int(kind), index


def from_dlpack(ext_tensor: Any, *, device: Any = None, copy: bool | None = None) -> Tensor:
    """A tensor over the memory of *ext_tensor*: a capsule, or anything that gives one.

    Raises RuntimeError for what is none; BufferError where the other side gives nothing away.
    """
    capsule = ext_tensor
    if hasattr(ext_tensor, "__dlpack__"):
        given: dict[str, Any] = {"max_version": (1, 0)}
        if copy is not None:
            given["copy"] = copy
        if device is not None:
            given["dl_device"] = _wanted(device)
        kind = ext_tensor.__dlpack_device__()[0]
        if kind in (DLDeviceType.kDLCUDA, DLDeviceType.kDLROCM):
            raise device_not_compiled(st.Device(CUDA).type)
        try:
            capsule = ext_tensor.__dlpack__(**given)
        except TypeError:  # older than version 1
            capsule = ext_tensor.__dlpack__()
    elif device is not None or copy is not None:
        raise AssertionError(
            "device and copy kwargs not supported when ext_tensor is already a DLPack capsule."
        )
    inside = _inside(capsule)
    if inside is None:
        raise RuntimeError(
            "from_dlpack received an invalid capsule. Note that DLTensor capsules can be consumed "
            "only once, so you might have already constructed a tensor from it once."
        )
    given_type = (inside.code, inside.bits, inside.lanes)
    foreign = next((n for n, c in _CODES.items() if c == given_type and c[0] > _UINT), None)
    if foreign is not None:
        inside.code, inside.bits, inside.lanes = _UINT, inside.bits * inside.lanes, 1
    shape = inside.shape[: inside.ndim]
    strides = inside.strides[: inside.ndim] if 0 in shape and inside.strides else None
    array = np.from_dlpack(_Given(capsule))
    if not array.flags.writeable:
        array = writable(array)
    if foreign is not None:
        array = array.view(getattr(st, foreign).np)
    if strides is None:
        return from_numpy(array)
    return look_at(storage_of(from_numpy(array)), array.dtype, tuple(shape), tuple(strides), 0)
