"""The CPU backend: kernels run at once, results are the arrays they return."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import prod
from typing import Any, Final

import numpy as np
from mindtorch_storage import result_type
from mindtorch_storage.errors import storage_size_overflow
from mindtorch_storage.layout import broadcast_shapes
from mindtorch_storage.storage_errors import no_memory

from ..call.dispatch_entry import Call, signature
from ..call.fragments import telling
from ..call.overload import INPLACE, OUT, Overload
from ..call.row import Out
from ..call.specialize import boxed
from ..core import signature as S
from ..core.copies import store
from ..core.errors import in_place_shape
from ..tensor import Tensor
from ..tensor.construction import wrap
from .composites import composite_call
from .deferral import defer as deferral
from .layout_kernels import functional_kernels, in_place_kernels, target_of
from .notices import noticing
from .outputs import fit, is_known_by_layout, prepare_out
from .overlap import checks, overlaps_itself, store_repeated
from .plan import Plan, finish, finish_all, in_place_check
from .views import build_view

_ndarray = np.ndarray
#: In place of the result of a kernel that raised an error.
_FAILED: Final = object()


def build_cpu(overload: Overload, sig: int, mask: int) -> Call:
    """Run the row's kernel on the host, now."""
    return noticing(overload, sig, _built(overload, sig))


def _built(overload: Overload, sig: int) -> Call:
    row = overload.row
    if overload.composed:
        return composite_call(overload)
    if row.view is not None:
        return build_view(overload, sig)
    if sig & S.MEMORYLESS:
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
            shapes = [a._a_.shape for a in args if isinstance(a, Tensor)]
            shape = tuple(broadcast_shapes(*shapes))
            if shape != shapes[0]:
                raise in_place_shape(shapes[0], shape)
        result_type(
            [
                (t.dtype, not t._a_.ndim, False)
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
    kernel = plan.kernel if plan.takes_arrays else plan.casting(plan.kernel)
    by_rule = plan.refuses is None and plan.meta.follows_rule
    call = (_by_rule if by_rule else _by_meta)(plan, kernel)
    prepare = functional_kernels(plan)
    return call if prepare is None else telling(call, prepare=prepare)


def _by_meta(plan: Plan, kernel: Callable[..., Any]) -> Call:
    """A call that asks meta what its results look like, runs the kernel and makes them so."""
    outs, arrays = plan.asker(), plan.arrays

    def call(*args: Any) -> Any:
        out = outs(args)
        try:
            result = kernel(*arrays(args))
        except (MemoryError, ValueError) as error:
            raise _in_torchs_words(error, out) from None
        if type(out) is Out:
            return finish(result, out)
        if out is None:
            return as_it_comes(result)
        if not isinstance(out, (tuple, list)):
            return result  # a Python value: ``equal``, ``is_nonzero``
        return finish_all(result, out)

    return call


def _in_torchs_words(error: Exception, out: Any) -> Exception:
    """What torch raises where numpy has no memory for a result, or no number for its bytes."""
    outs = [each for each in (out if type(out) in (tuple, list) else [out]) if type(each) is Out]
    for each in outs:
        if prod(each.shape) * each.dtype.itemsize >= 1 << 63:
            return storage_size_overflow(each.shape, None)
    if isinstance(error, MemoryError) and outs:
        nbytes = max([prod(each.shape) * each.dtype.itemsize for each in outs])
        return RuntimeError(
            "DefaultCPUAllocator: can't allocate memory: you tried to allocate "
            f"{nbytes} bytes. Error code 12 (Cannot allocate memory)"
        )
    return error


def _by_rule(plan: Plan, kernel: Callable[..., Any]) -> Call:
    """A call of an elementwise op: the kernel runs first; meta is asked if that is not enough."""
    by_meta, outs = _by_meta(plan, kernel), plan.meta.outs
    arrays, known = plan.arrays, plan.meta.dtype_by_rule

    def call(*args: Any) -> Any:
        dtype = known(args)
        if dtype is None:
            return by_meta(*args)
        try:
            result = kernel(*arrays(args))
        except Exception:  # sizes that do not fit are said first, in torch's words
            result = _FAILED
        if type(result) is _ndarray and result.dtype is dtype.np and result.flags.c_contiguous:
            return wrap(result)
        return by_meta(*args) if result is _FAILED else finish(result, outs(args))

    return call


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
            store_repeated(plan, plan.arrays(args), target._a_)
        else:
            store(target._a_, compute(arrays(args)))
        return target

    return telling(call, into=in_place_kernels(plan))


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
            store(target._a_, value)
        return targets[0] if len(positions) == 1 else tuple(targets)

    if is_known_by_layout(overload):
        return telling(call, target=partial(target_of, overload))
    return call


cpu = boxed(build_cpu)


def get_cpu_capability() -> str:
    """The vector instructions of this processor that kernels use: numpy's, in torch's words."""
    from numpy._core._multiarray_umath import __cpu_features__ as features

    if features.get("AVX512_SKX"):
        return "AVX512"
    if features.get("AVX2") and features.get("FMA3"):
        return "AVX2"
    return "DEFAULT"
