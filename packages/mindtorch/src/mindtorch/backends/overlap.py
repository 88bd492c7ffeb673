"""Memory that overlaps itself may not be written, nor memory that is half an operand's.

Source: torch aten/src/ATen/MemoryOverlap.cpp, TensorIterator.cpp (compute_mem_overlaps).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from mindtorch_storage.layout import is_non_overlapping_and_dense

from ..call.forms import InplaceForm
from ..call.overload import Overload
from ..call.row import Row
from ..core import signature as S
from ..core.warning import warn
from ..tensor import Tensor
from ..tensor.array_memory import address, same_storage

if TYPE_CHECKING:
    from .plan import Plan

Check = Callable[[tuple[Any, ...], Any], None]


def iterates(row: Row) -> bool:
    """Whether the op goes over target and operands element by element (torch's TensorIterator)."""
    form = row.inplace_form
    return form.iterates and (row.promote is not None or "pointwise" in row.tags or form.broadcasts)


def check_before(overload: Overload, args: tuple[Any, ...], target: Any) -> None:
    """What an in-place op looks at before all else. Raises RuntimeError."""
    _first_check(overload)(args, target)


def _first_check(overload: Overload) -> Check:
    row = overload.row
    form = row.inplace_form
    if form.overlap_check is not None:
        return partial(form.overlap_check, overload)
    if form.overlap == "indexed first":
        return partial(check_operands, overload)
    return partial(_check_iteration, overload, form) if iterates(row) else _nothing


def _check_iteration(
    overload: Overload, form: InplaceForm, args: tuple[Any, ...], target: Any
) -> None:
    if target._sig_ & S.STRIDED:
        if form.idle is not None and form.idle(*args):
            return
        check_itself(overload.row, target)
    for i in overload.tensor_positions[: form.reads]:
        t = args[i]
        if t is not target and isinstance(t, Tensor) and partly_shared(target, t):
            raise partial_overlap()


def _nothing(args: tuple[Any, ...], target: Any) -> None:
    pass


def checks(overload: Overload, sig: int) -> tuple[Check, Check]:
    """:func:`check_before` and :func:`check_after` for operands of *sig*: only what they ask."""
    form, others = overload.row.inplace_form, len(overload.tensor_positions) > 1
    if sig & S.STRIDED or form.overlap == "indexed first" or form.overlap_check is not None:
        return _first_check(overload), partial(check_after, overload)
    if iterates(overload.row):
        return _first_check(overload) if others else _nothing, _nothing
    return _nothing, partial(check_after, overload) if form.overlap.startswith(
        "indexed"
    ) else _nothing


def check_out(row: Row, inputs: tuple[Any, ...], targets: list[Any]) -> None:
    """The same for ``out=``."""
    if row.out_form.overlap.startswith("first: "):
        refuse_overlap(targets[0])
    if not iterates(row) and row.out_form.overlap != "first" or row.out_form.overlap == "unchecked":
        return
    for target in targets:
        refuse_overlap(target)
        for t in inputs:
            if isinstance(t, Tensor) and t is not target and partly_shared(target, t):
                raise partial_overlap()


def check_fitted(overload: Overload, inputs: tuple[Any, ...], targets: list[Any]) -> None:
    """What ops that are no iterations look at when ``out=`` has its size. Raises RuntimeError.

    :param overload: whose arguments *inputs* are.
    """
    said = overload.row.out_form.overlap.removeprefix("first: ")
    if said in ("first", "unchecked") or not said and overload.row.reduces is not None:
        return
    if said or not targets[0]._sig_ & S.META:
        for target in targets:
            refuse_overlap(target)
    if not said:
        return
    target = targets[0]
    for name, given in zip(overload.names, inputs, strict=False):
        kept, named = _kept(said, name)
        for t in given if kept and isinstance(given, (tuple, list)) else (given,):
            if not kept or not isinstance(t, Tensor) or named and t._a_.shape != target._a_.shape:
                continue  # what is broadcast is not looked at
            if _shared(target, t) if kept == "apart" else partly_shared(target, t):
                raise partial_overlap()


def _kept(said: str, name: str) -> tuple[str, bool]:
    """What ``OutForm.overlap`` says of the operand *name*, and whether by its name."""
    for term in said.split(", "):
        word, _, operand = term.partition(" of ")
        if operand in ("", name):
            return word, bool(operand)
    return "", False


def check_after(overload: Overload, args: tuple[Any, ...], target: Any) -> None:
    """What an op that is no iteration looks at after it knows that the shapes fit."""
    form = overload.row.inplace_form
    if not iterates(overload.row) and form.overlap_check is None:
        if form.idle is None or not form.idle(*args):
            check_itself(overload.row, target)
        if form.overlap.startswith("indexed"):
            check_operands(overload, args, target)


def check_operands(overload: Overload, args: tuple[Any, ...], target: Any) -> None:
    """Refuse operands that have memory in common with the target. Raises RuntimeError."""
    for i in overload.tensor_positions[: overload.row.inplace_form.reads]:
        if i != overload.mutable_position and isinstance(args[i], Tensor):
            refuse_shared(target, args[i])


def refuse_shared(target: Any, t: Any) -> None:
    """Refuse an operand *t* that has memory in common with the target. Raises RuntimeError."""
    if _shared(target, t):
        raise partial_overlap()


def check_itself(row: Row, target: Any) -> None:
    """Refuse a target of which an element is there twice, unless the op can write it."""
    if not overlaps_itself(target):
        return
    said, _, remark = row.inplace_form.overlap.partition(": ")
    if said in ("idempotent", "in sequence"):
        return
    if not remark:
        raise _internal()
    warn(
        f"Use of {row.base.rstrip('_')}_ on expanded tensors is deprecated. Please clone() the "
        f"tensor before performing this operation. {remark}"
    )


def is_same_window(t: Any, other: Any) -> bool:
    """Whether two tensors are the same elements of the same memory, in the same order."""
    a, b = t._a_, other._a_
    if a.shape != b.shape or a.strides != b.strides or a.dtype != b.dtype:
        return False
    return same_storage(t, other) and address(a) == address(b)


def is_twice(target: Any) -> bool:
    """Whether an element is there twice, as far as that is plain."""
    a = target._a_
    return a.size != 0 and any(s == 0 and n > 1 for n, s in zip(a.shape, a.strides, strict=True))


def store_twice(target: np.ndarray[Any, Any], value: Any) -> None:
    """Write a result over elements that are there twice: those that stay the same are not written.

    So one that changes under one of its places has changed, wherever its last place is.
    """
    value = np.asarray(value, target.dtype)
    np.copyto(target, value, where=target != value)


def store_in_sequence(target: np.ndarray[Any, Any], added: np.ndarray[Any, Any], beta: Any) -> None:
    """``target = beta * target + added``, place by place, where elements are there several times.

    Source: torch aten/src/ATen/native/BlasKernel.cpp, gemv; LinearAlgebra.cpp,
    baddbmm_cpu_kernel.
    """
    repeated = [s == 0 and n > 1 for n, s in zip(target.shape, target.strides, strict=True)]
    once = target[tuple([slice(1) if r else slice(None) for r in repeated])]
    counts = [n if r else 1 for n, r in zip(target.shape, repeated, strict=True)]
    for place in np.ndindex(*counts):
        pairs = zip(place, repeated, strict=True)
        part = added[tuple([slice(i, i + 1) if r else slice(None) for i, r in pairs])]
        once[...] = part if beta == 0 else once * beta + part


def store_repeated(plan: Plan, values: list[Any], target: np.ndarray[Any, Any]) -> None:
    """Run *plan*'s kernel on *values* into a *target* of which elements are there several times."""
    overload = plan.overload
    if overload.row.inplace_form.overlap != "in sequence":
        store_twice(target, plan.compute_arrays(values))
        return
    at = overload.names.index("beta")
    beta, values[at] = values[at], 0
    store_in_sequence(target, plan.compute_arrays(values), beta)


def overlaps_itself(target: Any) -> bool:
    """Whether *target* is a tensor of which an element is there twice."""
    return bool(target._sig_ & S.STRIDED) and is_twice(target)


def refuse_overlap(target: Any) -> None:
    """Refuse to write a tensor of which an element is there twice."""
    if overlaps_itself(target):
        raise _internal()


def _internal() -> RuntimeError:
    return RuntimeError(
        "unsupported operation: more than one element of the written-to tensor refers to a single "
        "memory location. Please clone() the tensor before performing the operation."
    )


def partial_overlap() -> RuntimeError:
    """The error of an operand that has memory in common with what is written."""
    return RuntimeError(
        "unsupported operation: some elements of the input tensor and the written-to tensor refer "
        "to a single memory location. Please clone() the tensor before performing the operation."
    )


def partly_shared(t: Any, other: Any) -> bool:
    """Whether two tensors have memory in common, but not the same; if both are dense."""
    if not _shared(t, other):
        return False
    a, b = t._a_, other._a_
    same = a.nbytes == b.nbytes and address(a) == address(b)
    return not same or a.strides != b.strides


def _shared(t: Any, other: Any) -> bool:
    """Whether two dense tensors have memory in common, as far as torch looks: in one storage.

    Addresses alone say nothing: an array of a meta tensor reaches over memory that is not its own.
    """
    if not same_storage(t, other) or t._sig_ & (S.META | S.MEMORYLESS):
        return False
    a, b = t._a_, other._a_
    return np.may_share_memory(a, b) and _is_dense(a) and _is_dense(b)


def _is_dense(a: Any) -> bool:
    if a.flags.forc:
        return True
    item = a.itemsize
    return is_non_overlapping_and_dense(a.shape, [s // item for s in a.strides])
