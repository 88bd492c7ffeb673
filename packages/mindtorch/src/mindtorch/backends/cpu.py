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
from ..call.fragments import Kernel, Look, Target
from ..call.overload import INPLACE, OUT, Overload
from ..call.row import Out
from ..call.specialize import boxed
from ..core import signature as S
from ..core.errors import in_place_shape
from ..tensor import Tensor, blank
from ..tensor.array_memory import empty_array, same_storage
from ..tensor.construction import wrap
from .deferral import defer as deferral
from .fastpath import fast_call
from .notices import noticing
from .outputs import composite_call, fit, inputs_of_out, layout_key_of_out, prepare_out
from .overlap import checks, overlaps_itself, store_repeated
from .plan import Plan, finish, finish_all, in_place_check, numbers_as, store
from .unseen_numbers import hidden, of_last_numbers
from .views import build_view

_ndarray = np.ndarray
#: So many layouts of arguments are remembered per op and signature.
_LAYOUTS = 512


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
    fast = fast_call(overload, sig)
    if fast is not None:
        return fast
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
    #: What reads the layout of arguments, and what runs a kernel on them: for the second call.
    key_of: Any = None
    run_by: Any = None
    called = False
    #: What meta said of a layout; of an only result dtype, byte strides and signature; and what
    #: computes.
    known: dict[Any, Any] = {}

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

    def learn(key: Any, args: tuple[Any, ...]) -> Any:
        out = outs(args)
        if not settled(out):
            return call(*args)
        kernel = plan.kernel_for(args)
        run = run_by(kernel)
        result = run(*args)
        if len(known) >= _LAYOUTS:
            known.clear()
        if type(out) is Out:
            r = finish(result, out)
            known[key] = out, r._a.dtype, r._a.strides, r._sig, run, kernel
            return r
        made = finish_all(result, out)
        facts = [None if t is None else (t._a.strides, t._sig) for t in made]
        known[key] = out, None, facts, 0, run, kernel
        return made

    def call_known(*args: Any) -> Any:
        nonlocal called, key_of, run_by
        if key_of is None:
            if not called:
                called = True
                return call(*args)
            run_by = plan.runner()
            key_of = plan.layout_key()
        key = key_of(*args)
        try:
            found = known.get(key)
        except TypeError:  # not hashable
            return call(*args)
        if found is None:
            return learn(key, args)
        out, np_dtype, strides, sig, run, *_ = found
        result = run(*args)
        if np_dtype is None:
            return _several(result, out, strides)
        if type(result) is _ndarray and result.dtype is np_dtype and result.strides == strides:
            r = blank()
            r._a = result
            r._sig = sig
            r._shared = r._edge = r._state = None
            return r
        return finish(result, out)

    def prepared(args: tuple[Any, ...]) -> Kernel | None:
        """The kernel for arguments of one layout, if it makes results of known looks."""
        try:
            found = None if key_of is None else known.get(key_of(*args))
        except TypeError:  # not hashable
            return None
        if found is None:
            out = outs(args)
            if out is None and plan.row.infer is not None:
                out = plan.row.infer(*args)
            if not settled(out):
                return None
            kernel, run = plan.kernel_for(args), None
        else:
            out, _, _, _, run, kernel = found
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
        every = range(plan.overload.arity) if direct else None
        if not direct:
            kernel = run or runner(kernel)
        return Kernel(kernel, every, tuple(looks), several, False, number, None, again, any_scalar)

    call_known.prepare = prepared
    return call_known


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


def _several(results: Any, outs: Any, known: list[Any]) -> tuple[Any, ...]:
    """What ``finish_all`` makes; *known* are the byte strides and signature of each."""
    made: list[Any] = []
    for result, out, facts in zip(results, outs, known, strict=True):
        if (
            out is not None
            and type(result) is _ndarray
            and result.strides == facts[0]
            and result.dtype is out.dtype.np
        ):
            r = blank()
            r._a = result
            r._sig = facts[1]
            r._shared = r._edge = r._state = None
            made.append(r)
        else:
            made.append(None if out is None else finish(result, out))
    return tuple(made)


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
    keeps = plan.has_layouts()
    #: What reads the layout of arguments, and what finds a kernel for it: for the second call.
    key_of: Any = None
    prepare: Any = None
    called = False
    #: What computes, by layouts that fit.
    known: dict[Any, Callable[..., Any]] = {}

    def learn(key: Any, args: tuple[Any, ...], target: Any) -> None:
        shape = target._a.shape
        in_place_check(plan, args, target)
        if plan.refuses is not None:
            after(args, target)  # which comes first
            plan.refuse(args)
        if key is not None and target._a.shape == shape:  # ``addbmm_`` changes it
            if len(known) >= _LAYOUTS:
                known.clear()
            known[key] = prepare(args)

    def call(*args: Any) -> Any:
        nonlocal called, key_of, prepare
        if keeps and key_of is None:
            if called:
                prepare = plan.preparer()
                key_of = plan.layout_key()
            called = True
        target = args[position]
        before(args, target)
        key = None if key_of is None else key_of(*args)
        try:
            run = known.get(key)
        except TypeError:  # not hashable
            key = run = None
        if run is None:
            learn(key, args, target)
        after(args, target)
        if overlaps_itself(target):
            store_repeated(plan, plan.arrays(args), target._a)
        else:
            store(target._a, compute(arrays(args)) if run is None else run(*args))
        return target

    def prepared(args: tuple[Any, ...]) -> Kernel | None:
        """The kernel whose result is written into the target, for arguments of one layout."""
        target = args[position]
        try:
            run = None if key_of is None else known.get(key_of(*args))
        except TypeError:  # not hashable
            run = None
        if overlaps_itself(target) or not target._a.size:
            return None

        def check(args: tuple[Any, ...]) -> None:
            in_place_check(plan, args, args[position])
            plan.refuse(args)

        blind = _looks_like(None, check, args, plan)
        by = prepare or plan.preparer()

        def again(args: tuple[Any, ...]) -> Callable[..., Any] | None:
            if not blind:
                check(args)
            return by(args)

        again = of_last_numbers(again, args)
        any_scalar = blind and plan.kernel_takes_any_number(args)
        dtype = plan.numbers_dtype
        number = None if dtype is None else numbers_as(dtype)
        every = range(plan.overload.arity)
        made = Kernel(run or by(args), None, (), False, True, None, None, again, any_scalar)
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

    key_of = None if by_kernel else layout_key_of_out(overload)
    return call if key_of is None else _fitting_out(overload, call, key_of)


def _fitting_out(overload: Overload, call: Call, key_of: Callable[..., Any]) -> Call:
    """*call*, which is left out for a target of the layout and dtype of one that fitted before."""
    position = overload.out_positions[0]
    tensors = [i for i in overload.tensor_positions if i != position]
    #: What computes, of the arguments, by their layouts.
    known: dict[Any, Callable[..., Any]] = {}
    #: Of these, the ufuncs that write into the target themselves.
    writing: dict[Any, Any] = {}

    def apart(target: Any, args: tuple[Any, ...]) -> bool:
        """Whether no argument lies in the memory of *target*."""
        shared = target._shared
        for i in tensors:
            t = args[i]
            if t is target:
                return False
            if shared is not None and t is not None and t._shared is not None:
                if same_storage(t, target):
                    return False
        return True

    def learn(key: Any, args: tuple[Any, ...]) -> Any:
        target = args[position]
        before = target._a
        plan, inputs, _ = prepare_out(overload, args)
        store(target._a, plan.compute_arrays(plan.arrays(inputs)))
        if target._a is before and overload.row.out_kernel is None:
            if len(known) >= _LAYOUTS:
                known.clear()
            known[key] = inputs_of_out(overload, plan, inputs)
            made = plan.outs(inputs)
            if plan.takes_arrays and type(made) is Out:
                if made.dtype is target.dtype and tuple(made.shape) == before.shape:
                    writing[key] = plan.ufunc_for(inputs)
        return target

    def fitting(*args: Any) -> Any:
        try:
            key = key_of(*args)
            run = known.get(key)
        except (AttributeError, TypeError):  # a number for a tensor; not hashable
            return call(*args)
        target = args[position]
        if not apart(target, args):
            return call(*args)
        if run is None:
            return learn(key, args)
        np.copyto(target._a, run(*args), casting="unsafe")
        return target

    def prepared(args: tuple[Any, ...]) -> Target | None:
        try:
            key = key_of(*args)
            run = known.get(key)
        except (AttributeError, TypeError):  # a number for a tensor; not hashable
            return None
        return None if run is None else Target(run, writing.get(key))

    fitting.target = prepared
    return fitting


cpu = boxed(build_cpu)


def get_cpu_capability() -> str:
    """The vector instructions of this processor that kernels use: numpy's, in torch's words."""
    from numpy._core._multiarray_umath import __cpu_features__ as features

    if features.get("AVX512_SKX"):
        return "AVX512"
    if features.get("AVX2") and features.get("FMA3"):
        return "AVX2"
    return "DEFAULT"
