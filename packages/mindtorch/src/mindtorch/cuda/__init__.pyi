# Written by `python -m tests.stubs --write`; see tests/stubs.
from mindtorch.tensor.types import _bool
from . import _gpu_trace as _gpu_trace
from . import _memory_viz as _memory_viz
from . import _sanitizer as _sanitizer
from . import amp as amp
from . import comm as comm
from . import gds as gds
from . import graphs as graphs
from . import green_contexts as green_contexts
from . import jiterator as jiterator
from . import memory as memory
from . import nccl as nccl
from . import nvtx as nvtx
from . import profiler as profiler
from . import random as random
from . import sparse as sparse
from . import streams as streams
from . import tunable as tunable
from mindtorch.cuda._absent import StreamContext as StreamContext
from mindtorch.cuda._absent import can_device_access_peer as can_device_access_peer
from mindtorch.cuda._absent import current_blas_handle as current_blas_handle
from mindtorch.cuda._absent import current_device as current_device
from mindtorch.cuda._absent import current_solver_handle as current_solver_handle
from mindtorch.cuda._absent import current_stream as current_stream
from mindtorch.cuda._absent import default_stream as default_stream
from mindtorch.cuda._absent import device as device
from mindtorch.cuda._absent import device_count as device_count
from mindtorch.cuda._absent import device_of as device_of
from mindtorch.cuda._absent import get_arch_list as get_arch_list
from mindtorch.cuda._absent import get_device_capability as get_device_capability
from mindtorch.cuda._absent import get_device_name as get_device_name
from mindtorch.cuda._absent import get_device_properties as get_device_properties
from mindtorch.cuda._absent import get_gencode_flags as get_gencode_flags
from mindtorch.cuda._absent import get_stream_from_external as get_stream_from_external
from mindtorch.cuda._absent import get_sync_debug_mode as get_sync_debug_mode
from mindtorch.cuda._absent import init as init
from mindtorch.cuda._absent import ipc_collect as ipc_collect
from mindtorch.cuda._absent import is_available as is_available
from mindtorch.cuda._absent import is_bf16_supported as is_bf16_supported
from mindtorch.cuda._absent import is_initialized as is_initialized
from mindtorch.cuda._absent import is_tf32_supported as is_tf32_supported
from mindtorch.cuda._absent import set_device as set_device
from mindtorch.cuda._absent import set_stream as set_stream
from mindtorch.cuda._absent import set_sync_debug_mode as set_sync_debug_mode
from mindtorch.cuda._absent import stream as stream
from mindtorch.cuda._absent import synchronize as synchronize
from mindtorch.cuda.graphs import CUDAGraph as CUDAGraph
from mindtorch.cuda.graphs import graph as graph
from mindtorch.cuda.graphs import graph_pool_handle as graph_pool_handle
from mindtorch.cuda.graphs import is_current_stream_capturing as is_current_stream_capturing
from mindtorch.cuda.graphs import make_graphed_callables as make_graphed_callables
from mindtorch.cuda.green_contexts import GreenContext as GreenContext
from mindtorch.cuda.memory import CUDAPluggableAllocator as CUDAPluggableAllocator
from mindtorch.cuda.memory import MemPool as MemPool
from mindtorch.cuda.memory import caching_allocator_alloc as caching_allocator_alloc
from mindtorch.cuda.memory import caching_allocator_delete as caching_allocator_delete
from mindtorch.cuda.memory import caching_allocator_disabled as caching_allocator_disabled
from mindtorch.cuda.memory import caching_allocator_enable as caching_allocator_enable
from mindtorch.cuda.memory import change_current_allocator as change_current_allocator
from mindtorch.cuda.memory import empty_cache as empty_cache
from mindtorch.cuda.memory import get_allocator_backend as get_allocator_backend
from mindtorch.cuda.memory import get_per_process_memory_fraction as get_per_process_memory_fraction
from mindtorch.cuda.memory import host_memory_stats as host_memory_stats
from mindtorch.cuda.memory import host_memory_stats_as_nested_dict as host_memory_stats_as_nested_dict
from mindtorch.cuda.memory import list_gpu_processes as list_gpu_processes
from mindtorch.cuda.memory import max_memory_allocated as max_memory_allocated
from mindtorch.cuda.memory import max_memory_cached as max_memory_cached
from mindtorch.cuda.memory import max_memory_reserved as max_memory_reserved
from mindtorch.cuda.memory import mem_get_info as mem_get_info
from mindtorch.cuda.memory import memory_allocated as memory_allocated
from mindtorch.cuda.memory import memory_cached as memory_cached
from mindtorch.cuda.memory import memory_reserved as memory_reserved
from mindtorch.cuda.memory import memory_snapshot as memory_snapshot
from mindtorch.cuda.memory import memory_stats as memory_stats
from mindtorch.cuda.memory import memory_stats_as_nested_dict as memory_stats_as_nested_dict
from mindtorch.cuda.memory import memory_summary as memory_summary
from mindtorch.cuda.memory import reset_accumulated_host_memory_stats as reset_accumulated_host_memory_stats
from mindtorch.cuda.memory import reset_accumulated_memory_stats as reset_accumulated_memory_stats
from mindtorch.cuda.memory import reset_max_memory_allocated as reset_max_memory_allocated
from mindtorch.cuda.memory import reset_max_memory_cached as reset_max_memory_cached
from mindtorch.cuda.memory import reset_peak_host_memory_stats as reset_peak_host_memory_stats
from mindtorch.cuda.memory import reset_peak_memory_stats as reset_peak_memory_stats
from mindtorch.cuda.memory import set_per_process_memory_fraction as set_per_process_memory_fraction
from mindtorch.cuda.memory import use_mem_pool as use_mem_pool
from mindtorch.cuda.random import get_rng_state as get_rng_state
from mindtorch.cuda.random import get_rng_state_all as get_rng_state_all
from mindtorch.cuda.random import initial_seed as initial_seed
from mindtorch.cuda.random import manual_seed as manual_seed
from mindtorch.cuda.random import manual_seed_all as manual_seed_all
from mindtorch.cuda.random import seed as seed
from mindtorch.cuda.random import seed_all as seed_all
from mindtorch.cuda.random import set_rng_state as set_rng_state
from mindtorch.cuda.random import set_rng_state_all as set_rng_state_all
from mindtorch.cuda.streams import Event as Event
from mindtorch.cuda.streams import ExternalStream as ExternalStream
from mindtorch.cuda.streams import Stream as Stream
from mindtorch_npu.errors import AcceleratorError as AcceleratorError
from mindtorch_npu.errors import OutOfMemoryError as OutOfMemoryError
from mindtorch_storage.legacy import LegacyStorageType as _LegacyStorageType
from typing import Any

BFloat16Storage: _LegacyStorageType
BFloat16Tensor: Any
BoolStorage: _LegacyStorageType
BoolTensor: Any
ByteStorage: _LegacyStorageType
ByteTensor: Any
CharStorage: _LegacyStorageType
CharTensor: Any
ComplexDoubleStorage: _LegacyStorageType
ComplexFloatStorage: _LegacyStorageType
class CudaError(RuntimeError):

    def __init__(self, code: int) -> None:
        ...
class DeferredCudaCallError(Exception): ...
DoubleStorage: _LegacyStorageType
DoubleTensor: Any
FloatStorage: _LegacyStorageType
FloatTensor: Any
HalfStorage: _LegacyStorageType
HalfTensor: Any
IntStorage: _LegacyStorageType
IntTensor: Any
LongStorage: _LegacyStorageType
LongTensor: Any
ShortStorage: _LegacyStorageType
ShortTensor: Any
def _get_pynvml_handler(device: Any=None) -> Any: ...
def check_error(res: int) -> None: ...
def clock_rate(device: Any=None) -> int: ...
class cudaStatus:
    SUCCESS: int = 0
    ERROR_NOT_READY: int = 34
def cudart() -> Any: ...
default_generators: Any
def device_memory_used(device: Any=None) -> int: ...
has_half: _bool
has_magma: _bool
def memory_usage(device: Any=None) -> int: ...
def power_draw(device: Any=None) -> int: ...
def temperature(device: Any=None) -> int: ...
def utilization(device: Any=None) -> int: ...
