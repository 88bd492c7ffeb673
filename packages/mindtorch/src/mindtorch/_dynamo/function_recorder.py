"""Runs a function whose torch calls go into graphs in place of being run.

Note [Deferred calls]
    torch reads a function's bytecode, draws its graph and then runs what is left of it. Here the
    function itself runs, each time; a function mode writes its calls down and answers with
    deferred tensors. Where numbers are needed, or a call cannot be written down, the graph ends:
    it runs, the deferred tensors that are still alive become ordinary ones, and the call runs as
    in any program. So all that Python does is done as ever, and a graph too few is no mistake.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from contextvars import copy_context
from threading import RLock, get_ident
from traceback import FrameSummary
from typing import Any

from .._subclasses.fake_tensor import FakeTensor
from ..aten import torch
from ..core import signature as S
from ..core.compiling import recorder
from ..nn.parameter import Buffer, Parameter
from ..overrides import TorchFunctionMode
from ..tensor import Tensor
from .call_names import FACTS, Call, call_of, name_of, users_frame
from .compiled_graphs import CompiledGraphs
from .deferred_tensor import DeferredTensor, deferred, fill, forget, settle
from .exc import Unsupported
from .graph_breaks import called, told
from .output_graph import GraphCompileReason, OutputGraph, Result, Value, facts
from .thread_switches import Switches, settings, surroundings

__all__ = ["FunctionRecorder", "record"]

#: Tensors of these kinds are no inputs of a graph.
_ODD = (
    S.OF_CLASS | S.PENDING | S.META | S.BATCHED | S.FUNCTIONAL | S.DUAL | S.FREED | S.LAZY
    | S.FUNCTIONALITIES
)  # fmt: skip
_PLAIN_CLASSES = (Tensor, Parameter, Buffer)
_CONSTANTS = (int, float, bool, str, complex, type(None), type(...))
_TORCHS = (torch.dtype, torch.device, torch.layout, torch.memory_format)
#: What a call may answer at once.
_ANSWERS = (int, bool, str, torch.Size, torch.dtype, torch.device, torch.layout, type(None))


class _NotRecorded(Exception):
    """A call cannot be written down."""


class FunctionRecorder(TorchFunctionMode):
    """A mode that writes the calls of a function into graphs.

    :param fullgraph: raise Unsupported where a graph ends before the function does.
    :param names: the names of tensors by their ids.
    """

    def __init__(
        self, graphs: CompiledGraphs, fullgraph: bool, names: Callable[[], dict[int, str]]
    ) -> None:
        super().__init__()
        self._graphs, self.fullgraph, self._names = graphs, fullgraph, names
        self._graph: OutputGraph | None = None
        #: What was on as the function, or what comes after the last graph, began.
        self._switches = Switches()
        self._around = surroundings()
        self._thread = get_ident()
        #: Other threads may settle what this one has recorded.
        self._lock = RLock()

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Answer for the function, or run it."""
        kwargs = kwargs or {}
        if recorder.get() is not self:
            return func(*args, **kwargs)
        recorder.set(None)
        try:
            if get_ident() != self._thread:  # one that goes on in the context of the function
                return func(*args, **kwargs)
            try:
                return self._answer(func, args, kwargs)
            except _NotRecorded as reason:
                self.end_graph(str(reason))
            return func(*args, **kwargs)
        finally:
            recorder.set(self)

    def settle(self) -> None:
        """Run what waits, for somebody who does not go through this mode."""
        self.end_graph("a tensor was used where its calls are not seen")

    def end_graph(self, reason: str | None) -> None:
        """Run what waits. Raises Unsupported for a full graph, unless the function ends.

        :param reason: why the graph ends here; None at the end of the function.
        """
        with self._lock:
            graph, self._graph = self._graph, None
            if reason is not None and self.fullgraph:
                _give_up(graph)
                raise Unsupported(told(reason))
            if graph is None or not graph.calls:
                return
            if reason is not None:
                frame = users_frame()
                where = [FrameSummary(frame.f_code.co_filename, frame.f_lineno,
                                      frame.f_code.co_name)] if frame else []  # fmt: skip
                self._graphs.breaks.append(GraphCompileReason(told(reason), where))
            before = recorder.get()
            recorder.set(None)
            switches, self._switches = self._switches, Switches()
            try:
                self._run(graph, switches)
            finally:
                _give_up(graph)
                recorder.set(before)

    def _run(self, graph: OutputGraph, switches: Switches) -> None:
        switches.finish(graph)
        alive = [(result.tensor(), result) for result in list(graph.results.values())]
        alive = [(t, result) for t, result in alive if t is not None]
        outputs = [graph.element(result) for _, result in alive]

        def run() -> Any:
            switches.set()
            return self._graphs.run(graph, outputs, switches.key(), self._names)

        with switches.restored():
            found = graph.context.run(run)
        fill([t for t, _ in alive], [found[at] for at in range(len(alive))])

    # one call -------------------------------------------------------------------------------------

    def _answer(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        name = name_of(func)
        tensors = [v for v in args if isinstance(v, Tensor)]
        if name in FACTS and tensors:
            return self._fact(func, args, kwargs)
        if name == "grad" and len(tensors) == 1 and type(tensors[0]) is not DeferredTensor:
            return func(*args, **kwargs)  # the attribute
        if name == "_set_grad_enabled":  # followed at the next call
            return func(*args, **kwargs)
        if surroundings() != self._around:
            raise _NotRecorded("a transform, a mode or hooks")
        call = call_of(func, args, kwargs)
        if call is None:
            raise _NotRecorded(called(func, name))
        if kwargs.get("requires_grad"):
            raise _NotRecorded("a new leaf that requires grad")
        return self._record(call, func, args, kwargs)

    def _fact(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a tensor says of itself: one that is deferred by its fake."""
        fakes = [self._fake_of(v) if type(v) is DeferredTensor else v for v in args]
        return func(*fakes, **kwargs)

    def _fake_of(self, t: Any) -> Any:
        found = self._graph.results.get(id(t)) if self._graph is not None else None
        if found is None:  # of another recorder
            settle(t)
            return t
        return found.fake

    def _record(self, call: Call, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        graph = self._begin()
        taken = _Taken(graph)
        fake_args, fake_kwargs = taken.fakes(args), taken.fakes(kwargs)
        before = [facts(fake) for fake in taken.ordinary]
        try:
            with graph.fake_mode:
                example = func(*fake_args, **fake_kwargs)
        except Exception as error:
            raise _NotRecorded(f"{called(func, name_of(func))}: {error}") from None
        if [facts(fake) for fake in taken.ordinary] != before:
            raise _NotRecorded("a call that changes what a tensor is")
        if type(example) in _ANSWERS and example is not None:
            return example
        _check(example, taken.tensors)
        if not self._switches.follow(graph):
            raise _NotRecorded("autocast of several devices")
        node_args, node_kwargs = taken.values(call.args), taken.values(call.kwargs)
        value = graph.add(Call(call.op, call.target, node_args, node_kwargs), example)
        return self._answered(example, value, (), taken.tensors)

    def _begin(self) -> OutputGraph:
        """The graph that a call goes into: another one if other things are switched on."""
        now = settings()
        if self._graph is not None and self._switches.settings != now:
            raise _NotRecorded("a switch of the thread")
        if self._graph is None:
            self._graph = OutputGraph(copy_context())
            if self._switches.settings != now:
                self._switches = Switches()
        return self._graph

    def _answered(
        self, example: Any, value: Value, path: tuple[int, ...], known: dict[int, Any]
    ) -> Any:
        """What a program gets for *example*: deferred tensors, or those that it gave."""
        if isinstance(example, FakeTensor):
            if id(example) in known:
                return known[id(example)]
            return self._deferred(example, value, path)
        if isinstance(example, (list, tuple)):
            parts = [self._answered(v, value, (*path, i), known) for i, v in enumerate(example)]
            if hasattr(example, "_fields") and not hasattr(example, "n_fields"):
                return type(example)(*parts)
            return type(example)(parts)
        return example

    def _deferred(self, fake: Any, value: Value, path: tuple[int, ...]) -> Any:
        assert self._graph is not None
        made = deferred(fake, self)
        number, results = id(made), self._graph.results

        def gone(_: Any) -> None:
            results.pop(number, None)
            forget(number)

        results[number] = Result(weakref.ref(made, gone), fake, value, path)
        return made


class _Taken:
    """The arguments of one call.

    :ivar ordinary: the fakes of tensors that were there before.
    :ivar tensors: what the program knows as each fake tensor, by the ids of these.
    """

    def __init__(self, graph: OutputGraph) -> None:
        self._graph = graph
        self.ordinary: list[Any] = []
        self.tensors: dict[int, Any] = {}

    def fakes(self, value: Any) -> Any:
        """*value* with fake tensors. Raises _NotRecorded for what a graph cannot have."""
        if isinstance(value, Tensor):
            return self._fake(value)
        return self._mapped(value, self.fakes)

    def values(self, value: Any) -> Any:
        """*value* with values of the graph."""
        if type(value) is DeferredTensor:
            return self._graph.element(self._graph.results[id(value)])
        if isinstance(value, Tensor):
            return self._graph.input(value)[1]
        return self._mapped(value, self.values)

    def _fake(self, t: Any) -> Any:
        if type(t) is DeferredTensor:
            found = self._graph.results.get(id(t))
            if found is not None:
                self.tensors[id(found.fake)] = t
                return found.fake
            settle(t)  # of another recorder
        if type(t) not in _PLAIN_CLASSES or t._sig_ & _ODD:
            raise _NotRecorded(f"a tensor of the kind {type(t).__name__}")
        fake, _ = self._graph.input(t)
        self.ordinary.append(fake)
        self.tensors[id(fake)] = t
        return fake

    def _mapped(self, value: Any, mapped: Callable[[Any], Any]) -> Any:
        kind = type(value)
        if kind in _CONSTANTS or isinstance(value, _TORCHS):
            return value
        if kind is torch.Size:
            return tuple(value)
        if kind in (list, tuple):
            return kind([mapped(v) for v in value])
        if kind is dict and all(type(k) is str for k in value):
            return {k: mapped(v) for k, v in value.items()}
        if kind is slice:
            return slice(mapped(value.start), mapped(value.stop), mapped(value.step))
        raise _NotRecorded(f"an argument of type {kind.__name__}")


def _check(example: Any, known: Mapping[int, Any]) -> None:
    """Raise _NotRecorded for a result that is not made of tensors alone.

    :param known: the arguments by the ids of their fakes: a call in place returns one of them.
    """
    if id(example) in known:
        return
    if isinstance(example, FakeTensor):
        if example.layout is not torch.strided:
            raise _NotRecorded("a sparse result")
        if example.is_leaf and example.requires_grad:
            raise _NotRecorded("a new leaf that requires grad")
    elif isinstance(example, (list, tuple)):
        for part in example:
            _check(part, known)
    elif example is not None:
        raise _NotRecorded(f"a result of type {type(example).__name__}")


def _give_up(graph: OutputGraph | None) -> None:
    """Nobody will compute what of *graph* is still deferred."""
    for number in list(graph.results) if graph is not None else ():
        forget(number)


def record(
    fn: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    graphs: CompiledGraphs,
    fullgraph: bool,
    names: Callable[[], dict[int, str]],
) -> Any:
    """``fn(*args, **kwargs)`` with its calls in graphs."""
    mode = FunctionRecorder(graphs, fullgraph, names)
    before = recorder.get()
    with mode:
        recorder.set(mode)
        try:
            return fn(*args, **kwargs)
        finally:
            recorder.set(before)
            mode.end_graph(None)
