"""The texts that make views of known geometry, and that ask where their bases lie."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from ..core import signature as S
from ..tensor import Tensor, blank
from ..tensor.array_memory import address, owner_of, place_of, storage_of
from ..tensor.tensor_impl import ApartAlias, add_viewer, alias_of
from ..tensor.view_marks import mark_step, mark_view
from .fragments import Views

__all__ = ["elsewhere", "quick_window", "viewing", "window_text"]


def elsewhere(tensors: Sequence[tuple[str, Any]], cells: dict[str, Any]) -> str:
    """The condition that tensors of the looks of *tensors* lie elsewhere in their storages.

    Or in storages of other sizes. Empty where there is no memory to look at.

    :param tensors: the tensors, each behind its text.
    """
    tests = []
    for i, (text, t) in enumerate(tensors):
        if t._sig_ & (S.META | S.MEMORYLESS) or storage_of(t)._owner is None:
            return ""
        a, owner = t._a_, owner_of(t._a_)
        dense = a.transpose(_in_order(a)).flags.c_contiguous
        if a.size and dense and a.nbytes == owner.nbytes:  # it is all of the memory
            cells |= {"ndarray": np.ndarray, f"nbytes{i}": a.nbytes}
            tests.append(
                f"(memory := {text}._a_.base) is not None and not (memory.__class__ is ndarray "
                f"and memory.base is None and memory.nbytes == nbytes{i})"
            )
        else:
            cells |= {"place_of": place_of, f"place{i}": place_of(t)}
            tests.append(f"place_of({text}) != place{i}")
    return " or ".join(tests)


def viewing(
    views: Views,
    arguments: tuple[Any, ...],
    result: Any,
    metas: Any,
    place: str = "",
    placed: bool = False,
) -> tuple[list[str], dict[str, Any]] | None:
    """Make views of known geometry on ``base``: ``t``, or the list ``made``.

    None where the layout of the base does not say where they lie.

    :param result: the views that were made of *arguments*.
    :param place: the text of what says which part of it along the first dimension the view is.
    :param placed: whether the base lies at the same place in its storage each time.
    """
    a, one = arguments[0]._a_, isinstance(result, Tensor)
    if not a.size:
        return None
    cells = {"alias_of": alias_of, "blank": blank, "ndarray": np.ndarray}
    cells["add_viewer"] = add_viewer
    cells |= {"mark_view": mark_view, "bits": views.bits, "creation": views.creation}
    lines = [
        "a = base._a_",
        "shared = base._shared_",
        "if shared is None: shared = alias_of(base)",
    ]
    made = ["t = blank()", "t._sig_ = sig", "t._shared_ = shared", "t._edge_ = None"]
    made.append("if shared.viewers is not None: add_viewer(shared, t)")
    if views.apart:
        cells |= {"ApartAlias": ApartAlias, "new": object.__new__}
        lines.append("memory = shared.memory if shared.__class__ is ApartAlias else shared")
        made += ["t._shared_ = own = new(ApartAlias)", "own.memory = memory", "own.value = 0"]
        made.append("own.touched = False")
    if views.bits is None:
        made.append("t._state_ = None")
    elif views.step is not None:
        cells |= {"mark_step": mark_step, "step": views.step}
        made += ["t._state_ = None", "mark_step(t, base, bits, step)"]
    else:
        lines += [
            "if base._state_ is None:",
            "    changes = shared.value",
            "    state = (base, changes, creation) if changes or creation else base",
            "else:",
            "    state = None",
        ]
        made += ["t._state_ = state", "if state is None: mark_view(t, base, bits, creation)"]
    made.append("t._meta_ = meta")
    if one:
        text, more = window_text(arguments[0], result._a_, place, placed)
        if not text or result is arguments[0]:
            return None
        cells |= {**more, "sig": result._sig_, "meta": metas}
        return [*lines, made[0], f"t._a_ = {text}", *made[1:]], cells
    order = _order_of_parts(a, result)
    if order is not None:
        cells |= {"sig": result[0]._sig_, "meta": metas[0], "order": order}
        same = order == tuple(range(a.ndim))
        lines += ["made = []", f"for part in {'a' if same else 'a.transpose(order)'}:"]
        made.insert(1, "t._a_ = part")
    else:
        windows = [_window(a, t._a_) for t in result]
        if None in windows:
            return None
        pairs = zip(windows, result, metas, strict=True)
        cells["windows"] = [(*window, t._sig_, m) for window, t, m in pairs if window]
        lines += ["made = []", "for shape, strides, offset, dtype, sig, meta in windows:"]
        made.insert(1, "t._a_ = ndarray(shape, dtype, a, offset, strides)")
    return [*lines, *[f"    {line}" for line in [*made, "made.append(t)"]]], cells


def window_text(
    base: Any, x: Any, place: str = "", placed: bool = False
) -> tuple[str, dict[str, Any]]:
    """The text of the array *x*, a window on that of *base*; empty where no way leads there."""
    if not x.size:
        return "", {}
    if place:
        return (f"a[{place}]" if x.ndim else f"a[{place}, ...]"), {}
    quick = quick_window(base._a_, x)
    if quick is not None:
        return quick[0].format("a", "part"), {"part": quick[1]}
    a = base._a_
    order = _in_order(a)
    wholes = [("a", a), ("a.transpose(order)", a.transpose(order))]
    if placed:
        wholes.append(("storage_of(base)._owner", storage_of(base)._owner))
    for whole, array in wholes:
        window = _window(array, x)
        if window is not None:
            cells = dict(zip(("shape", "strides", "offset", "dtype"), window, strict=True))
            cells |= {"order": order, "storage_of": storage_of}
            return f"ndarray(shape, dtype, {whole}, offset, strides)", cells
    return "", {}


def _window(a: Any, x: Any) -> tuple[Any, ...] | None:
    """Where the array *x* lies in the contiguous memory of the array *a*."""
    if not a.flags.c_contiguous or x is a:
        return None
    offset = address(x) - address(a)
    if not 0 <= offset <= a.nbytes:
        return None
    try:
        made = np.ndarray(x.shape, x.dtype, a, offset, x.strides)
    except ValueError:  # it reaches out of its base, though not of the storage
        return None
    if not _is_same(made, x):  # numpy makes up the strides of nothing
        return None
    return x.shape, x.strides, offset, x.dtype


def _in_order(a: Any) -> tuple[int, ...]:
    """The order of dimensions in which the steps in memory become smaller."""
    return tuple(sorted(range(a.ndim), key=lambda dim: -a.strides[dim]))


def _order_of_parts(a: Any, made: Any) -> tuple[int, ...] | None:
    """The order of dimensions in which *made* are the parts of *a* one after the other."""
    first = made[0]._a_
    if a.ndim < 2 or first.ndim != a.ndim - 1 or first.dtype is not a.dtype or not first.size:
        return None
    for dim in range(a.ndim):
        order = (dim, *range(dim), *range(dim + 1, a.ndim))
        parts = list(a.transpose(order)) if a.shape[dim] == len(made) else []
        if parts and all(_is_same(x, t._a_) for x, t in zip(parts, made, strict=True)):
            return order
    return None


def _is_same(x: Any, y: Any) -> bool:
    return x.shape == y.shape and x.strides == y.strides and address(x) == address(y)


def quick_window(a: Any, window: Any) -> tuple[str, Any] | None:
    """The method of arrays like *a* that makes their *window*, and its argument.

    numpy makes windows by these in half of the time that ``ndarray`` takes. The text has the array
    and the argument in its two places; None where no method makes that very window.
    """
    shape, rest = window.shape, a.shape[1:]
    if window.dtype is not a.dtype:
        return None
    offset = address(window) - address(a)
    ways: list[tuple[str, Any, Callable[[], Any]]] = []
    if not offset:
        order = _order(a, window)
        ways.append(("{}.reshape({})", shape, lambda: a.reshape(shape)))
        ways.append(("{}.transpose({})", order, lambda: a.transpose(order)))
    if a.ndim and a.strides[0] > 0 and shape[len(shape) - len(rest) :] == rest:
        at = offset // a.strides[0]
        part = slice(at, at + shape[0]) if len(shape) == a.ndim else (at, ...)
        ways.append(("{}[{}]", part, lambda: a[part]))
    for text, argument, make in ways:
        with suppress(ValueError, IndexError):
            made = make()
            if _is_same(made, window):
                return text, argument
    return None


def _order(a: Any, window: Any) -> tuple[int, ...]:
    """The order of dimensions in which *a* has the layout of *window*; () if in none."""
    left = list(zip(a.shape, a.strides, strict=True))
    order = []
    for look in zip(window.shape, window.strides, strict=True):
        if look not in left:
            return ()
        place = left.index(look)
        left[place] = (-1, -1)
        order.append(place)
    return tuple(order)
