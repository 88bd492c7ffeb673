"""What ``torch._C`` has for the devices."""

from __future__ import annotations

from typing import Any

import mindtorch_npu
from mindtorch_npu import accelerator
from mindtorch_npu import bindings as npu_bindings
from mindtorch_storage.device import ACCELERATOR_IS_CUDA

BINDINGS: dict[str, Any] = npu_bindings.BINDINGS | {
    "_accelerator_emptyCache": accelerator.empty_cache,
    "_accelerator_emptyHostCache": accelerator.empty_host_cache,
    "_accelerator_exchangeDevice": accelerator.exchange_device,
    "_accelerator_getAccelerator": accelerator.current_accelerator,
    "_accelerator_getAllocatorSettings": accelerator.get_allocator_settings,
    "_accelerator_getDeviceCapability": accelerator.get_device_capability,
    "_accelerator_getDeviceIndex": accelerator.current_device_index,
    "_accelerator_getDeviceStats": accelerator.memory_stats,
    "_accelerator_getMemoryInfo": accelerator.get_memory_info,
    "_accelerator_getStream": accelerator.current_stream,
    "_accelerator_isAllocatorInitialized": accelerator.is_allocator_initialized,
    "_accelerator_maybeExchangeDevice": accelerator.exchange_device,
    "_accelerator_resetAccumulatedStats": accelerator.reset_accumulated_memory_stats,
    "_accelerator_resetPeakStats": accelerator.reset_peak_memory_stats,
    "_accelerator_setAllocatorSettings": accelerator.set_allocator_settings,
    "_accelerator_setDeviceIndex": accelerator.set_device_index,
    "_accelerator_setStream": accelerator.set_stream,
    "_accelerator_synchronizeDevice": accelerator.synchronize,
    "_get_accelerator": accelerator.accelerator_or_host,
}


def _clear_workspaces() -> None:
    """Nothing: products need no memory beside their operands and results."""


if ACCELERATOR_IS_CUDA:  # what an NPU has no counterpart of
    BINDINGS |= {
        "_cuda_canDeviceAccessPeer": mindtorch_npu.can_device_access_peer,
        "_cuda_clearCublasWorkspaces": _clear_workspaces,
        "_cuda_init": mindtorch_npu.init,
    }
