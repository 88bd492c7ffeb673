"""Every text of this package that torch has too: one function per text, with its source.

torch says CUDA where these say NPU; otherwise the texts are torch's.

* ``RuntimeError``
    * ``OutOfMemoryError`` - the device has no room
    * ``AcceleratorError`` - the driver refused a call (``error_code``)
* ``AssertionError`` - no device, or a device index that does not exist
* ``ValueError``, ``TypeError`` - arguments
* ``Exception``
    * ``DeferredNpuCallError`` - a call that waited for the initialisation failed in it
"""

from __future__ import annotations

from typing import Any

from mindtorch_npu.naming import CHIP, NAME, TYPE, Named

__all__ = ["AcceleratorError", "DeferredNpuCallError", "OutOfMemoryError"]

#: The warnings that were given, of those that are given once in a process. Who joins packages may
#: put in another set, which forgets.
said: set[str] = set()


class OutOfMemoryError(RuntimeError, metaclass=Named):
    """The device cannot give the memory asked for."""

    facts: tuple[int, ...] = ()  # for out-of-memory observers: device, size, limit or total, free


class AcceleratorError(RuntimeError, metaclass=Named):
    """The driver refused a call; ``error_code`` is its number."""

    def __init__(self, message: str = "", error_code: int = 0) -> None:
        super().__init__(message)
        self.error_code = error_code


class DeferredNpuCallError(Exception):
    """A call queued before the initialisation failed when it ran."""


def _again(name: str, args: tuple[Any, ...], facts: dict[str, Any]) -> Exception:
    """The error that another process has pickled."""
    error: Exception = _OWN[name](*args)
    error.__dict__.update(facts)
    return error


def _reduced(error: Exception) -> Any:
    """How pickle writes an error: it would not find its class where that says it lives."""
    kind = type(error)
    if _OWN.get(kind.__name__) is not kind:  # somebody's subclass
        return Exception.__reduce__(error)
    return _again, (kind.__name__, error.args, error.__dict__)


_DEFERRED = f"Deferred{TYPE.title()}CallError"
DeferredNpuCallError.__name__ = DeferredNpuCallError.__qualname__ = _DEFERRED
_KINDS: tuple[type[Exception], ...] = (OutOfMemoryError, AcceleratorError, DeferredNpuCallError)
_OWN = {error.__name__: error for error in _KINDS}
for _error in _KINDS:
    _error.__module__ = "torch"
    setattr(_error, "__reduce__", _reduced)  # noqa: B010  (mypy knows no assigned methods)
DeferredNpuCallError.__module__ = f"torch.{TYPE}"
del _error

# ----------------------------------------------------------------------------- the runtime


def not_compiled() -> AssertionError:
    """torch cuda/__init__.py, _lazy_init."""
    return AssertionError(f"Torch not compiled with {NAME} enabled")


def compiled_without_support() -> RuntimeError:
    """torch cuda/__init__.py, _exchange_device."""
    return RuntimeError(f"PyTorch was compiled without {NAME} support")


def stream_requires_support() -> RuntimeError:
    """torch cuda/streams.py, Stream.__new__."""
    return RuntimeError(f"torch.{TYPE}.Stream requires {NAME} support")


def dummy_base_class(name: str) -> RuntimeError:
    """torch _utils.py, _dummy_type."""
    return RuntimeError(f"Tried to instantiate dummy base class {name}")


def bad_fork() -> RuntimeError:
    """torch cuda/__init__.py, _lazy_init."""
    return RuntimeError(
        f"Cannot re-initialize {NAME} in forked subprocess. To use {NAME} with "
        "multiprocessing, you must use the 'spawn' start method"
    )


def deferred_call_failed(error: BaseException, stack: str) -> DeferredNpuCallError:
    """torch cuda/__init__.py, _lazy_init."""
    return DeferredNpuCallError(
        f"{NAME} call failed lazily at initialization with error: {error!s}\n\n"
        f"{NAME} call was originally invoked at:\n\n{stack}"
    )


# ----------------------------------------------------------------------------- devices


def expected_device(device: Any, allow_cpu: bool) -> ValueError:
    """torch cuda/_utils.py, _get_device_index."""
    kind = f"{TYPE} or cpu" if allow_cpu else TYPE
    return ValueError(f"Expected a {kind} device, but got: {device}")


def expected_index(device: Any) -> ValueError:
    """torch _utils.py, _get_device_index (no blank after the colon)."""
    return ValueError(
        f"Expected a torch.device with a specified index or an integer, but got:{device}"
    )


def invalid_device_id(which: str = "device") -> AssertionError:
    """torch cuda/__init__.py, get_device_properties and can_device_access_peer."""
    return AssertionError(f"Invalid {which} id")


def no_context_of(index: int) -> RuntimeError:
    """torch ATen/cuda/detail/CUDAHooks.cpp, hasPrimaryContext."""
    return RuntimeError(
        f"hasPrimaryContext expects a valid device index, but got device_index={index}"
    )


def invalid_ordinal() -> AcceleratorError:
    """CUDA runtime error 101, as torch c10/cuda/CUDAException.cpp words it (first line)."""
    return AcceleratorError(f"{NAME} error: invalid device ordinal", 101)


def invalid_argument_to(function: str) -> RuntimeError:
    """torch csrc/cuda/Module.cpp, of what is no integer."""
    return RuntimeError(f"invalid argument to {function}")


def invalid_device_argument(index: int) -> RuntimeError:
    """torch c10/cuda/CUDACachingAllocator.cpp, assertValidDevice."""
    return RuntimeError(f"Invalid device argument {index}: did you call init?")


# ----------------------------------------------------------------------------- streams, events


def stream_index(index: int, count: int) -> RuntimeError:
    """torch c10/cuda/CUDAStream.cpp, check_gpu."""
    return RuntimeError(f"Device index value {index} is out of index range [0, {count})")


def stream_device_type() -> RuntimeError:
    """torch c10/cuda/CUDAStream.h, CUDAStream::CUDAStream; c10/util/Exception.h words it."""
    return RuntimeError(
        f"Expected stream_.device_type() == DeviceType::{NAME} to be true, but got false.  "
        "(Could this error message be improved?  If so, please report an enhancement request "
        "to PyTorch.)"
    )


def stream_of_another_kind(kind: str) -> RuntimeError:
    """torch ATen/DeviceAccelerator.cpp, setCurrentStream."""
    return RuntimeError(
        f"stream's device type {kind.upper()} doesn't match the current accelerator {NAME}"
    )


def event_device_mismatch(event: int, stream: int) -> RuntimeError:
    """torch ATen/cuda/CUDAEvent.h, CUDAEvent::record."""
    return RuntimeError(f"Event device {event} does not match recording stream's device {stream}.")


def event_without_timing() -> ValueError:
    """torch ATen/cuda/CUDAEvent.h, CUDAEvent::elapsed_time."""
    return ValueError("Both events must be created with argument 'enable_timing=True'.")


def event_not_recorded() -> ValueError:
    """torch ATen/cuda/CUDAEvent.h, CUDAEvent::elapsed_time."""
    return ValueError("Both events must be recorded before calculating elapsed time.")


def event_not_completed() -> RuntimeError:
    """torch ATen/cuda/CUDAEvent.h, CUDAEvent::elapsed_time."""
    return RuntimeError("Both events must be completed before calculating elapsed time.")


def event_device_type_mismatch(event: str, stream: str) -> RuntimeError:
    """torch c10/core/impl/InlineEvent.h, record."""
    return RuntimeError(
        f"Event device type {event.upper()} does not match recording stream's device type "
        f"{stream.upper()}."
    )


def no_events(kind: str) -> RuntimeError:
    """torch c10/core/impl/DeviceGuardImplInterface.h, record."""
    return RuntimeError(f"{kind} backend doesn't support events.")


def not_an_event() -> RuntimeError:
    """torch csrc/Event.cpp, THPEvent_elapsed_time."""
    return RuntimeError("expected other to be a torch.Event object")


def event_expected() -> RuntimeError:
    """torch csrc/Stream.cpp, THPStream_record_event."""
    return RuntimeError("expected event to be a torch.Event object")


def not_a_stream() -> RuntimeError:
    """Our own, after torch's of events: torch takes any object's memory for a stream's."""
    return RuntimeError("expected stream to be a torch.Stream object")


def no_event_ipc() -> NotImplementedError:
    """torch csrc/Event.cpp, THPEvent_ipc_handle."""
    return NotImplementedError(
        "torch.Event ipc is not supported yet, please open an issue if you need this!"
    )


def no_ipc() -> RuntimeError:
    """Our own: without anonymous memory events stay in their process."""
    return RuntimeError(f"{NAME} events cannot be shared between processes on this system")


def invalid_argument() -> AcceleratorError:
    """CUDA runtime error 1: an event that was not made for other processes."""
    return AcceleratorError(f"{NAME} error: invalid argument", 1)


def invalid_handle() -> AcceleratorError:
    """CUDA runtime error 400: a handle that names nothing here, or events of two devices."""
    return AcceleratorError(f"{NAME} error: invalid resource handle", 400)


def ipc_handle_size(size: int) -> RuntimeError:
    """torch csrc/cuda/Event.cpp, THCPEvent_from_ipc_handle."""
    return RuntimeError(
        f"{TYPE}IpcEventHandle_t expects byte-like object of size 64, but got {size}"
    )


def event_device_type(kind: str) -> RuntimeError:
    """torch csrc/cuda/Event.cpp, THCPEvent_from_ipc_handle."""
    return RuntimeError(f"Event can only be created on {NAME} devices, but got device type {kind}")


def no_native_handle() -> RuntimeError:
    """torch c10/core/impl/DeviceGuardImplInterface.h, getStreamNativeHandle."""
    return RuntimeError("Backend doesn't support getting stream native handle.")


def not_linked(kind: str) -> RuntimeError:
    """torch c10/core/impl/DeviceGuardImplInterface.h, getDeviceGuardImpl."""
    return RuntimeError(f"PyTorch is not linked with support for {kind} devices")


def no_accelerator() -> RuntimeError:
    """torch ATen/DeviceAccelerator.cpp, getAccelerator."""
    return RuntimeError("Cannot access accelerator device when none is available.")


def accelerator_expected() -> RuntimeError:
    """torch accelerator/_utils.py, _get_device_index."""
    return RuntimeError("Accelerator expected")


def other_accelerator(kind: str, accelerator: Any) -> ValueError:
    """torch accelerator/_utils.py, _get_device_index."""
    return ValueError(f"{kind} doesn't match the current accelerator {accelerator}.")


def external_priority() -> RuntimeError:
    """torch csrc/cuda/Stream.cpp, THCPStream_pynew."""
    return RuntimeError("Priority was explicitly set for a external stream")


def sleep_expects_int() -> RuntimeError:
    """torch csrc/cuda/Module.cpp, THCPModule_cudaSleep."""
    return RuntimeError(f"torch.{TYPE}._sleep(): expected 'int'")


def debug_mode_text() -> RuntimeError:
    """torch cuda/__init__.py, set_sync_debug_mode."""
    return RuntimeError("invalid value of debug_mode, expected one of `default`, `warn`, `error`")


def debug_mode_number() -> RuntimeError:
    """torch csrc/cuda/Module.cpp, THCPModule_setSyncDebugMode."""
    return RuntimeError("invalid value of debug_mode, expected one of 0,1,2")


# ----------------------------------------------------------------------------- memory


def format_size(size: int) -> str:
    """torch c10/cuda/CUDACachingAllocator.cpp, format_size."""
    if size <= 1024:
        return f"{size} bytes"
    if size <= 1024**2:
        return f"{size / 1024:.2f} KiB"
    if size <= 1024**3:
        return f"{size / 1024**2:.2f} MiB"
    return f"{size / 1024**3:.2f} GiB"


def more_than_an_exabyte() -> OutOfMemoryError:
    """torch c10/cuda/CUDACachingAllocator.cpp, NativeCachingAllocator::allocate."""
    return OutOfMemoryError(f"{NAME} out of memory. Tried to allocate more than 1EB memory.")


def out_of_memory(
    *,
    device: int,
    size: int,
    total: int,
    free: int,
    limit: int | None,
    allocated: int,
    reserved: int,
    private: int = 0,
) -> OutOfMemoryError:
    """torch c10/cuda/CUDACachingAllocator.cpp, DeviceCachingAllocator::malloc."""
    allowed = "" if limit is None else f"{format_size(limit)} allowed; "
    in_private = ""
    if private:
        in_private = (
            f"with {format_size(private)} allocated in private pools (e.g., {NAME} Graphs), "
        )
    return OutOfMemoryError(
        f"{NAME} out of memory. Tried to allocate {format_size(size)}. {CHIP} {device} has a total "
        f"capacity of {format_size(total)} of which {format_size(free)} is free. {allowed}"
        f"Of the allocated memory {format_size(allocated + private)} is allocated by PyTorch, "
        f"{in_private}and {format_size(reserved - allocated - private)} is reserved by PyTorch "
        "but unallocated. If reserved "
        "but unallocated memory is large try setting PYTORCH_ALLOC_CONF=expandable_segments:True "
        "to avoid fragmentation.  See documentation for Memory Management  "
        "(https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)"
    )


def pool_is_recorded() -> RuntimeError:
    """torch c10/cuda/CUDACachingAllocator.cpp, beginAllocateToPool."""
    return RuntimeError("beginAllocateToPool: already recording to mempool_id")


def pool_is_not_recorded() -> RuntimeError:
    """torch c10/cuda/CUDACachingAllocator.cpp, endAllocateToPool."""
    return RuntimeError("endAllocatePool: not currently recording to mempool_id")


def pool_is_gone(condition: str) -> RuntimeError:
    """torch c10/cuda/CUDACachingAllocator.cpp, get_private_pool and create_or_incref_pool."""
    return RuntimeError(
        f'{condition} INTERNAL ASSERT FAILED at "/pytorch/c10/cuda/CUDACachingAllocator.cpp", '
        "please report a bug to PyTorch. "
    )


def no_pluggable_allocator() -> RuntimeError:
    """Not torch's: there all allocators are C's."""
    return RuntimeError("the simulated NPU has no pluggable allocators: pass allocator=None")


def no_pools_on_hardware() -> RuntimeError:
    """Not torch's."""
    return RuntimeError("over real hardware there are no graphs and no memory pools")


def driver_out_of_memory() -> AcceleratorError:
    """CUDA runtime error 2, from cudaMalloc without the cache."""
    return AcceleratorError(f"{NAME} error: out of memory", 2)


def device_lost() -> AcceleratorError:
    """CUDA runtime error 46 (cudaErrorDevicesUnavailable), for an injected fault."""
    return AcceleratorError(
        f"{NAME} error: {NAME}-capable device(s) is/are busy or unavailable", 46
    )


def kernel_failed() -> AcceleratorError:
    """CUDA runtime error 719, for an injected fault."""
    return AcceleratorError(f"{NAME} error: unspecified launch failure", 719)


def called_a_synchronizing_operation() -> str:
    """torch c10/cuda/CUDAFunctions.cpp, warn_or_error_on_sync."""
    return f"called a synchronizing {NAME} operation"


def invalid_pointer(address: int) -> RuntimeError:
    """torch c10/cuda/CUDACachingAllocator.cpp, NativeCachingAllocator::free."""
    return RuntimeError(f"invalid device pointer: {address:#x}")


def reentered() -> RuntimeError:
    """None of torch's: there nothing of Python's runs in the middle of the allocator."""
    return RuntimeError(
        "the allocator of NPU memory was called in the middle of its own work, by a handler of a "
        "signal or a finalizer that the garbage collector ran. Let those take note only, and do "
        "the rest later"
    )


def fraction_type() -> TypeError:
    """torch cuda/memory.py, set_per_process_memory_fraction."""
    return TypeError("Invalid type for fraction argument, must be `float`")


def fraction_range(fraction: float) -> ValueError:
    """torch cuda/memory.py, set_per_process_memory_fraction."""
    return ValueError(f"Invalid fraction value: {fraction}. Allowed range: 0~1")


def fraction_invalid(fraction: float) -> RuntimeError:
    """torch c10/cuda/CUDACachingAllocator.cpp, setMemoryFraction."""
    return RuntimeError(f"invalid fraction:{fraction}. Please set within [0, 1].")


def stream_argument() -> TypeError:
    """torch cuda/memory.py, caching_allocator_alloc."""
    return TypeError(
        f"Invalid type for stream argument, must be `torch.{TYPE}.Stream` or `int` representing a "
        "pointer to an existing stream"
    )


def history_enabled() -> RuntimeError:
    """torch csrc/cuda/memory_snapshot.cpp, _record_memory_history."""
    return RuntimeError("expected state to be 'state', 'all', or None")


def history_context() -> RuntimeError:
    """torch csrc/cuda/memory_snapshot.cpp, _record_memory_history."""
    return RuntimeError("expected context to be 'state', 'alloc', 'all', or None")


def history_stacks() -> RuntimeError:
    """torch csrc/cuda/memory_snapshot.cpp, _record_memory_history."""
    return RuntimeError("expected stacks to be 'python', or 'all'")


def pool_id_size() -> RuntimeError:
    """torch csrc/cuda/Module.cpp, THCPModule_memorySnapshot."""
    return RuntimeError("mempool_id must be a tuple of size 2")


def pool_id_parts() -> RuntimeError:
    """torch csrc/cuda/Module.cpp, THCPModule_memorySnapshot."""
    return RuntimeError("mempool_id elements must be integers")


def config_truncated() -> RuntimeError:
    """torch c10/core/AllocatorConfig.h, ConfigTokenizer::operator[]."""
    return RuntimeError(
        "i < config_.size() INTERNAL ASSERT FAILED, please report a bug to PyTorch. "
        "Index out of bounds in ConfigTokenizer"
    )


def config_list_open() -> RuntimeError:
    """torch c10/core/AllocatorConfig.cpp, parseRoundUpPower2Divisions."""
    return RuntimeError(
        "i < tokenizer.size() INTERNAL ASSERT FAILED, please report a bug to PyTorch. "
        "Expected closing bracket ']' in ConfigTokenizer but reached end of config"
    )
