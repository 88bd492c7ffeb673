"""The driver for real hardware: over any accelerator module of torch's shape.

``MINDTORCH_NPU_DRIVER=torch_npu`` takes ``torch_npu.npu``, ``torch.cuda`` takes that, and
``package.module`` any other. Streams, events and memory are the module's; what is seen of them is
what the simulator shows. This is the only module of the package that loads torch.

Needed of the module: ``device_count``, ``get_device_properties``, ``mem_get_info``, ``Stream``,
``Event``, ``stream``, ``default_stream``, ``memory_stats_as_nested_dict``, ``memory_snapshot``,
``synchronize``, ``empty_cache``, the resets, ``set_per_process_memory_fraction``,
``set_sync_debug_mode``, and of its ``memory`` the history. ``mindtorch_device`` may say what torch
calls a device; else it is the module's name and the index. ``mindtorch_record_stream`` may stand in
for torch's, where streams are no streams of torch's. Out of memory and what the driver refuses are
told by this package's errors, in the module's words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from mindtorch_npu import errors
from mindtorch_npu.allocator import EXABYTE
from mindtorch_npu.block_pool import DEFAULT_POOL, PoolId
from mindtorch_npu.completion import BUSY
from mindtorch_npu.memory_history import History
from mindtorch_npu.protocols import DeviceProperties
from mindtorch_npu.thread_state import use_memory

__all__ = ["HardwareAllocator", "HardwareBlock", "HardwareDriver", "HardwareQueue"]


class Ticket(list[Any]):
    """As the simulator's: the first item is None when the work has finished."""

    def __init__(self, event: Any, name: str, site: Any, queue: HardwareQueue) -> None:
        super().__init__([event, None, name, site, queue])

    def __getitem__(self, index: Any) -> Any:
        if index == 0:
            event = list.__getitem__(self, 0)
            if event is not None:
                with self[4].own_errors():
                    if event.query():
                        self[0] = event = None
            return event
        return list.__getitem__(self, index)


class Mark:
    """A timing event of the module; ``end`` is nanoseconds on the device's own time line."""

    def __init__(self, event: Any, zero: Any) -> None:
        self._event = event
        self._zero = zero

    @property
    def end(self) -> int:
        return int(self._zero.elapsed_time(self._event) * 1e6)


class HardwareQueue:
    """A stream of the module."""

    blocking = False
    special = False
    entries = ()
    captured_by = None

    def __init__(self, driver: HardwareDriver, device_index: int, stream_id: int) -> None:
        module = driver.module
        self._module = module
        self.own_errors = driver.own_errors
        self.device_index = device_index
        self.stream_id = stream_id
        with module.device(device_index):
            if stream_id == 0:
                self.stream = module.default_stream(device_index)
            elif not stream_id & 1:  # somebody else's, by its pointer
                self.stream = module.ExternalStream(stream_id, device=device_index)
            else:
                self.stream = module.Stream(device_index, priority=-((stream_id >> 1 & 0xF) - 1))
        # Users see 0 for a default stream, whatever the driver calls it.
        self.handle = self.arena = stream_id and int(self._handle())
        self.label = f"npu:{device_index} stream {stream_id}"
        self.error: BaseException | None = None
        self._zero: Any = None

    def _handle(self) -> int:
        for name in ("npu_stream", "cuda_stream", "native_handle"):
            found = getattr(self.stream, name, None)
            if isinstance(found, int):
                return found
        return id(self.stream)

    def enqueue(
        self,
        function: Callable[..., object],
        args: tuple[Any, ...] = (),
        name: str = "",
        site: Any = None,
    ) -> list[Any]:
        """Call *function* with this stream current: what it launches is queued here."""
        with self.own_errors(), self._module.stream(self.stream):
            function(*args)
        return self._ticket(name, site)

    def compute(self, function: Callable[..., Any], *args: Any) -> Any:
        """Nothing runs without the module."""
        return BUSY

    def keep_error(self, error: Exception, name: str, site: Any) -> None:
        """The module keeps its own."""

    def launch(
        self, function: Any, args: tuple[Any, ...], name: str, site: Any, nbytes: int
    ) -> list[Any]:
        """The same."""
        return self.enqueue(function, args, name, site)

    def _ticket(self, name: str = "", site: Any = None) -> list[Any]:
        with self.own_errors():
            event = self._module.Event()
            event.record(self.stream)
        return Ticket(event, name, site, self)

    def sleep(self, nanoseconds: int) -> list[Any]:
        with self.own_errors(), self._module.stream(self.stream):
            self._module._sleep(nanoseconds)
        return self._ticket("sleep")

    def mark(self) -> tuple[Any, list[Any] | None]:
        with self.own_errors():
            if self._zero is None:
                self._zero = self._module.Event(enable_timing=True)
                self._zero.record(self.stream)
            event = self._module.Event(enable_timing=True)
            event.record(self.stream)
        return Mark(event, self._zero), Ticket(event, "event", None, self)

    def last(self) -> list[Any] | None:
        with self.own_errors():
            idle = self.stream.query()
        return None if idle else self._ticket()

    def point(self) -> list[Any] | None:
        """Errors come from the module itself."""
        return self.last()

    def wait_for(self, ticket: list[Any] | None) -> None:
        event = None if ticket is None else ticket[0]
        if event is not None:
            with self.own_errors():
                self.stream.wait_event(event)

    def finish(self, ticket: list[Any]) -> None:
        event = ticket[0]
        if event is not None:
            with self.own_errors():
                event.synchronize()

    def query(self) -> bool:
        with self.own_errors():
            return bool(self.stream.query())

    def synchronize(self) -> None:
        with self.own_errors():
            self.stream.synchronize()

    def raise_error(self) -> None:
        """Errors come from the module itself."""

    def refresh(self) -> None:
        """Faults and lanes are the simulator's."""

    def drop(self) -> None:
        """A forked child cannot use the device; torch says so."""


class HardwareBlock:
    """Device memory of the module: bytes of a tensor of torch's."""

    __slots__ = ("__weakref__", "_allocator", "data_ptr", "device_index", "nbytes", "tensor")

    def __init__(self, tensor: Any, device_index: int, allocator: Any = None) -> None:
        self.tensor = tensor
        self.device_index = device_index
        self.data_ptr: int = tensor.data_ptr()
        self.nbytes: int = tensor.numel()
        self._allocator = allocator
        use_memory(device_index)

    def free(self) -> None:
        """Let go of the memory."""
        self.tensor = None


class HardwareAllocator:
    """The module's own allocator, with the face of ours."""

    enabled = True

    def __init__(self, driver: HardwareDriver, device_index: int) -> None:
        self._driver = driver
        self._module = driver.module
        self.device_index = device_index
        self.history = History()
        self.fraction = 1.0

    def allocate(self, nbytes: int, stream: int = 0) -> HardwareBlock:
        """Memory for use on the stream with this handle; raises OutOfMemoryError."""
        if nbytes >= EXABYTE:
            raise errors.more_than_an_exabyte()
        torch = self._driver.torch
        where = self._driver.device_name(self.device_index)
        queue = self._driver.queue_of_handle(self.device_index, stream)
        with self._driver.own_errors(), self._module.stream(queue.stream):
            made = torch.empty(nbytes, dtype=torch.uint8, device=where)
        return HardwareBlock(made, self.device_index, self)

    def record_stream(self, block: HardwareBlock, queue: HardwareQueue) -> None:
        own = getattr(self._module, "mindtorch_record_stream", None)
        if own is not None:
            own(block.tensor, queue.stream)
        else:
            block.tensor.record_stream(queue.stream)

    def stats(self) -> dict[str, Any]:
        found: dict[str, Any] = self._module.memory_stats_as_nested_dict(self.device_index)
        return found

    def snapshot_segments(self, pool_id: PoolId = DEFAULT_POOL) -> list[dict[str, Any]]:
        segments = self._module.memory_snapshot()
        found = [s for s in segments if s["device"] == self.device_index]
        if pool_id == DEFAULT_POOL:
            return found
        return [s for s in found if s.get("segment_pool_id") == pool_id]

    def trace(self) -> list[dict[str, Any]]:
        traces = self._module.memory._snapshot(self.device_index)["device_traces"]
        found: list[dict[str, Any]] = traces[self.device_index]
        return found

    def empty_cache(self) -> None:
        with self._driver.own_errors():
            self._module.empty_cache()

    def reset_peak(self) -> None:
        self._module.reset_peak_memory_stats(self.device_index)

    def reset_accumulated(self) -> None:
        self._module.reset_accumulated_memory_stats(self.device_index)

    def set_fraction(self, fraction: float) -> None:
        self._module.set_per_process_memory_fraction(fraction, self.device_index)
        self.fraction = fraction

    def record_history(
        self,
        enabled: str | None,
        context: str | None,
        max_entries: int,
        *,
        stacks: str = "all",
        clear: bool = False,
        skip: Iterable[str] = (),
    ) -> None:
        """The module keeps one history for all devices, so the first of them tells it."""
        self.history.enabled = enabled is not None
        if self.device_index == 0:
            newer: dict[str, Any] = {"clear_history": True} if clear else {}
            if skip:
                newer["skip_actions"] = list(skip)
            self._module.memory._record_memory_history(
                enabled, context=context, stacks=stacks, max_entries=max_entries, **newer
            )

    def enable(self, value: bool) -> None:
        """Raises RuntimeError: the module's cache stays on."""
        if not value:
            raise RuntimeError("the cache of real hardware cannot be switched off from here")

    def refresh(self) -> None:
        """Settings are the module's."""

    @contextmanager
    def books(self) -> Iterator[None]:
        """The module has a lock of its own."""
        yield


class HardwareDriver:
    """The devices of a module."""

    clock_rate = 1_000_000_000
    padding = 0
    shares_events = False  # work of real hardware is over when its own event says so

    def __init__(self, name: str) -> None:
        try:
            self.torch: Any = import_module("torch")
            if name == "torch_npu":
                import_module("torch_npu")
                name = "torch.npu"
            self.module: Any = import_module(name)
        except ModuleNotFoundError as error:
            raise RuntimeError(
                f"MINDTORCH_NPU_DRIVER={name} needs the module {error.name!r}, which is not "
                "installed; unset MINDTORCH_NPU_DRIVER to use the simulator"
            ) from error
        self._kind = name.rpartition(".")[2]
        self._queues: dict[tuple[int, int], HardwareQueue] = {}

    def translated(self, error: Exception) -> Exception | None:
        """What *error* of torch's is here; None where it is the same."""
        if isinstance(error, self.torch.OutOfMemoryError):
            return errors.OutOfMemoryError(str(error))
        refused = getattr(self.torch, "AcceleratorError", None)  # older ones have none
        if refused is not None and isinstance(error, refused):
            return errors.AcceleratorError(str(error), getattr(error, "error_code", 0))
        return None

    @contextmanager
    def own_errors(self) -> Iterator[None]:
        """Raises this package's errors where torch raises its own of that name."""
        try:
            yield
        except RuntimeError as error:
            own = self.translated(error)
            if own is None:
                raise
            try:
                raise own from error
            finally:
                del own  # a frame that holds the error that it raises is in a circle with it

    def attach_out_of_memory_observer(self, observer: Callable[..., object]) -> None:
        """Let the module call *observer* before it says that memory is out.

        Raises RuntimeError where it has no such function.
        """
        attach = getattr(self.module, "attach_out_of_memory_observer", None) or self._binding(
            "attach_out_of_memory_observer"
        )
        if attach is None:
            raise RuntimeError(f"{self.module.__name__} has no observers of memory that runs out")
        attach(observer)

    def has_context(self, device_index: int) -> bool:
        asked = self._binding("hasPrimaryContext")
        return bool(self.queues(device_index) if asked is None else asked(device_index))

    def _binding(self, name: str) -> Any:
        """A function of the module's package in C; None where it has none of that name."""
        bindings = getattr(import_module(self.module.__name__.partition(".")[0]), "_C", None)
        return getattr(bindings, f"_{self._kind}_{name}", None)

    def queue_of_handle(self, device_index: int, handle: int) -> HardwareQueue:
        """The stream that a handle names."""
        for queue in self.queues(device_index):
            if queue.handle == handle:
                return queue
        return self.queue(device_index, handle & ~1)

    def device_name(self, index: int) -> str:
        """What torch calls the device."""
        named = getattr(self.module, "mindtorch_device", None)
        return named(index) if named is not None else f"{self._kind}:{index}"

    def allocator(self, device_index: int) -> HardwareAllocator:
        """The memory of one device."""
        return HardwareAllocator(self, device_index)

    def device_count(self) -> int:
        return int(self.module.device_count())

    def properties(self, device_index: int) -> DeviceProperties:
        known = self.module.get_device_properties(device_index)
        return DeviceProperties(
            name=str(known.name),
            total_memory=int(known.total_memory),
            major=int(getattr(known, "major", None) or 0),
            minor=int(getattr(known, "minor", None) or 0),
            multi_processor_count=int(getattr(known, "multi_processor_count", None) or 0),
            L2_cache_size=int(getattr(known, "L2_cache_size", None) or 0),
            uuid=str(getattr(known, "uuid", "")),
        )

    def allocate_segment(self, device_index: int, nbytes: int) -> int | None:
        """Raises RuntimeError: segments are the module's."""
        raise RuntimeError("the module asks its driver for segments itself")

    def free_segment(self, device_index: int, address: int, nbytes: int) -> None:
        """Segments are the module's."""

    def synchronize(self, device_index: int) -> None:
        """Wait for every stream of the device, also for those that were never asked for here."""
        with self.own_errors():
            self.module.synchronize(device_index)

    def set_sync_debug_mode(self, mode: int) -> int:
        """The module sees every wait of its own, so it is the one who warns or refuses."""
        self.module.set_sync_debug_mode(mode)
        return 0

    def memory_info(self, device_index: int) -> tuple[int, int]:
        free, total = self.module.mem_get_info(device_index)
        return int(free), int(total)

    def queue(self, device_index: int, stream_id: int) -> HardwareQueue:
        key = device_index, stream_id
        found = self._queues.get(key)
        if found is None:
            found = self._queues.setdefault(key, HardwareQueue(self, *key))
        return found

    def queues(self, device_index: int) -> list[HardwareQueue]:
        return [q for (index, _), q in tuple(self._queues.items()) if index == device_index]

    def priority_classes(self) -> int:
        try:
            least, greatest = self.module.Stream.priority_range()
        except (AttributeError, RuntimeError):  # torch_npu has two classes and does not say so
            return 2
        return int(min(4, least - greatest + 1))

    def shut_down(self) -> None:
        """torch shuts its devices down itself."""
