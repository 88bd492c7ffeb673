"""What is switched on in a thread as a call is recorded.

Gradients and autocast become nodes of the graph. With any other switch another graph begins, which
runs with what was on when it began; under transforms, modes and hooks nothing is recorded.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from mindtorch_autograd import grad_mode
from mindtorch_autograd.saved_variable import current_saved_tensors_hooks
from mindtorch_dispatch import current_pipeline, tls
from mindtorch_dispatch.modes import DISPATCH, FUNCTION, PRE_DISPATCH

from .. import _C
from ..amp.autocast_mode import _enter_autocast, _exit_autocast
from ..core.compiling import is_exporting
from ..functionality import autocast_state, tangents, transforms
from ..tensor.defaults import default_device
from .call_names import Call
from .output_graph import OutputGraph, Value

__all__ = ["Switches", "may_record", "settings", "surroundings"]

_AUTOCAST = sum(int(key) for key, _ in autocast_state.DEVICES.values())


class _Autocast(NamedTuple):
    """Where autocast is on, with which dtype, and whether casts are kept."""

    on: tuple[tuple[str, Any], ...]
    keeps: bool


def _autocast() -> _Autocast:
    excluded = tls.masks(tls.state.get())[1]
    dtypes = autocast_state.thread.dtypes
    on = [
        (kind, dtypes[kind])
        for kind, (key, _) in autocast_state.DEVICES.items()
        if not excluded & int(key)
    ]
    return _Autocast(tuple(on), autocast_state.thread.cache_enabled)


def surroundings() -> tuple[Any, ...]:
    """What a recorded call cannot take along: nothing is recorded where it is another."""
    return (
        transforms.active(),
        len(tangents.open_levels.get()),
        id(DISPATCH.top),
        id(PRE_DISPATCH.top),
        id(current_pipeline()),
        id(current_saved_tensors_hooks()),
    )


def may_record() -> bool:
    """Whether a function that is called now may be recorded."""
    return not (
        len(FUNCTION)
        or len(DISPATCH)
        or len(PRE_DISPATCH)
        or transforms.active()
        or tangents.open_levels.get()
        or current_pipeline() is not None
        or is_exporting()
    )


def settings() -> tuple[Any, ...]:
    """What all calls of a graph have in common."""
    included, excluded, more = tls.decoded(tls.state.get())
    word = grad_mode.state.get() & ~grad_mode.GRAD_ENABLED
    return word, included, excluded & ~_AUTOCAST, more, default_device()


class Switches:
    """What is on where a graph may begin, and what its calls have switched so far."""

    def __init__(self) -> None:
        self.settings = settings()
        self._autocast_keys = tls.masks(tls.state.get())[1] & _AUTOCAST
        self._grad = self._first_grad = grad_mode.is_grad_enabled()
        #: Autocast at the start, and the blocks that were entered since: the node of each.
        self._autocast: list[tuple[_Autocast, Value | None]] = [(_autocast(), None)]
        self._first_autocast = self._autocast[0][0]
        self._dtypes = dict(autocast_state.thread.dtypes)

    def follow(self, graph: OutputGraph) -> bool:
        """Write what was switched since the last call into *graph*; False if that cannot be."""
        grad = grad_mode.is_grad_enabled()
        if not self._follow_autocast(graph):
            return False
        if grad is not self._grad:
            self._switch_grad(graph, grad)
        return True

    def finish(self, graph: OutputGraph) -> None:
        """Leave in *graph* what was entered."""
        self._leave(graph, 1)
        if self._grad is not self._first_grad:
            self._switch_grad(graph, self._first_grad)

    def restored(self) -> _DtypesRestored:
        """A block in which autocast's dtypes are those of the start."""
        return _DtypesRestored(self._dtypes, self._autocast[0][0].keeps)

    def key(self) -> Any:
        """What was on at the start, as part of a key."""
        return self._first_grad, self._first_autocast, self.settings

    def set(self) -> None:
        """Switch gradients and autocast to what they were at the start."""
        word = grad_mode.state.get() & ~grad_mode.GRAD_ENABLED
        grad_mode.state.set(word | grad_mode.GRAD_ENABLED * self._first_grad)
        state = tls.state.get()
        included, excluded = tls.masks(state)
        keys = excluded & ~_AUTOCAST | self._autocast_keys
        tls.state.set(tls.with_masks(state, included, keys))

    def _switch_grad(self, graph: OutputGraph, grad: bool) -> None:
        graph.add(Call("call_function", _C._set_grad_enabled, (grad,), {}))
        self._grad = grad

    def _follow_autocast(self, graph: OutputGraph) -> bool:
        now = _autocast()
        states = [state for state, _ in self._autocast]
        if now == states[-1]:
            return True
        if now in states:
            self._leave(graph, states.index(now) + 1)
            return True
        before, after = dict(states[-1].on), dict(now.on)
        changed = [k for k in {*before, *after} if before.get(k) != after.get(k)]
        kind = changed[0] if changed else next(iter(after), "cpu")
        if len(changed) > 1:
            return False
        dtype = after.get(kind, autocast_state.thread.dtypes[kind])
        call = Call("call_function", _enter_autocast, (kind, dtype, kind in after, now.keeps), {})
        self._autocast.append((now, graph.add(call)))
        return True

    def _leave(self, graph: OutputGraph, level: int) -> None:
        while len(self._autocast) > level:
            _, block = self._autocast.pop()
            graph.add(Call("call_function", _exit_autocast, (block,), {}))


class _DtypesRestored:
    """A block in which autocast casts to these dtypes."""

    def __init__(self, dtypes: dict[str, Any], keeps: bool) -> None:
        self._state = dtypes, keeps
        self._before = self._exchange(*self._state)

    def _exchange(self, dtypes: dict[str, Any], keeps: bool) -> tuple[dict[str, Any], bool]:
        thread = autocast_state.thread
        before = thread.dtypes, thread.cache_enabled
        thread.dtypes, thread.cache_enabled = dict(dtypes), keeps
        return before

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exc_info: object) -> None:
        self._exchange(*self._before)
