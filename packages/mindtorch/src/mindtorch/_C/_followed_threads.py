"""Named ranges and steps of optimizers, shown to profilers that follow their threads."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from mindtorch_dispatch.trace import current_trace, tracing

from ..core import ranges
from ._collector import Collector

__all__ = ["follow", "follower", "followed_by", "unfollow"]

_lock = threading.Lock()
#: How many profilers run, in all threads.
_count = 0
#: What shows the steps of optimizers while one runs, to be removed.
_hooks: list[Any] = []


def follow() -> None:
    """Show ranges and steps from now on: one more profiler runs."""
    global _count
    with _lock:
        _count += 1
        if _count == 1:
            ranges.active, ranges.begun = _range, _begun
            _hooks.extend(_show_steps())


def unfollow() -> None:
    """Show them no longer, if this was the last profiler."""
    global _count
    with _lock:
        _count -= 1
        if _count == 0:
            ranges.active = ranges.begun = None
            while _hooks:
                _hooks.pop().remove()


def _range(name: str, values: Any, keywords: Any) -> Any:
    """The block of a named range, where the thread is followed."""
    collector = follower()
    return None if collector is None else collector.range(name, values, keywords)


def _begun(name: str, values: Any) -> Callable[[], None] | None:
    """Begin a range that ends elsewhere, where the thread is followed."""
    collector = follower()
    return None if collector is None else collector.begun(name, values)


def follower() -> Collector | None:
    """What follows the thread."""
    trace: Any = current_trace()
    while trace is not None and not isinstance(trace, Collector):
        trace = trace.outer
    return trace


def followed_by(collector: Collector | None) -> AbstractContextManager[Any]:
    """The block in which *collector* follows this thread, too, which works for another.

    A trace around it is of the other thread alone: then this one is not followed.
    """
    if collector is None or collector.outer is not None or follower() is collector:
        return nullcontext()
    return tracing(collector)


def _show_steps() -> list[Any]:
    """Show the steps of optimizers: the hooks that do so, to be removed."""
    from ..optim.optimizer import (
        register_optimizer_step_post_hook,
        register_optimizer_step_pre_hook,
    )

    running: weakref.WeakKeyDictionary[Any, list[Any]] = weakref.WeakKeyDictionary()

    def begins(optimizer: Any, args: Any, kwargs: Any) -> None:
        block = _range(f"Optimizer.step#{type(optimizer).__name__}.step", (), None)
        if block is not None:
            block.__enter__()
            running.setdefault(optimizer, []).append(block)

    def ends(optimizer: Any, args: Any, kwargs: Any) -> None:
        blocks = running.get(optimizer)
        if blocks:
            blocks.pop().__exit__(None, None, None)

    return [register_optimizer_step_pre_hook(begins), register_optimizer_step_post_hook(ends)]
