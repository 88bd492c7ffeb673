"""Which functionalizations are in progress, and what runs below one of them.

``torch.func.functionalize`` pushes a level; inside, only its own wrappers are functional, autograd
waits below (the operators that come out are recorded as if the program had called them), and every
call goes through the Functionalize key, factories too. ``torch._enable_functionalization`` turns
the key on without a level: there autograd stays above.

Source: torch aten/src/ATen/functorch/FunctionalizeInterpreter.cpp, FunctionalTensorWrapper.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import tls

from ..core import functionality_keys

__all__ = [
    "DIRECT",
    "Level",
    "below",
    "current",
    "entered",
    "levels",
    "reapplies_views",
    "writes_back",
    "writing_back",
]

_KEY = int(K.Functionalize)
#: What waits until a level is left: autograd and the views of conjugated memory.
_WAITING = functionality_keys.AUTOGRAD_BLOCK | int(K.ADInplaceOrView | K.Conjugate | K.Negative)


class Level(NamedTuple):
    """One functionalization in progress."""

    number: int
    reapply_views: bool
    #: Included and excluded keys where it was entered.
    included: int
    excluded: int


#: The levels of this thread, outermost first.
levels: ContextVar[tuple[Level, ...]] = ContextVar("mindtorch_functionalize_levels", default=())
#: Whether views stay views where the key was turned on without a level; None while it is not.
DIRECT: ContextVar[bool | None] = ContextVar("mindtorch_functionalize_directly", default=None)
_writes_back: ContextVar[bool] = ContextVar("mindtorch_functionalize_writes_back", default=False)


def current() -> int:
    """The number of the innermost level; -1 where there is none."""
    stack = levels.get()
    return stack[-1].number if stack else -1


def reapplies_views() -> bool:
    """Whether a view op is called as it is; else its copying form is."""
    stack = levels.get()
    return stack[-1].reapply_views if stack else bool(DIRECT.get())


def writes_back() -> bool:
    """Whether changes of ordinary tensors run in their functional form: see :func:`writing_back`.

    Not inside of a level, which has tensors of its own.
    """
    return _writes_back.get() and not levels.get()


@contextmanager
def writing_back() -> Iterator[None]:
    """Changes in place run in their functional form, whose results are copied to what is changed.

    For this thread, on tensors that are not functional. What is changed stays the same tensor.
    """
    token = _writes_back.set(True)
    word = tls.state.get()
    included, excluded = tls.masks(word)
    tls.state.set(tls.with_masks(word, included | _KEY, excluded & ~_KEY))
    try:
        yield
    finally:
        now = tls.state.get()
        inside, outside = tls.masks(now)
        mine = tls.with_masks(now, inside & ~_KEY | included & _KEY, outside | excluded & _KEY)
        tls.state.set(mine)
        _writes_back.reset(token)


@contextmanager
def entered(reapply_views: bool) -> Iterator[int]:
    """One level more; gives its number."""
    stack = levels.get()
    word = tls.state.get()
    included, excluded = tls.masks(word)
    level = Level(len(stack) + 1, reapply_views, included, excluded)
    inside = tls.with_masks(word, included | _KEY, (excluded | _WAITING) & ~_KEY)
    token, state = levels.set((*stack, level)), tls.state.set(inside)
    try:
        yield level.number
    finally:
        tls.state.reset(state)
        levels.reset(token)


def below(function: Callable[..., Any], *args: Any) -> Any:
    """Call *function* as the innermost functionalization's kernels do: one level less.

    Keys that a program has included or excluded since stay so.
    """
    stack = levels.get()
    word = tls.state.get()
    included, excluded = tls.masks(word)
    if stack:
        level = stack[-1]
        included = included & ~_KEY | level.included & _KEY
        excluded = excluded & ~_WAITING | level.excluded & _WAITING
        token = levels.set(stack[:-1])
    else:
        included &= ~_KEY
        excluded |= functionality_keys.AUTOGRAD_BLOCK | int(K.ADInplaceOrView)
        token = None
    state = tls.state.set(tls.with_masks(word, included, excluded))
    try:
        return function(*args)
    finally:
        tls.state.reset(state)
        if token is not None:
            levels.reset(token)
