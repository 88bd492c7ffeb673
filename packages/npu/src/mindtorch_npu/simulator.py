"""The embedded driver: devices that exist in this process only.

Device memory is address space: a segment costs simulated bytes and no host bytes (the numbers of a
tensor live in its ndarray). Kernels run for real, on the work queues of :mod:`workqueue`.
"""

from __future__ import annotations

import os
import threading

from mindtorch_npu import faults, timeline
from mindtorch_npu.allocator import CachingAllocator
from mindtorch_npu.captures import check_device, underway
from mindtorch_npu.device_profiles import SIMULATOR, Profile, profile
from mindtorch_npu.dry_run import DryQueue
from mindtorch_npu.protocols import DeviceProperties, Queue
from mindtorch_npu.runtime import DRY
from mindtorch_npu.thread_state import use_memory
from mindtorch_npu.visible_devices import visible_count
from mindtorch_npu.workers import stop_all
from mindtorch_npu.workqueue import WorkQueue

__all__ = ["Simulator", "parse_size"]

_SEGMENT_ALIGNMENT = 2 * 1024**2
_UNITS = {"": 0, "b": 0, "k": 1, "kb": 1, "kib": 1, "m": 2, "mb": 2, "mib": 2}
_UNITS |= {"g": 3, "gb": 3, "gib": 3, "t": 4, "tb": 4, "tib": 4}


def parse_size(text: str) -> int:
    """``"16GiB"``, ``"512M"``, ``"1.5g"`` or plain bytes; units are powers of 1024."""
    cleaned = text.strip().replace("_", "")
    number = cleaned.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
    unit = cleaned[len(number) :].strip().lower()
    try:
        size = (
            int(float(number) * 1024 ** _UNITS[unit])
            if "." in number
            else (int(number) * 1024 ** _UNITS[unit])
        )
    except (ValueError, KeyError):
        raise ValueError(
            f"not a memory size: {text!r} (write 1073741824, 512MiB or 16GiB)"
        ) from None
    if size <= 0:
        raise ValueError(f"a memory size must be positive, got {text!r}")
    return size


def _first_address(device_index: int) -> int:
    """Where a device's memory begins: an address belongs to one device, as it does on hardware."""
    return 0x7F00_0000_0000 + device_index * 0x1000_0000_0000


class Simulator:
    """*devices* equal devices of one *kind*, with *memory* bytes each."""

    clock_rate = 1_000_000_000
    shares_events = True

    def __init__(self, devices: int, memory: int, kind: Profile = SIMULATOR) -> None:
        self._devices = devices
        self._kind = kind
        self._total = memory
        # A real context takes a few hundred MiB that no allocator ever gets.
        self._context = min(kind.context * 1024**2, memory // 8)
        #: Bytes added to each request before it is rounded.
        self.padding = kind.padding
        self._reserved = [0] * devices
        self._next_address = [_first_address(i) for i in range(devices)]
        self._queues: list[dict[int, Queue]] = [{} for _ in range(devices)]
        self._lock = threading.Lock()
        for each in (faults, timeline):
            each.listeners.append(self._refresh_queues)
        self._blocking = os.environ.get("MINDTORCH_NPU_LAUNCH_BLOCKING", "0") not in ("", "0")

    @classmethod
    def from_environment(cls) -> Simulator:
        """What ``MINDTORCH_NPU_DEVICES``, ``_MEMORY`` and ``_DEVICE`` say, or two of 32 GiB.

        More where a launcher has started more processes on this machine: there is one for each.
        """
        processes = os.environ.get("LOCAL_WORLD_SIZE", "")
        default = max(2, int(processes) if processes.isdigit() else 0)
        text = os.environ.get("MINDTORCH_NPU_DEVICES", str(default))
        if not text.strip().isdigit():
            raise ValueError(f"MINDTORCH_NPU_DEVICES must be a count of devices, got {text!r}")
        named = os.environ.get("MINDTORCH_NPU_DEVICE", "")
        kind = profile(named) if named else SIMULATOR
        size = os.environ.get("MINDTORCH_NPU_MEMORY", f"{kind.total}MiB")
        return cls(visible_count(int(text)), parse_size(size), kind)

    def device_count(self) -> int:
        return self._devices

    def allocator(self, device_index: int) -> CachingAllocator:
        return CachingAllocator(self, device_index)

    def properties(self, device_index: int) -> DeviceProperties:
        kind = self._kind
        return DeviceProperties(
            name="NPU Simulator" if kind is SIMULATOR else f"{kind.name} (simulated)",
            total_memory=self._total,
            major=kind.major,
            minor=kind.minor,
            multi_processor_count=os.cpu_count() or 1,
            L2_cache_size=32 * 1024**2,
            uuid=f"6d696e64-746f-7263-6800-{device_index:012x}",
        )

    def allocate_segment(self, device_index: int, nbytes: int) -> int | None:
        with self._lock:
            if self._reserved[device_index] + nbytes > self._total - self._context:
                return None
            self._reserved[device_index] += nbytes
            address = self._next_address[device_index]
            # Addresses grow and never come back, so that a stale pointer never looks valid.
            step = -(-nbytes // _SEGMENT_ALIGNMENT) * _SEGMENT_ALIGNMENT
            self._next_address[device_index] = address + step
        use_memory(device_index)
        return address

    def free_segment(self, device_index: int, address: int, nbytes: int) -> None:
        with self._lock:
            self._reserved[device_index] -= nbytes

    def memory_info(self, device_index: int) -> tuple[int, int]:
        return self._total - self._context - self._reserved[device_index], self._total

    def queue(self, device_index: int, stream_id: int) -> Queue:
        queues = self._queues[device_index]
        found = queues.get(stream_id)
        if found is None:
            # 0 is the default stream; any other even id is an external stream's own pointer.
            handle = stream_id
            if stream_id & 1:
                handle = 0x5500_0000_0000 + (device_index << 32) + (stream_id << 8)
            label = f"npu:{device_index} stream {stream_id}"
            made: Queue
            if DRY:
                made = DryQueue(device_index, stream_id, handle, label=label)
            else:
                made = WorkQueue(
                    device_index, stream_id, handle, label=label, blocking=self._blocking
                )
            found = queues.setdefault(stream_id, made)
        return found

    def queues(self, device_index: int) -> list[Queue]:
        return list(self._queues[device_index].values())

    def has_context(self, device_index: int) -> bool:
        # A default stream is there for whoever asks; memory and other streams are not.
        has_memory = self._next_address[device_index] != _first_address(device_index)
        return has_memory or len(self.queues(device_index)) > 1

    def synchronize(self, device_index: int) -> None:
        if underway:
            check_device(device_index)
        queues = self.queues(device_index)
        for queue in queues:
            ticket = queue.last()
            if ticket is not None:
                queue.finish(ticket)
        for queue in queues:
            if queue.error is not None:
                queue.synchronize()

    def set_sync_debug_mode(self, mode: int) -> int:
        return mode

    def _refresh_queues(self) -> None:
        for queues in self._queues:
            for queue in tuple(queues.values()):
                queue.refresh()

    def priority_classes(self) -> int:
        return 4

    def shut_down(self) -> None:
        stop_all()
