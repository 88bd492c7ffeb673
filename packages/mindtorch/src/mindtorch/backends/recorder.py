"""Kernels of one layout in a pipeline: recorded to run later, or computed if that costs less.

Note [Tiny operands]
    Recording costs three times what numpy takes for a few numbers, and there is no memory traffic
    to save. So where all operands are there and small, a ufunc is computed while it is recorded,
    with the same visible course of events: the result says that it is pending until the pipeline
    is flushed, and what could raise is queued. It needs no entry, only a place in
    ``Pipeline.early``, the list of what the flush has to declare settled.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from mindtorch_dispatch import current_pipeline
from mindtorch_storage import UntypedStorage

from ..call.fragments import Kernel
from ..call.row import Out
from ..core.copies import store
from ..tensor import Alias, Tensor, blank
from ..tensor.array_memory import empty_array
from .launch import Launch
from .plan import Plan

__all__ = ["TINY", "recorded"]

#: Up to how many elements an operand is tiny: 16 KiB of float32, which every cache holds.
TINY = 4096


def recorded(plan: Plan, out: Out, tiny: bool, kernel: Kernel, meta: Any) -> Callable[..., Tensor]:
    """A function of aliases and arrays that puts *kernel* into the current pipeline's queue.

    :param out: what the result looks like; its tensor, which is pending, gets *meta*.
    :param tiny: whether all operands are.
    """
    overload, run, (look,), sig = plan.overload, kernel.run, kernel.looks, meta.sig
    early, at_once = tiny and _is_pure(run), _computing(kernel)
    compute = partial(_writing if type(run) is np.ufunc else _storing, run)

    def record(aliases: tuple[Alias | None, ...], *arrays: Any) -> Tensor:
        pipe: Any = current_pipeline()
        r = blank()
        r._sig_ = sig
        r._meta_ = meta
        r._edge_ = r._state_ = None
        if early and pipe.journal is None and not (any(aliases) and any(map(_is_owed, aliases))):
            r._a_ = at_once(*arrays)
            r._shared_ = None
            waiting = pipe.early
            waiting.append(r)
            if len(waiting) + len(pipe.queue) >= pipe.max_pending:
                pipe.limit_reached()
            return r
        array = r._a_ = empty_array(tuple(out.shape), look.dtype, out.strides)
        r._shared_ = alias = Alias()
        alias.value = 0
        alias.storage = UntypedStorage._from_array(array)
        launch = Launch(overload.name, plan, arrays, [array], compute)
        pipe.record(overload, launch, (alias.storage,), None, _elsewhere(aliases, pipe))
        return r

    return record


def _computing(kernel: Kernel) -> Callable[..., Any]:
    """A function of arrays that gives the array of the result."""
    run, make, (look,) = kernel.run, kernel.make, kernel.looks
    if make is not None:
        return lambda *arrays: run(*arrays, out=make())
    if kernel.trusted:
        return run

    def compute(*arrays: Any) -> Any:
        x = run(*arrays)
        right = x.__class__ is np.ndarray and x.dtype is look.dtype and x.strides == look.strides
        return x if right else look.finish(x)

    return compute


def _is_pure(run: Callable[..., Any]) -> bool:
    """Whether a kernel is a ufunc, which cannot raise."""
    return isinstance(run.func if isinstance(run, partial) else run, np.ufunc)


def _is_owed(alias: Alias | None) -> bool:
    """Whether a queue has still to write this memory."""
    if alias is None or alias.known_storage is None:
        return False
    return alias.known_storage.pending is not None


def _elsewhere(aliases: tuple[Alias | None, ...], pipe: Any) -> tuple[Any, ...]:
    """The storages that *pipe* does not know of; see deferral's Note [Inputs of an entry]."""
    found: tuple[Any, ...] = ()
    for alias in aliases:
        if alias is not None and _is_owed(alias):
            owed = alias.storage.pending
            if owed.pipeline is not pipe or owed.error is not None:
                found = (*found, alias.storage)
    return found


def _writing(run: Any, launch: Launch) -> None:
    """Let a ufunc write into the result's memory."""
    run(*launch.values, out=launch.targets[0])


def _storing(run: Callable[..., Any], launch: Launch) -> None:
    store(launch.targets[0], run(*launch.values))
