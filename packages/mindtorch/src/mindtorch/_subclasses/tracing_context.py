"""Whether a compilation is under way, and which mode its fake tensors belong to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from ..utils._python_dispatch import _get_current_dispatch_mode_stack
from ..utils._pytree import tree_leaves
from .fake_tensor import FakeTensor, FakeTensorMode

__all__ = ["TracingContext", "active_fake_mode", "detect_fake_mode", "tracing"]


class TracingContext:
    """What a compilation knows: nothing is compiled, but a program may say that something is.

    :param fake_mode: the mode that its fake tensors belong to, or None.
    """

    def __init__(self, fake_mode: FakeTensorMode | None) -> None:
        self.fake_mode = fake_mode

    @staticmethod
    def try_get() -> TracingContext | None:
        """The running compilation, or None."""
        return _tracing.get()

    @staticmethod
    def get() -> TracingContext:
        """The running compilation. Raises RuntimeError if there is none."""
        found = _tracing.get()
        if found is None:
            raise RuntimeError("TracingContext.get() must be called within an ongoing trace.")
        return found


_tracing: ContextVar[TracingContext | None] = ContextVar("mindtorch_tracing", default=None)


@contextmanager
def tracing(context: TracingContext | None) -> Iterator[TracingContext | None]:
    """A block in which *context* is the running compilation."""
    token = _tracing.set(context)
    try:
        yield context
    finally:
        _tracing.reset(token)


def active_fake_mode() -> Any:
    """The mode of fake tensors that is on, or None."""
    modes = [m for m in _get_current_dispatch_mode_stack() if isinstance(m, FakeTensorMode)]
    return modes[-1] if modes else None


def detect_fake_mode(inputs: Any = None) -> Any:
    """The mode of fake tensors of the running compilation, or that is on, or of *inputs*.

    None if there is none.
    """
    context = TracingContext.try_get()
    if context is not None and context.fake_mode is not None:
        return context.fake_mode
    mode = active_fake_mode()
    if mode is not None:
        return mode
    for leaf in tree_leaves(inputs):
        if isinstance(leaf, FakeTensor):
            return leaf.fake_mode
    return None
