"""The graphs of a compiled function, each given to its backend once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any
from weakref import WeakSet

from . import config
from .exc import BackendCompilerFailed
from .output_graph import GraphCompileReason, OutputGraph, Value

__all__ = ["CompiledGraphs", "forget_all"]

#: How many graphs of a function are kept; then the oldest is compiled anew.
_LIMIT = 256


class CompiledGraphs:
    """What *backend* made of graphs, by their structures.

    :ivar breaks: why graphs ended, one for each that more was to come after.
    """

    def __init__(self, backend: Any) -> None:
        self.backend = backend
        self.breaks: list[GraphCompileReason] = []
        self._made: OrderedDict[Any, Callable[..., Any]] = OrderedDict()
        self._lock = Lock()
        _everywhere.add(self)

    def run(
        self,
        graph: OutputGraph,
        outputs: list[Value],
        switches: Any,
        names: Callable[[], dict[int, str]],
    ) -> Any:
        """What the backend's function gives for *graph*: the *outputs*.

        :param switches: what is on in the thread, as part of a key.
        :param names: the names of tensors by their ids, asked for where the graph is new.
        """
        key = switches, graph.key(outputs)
        with self._lock:
            made = self._made.get(key)
        if made is None:
            made = self._compiled(graph, outputs, names())
            with self._lock:
                self._made[key] = made
                if len(self._made) > _LIMIT:
                    self._made.popitem(last=False)
        return made(*graph.inputs)

    def forget(self) -> None:
        """Compile everything anew."""
        with self._lock:
            self._made.clear()

    def _compiled(
        self, graph: OutputGraph, outputs: list[Value], names: dict[int, str]
    ) -> Callable[..., Any]:
        module = graph.module(outputs, names)
        try:
            made: Callable[..., Any] = self.backend(module, list(graph.inputs))
            assert callable(made), "compiler_fn did not return callable"
        except Exception as error:
            if config.suppress_errors:
                forward: Callable[..., Any] = module.forward
                return forward
            raise BackendCompilerFailed(self.backend, error).with_traceback(
                error.__traceback__
            ) from None
        return made


_everywhere: WeakSet[CompiledGraphs] = WeakSet()


def forget_all() -> None:
    """Compile everything anew, in all functions."""
    for each in list(_everywhere):
        each.forget()
