"""The events that profilers show: calls, ranges, Python functions, memory and kernels."""

from __future__ import annotations

from typing import Any

from ._choices import Choice
from ._profiler_records import Memory, Record

__all__ = ["DeviceType", "_KinetoEvent", "event_of", "event_of_memory"]


class DeviceType(Choice):
    """Kinds of devices by their numbers."""

    CPU = 0
    CUDA = 1
    MKLDNN = 2
    OPENGL = 3
    OPENCL = 4
    IDEEP = 5
    HIP = 6
    FPGA = 7
    MAIA = 8
    XLA = 9
    Vulkan = 10
    Metal = 11
    XPU = 12
    MPS = 13
    MTIA = 19
    Meta = 14
    HPU = 15
    VE = 16
    Lazy = 17
    IPU = 18
    PrivateUse1 = 20


class _KinetoEvent:
    """One event: a call, a range, a Python function, memory, or a kernel of a device.

    Times are nanoseconds since the epoch.
    """

    def __init__(self, **facts: Any) -> None:
        self._facts = facts

    def _fact(self, name: str, default: Any) -> Any:
        return self._facts.get(name, default)

    def name(self) -> str:
        """What it is called."""
        return str(self._facts["name"])

    def overload_name(self) -> str:
        """The overload of the operator, if it was asked for."""
        return str(self._fact("overload", ""))

    def activity_type(self) -> str:
        """Its category in a trace."""
        return str(self._facts["kind"])

    def start_ns(self) -> int:
        """When it began."""
        return int(self._facts["start"])

    def end_ns(self) -> int:
        """When it ended."""
        return int(self._facts["end"])

    def duration_ns(self) -> int:
        """How long it took."""
        return self.end_ns() - self.start_ns()

    def device_type(self) -> DeviceType:
        """The kind of device that it ran on."""
        return DeviceType(self._fact("device_type", 0))

    def device_index(self) -> int:
        """The device; of the host the process."""
        return int(self._facts["device"])

    def device_resource_id(self) -> int:
        """The stream; of the host the thread, as the system numbers it."""
        return int(self._facts["resource"])

    def start_thread_id(self) -> int:
        """The thread that began it."""
        return int(self._fact("thread", 0))

    def end_thread_id(self) -> int:
        """The thread that ended it."""
        return int(self._fact("thread", 0))

    def fwd_thread_id(self) -> int:
        """Of a node: the thread of its forward call."""
        return int(self._fact("forward_thread", 0))

    def sequence_nr(self) -> int:
        """The number of the node that the call made, or that runs; -1 where there is none."""
        return int(self._fact("sequence", -1))

    def scope(self) -> int:
        """What it is of, as a number of ``RecordScope``."""
        return int(self._fact("scope", 0))

    def correlation_id(self) -> int:
        """Its number."""
        return int(self._fact("number", 0))

    def external_id(self) -> int:
        """Its number, as traces show it."""
        return int(self._fact("number", 0))

    def linked_correlation_id(self) -> int:
        """Of a kernel: the number of the call that launched it."""
        return int(self._fact("linked", 0))

    def has_shapes(self) -> bool:
        """Whether there are shapes."""
        return bool(self.shapes())

    def shapes(self) -> list[Any]:
        """The sizes of its arguments."""
        return list(self._fact("shapes", ()))

    def structured_input_shapes(self) -> list[Any]:
        """The same, with those of lists of tensors."""
        return list(self._fact("structured", ()))

    def structured_input_strides(self) -> list[Any]:
        """The strides of its arguments."""
        return list(self._fact("structured_strides", ()))

    def dtypes(self) -> list[str]:
        """The types of its arguments."""
        return list(self._fact("types", ()))

    def concrete_inputs(self) -> list[Any]:
        """The numbers among its arguments."""
        return list(self._fact("values", ()))

    def kwinputs(self) -> dict[str, Any]:
        """What a range was given by name."""
        return dict(self._fact("keywords", {}))

    def stack(self) -> list[str]:
        """The Python functions around it."""
        return list(self._fact("stack", ()))

    def flops(self) -> int:
        """How many operations it made, where they are counted."""
        return int(self._fact("flops", 0))

    def nbytes(self) -> int:
        """Of memory: how much."""
        return int(self._fact("nbytes", 0))

    def is_async(self) -> bool:
        """Whether it ended in another thread."""
        return bool(self._fact("is_async", False))

    def is_user_annotation(self) -> bool:
        """Whether the program gave it its name."""
        return bool(self.activity_type() == "user_annotation")

    def is_python_function(self) -> bool:
        """Whether it is a Python function."""
        return bool(self.activity_type() == "python_function")

    def is_hidden_event(self) -> bool:
        """Whether lists leave it out."""
        return False

    def python_id(self) -> int:
        """Of a Python function: its number."""
        return int(self._fact("python", -1))

    def python_parent_id(self) -> int:
        """Of a Python function: the number of its caller."""
        return int(self._fact("parent", -1))

    def python_module_id(self) -> int:
        """Of a module's call: the module's number among those of its class."""
        return int(self._fact("module", -1))

    def metadata_json(self) -> str:
        """What else there is to say, as JSON without braces."""
        return str(self._fact("metadata", ""))

    def extra_meta(self) -> dict[str, str]:
        """The same, as a dictionary."""
        return dict(self._fact("extra", {}))

    def flow_id(self) -> int:
        """The arrow between events that it is an end of."""
        return int(self._fact("flow", 0))

    def flow_type(self) -> int:
        """What kind of arrow."""
        return int(self._fact("flow_type", 0))

    def flow_start(self) -> bool:
        """Whether it is its beginning."""
        return bool(self._fact("flow_start", False))

    def cuda_elapsed_us(self) -> int:
        """-1: no CUDA."""
        return -1

    def privateuse1_elapsed_us(self) -> int:
        """-1: kernels have events of their own."""
        return -1


def event_of(record: Record, offset: int, process: int, latest: int) -> _KinetoEvent:
    """The event of *record*; *offset* turns its clock into that of the world."""
    inputs = record.inputs
    facts: dict[str, Any] = {
        "name": record.name,
        "kind": record.kind,
        "start": record.start + offset,
        "end": (record.end or latest) + offset,
        "device": process,
        "resource": record.native,
        "thread": record.thread,
        "scope": record.scope,
        "number": record.number,
        "sequence": record.sequence,
        "forward_thread": record.forward_thread,
        "overload": record.overload,
        "flops": record.flops,
        "stack": record.stack,
        "is_async": record.is_async,
        "python": record.python,
        "parent": record.parent,
        "module": record.module,
    }
    if inputs is not None:
        facts |= {
            "shapes": inputs.shapes,
            "strides": inputs.strides,
            "structured": inputs.structured,
            "structured_strides": inputs.structured_strides,
            "types": inputs.types,
            "values": inputs.values,
            "keywords": inputs.keywords,
            "tensors": inputs.tensors,
        }
    return _KinetoEvent(**facts)


def event_of_memory(memory: Memory, offset: int) -> _KinetoEvent:
    """The event of memory that was taken or given back."""
    return _KinetoEvent(
        name="[memory]",
        kind="cpu_instant_event",
        start=memory.time + offset,
        end=memory.time + offset,
        device=memory.device,
        device_type=memory.device_type,
        resource=memory.native,
        thread=memory.thread,
        nbytes=memory.size,
        address=memory.address,
        total=memory.total,
    )


DeviceType.__module__ = _KinetoEvent.__module__ = "mindtorch._C._autograd"
