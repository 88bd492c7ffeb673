"""``torch.cuda`` of a build without CUDA: there is no device, and every use of one says so."""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import Any

from mindtorch_npu import AcceleratorError, OutOfMemoryError
from mindtorch_storage import ACCELERATOR_IS_CUDA as _ACCELERATOR_IS_CUDA
from mindtorch_storage.device import CUDA as _CUDA
from mindtorch_storage.legacy import cuda_storage as _cuda_storage

from ..core.module_names import adopt as _adopt
from ..core.module_names import living_in as _living_in
from ..tensor.generator import Generator as _Generator
from ..tensor.legacy import tensor_type as _tensor_type
from . import _absent, memory, random
from ._absent import (
    StreamContext,
    _DeviceGuard,
    _exchange_device,
    _get_device,
    _initialized,
    _is_compiled,
    _is_in_bad_fork,
    _lazy_call,
    _lazy_init,
    _maybe_exchange_device,
    _queued_calls,
    _set_stream_by_id,
    _sleep,
    can_device_access_peer,
    current_blas_handle,
    current_device,
    current_solver_handle,
    current_stream,
    default_stream,
    device,
    device_count,
    device_of,
    get_arch_list,
    get_device_capability,
    get_device_name,
    get_device_properties,
    get_gencode_flags,
    get_stream_from_external,
    get_sync_debug_mode,
    init,
    ipc_collect,
    is_available,
    is_bf16_supported,
    is_initialized,
    is_tf32_supported,
    set_device,
    set_stream,
    set_sync_debug_mode,
    stream,
    synchronize,
)
from ._utils import _get_device_index, needs_cuda
from .graphs import (
    CUDAGraph,
    graph,
    graph_pool_handle,
    is_current_stream_capturing,
    make_graphed_callables,
)
from .green_contexts import GreenContext
from .memory import *
from .memory import _record_memory_history, _snapshot
from .random import *
from .streams import Event, ExternalStream, Stream

_cudart: Any = None
default_generators: tuple[_Generator, ...] = ()
has_half = True
has_magma = False


class DeferredCudaCallError(Exception):
    """A call that was kept for the first use of a device failed."""


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


def cudart() -> Any:
    """CUDA's runtime, where there is a device; raises AssertionError where there is none."""
    _lazy_init()
    return _cudart


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


#: Whether there is a library that can be asked how devices do.
_HAS_PYNVML = _HAS_AMDSMI = False
_PYNVML_ERR: Exception | None = None
#: Submodules that are imported when first asked for, those that torch lists first.
_LISTED = "amp graphs jiterator memory nccl nvtx profiler random sparse streams tunable".split()
_UNLISTED = "_gpu_trace _memory_viz _sanitizer comm gds green_contexts".split()
_SUBMODULES = (*_LISTED, *_UNLISTED)
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
        found = _tensor_type(name, _CUDA)
    elif name in _STORAGES:
        found = _cuda_storage(name)
        _living_in(__name__, found)
    elif _ACCELERATOR_IS_CUDA and name in _CHANGING:
        return getattr(_npu, name)
    else:
        raise AttributeError(f"module 'torch.cuda' has no attribute '{name}'")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, "AcceleratorError", "OutOfMemoryError"})


_adopt(__name__, _absent)

if _ACCELERATOR_IS_CUDA:
    import mindtorch_npu as _npu

    from ._on_npu import CHANGING as _CHANGING
    from ._on_npu import take_over as _take_over

    _take_over(__name__)
