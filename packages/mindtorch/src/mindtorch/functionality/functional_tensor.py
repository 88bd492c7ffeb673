"""Functional tensors: what looks like a tensor that can be changed, over values that never are.

A functional tensor holds a value, an ordinary tensor. An op that changes it computes a new value
and puts that in its place. All that alias one another share a :class:`Base`: the value of what
owns the memory and the changes that were made through its views. A view knows the steps that
lead to it from the base. Before it is read, the waiting changes are written into the base by the
inverse of the steps of whoever made them, and the view is made anew.

Source: torch aten/src/ATen/FunctionalTensorWrapper.cpp, FunctionalStorageImpl.cpp.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from mindtorch_storage.layout import contiguous_strides

from ..call.dispatch_entry import OVERLOADS, run
from ..core import signature as S
from ..core.constants import strided
from ..tensor import Tensor
from ..tensor.array_memory import strided_view
from ..tensor.tensor_impl import alias_of
from .functionalization_levels import below

__all__ = [
    "Base",
    "Functional",
    "Step",
    "change",
    "functional",
    "is_functional",
    "made_view",
    "step_in_place",
    "sync",
    "take_over",
    "wrapped",
]

_new = object.__new__


class Step(NamedTuple):
    """One view op: how it is done again, and how a change of its result reaches its base."""

    #: ``again(base)`` gives the view.
    again: Callable[[Tensor], Tensor]
    #: ``inverse(base, view)`` gives the base with the view's elements in their place.
    inverse: Callable[[Tensor, Tensor], Tensor]
    is_window: bool = False


class Base:
    """What the aliases of one memory share."""

    __slots__ = ("generation", "updates", "value")

    def __init__(self, value: Tensor) -> None:
        self.value = value
        #: Changes not yet written into the value: what a view became, and its steps.
        self.updates: list[tuple[Tensor, tuple[Step, ...]]] = []
        #: Counts the changes.
        self.generation = 0

    def add(self, value: Tensor, steps: tuple[Step, ...]) -> None:
        """A view of that many steps has become *value*."""
        if len(steps) > 1:
            for i, step in enumerate(steps[1:], 1):
                if step.is_window:
                    raise RuntimeError(_WINDOW.format(len(steps), i))
        self.updates.append((value, steps))
        self.generation += 1

    def apply(self) -> None:
        """Write the changes into the value."""
        waiting, self.updates = self.updates, []
        for value, steps in waiting:
            self.value = below(_into_base, self.value, value, steps)


_WINDOW = (
    "During torch.compile, encountered a mutation on a view chain of length {}, where view {} was "
    "an as_strided() call. as_strided() is non-compositional, and therefore is not possible to "
    "functionalize properly today,so this behavior is banned in compile. As a workaround, you can "
    "either remove the mutation from the model code, or you can insert a graph break right before "
    "the mutation with torch._dynamo.graph_break(). If you would like this behavior to work "
    "properly, please comment on https://github.com/pytorch/pytorch/issues/104505."
)


def _into_base(base: Tensor, value: Tensor, steps: tuple[Step, ...]) -> Tensor:
    if not steps:
        return value
    on_the_way = [base]
    for step in steps[:-1]:
        on_the_way.append(step.again(on_the_way[-1]))
    for step, view in zip(reversed(steps), reversed(on_the_way), strict=True):
        value = step.inverse(view, value)
    return value


class Functional:
    """What a functional tensor stands for."""

    __slots__ = ("base", "generation", "level", "steps", "value")

    def __init__(self, value: Tensor, base: Base, steps: tuple[Step, ...], level: int) -> None:
        self.value = value
        self.base = base
        self.steps = steps
        self.level = level
        #: The count of the base's changes that the value has seen.
        self.generation = 0

    def twin(self) -> Functional:
        """What another tensor over the same memory stands for."""
        made = Functional(self.value, self.base, self.steps, self.level)
        made.generation = self.generation
        return made


def functional(t: Any, level: int) -> Functional | None:
    """What *t* stands for, if it is functional at *level*."""
    if isinstance(t, Tensor) and t._sig_ & S.FUNCTIONAL:
        found: Functional = t._content_
        return found if found.level == level else None
    return None


def is_functional(t: Tensor) -> bool:
    """Whether *t* is a functional tensor of any level."""
    return bool(t._sig_ & S.FUNCTIONAL)


def wrapped(value: Any, level: int) -> Any:
    """*value* as a functional tensor that owns its memory; lists and tuples of values too."""
    if isinstance(value, Tensor):
        return _tensor(Functional(value, Base(value), (), level))
    if isinstance(value, (tuple, list)):
        return type(value)([wrapped(v, level) for v in value])
    return value


def made_view(value: Tensor, of: Functional, step: Step) -> Tensor:
    """A view that begins as *value*."""
    return _tensor(Functional(value, of.base, (*of.steps, step), of.level))


def _tensor(stands_for: Functional) -> Tensor:
    t: Any = _new(getattr(stands_for.value, "functional_class", Tensor))
    t._shared_ = t._state_ = t._edge_ = None
    t._sig_ = 0
    t._content_ = stands_for
    _look_like(t, stands_for.value)
    return t


#: What a functional tensor has that its value has not.
_KEPT = S.REQUIRES_GRAD | S.VIEWS | S.FUNCTION | S.DUAL


def _look_like(t: Tensor, value: Tensor) -> None:
    a = value._a_
    item = a.itemsize
    strides = tuple([s // item for s in a.strides]) if a.size else contiguous_strides(a.shape)
    offset = Tensor.storage_offset(value)  # that of this run, if *value* tells a symbol
    t._a_ = strided_view(np.empty(1, a.dtype), a.shape, strides, offset)
    t._meta_ = S.STALE
    backend = value._sig_ & S.BACKENDS
    t._sig_ = (
        t._sig_ & _KEPT
        | S.of_array(t._a_, backend)
        | value._sig_ & S.LAZY
        | S.NO_MEMORY
        | S.FUNCTIONAL
    )
    t._meta_ = S.STALE
    if backend & S.ACCELERATORS:
        alias_of(t).storage = alias_of(value).storage  # knows the device


def _become(t: Tensor, value: Tensor) -> None:
    """Put *value* in the place of *t*'s."""
    stands_for: Functional = t._content_
    stands_for.value = value
    _look_like(t, value)


def change(t: Tensor, value: Tensor) -> None:
    """*t* was changed and is *value* now; so does all that shares its memory."""
    stands_for: Functional = t._content_
    if value.dtype != t.dtype:
        value = below(_in_dtype, value, t.dtype)
    _become(t, value)
    stands_for.base.add(value, stands_for.steps)
    sync(t)


def _in_dtype(value: Tensor, dtype: Any) -> Tensor:
    overload = OVERLOADS["aten::_to_copy"]
    overload.analyse()
    return run(overload, (value, dtype, strided, *overload.defaults[3:]))


def sync(t: Tensor) -> None:
    """Bring *t* up to date with its base."""
    stands_for: Functional = t._content_
    base = stands_for.base
    if stands_for.generation == base.generation:
        return
    base.apply()
    value = below(_again, base.value, stands_for.steps) if stands_for.steps else base.value
    _become(t, value)
    stands_for.generation = base.generation


def _again(value: Tensor, steps: tuple[Step, ...]) -> Tensor:
    for step in steps:
        value = step.again(value)
    return value


def take_over(t: Tensor, stands_for: Functional) -> None:
    """Let *t* stand for something else."""
    t._content_ = stands_for
    _look_like(t, stands_for.value)


def step_in_place(t: Tensor, step: Step) -> None:
    """*t* looks at its memory another way from now on."""
    stands_for: Functional = t._content_
    stands_for.steps = (*stands_for.steps, step)
    _become(t, below(step.again, stands_for.value))
