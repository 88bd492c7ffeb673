"""Modules whose ``forward`` is written when it is first called."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ._compatibility import compatibility
from .graph import module_makers
from .graph_module import GraphModule, reduce_graph_module

_use_lazy_graph_module_flag = False
_force_skip_lazy_graph_module_flag = False


@compatibility(is_backward_compatible=False)
@contextmanager
def _force_skip_lazy_graph_module() -> Iterator[None]:
    """Inside, all is written at once, whatever is asked for."""
    global _force_skip_lazy_graph_module_flag
    before, _force_skip_lazy_graph_module_flag = _force_skip_lazy_graph_module_flag, True
    try:
        yield
    finally:
        _force_skip_lazy_graph_module_flag = before


@compatibility(is_backward_compatible=False)
@contextmanager
def _use_lazy_graph_module(should_use: bool) -> Iterator[None]:
    """Inside, modules that are made are lazy, or not."""
    global _use_lazy_graph_module_flag
    before = _use_lazy_graph_module_flag
    _use_lazy_graph_module_flag = should_use and not _force_skip_lazy_graph_module_flag
    try:
        yield
    finally:
        _use_lazy_graph_module_flag = before


@compatibility(is_backward_compatible=False)
def _get_graph_module_cls() -> type[GraphModule]:
    return _LazyGraphModule if _use_lazy_graph_module_flag else GraphModule


def _make_graph_module(*args: Any, graph_module_cls: Any = None, **kwargs: Any) -> GraphModule:
    made: GraphModule = (graph_module_cls or _get_graph_module_cls())(*args, **kwargs)
    return made


module_makers.append(_make_graph_module)


@compatibility(is_backward_compatible=False)
class _LazyGraphModule(GraphModule):
    """A GraphModule whose ``forward`` is written when it is first called."""

    @classmethod
    def from_graphmodule(cls, gm: GraphModule) -> GraphModule:
        """A lazy module of the graph of another."""
        if isinstance(gm, _LazyGraphModule):
            return gm
        return _LazyGraphModule(gm, gm.graph)

    @staticmethod
    def force_recompile(gm: GraphModule) -> None:
        """Write ``forward`` now, if the module is lazy."""
        if isinstance(gm, _LazyGraphModule):
            gm.real_recompile()

    def real_recompile(self) -> None:
        """Write ``forward``, unless it is there."""
        if self._needs_recompile():
            self._real_recompile()

    @classmethod
    def _needs_recompile(cls) -> bool:
        return cls.forward is cls._lazy_forward

    def _lazy_forward(self, *args: Any, **kwargs: Any) -> Any:
        self.real_recompile()
        assert not self._needs_recompile()
        return self(*args, **kwargs)

    forward = _lazy_forward

    def __reduce__(self) -> Any:
        written = self._real_recompile()
        body = self.__dict__.copy()
        body.pop("_graph", None)
        import_block = self._import_block_(written)
        return reduce_graph_module, (body, import_block)

    def _real_recompile(self) -> Any:
        return super().recompile()

    @classmethod
    def recompile(cls) -> Any:
        """Forget ``forward``; it is written at the next call."""
        cls.forward = cls._lazy_forward

    @property
    def code(self) -> str:
        """The source of ``forward``."""
        self.real_recompile()
        return super().code

    def __str__(self) -> str:
        self.real_recompile()
        return super().__str__()
