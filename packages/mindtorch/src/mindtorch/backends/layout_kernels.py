"""The kernels of known calls: what runs on arrays of one layout, worked out once.

A backend tells them with its call (``call.fragments.telling``); ``call.known_call`` writes the
function around them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..call.fragments import Kernel, Look, Target
from ..call.overload import Overload
from ..call.row import Out
from ..tensor.array_memory import empty_array
from .number_arrays import numbers_as
from .outputs import inputs_of_out, prepare_out
from .overlap import overlaps_itself
from .plan import Plan, finish, in_place_check
from .unseen_numbers import hidden, of_last_numbers
from .written_memory import writing

__all__ = [
    "functional_kernels",
    "in_place_kernels",
    "launched_target_of",
    "settled",
    "target_of",
]

_ndarray = np.ndarray


def functional_kernels(plan: Plan) -> Callable[[tuple[Any, ...]], Kernel | None] | None:
    """A function from arguments to the kernel for their layout; None where numbers decide.

    That gives None where meta does not say what its results look like.
    """
    if not plan.has_layouts():
        return None
    outs = plan.asker()

    def prepared(args: tuple[Any, ...]) -> Kernel | None:
        """The kernel for arguments of one layout, if it makes results of known looks."""
        out = outs(args)
        if out is None and plan.row.infer is not None:
            out = plan.row.infer(*args)
        if not settled(out):
            return None
        several = type(out) is not Out
        looks = []
        for each in out if several else (out,):
            if each is None:
                return None
            strides = empty_array(tuple(each.shape), each.dtype.np, each.strides).strides
            looks.append(Look(each.dtype.np, strides, partial(_finished, out=each)))
        by = plan.preparer()
        blind = _looks_like(out, outs, args, plan)

        def again(args: tuple[Any, ...]) -> Callable[..., Any] | None:
            return by(args) if blind or outs(args) == out else None

        again = of_last_numbers(again, args)
        any_scalar = blind and plan.kernel_takes_any_number(args)
        direct = plan.takes_arrays
        dtype = plan.numbers_dtype
        number = None if dtype is None else numbers_as(dtype)
        direct = direct or dtype is not None
        ufunc = None if several else plan.ufunc_for(args)
        if ufunc is not None:
            values = plan.arrays(args)
            if not plan.widen:
                values = plan.cast(values)
            x = ufunc(*[values[i] for i in plan.positions])
            (look,) = looks
            if x.dtype == look.dtype:
                trusted = type(x) is _ndarray and x.strides == look.strides
                # numpy may lay its own result out in another way, and gives scalars for 0-d ones.
                shape = tuple(out.shape)
                make = None if trusted else partial(empty_array, shape, look.dtype, out.strides)
                any_scalar = not plan.scalars  # others are the schema's defaults
                result = tuple(looks), several, trusted
                return Kernel(ufunc, plan.positions, *result, number, make, again, any_scalar)
        rest = tuple(looks), several, False, number, None, again, any_scalar
        kernel = plan.kernel_for(args) if direct else plan.kernel_of_any(args)
        places = range(0 if getattr(kernel, "takes_nothing", False) else plan.overload.arity)
        return Kernel(kernel, places, *rest)

    return prepared


def _looks_like(out: Any, ask: Callable[..., Any], args: tuple[Any, ...], plan: Plan) -> bool:
    """Whether *ask* answers with *out* whatever the Scalars among *args* are."""
    if not plan.scalars:
        return True
    try:
        answer: bool = ask(tuple(hidden(args, plan.scalars))) == out
    except Exception:  # a number was looked at
        return False
    return answer


def _finished(result: Any, out: Out) -> Any:
    """The array of a kernel's result as meta promised it."""
    return finish(result, out)._a_


def settled(out: Any) -> bool:
    """Whether meta said all of the results."""
    if type(out) is Out:
        return True
    return isinstance(out, (tuple, list)) and all(o is None or type(o) is Out for o in out)


def in_place_kernels(plan: Plan) -> Callable[[tuple[Any, ...]], Kernel | None]:
    """A function from arguments to the kernel for their layout, whose result the target gets."""
    position = plan.overload.mutable_position

    def prepared(args: tuple[Any, ...]) -> Kernel | None:
        """The kernel whose result is written into the target, for arguments of one layout."""
        target = args[position]
        if overlaps_itself(target) or not target._a_.size:
            return None

        def check(args: tuple[Any, ...]) -> None:
            in_place_check(plan, args, args[position])
            plan.refuse(args)

        blind = _looks_like(None, check, args, plan)
        by = plan.preparer()
        dtype = plan.numbers_dtype
        number = None if dtype is None else numbers_as(dtype)
        direct = plan.takes_arrays or dtype is not None
        run = plan.kernel_for(args) if direct else plan.kernel_of_any(args)

        def again(args: tuple[Any, ...]) -> Callable[..., Any] | None:
            if not blind:
                check(args)
            return by(args)

        again = of_last_numbers(again, args)
        any_scalar = blind and plan.kernel_takes_any_number(args)
        every = range(plan.overload.arity)
        made = Kernel(run, every, (), False, True, number, None, again, any_scalar)
        if plan.result is target.dtype:
            ufunc = plan.ufunc_for(args)
            if ufunc is not None and ufunc.nout == 1 and _may_write(ufunc, target._a_):
                made = made._replace(any_scalar=not plan.scalars)  # others are the defaults
                return made._replace(run=ufunc, positions=plan.positions)
        if _fits_into(plan, args, target):
            return made._replace(run=plan.row.into, any_scalar=blind, writes=True, number=None)
        if plan.writes and direct and plan.result in (None, target.dtype):
            return made._replace(run=writing(run), writes=True)
        return made

    return prepared


def _may_write(ufunc: np.ufunc, array: Any) -> bool:
    """Whether *ufunc* may write into *array* itself.

    The ``negative`` of numpy (2.4 at the least) takes elements that lie some widths apart for
    neighbours, where its result has gaps as well: a column of four float32 gets a row's numbers.
    """
    return ufunc is not np.negative or array.flags.forc


def _fits_into(plan: Plan, args: tuple[Any, ...], target: Any) -> bool:
    """Whether the row's ``into`` serves: of float arrays of one shape and dtype."""
    if plan.row.into is None or not plan.takes_arrays or target._a_.dtype.char not in "fd":
        return False
    operands = [args[i] for i in plan.positions]
    return all(t._a_.shape == target._a_.shape and t.dtype is target.dtype for t in operands)


def target_of(overload: Overload, args: tuple[Any, ...]) -> Target | None:
    """How a target that fits is written, for arguments of one layout; None where it does not."""
    fitting = _fitting(overload, args)
    return None if fitting is None else _target(overload, *fitting, args)


def launched_target_of(
    overload: Overload, launch: Callable[..., Any], args: tuple[Any, ...]
) -> Target | None:
    """The same with its kernel over arrays.

    :param launch: is told the plan, its arguments and the target; gives ``Kernel.launch`` or None.
    """
    fitting = _fitting(overload, args)
    if fitting is None or fitting[0].overload is overload:
        return None
    plan, inputs = fitting
    found, (at,) = _target(overload, plan, inputs, args), overload.out_positions
    launches = launch(plan, inputs, args[at])
    if launches is None:
        return None
    if found.ufunc is not None:
        run, tensors = found.ufunc, overload.tensor_positions
        places = [i for i in tensors if i != at and args[i] is not None]
    else:
        kernel = plan.kernel_of_any(inputs)
        run = inputs_of_out(overload, plan, inputs, kernel)
        places = [i for i in range(overload.arity) if i != at]
    return found._replace(kernel=Kernel(run, places, (), False, True, launch=launches))


def _fitting(overload: Overload, args: tuple[Any, ...]) -> tuple[Plan, tuple[Any, ...]] | None:
    """The plan of the inputs, and these, where the target is as it has to be."""
    target = args[overload.out_positions[0]]
    before = target._a_
    if overload.row.out_kernel is not None or overlaps_itself(target):
        return None
    plan, inputs, _ = prepare_out(overload, args)
    return (plan, inputs) if target._a_ is before else None


def _target(
    overload: Overload, plan: Plan, inputs: tuple[Any, ...], args: tuple[Any, ...]
) -> Target:
    target = args[overload.out_positions[0]]
    made, ufunc = plan.meta.outs(inputs), None
    if plan.takes_arrays and type(made) is Out:
        if made.dtype is target.dtype and tuple(made.shape) == target._a_.shape:
            ufunc = plan.ufunc_for(inputs)
            if ufunc is not None and not _may_write(ufunc, target._a_):
                ufunc = None
    any_scalar = _looks_like(made, plan.meta.outs, inputs, plan) and plan.kernel_takes_any_number(
        inputs
    )
    any_scalar = any_scalar and (ufunc is None or not plan.scalars)
    every = inputs_of_out(overload, plan, inputs, plan.preparer()(inputs), every=True)
    return Target(every, ufunc, any_scalar)
