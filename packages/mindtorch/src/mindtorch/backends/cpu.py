"""The CPU backend: kernels run at once, results are the arrays they return."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from mindtorch_storage import result_type
from mindtorch_storage.layout import broadcast_shapes
from mindtorch_storage.storage_errors import no_memory

from ..call.dispatch_entry import Call, signature
from ..call.fragments import Kernel, Look, Target, telling
from ..call.overload import INPLACE, OUT, Overload
from ..call.row import Out
from ..call.specialize import boxed
from ..core import signature as S
from ..core.errors import in_place_shape
from ..tensor import Tensor
from ..tensor.array_memory import empty_array
from ..tensor.construction import wrap
from .deferral import defer as deferral
from .notices import noticing
from .outputs import composite_call, fit, inputs_of_out, is_known_by_layout, prepare_out
from .overlap import checks, overlaps_itself, store_repeated
from .plan import Plan, finish, finish_all, in_place_check, numbers_as, store
from .unseen_numbers import hidden, of_last_numbers
from .views import build_view

_ndarray = np.ndarray


def build_cpu(overload: Overload, sig: int, mask: int) -> Call:
    """Run the row's kernel on the host, now."""
    return noticing(overload, sig, _built(overload, sig))


def _built(overload: Overload, sig: int) -> Call:
    row = overload.row
    if overload.composed:
        return composite_call(overload)
    if row.view is not None:
        return build_view(overload, sig)
    if sig & S.NO_MEMORY:
        return without_memory(overload)
    if sig & S.DEFER:
        return deferral(overload, sig)
    if overload.kind == OUT:
        return _with_out(overload)
    try:
        plan = Plan(overload, sig)
    except RuntimeError:
        if not sig & S.SCARCE:
            raise
        return unpromotable(overload)
    if overload.kind == INPLACE:
        return _in_place(plan)
    return functional_call(plan)


def unpromotable(overload: Overload) -> Call:
    """Dtypes that do not meet: the error names them in the order of the arguments."""

    def call(*args: Any) -> Any:
        if overload.kind == INPLACE:
            shapes = [a._a.shape for a in args if isinstance(a, Tensor)]
            shape = tuple(broadcast_shapes(*shapes))
            if shape != shapes[0]:
                raise in_place_shape(shapes[0], shape)
        result_type(
            [
                (t.dtype, not t._a.ndim, False)
                for t in (args[i] for i in overload.tensor_positions)
                if isinstance(t, Tensor)
            ]
        )
        Plan(overload, signature(overload, args))
        raise AssertionError("they did not meet before")

    return call


def without_memory(overload: Overload) -> Call:
    """Kernels cannot read a wrapper; its class was told not to serve the call."""

    def call(*args: Any) -> Any:
        raise no_memory()

    return call


def functional_call(plan: Plan) -> Call:
    outs, arrays, compute = plan.asker(), plan.arrays, plan.compute_arrays

    def call(*args: Any) -> Any:
        out = outs(args)
        result = compute(arrays(args))
        if type(out) is Out:
            return finish(result, out)
        if out is None:
            return as_it_comes(result)
        if not isinstance(out, (tuple, list)):
            return result  # a Python value: ``equal``, ``is_nonzero``
        return finish_all(result, out)

    if not plan.has_layouts():
        return call

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
        runner = plan.runner()
        blind = _looks_like(out, outs, args, plan)

        def again(args: tuple[Any, ...]) -> Callable[..., Any] | None:
            return runner(plan.kernel_for(args)) if blind or outs(args) == out else None

        again = of_last_numbers(again, args)
        any_scalar = blind and plan.kernel_takes_any_number(args)
        direct = plan.takes_arrays
        dtype = plan.numbers_dtype
        number = None if dtype is None else numbers_as(dtype)
        direct = direct or dtype is not None
        ufunc = None if several else plan.ufunc_for(args)
        if ufunc is not None:
            values = plan.cast(plan.arrays(args))
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
        quick = plan.quick_kernel(args)
        if quick is not None:
            return Kernel(*quick, *rest)
        kernel = plan.kernel_for(args)
        if not direct:
            return Kernel(runner(kernel), None, *rest)
        return Kernel(kernel, range(plan.overload.arity), *rest)

    return telling(call, prepare=prepared)


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
    return finish(result, out)._a


def settled(out: Any) -> bool:
    """Whether meta said all of the results."""
    if type(out) is Out:
        return True
    return isinstance(out, (tuple, list)) and all(o is None or type(o) is Out for o in out)


def as_it_comes(result: Any) -> Any:
    """Results of ops whose shape depends on data."""
    if isinstance(result, tuple):
        return tuple([wrap(r) for r in result])
    return wrap(result) if isinstance(result, np.ndarray) else result


def _in_place(plan: Plan) -> Call:
    position = plan.overload.mutable_position
    before, after = checks(plan.overload, plan.sig)
    compute, arrays = plan.compute_arrays, plan.arrays

    def call(*args: Any) -> Any:
        target = args[position]
        before(args, target)
        in_place_check(plan, args, target)
        after(args, target)
        plan.refuse(args)
        if overlaps_itself(target):
            store_repeated(plan, plan.arrays(args), target._a)
        else:
            store(target._a, compute(arrays(args)))
        return target

    def prepared(args: tuple[Any, ...]) -> Kernel | None:
        """The kernel whose result is written into the target, for arguments of one layout."""
        target = args[position]
        if overlaps_itself(target) or not target._a.size:
            return None

        def check(args: tuple[Any, ...]) -> None:
            in_place_check(plan, args, args[position])
            plan.refuse(args)

        blind = _looks_like(None, check, args, plan)
        by = plan.preparer()

        def again(args: tuple[Any, ...]) -> Callable[..., Any] | None:
            if not blind:
                check(args)
            return by(args)

        again = of_last_numbers(again, args)
        any_scalar = blind and plan.kernel_takes_any_number(args)
        dtype = plan.numbers_dtype
        number = None if dtype is None else numbers_as(dtype)
        every = range(plan.overload.arity)
        made = Kernel(by(args), None, (), False, True, None, None, again, any_scalar)
        if plan.result is target.dtype:
            ufunc = plan.ufunc_for(args)
            if ufunc is not None and ufunc.nout == 1:
                made = made._replace(any_scalar=not plan.scalars)  # others are the defaults
                return made._replace(run=ufunc, positions=plan.positions, number=number)
            if _fits_into(plan, args, target):
                made = made._replace(any_scalar=blind, writes=True)
                return made._replace(run=plan.row.into, positions=every)
        if plan.takes_arrays or dtype is not None:
            return made._replace(run=plan.kernel_for(args), positions=every, number=number)
        return made

    call.into = prepared
    return call


def _fits_into(plan: Plan, args: tuple[Any, ...], target: Any) -> bool:
    """Whether the row's ``into`` serves: of float arrays of one shape."""
    if plan.row.into is None or not plan.takes_arrays or target._a.dtype.char not in "fd":
        return False
    return all(args[i]._a.shape == target._a.shape for i in plan.positions)


def _with_out(overload: Overload) -> Call:
    overload.analyse()
    positions = overload.out_positions
    by_kernel = overload.row.meta is None and overload.row.promote is None

    def call(*args: Any) -> Any:
        plan, inputs, targets = prepare_out(overload, args)
        result = plan.compute_arrays(plan.arrays(inputs))
        results = result if isinstance(result, tuple) else (result,)
        for target, value in zip(targets, results, strict=True):
            if by_kernel:  # only the kernel knew the shape
                laid = wrap(value)
                fit(overload, args, target, Out(value.shape, laid.dtype, laid.stride()))
            store(target._a, value)
        return targets[0] if len(positions) == 1 else tuple(targets)

    if is_known_by_layout(overload):
        return telling(call, target=partial(_target, overload))
    return call


def _target(overload: Overload, args: tuple[Any, ...]) -> Target | None:
    """How a target that fits is written, for arguments of one layout; None where it does not."""
    target = args[overload.out_positions[0]]
    before = target._a
    if overload.row.out_kernel is not None or overlaps_itself(target):
        return None
    plan, inputs, _ = prepare_out(overload, args)
    if target._a is not before:
        return None
    made, ufunc = plan.outs(inputs), None
    if plan.takes_arrays and type(made) is Out:
        if made.dtype is target.dtype and tuple(made.shape) == before.shape:
            ufunc = plan.ufunc_for(inputs)
    any_scalar = _looks_like(made, plan.outs, inputs, plan) and plan.kernel_takes_any_number(inputs)
    any_scalar = any_scalar and (ufunc is None or not plan.scalars)
    return Target(inputs_of_out(overload, plan, inputs), ufunc, any_scalar)


cpu = boxed(build_cpu)


def get_cpu_capability() -> str:
    """The vector instructions of this processor that kernels use: numpy's, in torch's words."""
    from numpy._core._multiarray_umath import __cpu_features__ as features

    if features.get("AVX512_SKX"):
        return "AVX512"
    if features.get("AVX2") and features.get("FMA3"):
        return "AVX2"
    return "DEFAULT"
