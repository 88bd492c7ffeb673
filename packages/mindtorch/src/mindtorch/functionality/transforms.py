"""Which transforms of ``torch.func`` run in this thread, and what they forbid.

``vmap``s are known to ``batching`` already; here are the levels of ``grad``, ``vjp`` and ``jvp``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from mindtorch_autograd import function, grad_mode, installed
from mindtorch_dispatch import DispatchKey, tls
from mindtorch_dispatch.keys import AUTOGRAD_MASK

from ..core.compiling import end_graph
from ..tensor import gradient
from . import transform_guards
from .batching import births, bottom, levels
from .functionalization_levels import levels as functionalizations

#: The levels of derivatives that are open, outermost first.
open_transforms: ContextVar[tuple[Any, ...]] = ContextVar("mindtorch_transforms", default=())


#: Whether the ``vmap`` that runs is one of autograd itself, in which more is allowed.
_own: ContextVar[bool] = ContextVar("mindtorch_own_vmap", default=False)


def active() -> bool:
    """Whether any transform runs, ``vmap`` and ``functionalize`` included."""
    return bool(open_transforms.get() or levels.get() or functionalizations.get())


def is_own() -> bool:
    """Whether ``vmap`` is used by autograd at the moment, not by the user."""
    return _own.get()


@contextmanager
def own_vmap() -> Iterator[None]:
    """In the block, ``vmap`` is used by autograd, not by the user."""
    token = _own.get()
    try:
        _own.set(True)
        yield
    finally:
        _own.set(token)


#: The keys that a level needs, whatever the caller excluded.
_NEEDED = AUTOGRAD_MASK | int(DispatchKey.ADInplaceOrView) | int(DispatchKey.FuncTorchBatched)


@contextmanager
def transform(level: Any) -> Iterator[None]:
    """*level* is open in the block: inference mode is off, and calls are recorded.

    Source of the latter: torch aten/src/ATen/functorch/Interpreter.cpp, setup_dispatch_key_tls.
    """
    end_graph("a transform")
    outer, before = open_transforms.get(), grad_mode.state.get()
    hidden = hidden_keys()
    try:  # see Note [Interrupts]
        open_transforms.set((*outer, level))
        if before & grad_mode.INFERENCE:
            grad_mode.state.set(before & ~grad_mode.INFERENCE)
        if hidden:
            set_hidden(0)
        with transform_guards.level_of_captures(not isinstance(level, int)):
            yield
    finally:
        try:
            if before & grad_mode.INFERENCE:
                grad_mode.state.set(before)
            if hidden:
                set_hidden(hidden)
        finally:
            open_transforms.set(outer)


def hidden_keys() -> int:
    """The keys that a level needs and that are excluded."""
    return tls.masks(tls.state.get())[1] & _NEEDED


def set_hidden(keys: int) -> None:
    """Exclude exactly *keys* of those that a level needs."""
    word = tls.state.get()
    included, excluded = tls.masks(word)
    tls.state.set(tls.with_masks(word, included, excluded & ~_NEEDED | keys))


def history_of(sample: Any) -> tuple[bool, Any]:
    """Whether a level inside of the ``vmap`` differentiates *sample*, and the node that made it.

    torch's levels each wrap a tensor anew, and it answers as the innermost wrapper does.
    """
    birth = transform_guards.birth_of(sample) if births.get() else None
    if birth is None or not birth.reverse or birth.depth < sample._batched.level:
        return False, None
    level = open_transforms.get()[births.get().index(birth)]
    t = bottom(sample)
    if not level.reaches(t):
        return False, None
    return True, None if any(t is x for x in level.inputs) else t.grad_fn


def refuse_function() -> None:
    """Raise RuntimeError inside of a transform, for a Function without ``setup_context``.

    Source: torch autograd/function.py, Function.apply.
    """
    if active() and not _own.get():
        raise RuntimeError(
            "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, "
            "jacrev, ...), it must override the setup_context staticmethod. For more details, "
            "please see https://pytorch.org/docs/main/notes/extending.func.html"
        )


def refuse_marking(method: str, or_else: str = "") -> None:
    """Raise RuntimeError inside of a transform, for a *method* that prepares a ``backward()``.

    Source: torch aten/src/ATen/functorch/DynamicLayer.cpp, checkSupportsInplaceRequiresGrad and
    checkSupportsRetainGrad.
    """
    if active() and not _own.get():
        raise RuntimeError(
            f"You are attempting to call Tensor.{method}(){or_else} inside of a function being "
            "transformed by a functorch transform. This is unsupported, please attempt to use the "
            "functorch transforms (e.g. grad, vjp, jacrev, jacfwd, hessian) or call "
            f"{method}() outside of a function being transformed instead."
        )


def refuse_backward() -> None:
    """Raise RuntimeError inside of a transform, a backward of a batch of gradients included."""
    if not (open_transforms.get() or levels.get() or functionalizations.get()):
        return
    if _own.get():
        raise RuntimeError(
            "backward() called inside torch.vmap. This is not supported, please call backward() "
            "outside torch.vmap or instead use torch.autograd.grad inside torch.vmap"
        )
    raise RuntimeError(
        "backward() called inside a functorch transform. This is not supported, please use "
        "functorch.grad or functorch.vjp instead or call backward() outside of functorch "
        "transforms."
    )


gradient.transforms = sys.modules[__name__]
function.refuse_joined = refuse_function
installed.refuse_backward = refuse_backward
