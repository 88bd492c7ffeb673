"""Inside ``grad``, ``vjp`` and ``jvp`` a function may not change what it did not make or was given.

torch wraps each tensor of a level; what has no wrapper was captured. Here tensors that an op makes
while a level is open carry the level's number, views that of their tensor, and arguments are known
by themselves. While no level is open nothing is looked at: a level sets a flag in the thread's
state word, and what stands in the call tables for such a word does the rest.

Source: torch aten/src/ATen/functorch/ADInterpreters.cpp, checkForInvalidMutationOnCaptures.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from mindtorch_dispatch import tls

from ..call.arguments import tensors_of
from ..call.dispatch_entry import Call
from ..call.forms import gradient_name, out_has_no_formula
from ..call.fragments import Around, Below, telling
from ..call.overload import INPLACE, OUT, Overload
from ..call.specialize import specialize
from ..core import signature as S
from ..core.errors import out_needs_no_grad
from ..tensor import Tensor
from .batching import Birth, births, levels

__all__ = [
    "arguments",
    "birth_of",
    "capturing_call",
    "check",
    "inherit",
    "layers",
    "level_of_captures",
    "own",
    "refuse_new_data",
]

_NAME = "_born"
_numbers = itertools.count(1)
#: Whether rules run for an in-place call that was looked at: what they change is its target.
_checked: ContextVar[bool] = ContextVar("mindtorch_checked_capture", default=False)


#: Composite ops that torch takes apart before it looks.
_TAKEN_APART = frozenset(
    ("alpha_dropout_", "dropout_", "feature_alpha_dropout_", "feature_dropout_")
)


@contextmanager
def level_of_captures(reverse: bool) -> Iterator[None]:
    """In the block, what is not made there is captured.

    :param reverse: the level is one of reverse mode.
    """
    level = Birth(next(_numbers), len(levels.get()), {}, reverse)
    outer, word = births.get(), tls.state.get()
    more = tls.extra(word)
    try:  # see Note [Interrupts]
        births.set((*outer, level))
        tls.state.set(tls.with_extra(word, more | tls.TRANSFORMED))
        yield
    finally:
        try:
            word = tls.state.get()
            if not more & tls.TRANSFORMED:
                tls.state.set(tls.with_extra(word, tls.extra(word) & ~tls.TRANSFORMED))
        finally:
            births.set(outer)


def own(t: Tensor) -> Tensor:
    """Make *t* a tensor of the innermost level."""
    t.__dict__[_NAME] = births.get()[-1].number
    return t


def arguments(values: Iterable[Any], remade: Iterable[Any]) -> None:
    """The innermost level was given *values*, and made those of *remade* anew."""
    given = births.get()[-1].arguments
    for t in values:
        if isinstance(t, Tensor):
            given[id(t)] = t
    for t in remade:
        given.pop(id(t), None)


def inherit(made: Tensor, t: Tensor) -> None:
    """*made* is of the level that *t* is of."""
    number = _level(t)
    if number:
        made.__dict__[_NAME] = number


def _level(t: Any) -> int:
    """The number of the level of which *t* is, or the tensor whose sample it is; 0 if none."""
    found = 0
    while True:
        found = max(found, t.__dict__.get(_NAME, 0))
        for birth in births.get():
            if id(t) in birth.arguments:
                found = max(found, birth.number)
        if not t._sig_ & S.BATCHED:
            return found
        t = t._batched.value


def birth_of(t: Any) -> Birth | None:
    """The open level of which *t* is, if it is of one."""
    number = _level(t)
    return next((birth for birth in births.get() if birth.number == number), None)


def capturing_call(overload: Overload, sig: int) -> Call:
    """The call of *overload* while a level is open."""
    inner = specialize(overload, sig, after="transforms")
    if overload.kind == INPLACE and overload.base not in _TAKEN_APART:
        at = overload.mutable_position

        def changing(*args: Any) -> Any:
            if _checked.get() or not _check(overload, args[at], args):
                return inner(*args)
            try:  # see Note [Interrupts]
                _checked.set(True)
                return inner(*args)
            finally:
                _checked.set(False)

        return changing
    if overload.kind == OUT:
        return _refusing_out(overload, inner)
    if overload.kind == INPLACE:
        return inner
    viewing = overload.row.view is not None and overload.base != "lift_fresh"

    def note(result: Any, args: tuple[Any, ...]) -> None:
        open_levels = births.get()
        if open_levels:  # else only a context that was put together by hand has the flag
            for r in result if isinstance(result, (tuple, list)) else (result,):
                if isinstance(r, Tensor) and _NAME not in r.__dict__:
                    _note(overload, r, args, open_levels[-1].number, viewing)

    def call(*args: Any) -> Any:
        result = inner(*args)
        note(result, args)
        return result

    def lines(
        arguments: tuple[Any, ...], texts: Sequence[str], below: Below
    ) -> tuple[list[str], dict[str, Any]] | None:
        if not below.wrapped:
            return None
        every = "".join([f"{text}, " for text in texts])
        return [*below.lines, f"result = {below.result}", f"note(result, ({every}))"], {
            "note": note
        }

    return telling(call, around=Around(inner, lines))


def _refusing_out(overload: Overload, inner: Call) -> Call:
    """``out=`` has no gradient: the innermost level says so before any ``vmap``."""

    if out_has_no_formula(overload.row):
        return inner

    def call(*args: Any) -> Any:
        innermost = births.get()[-1:]
        if innermost and innermost[0].depth == len(levels.get()) and innermost[0].reverse:
            given = [a for i, a in enumerate(args) if i not in overload.out_positions]
            if any(isinstance(a, Tensor) and _bottom(a)._sig_ & S.REQUIRES_GRAD for a in given):
                raise out_needs_no_grad(gradient_name(overload.row))
        return inner(*args)

    return call


def _bottom(t: Any) -> Any:
    while t._sig_ & S.BATCHED:
        t = t._batched.value
    return t


def _note(overload: Overload, r: Tensor, args: tuple[Any, ...], number: int, viewing: bool) -> None:
    """Say of which level *r* is, which the op gave for *args*.

    By ``alias`` torch's own code changes what a level has captured: running statistics.
    """
    if overload.base == "alias":
        r.__dict__[_NAME] = number
        return
    memory = r._shared_
    for t in tensors_of(overload, args):
        if r is t:
            return
        if viewing or (
            memory is not None and memory is t._shared_ and overload.base != "lift_fresh"
        ):
            inherit(r, t)
            return
    r.__dict__[_NAME] = number


def check(name: str, target: Any) -> None:
    """Raise RuntimeError where *target* was captured by a level and the op *name* changes it."""
    if births.get() and _level(target) < births.get()[-1].number:
        raise _captured(name)


def refuse_new_data(t: Any) -> None:
    """Raise RuntimeError for ``t.data = …`` of a tensor of the innermost level."""
    if births.get()[-1].depth == len(levels.get()) and _level(t):
        raise RuntimeError(
            "mutating directly with `.data` inside functorch transform is not allowed."
        )


def _check(overload: Overload, target: Any, args: tuple[Any, ...]) -> bool:
    """Whether no level captured *target*. Raises RuntimeError where one did.

    Levels and ``vmap``s are asked from the innermost on. A ``vmap`` in which the target has no
    samples and another argument has refuses the call in its own words, so that is not known then.
    """
    if not isinstance(target, Tensor):
        return False
    found = _level(target)
    inside = levels.get()
    for birth in reversed(births.get()):
        for level in reversed(inside[birth.depth :]):
            batched = [t for t in tensors_of(overload, args) if _batched_at(t, level.number)]
            if batched and not any(t is target for t in batched):
                return False
        inside = inside[: birth.depth]
        if found < birth.number:
            raise _captured(overload.name)
    return True


def _batched_at(t: Any, number: int) -> bool:
    while t._sig_ & S.BATCHED:
        if t._batched.level == number:
            return True
        t = t._batched.value
    return False


def layers(t: Any) -> tuple[list[str], Any]:
    """How torch prints that *t* belongs to the levels and ``vmap``s that are open, and its value.

    :return: a line for each of them, outermost last, and what stands inside.
    """
    found, lines = _level(t), []
    inside, around = levels.get(), births.get()
    number = len(inside) + len(around)
    while number:
        if around and around[-1].depth == len(inside):
            if found >= around[-1].number:
                lines.append(f"GradTrackingTensor(lvl={number}, value=")
            around = around[:-1]
        else:
            if t._sig_ & S.BATCHED and t._batched.level == inside[-1].number:
                t, bdim, _ = t._batched
                lines.append(f"BatchedTensor(lvl={number}, bdim={bdim}, value=")
            inside = inside[:-1]
        number -= 1
    return lines, t


def _captured(name: str) -> RuntimeError:
    return RuntimeError(
        "During a grad (vjp, jvp, grad, etc) transform, the function provided attempted to call "
        f"in-place operation ({name}) that would mutate a captured Tensor. This is not supported; "
        "please rewrite the function being transformed to explicitly accept the mutated Tensor(s) "
        "as inputs."
    )
