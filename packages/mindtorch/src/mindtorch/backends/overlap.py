"""Memory that overlaps itself may not be written, nor memory that is half an operand's.

Source: torch aten/src/ATen/MemoryOverlap.cpp, TensorIterator.cpp (compute_mem_overlaps).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from mindtorch_storage.layout import is_non_overlapping_and_dense

from ..call.dispatch_entry import OVERLOADS
from ..call.index_checks import fills, too_many
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
    if row.base == "masked_scatter":
        return False
    return row.promote is not None or "pointwise" in row.tags or row.inplace_form.broadcasts


def check_before(overload: Overload, args: tuple[Any, ...], target: Any) -> None:
    """What an in-place op looks at before all else. Raises RuntimeError."""
    _first_check(overload)(args, target)


def _first_check(overload: Overload) -> Check:
    row = overload.row
    if row.base == "index_copy":
        return partial(_check_operands, overload)
    if row.base == "index_put":
        return partial(_check_put, overload)
    return partial(_check_iteration, overload, _name(overload)) if iterates(row) else _nothing


def _check_put(overload: Overload, args: tuple[Any, ...], target: Any) -> None:
    if len(args[1]) > target._a_.ndim:
        raise too_many(target._a_.ndim, len(args[1]))
    if target._sig_ & S.STRIDED:
        _check_itself(overload.row, "index_put_", target)
    if args[2]._a_.size == 1 and fills(*args[1:4]):
        _check_itself(OVERLOADS["aten::masked_fill_.Tensor"].row, "masked_fill_", target)
    else:
        _check_operands(overload, args, target)
        for index in args[1]:
            if isinstance(index, Tensor) and _shared(target, index):
                raise _partial()


def _check_iteration(overload: Overload, name: str, args: tuple[Any, ...], target: Any) -> None:
    if target._sig_ & S.STRIDED:
        if name == "copy_":
            source = args[1]  # the parser takes numbers too
            if isinstance(source, Tensor) and is_same_window(target, source):
                return  # nothing is to be done
        _check_itself(overload.row, name, target)
    if name == "fill_":
        return
    for i in overload.tensor_positions[: 2 if name == "masked_fill_" else None]:
        t = args[i]
        if t is not target and isinstance(t, Tensor) and partly_shared(target, t):
            raise _partial()


def _nothing(args: tuple[Any, ...], target: Any) -> None:
    pass


def checks(overload: Overload, sig: int) -> tuple[Check, Check]:
    """:func:`check_before` and :func:`check_after` for operands of *sig*: only what they ask."""
    row, others = overload.row, len(overload.tensor_positions) > 1
    if sig & S.STRIDED or row.base in ("index_copy", "index_put"):
        return _first_check(overload), partial(check_after, overload)
    name = _name(overload)
    if iterates(row):
        return _first_check(overload) if others and name != "fill_" else _nothing, _nothing
    return _nothing, partial(check_after, overload) if _is_indexed(row) else _nothing


def _is_indexed(row: Row) -> bool:
    """Whether no operand may have memory in common with the target at all."""
    return row.inplace_form.overlap == "indexed" or row.base == "index_fill"


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
                raise _partial()


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
                raise _partial()


def _kept(said: str, name: str) -> tuple[str, bool]:
    """What ``OutForm.overlap`` says of the operand *name*, and whether by its name."""
    for term in said.split(", "):
        word, _, operand = term.partition(" of ")
        if operand in ("", name):
            return word, bool(operand)
    return "", False


def check_after(overload: Overload, args: tuple[Any, ...], target: Any) -> None:
    """What an op that is no iteration looks at after it knows that the shapes fit."""
    if not iterates(overload.row) and overload.row.base != "index_put":
        _check_itself(overload.row, _name(overload), target)
        if _is_indexed(overload.row):
            _check_operands(overload, args, target)


def _check_operands(overload: Overload, args: tuple[Any, ...], target: Any) -> None:
    read_first = overload.row.base == "index_fill"  # the value is a number by then
    for i in overload.tensor_positions[: 2 if read_first else None]:
        if i != overload.mutable_position and isinstance(args[i], Tensor):
            if _shared(target, args[i]):
                raise _partial()


def _name(overload: Overload) -> str:
    if overload.row.name == "fill_.Tensor":  # which torch has for a ``copy_``
        return "copy_"
    return overload.row.base.rstrip("_") + "_"


def _check_itself(row: Row, name: str, target: Any) -> None:
    """Refuse a target of which an element is there twice, unless the op can write it."""
    kind_of_write, _, remark = row.inplace_form.overlap.partition(": ")
    if not target._sig_ & S.STRIDED or not is_twice(target):
        return
    if kind_of_write in ("idempotent", "in sequence"):
        return
    kind = target._a_.dtype.kind
    if name == "conj_physical_" and kind != "c" or name == "nan_to_num_" and kind in "biu":
        return  # nothing is to be done
    if not remark:
        raise _internal()
    warn(
        f"Use of {name} on expanded tensors is deprecated. Please clone() the tensor before "
        f"performing this operation. {remark}"
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


def _partial() -> RuntimeError:
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
