"""Which transforms of ``torch.func`` run in this thread, and what they forbid.

``vmap``s are known to ``batching`` already; here are the levels of ``grad``, ``vjp`` and ``jvp``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from mindtorch_autograd import function, grad_mode

from .._tensor import gradient
from . import captures
from .batching import levels

#: The levels of derivatives that are open, outermost first.
open_transforms: ContextVar[tuple[Any, ...]] = ContextVar("mindtorch_transforms", default=())


#: Whether the ``vmap`` that runs is one of autograd itself, in which more is allowed.
_own: ContextVar[bool] = ContextVar("mindtorch_own_vmap", default=False)


def active() -> bool:
    """Whether any transform runs, ``vmap`` included."""
    return bool(open_transforms.get() or levels.get())


@contextmanager
def own_vmap() -> Iterator[None]:
    """In the block, ``vmap`` is used by autograd, not by the user."""
    token = _own.get()
    try:
        _own.set(True)
        yield
    finally:
        _own.set(token)


@contextmanager
def transform(level: Any) -> Iterator[None]:
    """*level* is open in the block, in which inference mode is off."""

    outer, before = open_transforms.get(), grad_mode.state.get()
    try:  # see Note [Interrupts]
        open_transforms.set((*outer, level))
        if before & grad_mode.INFERENCE:
            grad_mode.state.set(before & ~grad_mode.INFERENCE)
        with captures.level_of_captures(not isinstance(level, int)):
            yield
    finally:
        try:
            if before & grad_mode.INFERENCE:
                grad_mode.state.set(before)
        finally:
            open_transforms.set(outer)


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
    """Raise RuntimeError inside of a transform."""
    if active():
        raise RuntimeError(
            "backward() called inside a functorch transform. This is not supported, please use "
            "functorch.grad or functorch.vjp instead or call backward() outside of functorch "
            "transforms."
        )


gradient.transforms = sys.modules[__name__]
function.refuse_joined = refuse_function
