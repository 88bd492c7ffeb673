"""From tensors to tensors of other dtypes and on other devices."""

from __future__ import annotations

from typing import Any

import mindtorch_storage as st
from mindtorch_npu.argument_errors import not_a_device
from mindtorch_storage import ACCELERATOR, ACCELERATOR_IS_CUDA, Device, DType
from mindtorch_storage.device import CUDA

from ..core.backend_registry import complete
from ..core.constants import channels_last, channels_last_3d, contiguous_format, preserve_format
from ..core.operators import ops, written_parser
from ..core.tracebacks import shorten
from .foreign_argument import answer_of
from .legacy import device_of_type_name, dtype_of_type_name, type_name
from .policies import device_of

_CPU = Device("cpu")
_OF_NUMBERS = {bool: st.bool, int: st.int64, float: st.float64, complex: st.complex128}


class Casting:
    """``to`` and what is named for where it leads, for :class:`mindtorch.Tensor`."""

    __slots__ = ()

    def to(self, *args: Any, **kwargs: Any) -> Any:
        """This tensor with another dtype and/or device; itself where nothing changes."""
        try:
            device, dtype, non_blocking, copy, memory_format = parse_to(args, kwargs)
            return self._to_(device, dtype, non_blocking, copy, memory_format)
        except Exception as error:
            shorten(error)
            raise

    def _to_(
        self,
        device: Any = None,
        dtype: Any = None,
        non_blocking: bool = False,
        copy: bool = False,
        memory_format: Any = None,
    ) -> Any:
        if device is not None and device is not _CPU:
            device = complete(device)
        same_device = device is None or device == self.device
        same_dtype = dtype is None or dtype is self.dtype
        if same_device and same_dtype and not copy:
            if memory_format in (None, preserve_format) or memory_format is _suggested(self):
                return self
        if device is not None and device.type == "cpu":
            device = _CPU  # the host has no index: a copy to "cpu:0" is on "cpu"
        return ops._to_copy(
            self,
            dtype=dtype,
            device=device,
            non_blocking=non_blocking,
            memory_format=memory_format,
        )

    def type_as(self, other: Any) -> Any:
        """This tensor with the dtype and device of *other*."""
        if not isinstance(other, Casting):
            return answer_of(other, Casting.type_as, self)
        return self._to_(device_of(other), other.dtype)

    def cpu(self, *args: Any, memory_format: Any = None) -> Any:
        """This tensor in host memory."""
        if args or memory_format is not None:
            memory_format = _format_given("cpu", args, memory_format)
        return self._to_(_CPU, None, False, False, memory_format)

    def npu(self, device: Any = None, non_blocking: bool = False, memory_format: Any = None) -> Any:
        """This tensor on an NPU (the current one by default)."""
        where = _device_of_kind(ACCELERATOR, device)
        return self._to_(where, None, non_blocking, False, memory_format)

    def cuda(
        self, device: Any = None, non_blocking: bool = False, memory_format: Any = None
    ) -> Any:
        """This tensor on a CUDA device, which is the NPU where programs for CUDA run on it.

        Raises AssertionError elsewhere: there is no CUDA device.
        """
        if ACCELERATOR_IS_CUDA:
            return self.npu(device, non_blocking, memory_format)
        if not isinstance(device, int) or isinstance(device, bool):  # a number means an NPU
            _device_of_kind(CUDA, device)
        raise AssertionError("Torch not compiled with CUDA enabled")

    def xpu(self, device: Any = None, non_blocking: bool = False, memory_format: Any = None) -> Any:
        """Raise AssertionError: there is no XPU."""
        raise AssertionError("Torch not compiled with XPU enabled")

    def mtia(
        self, device: Any = None, non_blocking: bool = False, memory_format: Any = None
    ) -> Any:
        """Raise AssertionError: there is no MTIA device."""
        raise AssertionError(
            "Torch not compiled with MTIA enabled. Ensure you have `import "
            "mtia.host_runtime.torch_mtia.dynamic_library` in your python src file and include "
            "`//mtia/host_runtime/torch_mtia:torch_mtia` as your target dependency!"
        )

    def ipu(self, device: Any = None, non_blocking: bool = False, memory_format: Any = None) -> Any:
        """Raise RuntimeError: there is no IPU."""
        raise RuntimeError("PyTorch is not linked with support for ipu devices")

    def type(self, dtype: Any = None, non_blocking: bool = False, **kwargs: Any) -> Any:
        """The name of the tensor type, or this tensor cast to *dtype* (or type name)."""
        if kwargs or non_blocking is not False:
            given = dtype, non_blocking
            _, (dtype, non_blocking, _) = written_parser("Tensor.type").parse(given, kwargs)
        if dtype is None:
            return type_name(self)
        where = device_of_type_name(dtype, self.device)
        return self._to_(where, dtype_of_type_name(dtype), non_blocking)


def _device_of_kind(kind: str, device: Any) -> Device:
    """The device that ``Tensor.npu(device)`` means.

    Raises TypeError for what is no device, RuntimeError for one of another kind.
    """
    if device is None:
        return Device(kind)
    if isinstance(device, bool) or not isinstance(device, (int, str, Device)):
        raise not_a_device(kind, type(device).__name__, by_position=True)
    where = Device(kind, device) if isinstance(device, int) else Device(device)
    if where.type != kind:
        raise RuntimeError(f"Invalid device, must be {kind} device")
    return where


def _suggested(t: Any) -> Any:
    """The memory format that a tensor seems to have: that in which its strides ascend.

    Source: torch c10/core/MemoryFormat.h, is_channels_last_strides_2d_s4.
    """
    a = t._a_
    if a.ndim not in (4, 5) or not a.strides[1]:
        return contiguous_format
    least = 0
    for d in (1, *range(a.ndim - 1, 1, -1), 0):
        stride = a.strides[d]
        if not a.shape[d] or stride < least or (d == 0 and least == a.strides[1]):
            return contiguous_format
        least = stride * max(a.shape[d], 1)
    return channels_last if a.ndim == 4 else channels_last_3d


def _format_given(name: str, args: tuple[Any, ...], memory_format: Any) -> Any:
    """The memory format of a call of the method *name*, which takes nothing else."""
    parser = written_parser(f"Tensor.{name}")
    return parser.parse(args, {"memory_format": memory_format})[1][0]


def _cast_method(name: str, dtype: Any) -> Any:
    def cast(self: Any, *args: Any, memory_format: Any = None) -> Any:
        if args or memory_format is not None:
            memory_format = _format_given(name, args, memory_format)
        return self._to_(None, dtype, False, False, memory_format)

    cast.__name__ = name
    cast.__doc__ = f"This tensor with dtype {dtype!r}."
    return cast


#: What methods are named for: the dtype that they lead to.
CASTS: dict[str, DType] = {
    "float": st.float32,
    "double": st.float64,
    "half": st.float16,
    "bfloat16": st.bfloat16,
    "int": st.int32,
    "long": st.int64,
    "short": st.int16,
    "char": st.int8,
    "byte": st.uint8,
    "bool": st.bool,
    "chalf": st.complex32,
    "cfloat": st.complex64,
    "cdouble": st.complex128,
}
for _name, _dtype in CASTS.items():
    setattr(Casting, _name, _cast_method(_name, _dtype))


def parse_to(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any, bool, bool, Any]:
    """``(device, dtype, non_blocking, copy, memory_format)`` of a call of ``to``."""
    if not kwargs and len(args) == 1:
        first = args[0]
        if type(first) is DType:
            return None, first, False, False, None
        if type(first) is Device:
            return first, None, False, False, None
        if isinstance(first, (str, int)) and not isinstance(first, bool):
            return Device(first), None, False, False, None
    which, bound = written_parser("Tensor.to").parse(args, kwargs)
    if which == 0:  # (Device device=None, ScalarType dtype=None, …)
        device, dtype, non_blocking, copy, memory_format = bound
    elif which == 1:  # (ScalarType dtype, …)
        device = None
        dtype, non_blocking, copy, memory_format = bound
    else:  # (Tensor other, …)
        other, non_blocking, copy, memory_format = bound
        if isinstance(other, Casting):
            device, dtype = other.device, other.dtype
        else:  # a number, which counts as a tensor
            device, dtype = _CPU, _OF_NUMBERS[type(other)]
    return device, dtype, non_blocking, copy, memory_format


def parse_module_to(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any, bool, Any]:
    """``(device, dtype, non_blocking, memory_format)`` of a call of a module's ``to``."""
    device, dtype, non_blocking, copy, memory_format = parse_to(args, kwargs)
    if copy:
        raise RuntimeError(".to() does not accept copy argument")
    return device, dtype, non_blocking, memory_format
