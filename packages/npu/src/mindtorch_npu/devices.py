"""Devices: which there are, which is current, what they are.

Where there is no device, all but :func:`device_count` and the ``is_…`` raise AssertionError. A
device of another kind is a ValueError everywhere.
Source: torch/cuda/__init__.py; c10/cuda/CUDAFunctions.cpp.
"""

from __future__ import annotations

from typing import Any

from mindtorch_storage.device import Device

from mindtorch_npu import errors, observer, runtime, thread_state
from mindtorch_npu.naming import TYPE
from mindtorch_npu.runtime import is_available, is_initialized, lazy_init
from mindtorch_npu.thread_state import tls

__all__ = [
    "can_device_access_peer",
    "current_device",
    "device",
    "device_count",
    "device_index",
    "device_of",
    "get_device_capability",
    "get_device_name",
    "get_device_properties",
    "ipc_collect",
    "is_available",
    "is_bf16_supported",
    "is_initialized",
    "set_device",
    "synchronize",
]


def device_index(device: Any, optional: bool = False, allow_cpu: bool = False) -> Any:
    """The index that *device* names: an int, ``"npu:1"``, a ``torch.device``, a ``device(...)``.

    With *optional* None and ``"npu"`` mean the current device (None when there is none); with
    *allow_cpu* the host is -1.
    """
    if isinstance(device, int):
        return device
    if isinstance(device, str):
        device = Device(device)
    index = None
    if isinstance(device, Device):
        if device.type == "cpu" and allow_cpu:
            return -1
        if device.type != TYPE:
            raise errors.expected_device(device, allow_cpu)
        index = device.index
    elif isinstance(device, _Guard):
        return device.idx
    if index is not None:
        return index
    if not optional:
        raise errors.expected_index(device)
    return current_device() if is_available() else None


def device_count() -> int:
    """How many devices there are; 0 where the driver cannot be had."""
    return runtime.device_count() if is_available() else 0


def current_device() -> int:
    """The index of this thread's current device."""
    lazy_init()
    return tls.device


def set_device(device: Any) -> None:
    """Make a device current in this thread; a negative index does nothing.

    Raises ValueError for what has no index, AcceleratorError for an index without a device.
    """
    index = device_index(device)
    if index >= 0:
        _require_device()
        thread_state.exchange_device(index, "setDevice")


def _require_device() -> None:
    if not is_available():
        raise errors.not_compiled()


class _Guard:
    """Exchanges the current device while it is entered. After leaving, ``idx`` is what was left."""

    idx: Any
    prev_idx: int

    def __enter__(self) -> None:
        self.prev_idx = thread_state.exchange_device(-1 if self.idx is None else self.idx)

    def __exit__(self, *exc_info: object) -> None:
        previous = self.prev_idx
        self.idx = tls.device if previous >= 0 else -1
        if previous >= 0:  # it was one before, so nothing is asked that Ctrl-C could break off
            tls.device = previous


class DeviceGuard(_Guard):
    """The guard for an index that is known to be one (``torch.cuda._DeviceGuard``)."""

    def __init__(self, index: int) -> None:
        self.idx = index
        self.prev_idx = -1


class device(_Guard):  # torch's name
    """``with device(1):`` makes a device current; None or a negative index changes nothing."""

    __module__ = f"torch.{TYPE}"  # what users' reprs and pickles show

    def __init__(self, device: Any) -> None:
        self.idx = device_index(device, optional=True)
        self.prev_idx = -1


class device_of(device):  # torch's name
    """``with device_of(tensor):`` makes the device of a tensor or storage current."""

    __module__ = f"torch.{TYPE}"  # what users' reprs and pickles show

    def __init__(self, obj: Any) -> None:
        super().__init__(obj.get_device() if obj.is_npu else -1)


class Uuid:
    """What tells a device from every other one (``torch._C._CUuuid``)."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    @property
    def bytes(self) -> list[int]:
        """Its sixteen numbers; none where a driver does not say."""
        return list(bytes.fromhex(self._text.replace("-", "")))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Uuid) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __str__(self) -> str:
        return self._text


#: What it is called, as torch's ``_CudaDeviceProperties``.
_PROPERTIES = f"_{TYPE.capitalize()}DeviceProperties"


class DeviceProperties:
    """What is known of one device."""

    __slots__ = ("_values",)

    def __init__(self, values: dict[str, Any]) -> None:
        self._values = values

    def __getattr__(self, name: str) -> Any:
        try:
            return self._values[name]
        except KeyError:
            raise AttributeError(f"'{_PROPERTIES}' object has no attribute '{name}'") from None

    def __dir__(self) -> list[str]:
        return sorted(self._values)

    def __reduce__(self) -> Any:
        raise TypeError(f"cannot pickle '{type(self).__module__}.{_PROPERTIES}' object")

    def __repr__(self) -> str:
        v = self._values
        mib = 1024 * 1024
        return (
            f"{_PROPERTIES}(name='{v['name']}', major={v['major']}, minor={v['minor']}, "
            f"total_memory={v['total_memory'] // mib}MB, "
            f"multi_processor_count={v['multi_processor_count']}, uuid={v['uuid']}, "
            f"L2_cache_size={v['L2_cache_size'] // mib}MB)"
        )


#: Index -> what was told of the device: it is asked once, and equal to itself.
_properties: dict[int, DeviceProperties] = {}
DeviceProperties.__name__ = DeviceProperties.__qualname__ = _PROPERTIES
DeviceProperties.__module__ = "torch._C"


def get_device_properties(device: Any = None) -> DeviceProperties:
    """Name, memory and the numbers of a device: the same object each time.

    ``total_memory`` and ``L2_cache_size`` are bytes, ``clock_rate`` is kHz; what the simulator has
    no notion of is 0. Raises AssertionError ("Invalid device id") for an index without a device.
    """
    lazy_init()
    index = device_index(device, optional=True)
    if not 0 <= index < runtime.device_count():
        raise errors.invalid_device_id()
    if index in _properties:
        return _properties[index]
    known = runtime.driver().properties(index)
    values: dict[str, Any] = known._asdict()
    values |= {
        "uuid": Uuid(known.uuid),
        "is_integrated": 0,
        "is_multi_gpu_board": 0,
        "max_threads_per_block": 1,
        "max_threads_per_multi_processor": 1,
        "warp_size": 1,
        "regs_per_multiprocessor": 0,
        "gcnArchName": "",
        "clock_rate": runtime.driver().clock_rate // 1000,
        "memory_clock_rate": 0,
        "memory_bus_width": 0,
        "shared_memory_per_block": 0,
        "shared_memory_per_block_optin": 0,
        "shared_memory_per_multiprocessor": 0,
        "pci_bus_id": index,
        "pci_device_id": 0,
        "pci_domain_id": 0,
    }
    return _properties.setdefault(index, DeviceProperties(values))


def get_device_name(device: Any = None) -> str:
    """The name of a device."""
    return str(get_device_properties(device).name)


def get_device_capability(device: Any = None) -> tuple[int, int]:
    """Major and minor version of what a device can do."""
    known = get_device_properties(device)
    return known.major, known.minor


def can_device_access_peer(device: Any, peer_device: Any) -> bool:
    """Whether one device reads another's memory directly: on the simulator any other one.

    Raises AssertionError ("Invalid device id") for an index without a device.
    """
    lazy_init()
    index = device_index(device, optional=True)
    peer = device_index(peer_device)
    if not 0 <= index < runtime.device_count():
        raise errors.invalid_device_id()
    if not 0 <= peer < runtime.device_count():
        raise errors.invalid_device_id("peer device")
    return bool(index != peer)


def synchronize(device: Any = None) -> None:
    """Wait for all streams of a device.

    Raises the error of a queued kernel, if there was one, with the line that queued it as a note;
    AcceleratorError for an index without a device.
    """
    lazy_init()
    index = device_index(device, optional=True)
    if index < 0:
        index = tls.device
    runtime.check_ordinal(index)
    if observer.current is not None:
        observer.current.device_synchronized(index)
    runtime.driver().synchronize(index)


def ipc_collect() -> None:
    """Release memory that other processes gave back; the simulator shares none."""
    lazy_init()


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """Whether the current device computes in bfloat16; starts the runtime, where there is one."""
    return is_available() and (get_device_properties().major >= 8 or including_emulation)
