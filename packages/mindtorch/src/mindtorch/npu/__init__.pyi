# Written by `python -m tests.stubs --write`; see tests/stubs.
from mindtorch.tensor.types import _bool
from mindtorch.distributed._functional_collectives import RANK_TYPES as __Any_
from mindtorch.tensor.legacy import npu_type_of_old as __types_of_old_
from mindtorch_npu import _before_fork as _before_fork
from mindtorch_npu import _device_count_nvml as _device_count_nvml
from mindtorch_npu import _exchange_device as _exchange_device
from mindtorch_npu import _gpu_trace as _gpu_trace
from mindtorch_npu import _is_compiled as _is_compiled
from mindtorch_npu import _maybe_exchange_device as _maybe_exchange_device
from mindtorch_npu import _nvml_based_avail as _nvml_based_avail
from mindtorch_npu import _sleep as _sleep
from mindtorch_npu import _tls as _tls
from mindtorch_npu import _utils as _utils
from mindtorch_npu import accelerator as accelerator
from mindtorch_npu import accelerator_device as accelerator_device
from mindtorch_npu import accelerator_graphs as accelerator_graphs
from mindtorch_npu import accelerator_memory as accelerator_memory
from mindtorch_npu import allocator as allocator
from mindtorch_npu import allocator_config as allocator_config
from mindtorch_npu import allocator_memo as allocator_memo
from mindtorch_npu import allocator_state as allocator_state
from mindtorch_npu import annotations as annotations
from mindtorch_npu import arenas as arenas
from mindtorch_npu import argument_errors as argument_errors
from mindtorch_npu import aside as aside
from mindtorch_npu import backend as __backend_
from mindtorch_npu import backend as backend
from mindtorch_npu import best_fit as best_fit
from mindtorch_npu import block as block
from mindtorch_npu import block_pool as block_pool
from mindtorch_npu import call_site as call_site
from mindtorch_npu import captures as captures
from mindtorch_npu import capturing_queues as capturing_queues
from mindtorch_npu import completion as completion
from mindtorch_npu import device_profiles as device_profiles
from mindtorch_npu import devices as __devices_
from mindtorch_npu import devices as devices
from mindtorch_npu import diverting_allocator as diverting_allocator
from mindtorch_npu import drivers as __drivers_
from mindtorch_npu import drivers as drivers
from mindtorch_npu import dry_run as dry_run
from mindtorch_npu import errors as __errors_
from mindtorch_npu import errors as errors
from mindtorch_npu import events as events
from mindtorch_npu import faults as faults
from mindtorch_npu import flame_graph as flame_graph
from mindtorch_npu import generic_streams as generic_streams
from mindtorch_npu import graph_errors as graph_errors
from mindtorch_npu import graphs as graphs
from mindtorch_npu import ipc_events as ipc_events
from mindtorch_npu import known_request as known_request
from mindtorch_npu import locked_allocator as locked_allocator
from mindtorch_npu import mem_pool as mem_pool
from mindtorch_npu import memo_states as memo_states
from mindtorch_npu import memory as memory
from mindtorch_npu import memory_history as memory_history
from mindtorch_npu import monitor as monitor
from mindtorch_npu import naming as naming
from mindtorch_npu import observer as observer
from mindtorch_npu import pending_frees as pending_frees
from mindtorch_npu import pinned as pinned
from mindtorch_npu import private_pools as private_pools
from mindtorch_npu import protocols as protocols
from mindtorch_npu import races as races
from mindtorch_npu import random as random
from mindtorch_npu import raw_memory as raw_memory
from mindtorch_npu import reclaim as reclaim
from mindtorch_npu import request_plan as request_plan
from mindtorch_npu import runtime as __runtime_
from mindtorch_npu import runtime as runtime
from mindtorch_npu import segments as segments
from mindtorch_npu import signal_safe_lock as signal_safe_lock
from mindtorch_npu import simulator as simulator
from mindtorch_npu import snapshots as snapshots
from mindtorch_npu import splitting as splitting
from mindtorch_npu import statistics as statistics
from mindtorch_npu import streams as streams
from mindtorch_npu import summary as summary
from mindtorch_npu import sync_debug as sync_debug
from mindtorch_npu import thread_state as __thread_state_
from mindtorch_npu import thread_state as thread_state
from mindtorch_npu import timeline as timeline
from mindtorch_npu import timing_event as timing_event
from mindtorch_npu import turn as turn
from mindtorch_npu import utils as utils
from mindtorch_npu import visible_devices as visible_devices
from mindtorch_npu import workers as workers
from mindtorch_npu import workqueue as workqueue
from mindtorch_npu.devices import DeviceGuard as __DeviceGuard_
from mindtorch_npu.devices import DeviceProperties as __NpuDeviceProperties_
from mindtorch_npu.devices import can_device_access_peer as can_device_access_peer
from mindtorch_npu.devices import current_device as current_device
from mindtorch_npu.devices import device as device
from mindtorch_npu.devices import device_count as device_count
from mindtorch_npu.devices import device_index as __get_device_index_
from mindtorch_npu.devices import device_of as device_of
from mindtorch_npu.devices import get_device_capability as get_device_capability
from mindtorch_npu.devices import get_device_name as get_device_name
from mindtorch_npu.devices import get_device_properties as get_device_properties
from mindtorch_npu.devices import ipc_collect as ipc_collect
from mindtorch_npu.devices import is_bf16_supported as is_bf16_supported
from mindtorch_npu.devices import set_device as set_device
from mindtorch_npu.devices import synchronize as synchronize
from mindtorch_npu.errors import AcceleratorError as AcceleratorError
from mindtorch_npu.errors import DeferredNpuCallError as DeferredNpuCallError
from mindtorch_npu.errors import OutOfMemoryError as OutOfMemoryError
from mindtorch_npu.events import Event as Event
from mindtorch_npu.graphs import NPUGraph as NPUGraph
from mindtorch_npu.graphs import graph as graph
from mindtorch_npu.graphs import graph_pool_handle as graph_pool_handle
from mindtorch_npu.graphs import is_current_stream_capturing as is_current_stream_capturing
from mindtorch_npu.graphs import make_graphed_callables as make_graphed_callables
from mindtorch_npu.mem_pool import MemPool as MemPool
from mindtorch_npu.mem_pool import use_mem_pool as use_mem_pool
from mindtorch_npu.memory import empty_cache as empty_cache
from mindtorch_npu.memory import empty_virt_addr_cache as empty_virt_addr_cache
from mindtorch_npu.memory import get_per_process_memory_fraction as get_per_process_memory_fraction
from mindtorch_npu.memory import host_empty_cache as host_empty_cache
from mindtorch_npu.memory import host_memory_stats as host_memory_stats
from mindtorch_npu.memory import host_memory_stats_as_nested_dict as host_memory_stats_as_nested_dict
from mindtorch_npu.memory import list_gpu_processes as list_gpu_processes
from mindtorch_npu.memory import max_memory_allocated as max_memory_allocated
from mindtorch_npu.memory import max_memory_cached as max_memory_cached
from mindtorch_npu.memory import max_memory_reserved as max_memory_reserved
from mindtorch_npu.memory import mem_get_info as mem_get_info
from mindtorch_npu.memory import memory_allocated as memory_allocated
from mindtorch_npu.memory import memory_cached as memory_cached
from mindtorch_npu.memory import memory_reserved as memory_reserved
from mindtorch_npu.memory import memory_stats as memory_stats
from mindtorch_npu.memory import memory_stats_as_nested_dict as memory_stats_as_nested_dict
from mindtorch_npu.memory import memory_summary as memory_summary
from mindtorch_npu.memory import reset_accumulated_host_memory_stats as reset_accumulated_host_memory_stats
from mindtorch_npu.memory import reset_accumulated_memory_stats as reset_accumulated_memory_stats
from mindtorch_npu.memory import reset_max_memory_allocated as reset_max_memory_allocated
from mindtorch_npu.memory import reset_max_memory_cached as reset_max_memory_cached
from mindtorch_npu.memory import reset_peak_host_memory_stats as reset_peak_host_memory_stats
from mindtorch_npu.memory import reset_peak_memory_stats as reset_peak_memory_stats
from mindtorch_npu.memory import set_per_process_memory_fraction as set_per_process_memory_fraction
from mindtorch_npu.operator_settings import _Precision as _Precision
from mindtorch_npu.operator_settings import clear_npu_overflow_flag as clear_npu_overflow_flag
from mindtorch_npu.operator_settings import config as config
from mindtorch_npu.operator_settings import get_mm_bmm_format_nd as get_mm_bmm_format_nd
from mindtorch_npu.operator_settings import get_npu_overflow_flag as get_npu_overflow_flag
from mindtorch_npu.operator_settings import is_jit_compile_false as is_jit_compile_false
from mindtorch_npu.operator_settings import set_compile_mode as set_compile_mode
from mindtorch_npu.operator_settings import set_mm_bmm_format_nd as set_mm_bmm_format_nd
from mindtorch_npu.operator_settings import set_option as set_option
from mindtorch_npu.random import _get_device as _get_device
from mindtorch_npu.random import _get_generator as _get_generator
from mindtorch_npu.random import _get_rng_state_offset as _get_rng_state_offset
from mindtorch_npu.random import _set_rng_state_offset as _set_rng_state_offset
from mindtorch_npu.random import get_rng_state as get_rng_state
from mindtorch_npu.random import get_rng_state_all as get_rng_state_all
from mindtorch_npu.random import initial_seed as initial_seed
from mindtorch_npu.random import manual_seed as manual_seed
from mindtorch_npu.random import manual_seed_all as manual_seed_all
from mindtorch_npu.random import seed as seed
from mindtorch_npu.random import seed_all as seed_all
from mindtorch_npu.random import set_rng_state as set_rng_state
from mindtorch_npu.random import set_rng_state_all as set_rng_state_all
from mindtorch_npu.raw_memory import caching_allocator_alloc as caching_allocator_alloc
from mindtorch_npu.raw_memory import caching_allocator_delete as caching_allocator_delete
from mindtorch_npu.raw_memory import caching_allocator_disabled as caching_allocator_disabled
from mindtorch_npu.raw_memory import caching_allocator_enable as caching_allocator_enable
from mindtorch_npu.raw_memory import get_allocator_backend as get_allocator_backend
from mindtorch_npu.runtime import init as init
from mindtorch_npu.runtime import is_available as is_available
from mindtorch_npu.runtime import is_in_bad_fork as __is_in_bad_fork_
from mindtorch_npu.runtime import is_initialized as is_initialized
from mindtorch_npu.runtime import lazy_call as __lazy_call_
from mindtorch_npu.runtime import lazy_init as __lazy_init_
from mindtorch_npu.snapshots import memory_snapshot as memory_snapshot
from mindtorch_npu.streams import ExternalStream as ExternalStream
from mindtorch_npu.streams import Stream as Stream
from mindtorch_npu.streams import StreamContext as StreamContext
from mindtorch_npu.streams import current_stream as current_stream
from mindtorch_npu.streams import default_stream as default_stream
from mindtorch_npu.streams import get_stream_from_external as get_stream_from_external
from mindtorch_npu.streams import set_stream as set_stream
from mindtorch_npu.streams import set_stream_by_id as __set_stream_by_id_
from mindtorch_npu.streams import stream as stream
from mindtorch_npu.sync_debug import get_sync_debug_mode as get_sync_debug_mode
from mindtorch_npu.sync_debug import set_sync_debug_mode as set_sync_debug_mode
from mindtorch_npu.visible_devices import parse_visible_devices as __parse_visible_devices_
from typing import Any

_Any = __Any_
_Callable: Any
_DeviceGuard = __DeviceGuard_
_LATE: Any
_NpuDeviceProperties = __NpuDeviceProperties_
_STATE: Any
_TYPE_CHECKING: _bool
_UNLISTED: Any
_backend = __backend_
_devices = __devices_
_drivers = __drivers_
_errors = __errors_
_get_device_index = __get_device_index_
def _import_module(name: Any, package: Any = None) -> Any: ...
_is_in_bad_fork = __is_in_bad_fork_
_lazy_call = __lazy_call_
_lazy_init = __lazy_init_
_parse_visible_devices = __parse_visible_devices_
_runtime = __runtime_
_set_stream_by_id = __set_stream_by_id_
_thread_state = __thread_state_
_types_of_old = __types_of_old_
_with_tensors: Any
conv: _Precision
default_generators: Any
matmul: _Precision
