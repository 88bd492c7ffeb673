"""Ops that the Functionalize key treats in a way of their own: ``lift_fresh``, ``resize_``.

Source: torch aten/src/ATen/FunctionalizeFallbackKernel.cpp.
"""

from __future__ import annotations

import sys
from typing import Any

from mindtorch_storage.layout import contiguous_strides, storage_nbytes_needed

from ..call.dispatch_entry import OVERLOADS, Call, run
from ..call.overload import Overload
from ..tensor import Tensor
from ..tensor.array_memory import storage_of
from ..tensor.construction import share
from . import functionalization_levels as levels
from .functional_tensor import (
    Base,
    Functional,
    Step,
    change,
    functional,
    made_view,
    step_in_place,
    sync,
    take_over,
    wrapped,
)
from .functionalization import (
    MIXED,
    SPECIAL,
    level_of,
    made_of_data,
    tensors_among,
    unwrapped,
)
from .functionalization_views import step_of
from .view_steps import called

__all__ = ["resize_functional", "set_to"]


def _lift_fresh(overload: Overload) -> Call:
    """Data that becomes a tensor is functional from now on."""

    def call(self: Tensor) -> Any:
        level = level_of([self])
        if functional(self, level) is not None:
            return called("view", self, tuple(self.shape))
        return made_of_data(levels.below(run, overload, (self,)), level)

    return call


def _lift_fresh_copy(overload: Overload) -> Call:
    def call(self: Tensor) -> Any:
        level = level_of([self])
        if functional(self, level) is not None:
            return called("clone", self)
        return made_of_data(levels.below(run, overload, (self,)), level)

    return call


def _unsafe_view(overload: Overload) -> Call:
    """A view here: what it takes its memory from may be changed later."""

    def call(self: Tensor, size: Any) -> Any:
        stands_for = functional(self, level_of([self]))
        if stands_for is None:
            return levels.below(run, overload, (self, size))
        made = levels.below(run, overload, (stands_for.value, size))
        return made_view(made, stands_for, step_of("_unsafe_view", (size,), 0, True, False))

    return call


def _same_memory(overload: Overload) -> Call:
    """A tensor of its own that stands for the same: what is above keeps tangents apart by that."""

    def call(self: Tensor, *rest: Any) -> Any:
        if functional(self, level_of([self])) is None:
            return levels.below(run, overload, (self, *rest))
        return share(self._a_, self)

    return call


# Changes of a tensor's memory, which are no ops here ----------------------------------------------


def resize_functional(t: Tensor, shape: tuple[int, ...]) -> Tensor:
    """``t.resize_(shape)``: smaller is a view, larger is other memory.

    Raises RuntimeError for a larger size if somebody else sees the memory.
    """
    stands_for = functional(t, level_of([t]))
    if stands_for is None:
        return levels.below(t.resize_, shape)
    sync(t)
    made = levels.below(called, "resize", stands_for.value, shape)
    needed = storage_nbytes_needed(
        shape, contiguous_strides(shape), t.storage_offset(), t._a_.itemsize
    )
    if needed > storage_of(stands_for.value).nbytes():
        if stands_for.steps or sys.getrefcount(stands_for.base) > 2:  # the slot, the call
            raise RuntimeError(
                "Attempted to resize a view tensor to a larger size. This is not allowed in the "
                "functionalization pass"
            )
        take_over(t, Functional(made, Base(made), (), stands_for.level))
        return t
    step_in_place(t, _shrinking(shape, levels.reapplies_views()))
    return t


def _shrinking(shape: tuple[int, ...], reapply: bool) -> Step:
    strides = contiguous_strides(shape)
    name = "as_strided" if reapply else "as_strided_copy"

    def again(base: Tensor) -> Tensor:
        return called(name, base, shape, strides)

    def back(base: Tensor, view: Tensor) -> Tensor:
        return called("as_strided_scatter", base, view, shape, strides)

    return Step(again, back)


def set_to(t: Tensor, source: Any) -> Tensor:
    """``t.set_(source)``: *t* looks at another functional tensor's memory from now on.

    Raises RuntimeError where one of both is not functional.
    """
    level = level_of([t])
    stands_for = functional(t, level)
    other = functional(source, level)
    if stands_for is None and other is None:
        return levels.below(t.set_, source)
    if stands_for is None:
        raise RuntimeError(
            "set__functionalize: Tried to mutate a non-functional tensor with a functional tensor, "
            "which is not allowed"
        )
    if other is None:
        raise RuntimeError(
            "set__functionalize: We do not currently support x.set_(y) where y is not a "
            "FunctionalTensor. Please file an issue"
        )
    take_over(t, other.twin())
    return t


def _resize_(overload: Overload) -> Call:
    return lambda self, size, memory_format: resize_functional(self, tuple(size))


def _set_(overload: Overload) -> Call:
    return lambda self, *source: set_to(self, source[0] if source else None)


def _moves_statistics(overload: Overload) -> Call:
    """Its functional form gives the running statistics behind the results."""
    form = OVERLOADS[f"{overload.name}_functional"]

    def call(*args: Any) -> Any:
        tensors = tensors_among(args)
        level = level_of(tensors)
        statistics = args[3:5]
        if not all(functional(t, level) for t in statistics):
            if any(functional(t, level) for t in tensors):
                raise RuntimeError(MIXED)
            return levels.below(run, overload, args)
        made = levels.below(run, form, tuple([unwrapped(a, level) for a in args]))
        for t, value in zip(statistics, made[-2:], strict=True):
            change(t, value)
        return tuple([wrapped(value, level) for value in made[:-2]])

    return call


SPECIAL |= {
    "aten::_native_batch_norm_legit": _moves_statistics,
    "aten::_batch_norm_with_update": _moves_statistics,
    "aten::resize_": _resize_,
    "aten::set_.source_Tensor": _set_,
    "aten::lift_fresh": _lift_fresh,
    "aten::lift_fresh_copy": _lift_fresh_copy,
    "aten::_unsafe_view": _unsafe_view,
    "aten::_fw_primal": _same_memory,
}
