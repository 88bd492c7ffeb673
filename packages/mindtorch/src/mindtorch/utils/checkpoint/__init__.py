"""``torch.utils.checkpoint``: trade computing for memory.

A checkpointed function keeps its arguments, not what its ops would save; when a backward needs
that, the function is run again.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from ...core.module_names import living_in
from ...core.warning import warn
from ...nn import Sequential
from .environment import (
    DefaultDeviceType,
    _infer_device_type,
    get_device_states,
    set_device_states,
)
from .recomputing import (
    CheckpointError,
    GraphExecGroup,
    noop_context_fn,
    run_recomputed,
    set_checkpoint_debug_enabled,
    set_checkpoint_early_stop,
)
from .reentrant import CheckpointFunction, check_backward_validity, detach_variable
from .selective import (
    SAC_IGNORED_OPS,
    CheckpointPolicy,
    SelectiveCheckpointContext,
    create_selective_checkpoint_contexts,
)

__all__ = [
    "SAC_IGNORED_OPS",
    "CheckpointError",
    "CheckpointFunction",
    "CheckpointPolicy",
    "DefaultDeviceType",
    "GraphExecGroup",
    "SelectiveCheckpointContext",
    "check_backward_validity",
    "checkpoint",
    "checkpoint_sequential",
    "create_selective_checkpoint_contexts",
    "detach_variable",
    "get_device_states",
    "noop_context_fn",
    "set_checkpoint_debug_enabled",
    "set_checkpoint_early_stop",
    "set_device_states",
]

living_in(
    __name__,
    CheckpointError,
    CheckpointFunction,
    CheckpointPolicy,
    DefaultDeviceType,
    SelectiveCheckpointContext,
    check_backward_validity,
    create_selective_checkpoint_contexts,
    detach_variable,
    get_device_states,
    noop_context_fn,
    set_checkpoint_debug_enabled,
    set_checkpoint_early_stop,
    set_device_states,
)


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Callable[[], Any] = noop_context_fn,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool = True,
    **kwargs: Any,
) -> Any:
    """``function(*args, **kwargs)``, of which nothing is saved but the arguments.

    :param use_reentrant: True: the backward of the whole is one node, which runs the function
        and a backward of its own. False: each saved value is made again when it is needed.
    :param context_fn: gives two context managers, for the first run and for the next ones.
    :param determinism_check: ``"default"`` compares shape, dtype and device of what is made again;
        ``"none"`` nothing.
    :param debug: list the operators of both runs where they differ.
    :param early_stop: do not run further than to the last value that was saved.

    ``preserve_rng_state=False`` lets the second run draw other random numbers.
    Raises ValueError for arguments that do not go together, CheckpointError in backward where
    the runs differ.
    """
    if use_reentrant is None:
        warn(
            "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. "
            "Starting in PyTorch 2.9, calling checkpoint without use_reentrant will raise an "
            "exception. use_reentrant=False is recommended, but if you need to preserve the "
            "current default behavior, you can pass use_reentrant=True. Refer to docs for more "
            "details on the differences between the two variants.",
        )
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if not use_reentrant:
        return run_recomputed(
            function, args, kwargs, preserve, context_fn, determinism_check, debug, early_stop
        )
    _no_more(kwargs)
    if context_fn is not noop_context_fn or debug is not False:
        raise ValueError(
            "Passing `context_fn` or `debug` is only supported when use_reentrant=False."
        )
    return CheckpointFunction.apply(function, preserve, *args)


def checkpoint_sequential(
    functions: Any, segments: int, input: Any, use_reentrant: bool | None = None, **kwargs: Any
) -> Any:
    """The chain of *functions* at *input*, in *segments* of which all but the last are checkpoints.

    :param functions: an ``nn.Sequential`` or a list of callables.
    """
    if use_reentrant is None:
        warn(
            "torch.utils.checkpoint.checkpoint_sequential: the use_reentrant parameter should be "
            "passed explicitly. In version 2.9 we will raise an exception if use_reentrant is not "
            "passed. use_reentrant=False is recommended, but if you need to preserve the current "
            "default behavior, you can pass use_reentrant=True. Refer to docs for more details on "
            "the differences between the two variants.",
        )
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    _no_more(kwargs)
    if isinstance(functions, Sequential):
        functions = list(functions.children())
    size = len(functions) // segments
    done = 0
    for start in range(0, size * (segments - 1), size):
        done = start + size
        input = checkpoint(
            _chain(functions[start:done]),
            input,
            use_reentrant=use_reentrant,
            preserve_rng_state=preserve,
        )
    return _chain(functions[done:])(input)


def _chain(functions: Any) -> Callable[[Any], Any]:
    def run(value: Any) -> Any:
        for function in functions:
            value = function(value)
        return value

    return run


def _no_more(kwargs: dict[str, Any]) -> None:
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))


def __dir__() -> list[str]:
    return sorted(__all__)
