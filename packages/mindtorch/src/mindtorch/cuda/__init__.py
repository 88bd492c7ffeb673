"""``torch.cuda`` of a build without CUDA: there is no device, and every use of one says so."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from importlib import import_module as _import_module
from typing import Any

from mindtorch_storage import ACCELERATOR_IS_CUDA as _ACCELERATOR_IS_CUDA

import mindtorch as torch
from mindtorch.core.module_names import living_in as _living_in

from ._utils import _get_device_index, needs_cuda
from .graphs import (
    CUDAGraph,
    graph,
    graph_pool_handle,
    is_current_stream_capturing,
    make_graphed_callables,
)
from .green_contexts import GreenContext
from .streams import Event, ExternalStream, Stream

#: Why a device is asked for, as of ``_lazy_init``.
_initialized = False
_queued_calls: list[tuple[Callable[[], None], list[str]]] = []
_cudart: Any = None
default_generators: tuple[torch.Generator, ...] = ()
has_half = True
has_magma = False


class DeferredCudaCallError(Exception):
    """A call that was kept for the first use of a device failed."""


AcceleratorError = torch.AcceleratorError
OutOfMemoryError = torch.OutOfMemoryError


class cudaStatus:
    """Codes of CUDA's runtime."""

    SUCCESS: int = 0
    ERROR_NOT_READY: int = 34


class CudaError(RuntimeError):
    """What a code of CUDA's runtime says."""

    def __init__(self, code: int) -> None:
        message = _cudart.cudaGetErrorString(_cudart.cudaError(code))
        super().__init__(f"{message} ({code})")


def check_error(res: int) -> None:
    """Raises CudaError for a code that is no success; AttributeError: there is no runtime here."""
    if res != _cudart.cudaError.success:
        raise CudaError(res)


# Is there any? ------------------------------------------------------------------------------------


def is_available() -> bool:
    """False: there is no CUDA here."""
    return False


def is_initialized() -> bool:
    """False: there is no CUDA here."""
    return _initialized


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """False: there is no CUDA here."""
    return False


def is_tf32_supported() -> bool:
    """False: there is no CUDA here."""
    return False


def _is_compiled() -> bool:
    return False


def _is_in_bad_fork() -> bool:
    return False


def device_count() -> int:
    """0."""
    return 0


def get_arch_list() -> list[str]:
    """No architectures."""
    return []


def get_gencode_flags() -> str:
    """No flags of the compiler, as it compiled nothing."""
    return ""


def _lazy_init() -> Any:
    """Raises AssertionError: there is no CUDA here."""
    return needs_cuda()


def init() -> None:
    """Raises AssertionError: there is no CUDA here."""
    _lazy_init()


def _lazy_call(callable: Callable[[], Any], **kwargs: Any) -> None:
    """Keep a call for the first use of a device."""
    _queued_calls.append((callable, traceback.format_stack()))


def cudart() -> Any:
    """Raises AssertionError: there is no runtime here."""
    _lazy_init()


# One device ---------------------------------------------------------------------------------------


def _exchange_device(device: int) -> int:
    """Make another device the present one; a negative index changes nothing."""
    if device < 0:
        return -1
    raise RuntimeError("PyTorch was compiled without CUDA support")


_maybe_exchange_device = _exchange_device


class _DeviceGuard:
    """A block in which a device is the present one."""

    def __init__(self, index: int) -> None:
        self.idx = index
        self.prev_idx = -1

    def __enter__(self) -> None:
        self.prev_idx = _exchange_device(self.idx)

    def __exit__(self, type: Any, value: Any, traceback: Any) -> bool:
        self.idx = _maybe_exchange_device(self.prev_idx)
        return False


class device:
    """A block in which a device is the present one. Entering it raises, but for index -1.

    :param device: a device or its index; a negative index, or None, changes nothing.
    """

    def __init__(self, device: Any) -> None:
        self.idx = _get_device_index(device, optional=True)
        self.prev_idx = -1

    def __enter__(self) -> None:
        self.prev_idx = _exchange_device(self.idx)

    def __exit__(self, type: Any, value: Any, traceback: Any) -> bool:
        self.idx = _maybe_exchange_device(self.prev_idx)
        return False


class device_of(device):
    """A block in which the device of a tensor is the present one, if it is CUDA's."""

    def __init__(self, obj: Any) -> None:
        super().__init__(obj.get_device() if obj.is_cuda else -1)


def set_device(device: Any) -> None:
    """Raises for any device; a negative index changes nothing."""
    index = _get_device_index(device)
    if index >= 0:
        torch._C._cuda_setDevice(index)


def current_device() -> int:
    """Raises AssertionError: there is no CUDA here."""
    return _lazy_init()


def get_device_name(device: Any = None) -> str:
    """Raises AssertionError: there is no CUDA here."""
    return get_device_properties(device).name


def get_device_capability(device: Any = None) -> tuple[int, int]:
    """Raises AssertionError: there is no CUDA here."""
    properties = get_device_properties(device)
    return properties.major, properties.minor


def get_device_properties(device: Any = None) -> Any:
    """Raises AssertionError: there is no CUDA here."""
    return _lazy_init()


def can_device_access_peer(device: Any, peer_device: Any) -> bool:
    """Raises AssertionError: there is no CUDA here."""
    return _lazy_init()


def synchronize(device: Any = None) -> None:
    """Raises AssertionError: there is no CUDA here."""
    _lazy_init()


def ipc_collect() -> None:
    """Raises AssertionError: there is no CUDA here."""
    _lazy_init()


def set_sync_debug_mode(debug_mode: int | str) -> None:
    """Raises AssertionError: there is no CUDA here."""
    _lazy_init()


def get_sync_debug_mode() -> int:
    """Raises AssertionError: there is no CUDA here."""
    return _lazy_init()


def current_blas_handle() -> int:
    """Raises AssertionError: there is no CUDA here."""
    return _lazy_init()


def current_solver_handle() -> int:
    """Raises AssertionError: there is no CUDA here."""
    return _lazy_init()


def _sleep(cycles: int) -> None:
    torch._C._cuda_sleep(cycles)


def _get_device(device: Any) -> torch.device:
    if isinstance(device, int):
        return torch.device("cuda", device)
    return torch.device(device)


# What NVIDIA's management library tells -----------------------------------------------------------


def _get_pynvml_handler(device: Any = None) -> Any:
    raise ModuleNotFoundError("nvidia-ml-py does not seem to be installed or it can't be imported.")


def utilization(device: Any = None) -> int:
    """Raises ModuleNotFoundError: nobody can be asked how busy a device is."""
    return _get_pynvml_handler(device)


def memory_usage(device: Any = None) -> int:
    """Raises ModuleNotFoundError: nobody can be asked how busy the memory is."""
    return _get_pynvml_handler(device)


def device_memory_used(device: Any = None) -> int:
    """Raises ModuleNotFoundError: nobody can be asked how much memory is taken."""
    return _get_pynvml_handler(device)


def temperature(device: Any = None) -> int:
    """Raises ModuleNotFoundError: nobody can be asked how hot a device is."""
    return _get_pynvml_handler(device)


def power_draw(device: Any = None) -> int:
    """Raises ModuleNotFoundError: nobody can be asked what a device draws."""
    return _get_pynvml_handler(device)


def clock_rate(device: Any = None) -> int:
    """Raises ModuleNotFoundError: nobody can be asked how fast a device runs."""
    return _get_pynvml_handler(device)


# Streams ------------------------------------------------------------------------------------------


class StreamContext:
    """A block in which *stream* is the present one; without a device it is nothing."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.idx = _get_device_index(None, True)
        if self.idx is None:
            self.idx = -1
        self.src_prev_stream: Any = None
        self.dst_prev_stream: Any = None

    def __enter__(self) -> None:
        if self.stream is None or self.idx == -1:
            return
        self.src_prev_stream = current_stream(None)

    def __exit__(self, type: Any, value: Any, traceback: Any) -> None:
        if self.stream is None or self.idx == -1:
            return
        set_stream(self.src_prev_stream)


def stream(stream: Any) -> StreamContext:
    """``with stream(s):`` makes *s* the present stream of the block."""
    return StreamContext(stream)


def _set_stream_by_id(stream_id: int, device_index: int, device_type: int) -> None:
    torch._C._cuda_setStream(
        stream_id=stream_id, device_index=device_index, device_type=device_type
    )


def set_stream(stream: Any) -> None:
    """Make *stream* the present one; None changes nothing."""
    if stream is not None:
        _set_stream_by_id(stream.stream_id, stream.device_index, stream.device_type)


def current_stream(device: Any = None) -> Any:
    """Raises AssertionError: there is no CUDA here."""
    return _lazy_init()


def default_stream(device: Any = None) -> Any:
    """Raises AssertionError: there is no CUDA here."""
    return _lazy_init()


def get_stream_from_external(data_ptr: int, device: Any = None) -> Any:
    """Raises AssertionError: there is no CUDA here."""
    return _lazy_init()


from . import memory, random  # noqa: E402  # which need the names above
from .memory import *  # noqa: E402  # as above
from .memory import _record_memory_history, _snapshot  # noqa: E402  # as above
from .random import *  # noqa: E402  # as above

#: Submodules that are imported when first asked for, those that torch lists first.
_LISTED = "amp graphs jiterator memory nccl nvtx profiler random sparse streams tunable".split()
_SUBMODULES = (*_LISTED, "comm", "gds", "green_contexts")
_KINDS = "BFloat16 Bool Byte Char ComplexDouble ComplexFloat Double Float Half Int Long Short"
_STORAGES = [f"{kind}Storage" for kind in _KINDS.split()]
_TENSORS = [f"{kind}Tensor" for kind in _KINDS.split() if not kind.startswith("Complex")]

__all__ = [
    *_LISTED,
    *_STORAGES,
    *_TENSORS,
    "CUDAGraph",
    "CudaError",
    "DeferredCudaCallError",
    "Event",
    "ExternalStream",
    "Stream",
    "StreamContext",
    "GreenContext",
    "can_device_access_peer",
    "check_error",
    "cudaStatus",
    "cudart",
    "current_blas_handle",
    "current_solver_handle",
    "current_device",
    "current_stream",
    "default_generators",
    "default_stream",
    "device",
    "device_count",
    "device_memory_used",
    "device_of",
    "get_arch_list",
    "get_device_capability",
    "get_device_name",
    "get_device_properties",
    "get_gencode_flags",
    "get_stream_from_external",
    "get_sync_debug_mode",
    "graph",
    "graph_pool_handle",
    "has_half",
    "has_magma",
    "init",
    "ipc_collect",
    "is_available",
    "is_bf16_supported",
    "is_current_stream_capturing",
    "is_initialized",
    "is_tf32_supported",
    "make_graphed_callables",
    "memory_usage",
    "temperature",
    "power_draw",
    "clock_rate",
    "set_device",
    "set_stream",
    "set_sync_debug_mode",
    "stream",
    "synchronize",
    "utilization",
]
__all__ += memory.__all__
__all__ += random.__all__


def __getattr__(name: str) -> Any:
    found: Any
    if name in _SUBMODULES:
        return _import_module(f".{name}", __name__)
    if name in _TENSORS:
        from ..tensor.legacy import tensor_type  # few programs name such types

        found = tensor_type(name, "cuda")
    elif name in _STORAGES:
        from mindtorch_storage.legacy import cuda_storage  # the same

        found = cuda_storage(name)
        _living_in(__name__, found)
    else:
        raise AttributeError(f"module 'torch.cuda' has no attribute '{name}'")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, "AcceleratorError", "OutOfMemoryError"})


if _ACCELERATOR_IS_CUDA:
    from ._on_npu import take_over as _take_over

    _take_over(__name__)
