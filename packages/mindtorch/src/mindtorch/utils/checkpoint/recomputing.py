"""Checkpoints without a backward of their own: what nodes saved is made again when it is asked for.

Note [Frames]
    Each call is a :class:`_CheckpointFrame`. While the function runs, each value that a node saves
    is replaced by a :class:`_Holder`. The first of them that a backward unpacks makes the function
    run again, under hooks that catch the values in the same order; the frame keeps them, for this
    backward, until their holders ask. A holder gives its value once per backward.

Source of the rules: torch/utils/checkpoint.py.
"""

from __future__ import annotations

import weakref
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from itertools import count
from typing import Any

from mindtorch_autograd import SavedVariable, enable_grad, is_grad_enabled, no_grad
from mindtorch_autograd import saved_tensors_hooks as hooks
from mindtorch_autograd.graph_task import current_graph_task

from ...core.pickling import Named
from ...core.tracebacks import shorten
from ...tensor import Tensor
from .environment import Environment
from .errors import CheckpointError
from .listing import listing_contexts

_TIP = """
Tip: To see a more detailed error message, either pass `debug=True` to
`torch.utils.checkpoint.checkpoint(...)` or wrap the code block
with `with torch.utils.checkpoint.set_checkpoint_debug_enabled(True):` to
enable checkpoint\u2011debug mode globally.

If this error occurs under torch.compile with automatic_dynamic_shapes enabled,
it may be because the recomputation selected a different compiled graph than the
forward pass (e.g., a dynamic graph instead of the original static graph).
To fix this, either:
  - Use torch._dynamo.mark_dynamic() to explicitly mark varying dimensions as
    dynamic upfront, avoiding the static-to-dynamic transition.
  - Call torch._C._dynamo.eval_frame._set_lru_cache(False) to disable LRU cache
    reordering, which can change which graph is checked first between forward
    and recompute.
See https://github.com/pytorch/pytorch/issues/166926 for more details and
workaround examples.
"""


class _StopRecomputationError(Exception):
    """All that was saved is there again: the rest of the function need not run."""


def noop_context_fn() -> tuple[Any, Any]:
    """Two context managers that do nothing."""
    return nullcontext(), nullcontext()


# Switches for the process; None leaves it to the arguments of a call.
_early_stop: bool | None = None
_debug: bool | None = None


@contextmanager
def set_checkpoint_early_stop(enable: bool) -> Iterator[None]:
    """Decide for all checkpoints in the body whether they stop early."""
    global _early_stop
    before, _early_stop = _early_stop, enable
    try:
        yield
    finally:
        _early_stop = before


@contextmanager
def set_checkpoint_debug_enabled(enabled: bool | None) -> Iterator[None]:
    """Decide for all checkpoints in the body whether they list their operators."""
    global _debug
    before, _debug = _debug, enabled
    try:
        yield
    finally:
        _debug = before


_group: ContextVar[GraphExecGroup | None] = ContextVar("mindtorch_graph_group", default=None)


class GraphExecGroup(metaclass=Named):
    """Backwards in the body are parts of one: what a checkpoint makes again serves all of them."""

    __module__ = "torch.utils.checkpoint"

    def __enter__(self) -> GraphExecGroup:
        before = _group.get()
        if before is not None:
            raise RuntimeError(
                f"GraphExecGroup contexts cannot be nested. Already inside group {before}"
            )
        _group.set(self)
        return self

    def __exit__(self, *error: object) -> None:
        _group.set(None)

    @classmethod
    def _get_current_group(cls) -> GraphExecGroup | None:
        return _group.get()


class _Handle:
    """Stands for one value that was made again, as long as its holder may ask for it."""


class _Holder:
    """What a node keeps in place of a value. Per backward: the handle, None once it was used."""

    def __init__(self) -> None:
        self.handles: dict[Any, _Handle | None] = {}


class _CheckpointFrame:
    """One call of a checkpointed function. See Note [Frames]."""

    def __init__(
        self,
        again: Callable[..., None],
        args: tuple[Any, ...],
        early_stop: bool,
        describe: Callable[[Any], Any],
    ) -> None:
        self.again = again
        self.args = [SavedVariable(a) if isinstance(a, Tensor) else a for a in args]
        self.early_stop = early_stop
        self.describe = describe
        self.holders: list[weakref.ref[_Holder]] = []
        self.facts: list[Any] = []
        #: Per backward: what was made again, how many so far, and whether the run is over.
        self.made: dict[Any, Any] = defaultdict(weakref.WeakKeyDictionary)
        self.counts: dict[Any, int] = defaultdict(int)
        self.done: set[Any] = set()
        self.forward_completed = False
        self.counts_may_differ = False

    def pack(self, x: Any) -> _Holder:
        """Forget a value of the first run."""
        holder = _Holder()
        self.holders.append(weakref.ref(holder))
        with no_grad():
            self.facts.append(self.describe(x))
        return holder

    def unpack(self, holder: _Holder) -> Any:
        """The value again."""
        key = _current_key()
        if key not in self.done:
            args = [a.unpack() if isinstance(a, SavedVariable) else a for a in self.args]
            try:
                with hooks(self.catcher(key), lambda x: x), enable_grad():
                    self.again(*args)
            except _StopRecomputationError:
                pass
            self.done.add(key)
            self.check(key)
        assert key in holder.handles, "the value was not made again"
        handle = holder.handles[key]
        if handle is None:
            extra = ""
            if _group.get() is not None:
                extra = (
                    "Performing two backward calls that overlap (i.e. require the same saved "
                    "activation in order to compute gradients) is not allowed while under the "
                    "torch.utils.checkpoint.GraphExecGroup context. "
                )
            raise CheckpointError(
                "torch.utils.checkpoint: Unpack is being triggered for a tensor that was already "
                f"unpacked once. {extra}If you are calling ctx.saved_tensors in backward, make "
                "sure to do so only once. Otherwise please open an issue with details on your "
                "use case."
            )
        value = self.made[key][handle]
        holder.handles[key] = None
        return value

    def catcher(self, key: Any) -> Callable[[Any], Any]:
        """The pack hook of a second run: it keeps what the first one forgot."""
        me = weakref.ref(self)

        def catch(x: Any) -> Any:
            frame = me()
            assert frame is not None
            if x.requires_grad:
                x = x.detach()
            at = frame.counts[key]
            frame.counts[key] += 1
            if at >= len(frame.holders):
                assert not frame.early_stop
                if not frame.forward_completed:
                    # A backward inside the function, and no early stop: the counts say nothing.
                    frame.counts_may_differ = True
                    return x
                raise CheckpointError(
                    "torch.utils.checkpoint: trying to save more tensors during recomputation "
                    f"than during the original forward pass.\n{_TIP}"
                )
            holder = frame.holders[at]()
            if holder is not None:  # else a backward inside the function has used it up
                handle = holder.handles[key] = _Handle()
                frame.made[key][handle] = x
            if frame.early_stop and frame.counts[key] == len(frame.holders):
                raise _StopRecomputationError
            return x

        return catch

    def check(self, key: Any) -> None:
        """Compare what was made again with what there was."""
        if self.counts_may_differ:
            return
        if len(self.holders) != self.counts[key]:
            raise CheckpointError(
                "torch.utils.checkpoint: A different number of tensors was saved during the "
                "original forward and recomputation.\n"
                f"Number of tensors saved during forward: {len(self.holders)}\n"
                f"Number of tensors saved during recomputation: {self.counts[key]}.\n{_TIP}"
            )
        differing = ""
        for i, ref in enumerate(self.holders):
            holder = ref()
            if holder is None:
                continue
            found = self.describe(self.made[key][holder.handles[key]])
            if found != self.facts[i]:
                differing += (
                    f"tensor at position {i}:\nsaved metadata: {self.facts[i]}\n"
                    f"recomputed metadata: {found}\n"
                )
        if differing:
            raise CheckpointError(
                "torch.utils.checkpoint: Recomputed values for the following tensors have "
                f"different metadata than during the forward pass.\n{differing}.\n{_TIP}"
            )


_lone = count()


def _current_key() -> Any:
    """What values made again belong to: the group, the running backward, or this very access."""
    group = _group.get()
    if group is not None:
        return group
    task = current_graph_task()
    return ("alone", next(_lone)) if task is None else task.number


def _facts(x: Any) -> dict[str, Any]:
    return {"shape": x.shape, "dtype": x.dtype, "device": x.device}


_CHECKS: dict[str, Callable[[Any], Any]] = {"default": _facts, "none": lambda x: None}


@contextmanager
def recomputed(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    preserve_rng_state: bool = True,
    context_fn: Callable[[], Any] = noop_context_fn,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool = True,
) -> Iterator[None]:
    """Let what nodes save in the body be made again by ``function(*args, **kwargs)``.

    See ``checkpoint`` for the arguments, and for the errors.
    """
    on_error: Callable[[CheckpointError], Any] | None = None
    if debug if _debug is None else _debug:
        if context_fn is not noop_context_fn:
            raise ValueError("debug=True is incompatible with non-default context_fn")
        context_fn, on_error = listing_contexts()
    if determinism_check not in _CHECKS:
        raise ValueError(
            f"determinism_check should be one of {list(_CHECKS)}, but got {determinism_check}"
        )
    first_context, again_context = context_fn()
    environment = Environment(args, preserve_rng_state)

    def again(*args: Any) -> None:
        with environment.again(), again_context:
            function(*args, **kwargs)

    if not is_grad_enabled():
        yield
        return
    stop = early_stop if _early_stop is None else _early_stop
    frame = _CheckpointFrame(again, args, stop, _CHECKS[determinism_check])
    unpack = frame.unpack if on_error is None else _explained(frame.unpack, on_error)
    with hooks(frame.pack, unpack), first_context:
        yield
    frame.forward_completed = True


def run_recomputed(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    preserve_rng_state: bool,
    context_fn: Callable[[], Any],
    determinism_check: str,
    debug: bool,
    early_stop: bool,
) -> Any:
    """The first run of a function whose saved values are made again; see ``checkpoint``."""
    how = (preserve_rng_state, context_fn, determinism_check, debug, early_stop)
    try:
        swallowed = True
        with recomputed(function, args, kwargs, *how):
            result = function(*args, **kwargs)
            swallowed = False
        if swallowed:
            raise RuntimeError(
                "torch.utils.checkpoint: the forward context provided by context_fn suppressed an "
                "exception raised during the checkpointed forward. This is not supported because "
                "checkpoint cannot return a value for a failed forward."
            )
        return result
    except Exception as error:
        shorten(error)
        raise


def _explained(
    unpack: Callable[[Any], Any], on_error: Callable[[CheckpointError], Any]
) -> Callable[[Any], Any]:
    def run(holder: Any) -> Any:
        try:
            return unpack(holder)
        except CheckpointError as error:
            return on_error(error)

    return run
