"""``checkpoint``: a module whose activations are computed again, and which stays what it is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from ... import nn
from ...utils.checkpoint.recomputing import recomputed
from .._composable_state import _State
from .contract import contract

__all__ = ["checkpoint"]


class _CheckpointState(_State):
    """Whether the hooks of a module do something, and what the forward that runs is under."""

    enable_hook: bool = False
    _running: Any = None


@contextmanager
def _no_hook(module: nn.Module, inside: Any = None) -> Iterator[None]:
    """Let hooks do nothing while activations are computed again."""
    state = checkpoint.state(module)
    with inside or nullcontext():
        before, state.enable_hook = state.enable_hook, False
        try:
            yield
        finally:
            state.enable_hook = before


@contract(_CheckpointState)
def checkpoint(module: nn.Module, **kwargs: Any) -> nn.Module:
    """Save nothing of a module's forward but its arguments; backward runs it again.

    Takes the arguments of :func:`torch.utils.checkpoint.checkpoint`.

    Raises NotImplementedError for ``use_reentrant=True``, ValueError for unknown arguments.
    """
    if kwargs.pop("use_reentrant", False):
        raise NotImplementedError(
            "use_reentrant=True is not supported in composable checkpoint. Please use "
            "torch.utils.checkpoint.checkpoint instead."
        )
    known = ("preserve_rng_state", "determinism_check", "debug", "early_stop")
    how = {name: kwargs.pop(name) for name in known if name in kwargs}
    contexts = kwargs.pop("context_fn", None)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))

    def before(module: nn.Module, args: Any, kwargs: Any) -> None:
        state = checkpoint.state(module)
        if not state.enable_hook:
            return

        def both() -> tuple[Any, Any]:
            first, again = contexts() if contexts is not None else (nullcontext(), None)
            return first, _no_hook(module, again)

        running = recomputed(module, args, kwargs, context_fn=both, **how)
        running.__enter__()
        state._running = running

    def after(module: nn.Module, args: Any, output: Any) -> None:
        state = checkpoint.state(module)
        if state.enable_hook and state._running is not None:
            running, state._running = state._running, None
            running.__exit__(None, None, None)

    checkpoint.state(module).enable_hook = True
    module.register_forward_pre_hook(before, with_kwargs=True)
    module.register_forward_hook(after, prepend=True, always_call=True)
    return module
