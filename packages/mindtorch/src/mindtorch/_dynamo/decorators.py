"""``torch._dynamo.decorators``: marks for a compiler; here most change nothing."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..core.compiling import end_graph
from ..tensor import Tensor
from .eval_frame import DisableContext, Stance, optimize

__all__ = [
    "allow_in_graph",
    "assume_constant_result",
    "disable",
    "disallow_in_graph",
    "error_on_graph_break",
    "forbid_in_graph",
    "graph_break",
    "mark_dynamic",
    "mark_static",
    "mark_static_address",
    "maybe_mark_dynamic",
    "nonstrict_trace",
    "optimize",
    "patch_dynamo_config",
    "run",
    "set_stance",
    "skip_frame",
    "step_unsupported",
    "substitute_in_graph",
]


@dataclass(frozen=True, slots=True)
class _DimRange:
    """A mark of torch's on a dimension, which files of nested tensors have; it does nothing."""

    dim: int
    min: int | None
    max: int | None


def disable(
    fn: Any = None, recursive: bool = True, *, reason: str | None = None, wrapping: bool = True
) -> Any:
    """Mark *fn* as never to be compiled; without it, a decorator."""
    context = DisableContext(reason, wrapping)
    if fn is None:
        return context
    return context(fn) if recursive else skip(fn, reason)


def skip(fn: Any = None, reason: str | None = None) -> Any:
    """Mark *fn* itself, not what it calls, as never to be compiled."""
    if fn is None:
        return skip
    if not callable(fn):
        raise AssertionError("fn must be callable")
    fn._torchdynamo_disable = True
    return fn


def run(fn: Any = None) -> Any:
    """Run *fn* without compiling anew: as it is."""
    return DisableContext() if fn is None else DisableContext()(fn)


def _marked(fn: Any, what: str) -> Any:
    if isinstance(fn, (list, tuple)):
        return [_marked(one, what) for one in fn]
    if not callable(fn):
        raise AssertionError(f"{what} expects a callable")
    return fn


def allow_in_graph(fn: Any) -> Any:
    """Mark *fn*, or each of a list, as one op of a graph; returns it."""
    return _marked(fn, "allow_in_graph")


def disallow_in_graph(fn: Any) -> Any:
    """Mark *fn*, or each of a list, as no op of a graph; returns it."""
    return _marked(fn, "disallow_in_graph")


def forbid_in_graph(fn: Any) -> Any:
    """Mark *fn*, or each of a list, as an error in a graph; returns it."""
    return _marked(fn, "forbid_in_graph")


def nonstrict_trace(traceable_fn: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a function that is traced, not analysed; returns a function that calls it."""
    if not callable(traceable_fn):
        raise AssertionError("nonstrict_trace expects a callable")

    @functools.wraps(traceable_fn)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        return traceable_fn(*args, **kwargs)

    return wrapped


def assume_constant_result(fn: Any) -> Any:
    """Mark *fn* as returning the same at every call; it is called all the same."""
    fn._dynamo_marked_constant = True
    return fn


def graph_break(msg: str = "") -> None:
    """End the graph that is drawn of the caller, if there is one."""
    end_graph(
        "Call to `torch._dynamo.graph_break()`\n"
        f"  Explanation: User-inserted graph break. Message: {msg or None}\n"
        "  Hint: Remove the `torch._dynamo.graph_break()` call.\n\n"
        f"  Developer debug context: Called `torch._dynamo.graph_break()` with args "
        f"`{[msg] if msg else []}`, kwargs `{{}}`\n"
    )


def skip_frame(msg: str = "") -> None:
    """Say that the caller is not to be compiled: nothing."""


def step_unsupported(msg: str = "") -> None:
    """Say that this step is not to be compiled: nothing."""


def mark_dynamic(
    t: Any,
    index: int | list[Any] | tuple[Any],
    *,
    hint_override: int | None = None,
    min: int | None = None,
    max: int | None = None,
    specialize_on: list[Any] | None = None,
) -> None:
    """Say that a dim's size will vary: remembered at the tensor."""
    _mark(t, index, "_dynamo_dynamic_indices")


def maybe_mark_dynamic(t: Any, index: int | list[Any] | tuple[Any]) -> None:
    """Say that a dim's size may vary: remembered at the tensor."""
    _mark(t, index, "_dynamo_weak_dynamic_indices")


def mark_static(t: Any, index: int | list[Any] | tuple[Any] | None = None) -> None:
    """Say that a dim's size, or every dim's, never varies: remembered at the tensor."""
    if isinstance(t, type):
        t._dynamo_marked_static = True  # type: ignore[attr-defined]  # a mark, on any class
        return
    _mark(t, list(range(t.dim())) if index is None else index, "_dynamo_static_indices")


def mark_static_address(t: Any, guard: bool = False) -> None:
    """Say that a tensor's memory stays where it is. Raises TypeError for what is no tensor."""
    if not isinstance(t, Tensor):
        raise TypeError(f"mark_static_address expects a tensor but received {type(t)}")
    t._dynamo_static_input_type = "guarded" if guard else "unguarded"  # type: ignore[attr-defined]  # a mark


def _mark(t: Any, index: Any, where: str) -> None:
    marks: set[int] = getattr(t, where, set())
    marks.update([index] if isinstance(index, int) else index)
    setattr(t, where, marks)


class _Block:
    """A block, or a decorator, in which nothing is different."""

    def __call__(self, fn: Callable[..., Any]) -> Callable[..., Any]:
        return fn

    def __enter__(self) -> None:
        pass

    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> None:
        pass


class set_stance:
    """Say how functions are compiled from now on, or within the block or the function.

    With ``"force_eager"`` they run as they are; the other stances of torch change nothing here.
    """

    def __init__(
        self,
        stance: str = "default",
        *,
        skip_guard_eval_unsafe: bool = False,
        force_backend: str | Callable[..., Any] | None = None,
    ) -> None:
        if force_backend is not None and stance != "default":
            raise RuntimeError("non-default stance cannot have force_backend set")
        self.stance, self._before = stance, Stance.now
        Stance.now = stance

    def __call__(self, fn: Callable[..., Any]) -> Callable[..., Any]:
        Stance.now = self._before

        @functools.wraps(fn)
        def run(*args: Any, **kwargs: Any) -> Any:
            with set_stance(self.stance):
                return fn(*args, **kwargs)

        return run

    def __enter__(self) -> None:
        Stance.now = self.stance

    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> None:
        Stance.now = self._before


def error_on_graph_break(error_on_graph_break: bool) -> _Block:
    """Say whether a graph may end early within the block: there are no graphs."""
    return _Block()


def patch_dynamo_config(arg1: Any = None, arg2: Any = None, **kwargs: Any) -> Any:
    """Set options within a block or a function."""
    from . import config

    return config.patch(arg1, arg2, **kwargs)


def substitute_in_graph(
    original_fn: Callable[..., Any],
    *,
    can_constant_fold_through: bool = False,
    skip_signature_check: bool = False,
    is_embedded_type: bool = False,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator for a function that a compiler may take in place of *original_fn*.

    Raises TypeError for what is no function, and where the signatures differ.
    """
    if not callable(original_fn):
        raise TypeError(f"@substitute_in_graph(...) expects a function but got {type(original_fn)}")

    def wrapper(traceable_fn: Callable[..., Any]) -> Callable[..., Any]:
        if not inspect.isfunction(traceable_fn):
            raise TypeError(
                f"@substitute_in_graph(...) expects a function but got {type(traceable_fn)}"
            )
        if not skip_signature_check:
            _same_signature(original_fn, traceable_fn)

        @functools.wraps(original_fn, assigned=(), updated=())
        def dispatch_fn(*args: Any, **kwargs: Any) -> Any:
            return original_fn(*args, **kwargs)

        dispatch_fn.__name__ = traceable_fn.__name__
        return dispatch_fn

    return wrapper


def _same_signature(original: Callable[..., Any], traceable: Callable[..., Any]) -> None:
    try:
        wanted = inspect.signature(original)
    except ValueError:
        return
    found = inspect.signature(traceable)

    def facts(signature: inspect.Signature) -> list[Any]:
        return [(p.name, p.kind, p.default) for p in signature.parameters.values()]

    if facts(wanted) != facts(found):
        raise TypeError(
            f"Signature mismatch between {original} and {traceable}: {wanted} != {found}"
        )
