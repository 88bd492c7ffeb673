"""What a profiler collects: a trace whose events are calls of operators, nodes and named ranges.

It is the thread's trace (see ``mindtorch_dispatch.trace``): while none is on, no call does anything
for it. Of kernels at keys it keeps nothing; a backward's nodes are told by the engine, the steps of
optimizers by their hooks, memory by the arrays that calls return and that die.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from threading import get_native_id
from typing import Any

from mindtorch_autograd import is_grad_enabled, next_key
from mindtorch_autograd.node import unwrap
from mindtorch_dispatch.trace import Trace

from ..core.functionality_keys import AUTOGRAD_BLOCK
from ..tensor import Tensor
from ._profiler import RecordScope
from ._profiler_inputs import Inputs, flops_of
from ._profiler_records import Memory, Record, numbers, switches, thread_number
from ._python_tracer import PythonTracer

__all__ = ["Collector"]

_FUNCTION = RecordScope.FUNCTION.value
_BACKWARD = RecordScope.BACKWARD_FUNCTION.value
_USER = RecordScope.USER_SCOPE.value

_NOTHING: AbstractContextManager[Any] = nullcontext()


_keys = getattr(next_key, "__self__", None)


def next_sequence() -> int:
    """The number that the next node will have; it is left in place."""
    return -int(repr(_keys).removeprefix("count(").partition(",")[0])


def _has_tensors(value: Any) -> bool:
    return isinstance(value, Tensor) or (
        isinstance(value, (list, tuple)) and bool(value) and isinstance(value[0], Tensor)
    )


class _Range:
    """The ``with`` block of events that begin together."""

    __slots__ = ("collector", "records")

    def __init__(self, collector: Collector, *records: Record) -> None:
        self.collector = collector
        self.records = records

    def __enter__(self) -> _Range:
        for record in self.records:
            self.collector.open(record)
        return self

    def __exit__(self, *exc_info: object) -> None:
        for record in reversed(self.records):
            self.collector.close(record)

    def leave_open(self) -> None:
        """Let the block end with :meth:`end`: nothing more is inside of it."""
        for record in self.records:
            self.collector.leave_open(record)

    def end(self) -> None:
        """End the block, in whichever thread."""
        for record in self.records:
            record.is_async = record.thread != thread_number()
            self.collector.close(record)


class _Both:
    """Two blocks in one: an event of a profiler inside that of a trace around it."""

    __slots__ = ("inner", "outer")

    def __init__(self, inner: Any, outer: Any) -> None:
        self.inner, self.outer = inner, outer

    def __enter__(self) -> None:
        self.outer.__enter__()
        self.inner.__enter__()

    def __exit__(self, *exc_info: Any) -> None:
        self.inner.__exit__(*exc_info)
        self.outer.__exit__(*exc_info)


class Collector(Trace):
    """Collects the events of the threads that it is the trace of.

    :param inputs: keep shapes and numbers that calls are given.
    :param memory: keep what calls allocate, and when it is freed.
    :param flops: count the operations of products.
    :param stacks: keep with each event the Python functions around it.
    :param overloads: keep the overload's name.
    """

    def __init__(
        self,
        *,
        inputs: bool = False,
        memory: bool = False,
        flops: bool = False,
        stacks: bool = False,
        overloads: bool = False,
    ) -> None:
        super().__init__()
        #: Calls are told with all their arguments, and what they return is shown to ``made``.
        self.complete = True
        self.keeps_results = True
        self.inputs = inputs
        self.memory = memory
        self.flops = flops
        self.stacks = stacks
        self.overloads = overloads
        self.records: list[Record] = []
        self.memories: list[Memory] = []
        #: While False events are not kept (see ``toggle_collection_dynamic``).
        self.on = True
        #: Follows Python functions, where they are wanted.
        self.tracer: PythonTracer | None = None
        self._stacks: dict[int, list[Record]] = {}
        self._arrays: dict[int, tuple[Any, int]] = {}
        self._total = 0

    # --- events ---------------------------------------------------------------------------------

    def open(self, record: Record) -> None:
        """Begin *record* inside the one that is open in this thread."""
        record.thread = thread_number()
        record.native = get_native_id()
        record.number = next(numbers)
        stack = self._stacks.get(record.thread)
        if stack is None:
            stack = self._stacks[record.thread] = []
        stack.append(record)
        if self.stacks and self.tracer is not None:
            record.stack = self.tracer.stack()
        if self.on:
            self.records.append(record)
        record.start = time.perf_counter_ns()

    def close(self, record: Record) -> None:
        """End *record*, and what an exception left open in it."""
        now = time.perf_counter_ns()
        stack = self._stacks.get(record.thread, [])
        if record in stack:
            while stack:
                last = stack.pop()
                last.end = now
                if last is record:
                    return
        record.end = record.end or now

    def leave_open(self, record: Record) -> None:
        """Let *record* end elsewhere, in whichever thread: nothing more is inside of it."""
        stack = self._stacks[record.thread]
        if record in stack:
            stack.remove(record)

    def innermost(self) -> Record | None:
        """What is open in this thread."""
        stack = self._stacks.get(thread_number())
        return stack[-1] if stack else None

    def call(self, name: str, keys: int, arguments: Iterable[tuple[str, Any]]) -> Any:
        """The block of a call of the operator *name*."""
        short, _, overload = name.partition(".")
        top = self.innermost()
        if top is not None and not top.chosen and top.kind == "cpu_op" and top.name == short:
            return _NOTHING  # the call was only prepared and now begins anew
        record = Record("cpu_op", short, _FUNCTION)
        if self.overloads:
            record.overload = overload
        values = [value for _, value in arguments]
        if keys & AUTOGRAD_BLOCK and is_grad_enabled() and any(map(_has_tensors, values)):
            record.sequence = next_sequence()
        if self.inputs:
            record.inputs = Inputs(values, switches.keeps_concrete_inputs)
        if self.flops:
            record.flops = flops_of(short, values)
        if self.memory:
            for value in values:
                self._know(value)
        block = _Range(self, record)
        if self.outer is None:
            return block
        return _Both(block, self.outer.call(name, keys, [("", value) for value in values]))

    def kernel(self, *args: Any, **kwargs: Any) -> Any:
        """Nothing but that the innermost call has found what serves it."""
        top = self.innermost()
        if top is not None:
            top.chosen = True
        return _NOTHING

    def span(self, kind: str, name: str, *notes: str) -> Any:
        """Nothing: what is shown of a backward are its nodes."""
        return _NOTHING

    def node(self, name: str, node: Any, grad: Any) -> Any:
        """The block of a node: the engine's turn, and inside it the node itself."""
        around = Record("cpu_op", f"autograd::engine::evaluate_function: {name}", _FUNCTION)
        itself = Record("cpu_op", name, _BACKWARD)
        around.chosen = itself.chosen = True
        if not name.endswith("::AccumulateGrad"):
            around.sequence = itself.sequence = node._sequence_nr()
            around.forward_thread = itself.forward_thread = thread_number()
        if self.inputs:
            grads = grad if isinstance(grad, (list, tuple)) else [grad]
            around.inputs = Inputs([], False)
            itself.inputs = Inputs(list(grads), switches.keeps_concrete_inputs)
        return _Range(self, around, itself)

    def running(self, entry: Any) -> Callable[[], object]:
        """The entry of a pipeline as it is."""
        run: Callable[[], object] = entry.run
        return run

    def range(self, name: str, values: Any = (), keywords: Any = None) -> Any:
        """The block of a range that the program has named."""
        record = Record("user_annotation", name, _USER)
        record.chosen = True
        if self.inputs and (values or keywords):
            record.inputs = Inputs(list(values or ()), switches.keeps_concrete_inputs, keywords)
        return _Range(self, record)

    def begun(self, name: str, values: Any = ()) -> Callable[[], None]:
        """Begin a range that ends elsewhere: when the function is called that this gives."""
        (record,) = self.range(name, values).records
        record.is_async = True
        self.open(record)
        self.leave_open(record)
        return lambda: self.close(record)

    def _put(self, event: Any, stack: list[Any]) -> None:
        """What a trace inside this one records is its own."""

    # --- memory ---------------------------------------------------------------------------------

    def made(self, result: Any) -> None:
        """Note the node and the memory of what a call returned."""
        top = self.innermost()
        if top is not None and top.sequence >= 0 and not top.is_settled:
            self._settle_(top, result)
        if self.memory:
            self._allocated(result)

    def _settle_(self, top: Record, result: Any) -> None:
        """Give the call the number of its node; a call of calls has that of the first of them."""
        first = result[0] if isinstance(result, (list, tuple)) and result else result
        edge = first._edge_ if isinstance(first, Tensor) else None
        if edge is None:
            return
        number = next_sequence() if (node := unwrap(edge)[0]) is None else node._sequence_nr()
        if number < top.sequence:  # of a call before, whose result was handed on
            return
        for record in self._stacks[top.thread]:
            if record.sequence >= 0 and not record.is_settled:
                record.sequence, record.is_settled = number, True

    def _allocated(self, result: Any) -> None:
        if isinstance(result, Tensor):
            base = _base(result)
            if base is not None and id(base) not in self._arrays and self._watch(base):
                self._take(base.nbytes, base.ctypes.data)
        elif isinstance(result, (list, tuple)):
            for each in result:
                self._allocated(each)

    def _know(self, value: Any) -> None:
        """Note whose memory was there before the profiler."""
        if isinstance(value, Tensor):
            base = _base(value)
            if base is not None and id(base) not in self._arrays:
                self._watch(base)
        elif isinstance(value, (list, tuple)):
            for each in value:
                self._know(each)

    def _watch(self, base: Any) -> bool:
        key, size, address = id(base), base.nbytes, base.ctypes.data

        def freed(_: object) -> None:
            if self._arrays.pop(key, None) is not None:
                self._take(-size, address)

        try:
            self._arrays[key] = (weakref.ref(base, freed), size)
        except TypeError:  # memory of somebody else
            return False
        return True

    def _take(self, size: int, address: int) -> None:
        self._total += size
        if self.on and size:
            self.memories.append(Memory(size, address, 0, -1, self._total))

    def finish_memory(self) -> None:
        """Note nothing more."""
        self._arrays.clear()


def _base(value: Any) -> Any:
    """The array that owns the memory of a tensor of the host."""
    array = value._a_
    if array is None or value.device.type != "cpu":
        return None
    while (below := getattr(array, "base", None)) is not None and hasattr(below, "nbytes"):
        if isinstance(below, memoryview):
            break
        array = below
    return array if array.__class__.__name__ == "ndarray" else None
