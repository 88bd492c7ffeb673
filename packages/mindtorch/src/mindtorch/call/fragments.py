"""The texts that calls of known layouts are made of, and what backends say of such calls.

A backend puts what it knows on the calls that it builds (``prepare``, ``target``, ``views``, …);
``call.bound`` asks for it and joins these texts to functions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from ..tensor import Tensor, blank
from ..tensor.array_memory import address
from ..tensor.tensor_impl import alias_of
from ..tensor.view_marks import mark_view
from . import code
from .overload import Overload

__all__ = [
    "Around",
    "Form",
    "Kernel",
    "Look",
    "Target",
    "Views",
    "arrays_of",
    "call_text",
    "meeting",
    "quick_window",
    "running",
    "sharing",
    "viewing",
    "windows_of",
]


_WINDOW = ("shape", "strides", "offset", "dtype", "sig")
#: Views whose place in the storage is said, not their place in their base.
_PLACED = frozenset(("as_strided", "_reshape_alias"))


class Form(NamedTuple):
    """How the arguments of an overload come from the parameters of an entrance, as text."""

    parameters: Sequence[str]
    #: Under which of them the call goes back to the entrance, by the expression *missed*.
    conditions: Sequence[str]
    missed: str
    #: The overload's arguments.
    arguments: Sequence[str]
    #: What is made of the result, ``{}`` where it stands.
    outer: str


class Look(NamedTuple):
    """What the array of a kernel's result has to be; *finish* makes it so if it is not."""

    dtype: Any
    strides: tuple[int, ...]
    finish: Callable[[Any], Any]


class Kernel(NamedTuple):
    """A kernel for arguments of one layout."""

    run: Callable[..., Any]
    #: The arguments that it takes, arrays in place of tensors; None: all, as they are.
    positions: Sequence[int] | None
    #: Of its results; *several* of which are a tuple.
    looks: tuple[Look, ...]
    several: bool
    #: Whether its result is always as it has to be.
    trusted: bool
    #: Makes arrays of numbers that stand for tensors, where there are any.
    number: Callable[[Any], Any] | None = None
    #: Of a ufunc whose own result would lie otherwise: makes the array that it writes.
    make: Callable[[], Any] | None = None
    #: From arguments that have other numbers to what computes on them, all given as they are; None
    #: where their results look otherwise.
    again: Callable[[tuple[Any, ...]], Callable[..., Any] | None] | None = None
    #: Whether it serves all numbers in place of those that are no operands.
    any_scalar: bool = False
    #: Whether it writes its result into its first argument, of an op in place.
    writes: bool = False


class Target(NamedTuple):
    """How ``out=`` of one layout is written, where it needs no new shape."""

    #: Gives the result, of all arguments of the overload.
    run: Callable[..., Any]
    #: What writes it at once, of the arrays of the tensors and of the target.
    ufunc: Any


class Views(NamedTuple):
    """Stands on a call that only makes windows on the memory of its first argument."""

    #: What the results' signatures say of views; None where they do not know their base.
    bits: int | None
    #: How the views were made, where in-place ops on them are forbidden.
    creation: str


class Around(NamedTuple):
    """Stands on a call that does something around another one.

    ``remade`` does the same around what it is given (None: what was there), and gives the results
    the metas that it is given.
    """

    #: None where it is part of the call itself.
    inner: Callable[..., Any] | None
    remade: Callable[[Callable[..., Any] | None, Any], Callable[..., Any]]


def call_text(
    parameters: Sequence[str], lines: Sequence[str], cells: dict[str, Any]
) -> Callable[..., Any]:
    """The function of these *parameters* and *lines*."""
    text = [f"def call({', '.join(parameters)}):", *[f"    {line}" for line in lines]]
    made: Callable[..., Any] = code.function("\n".join([*text, "return call"]), cells)
    return made


def running(
    overload: Overload,
    kernel: Kernel,
    arguments: tuple[Any, ...],
    texts: Sequence[str],
    cells: dict[str, Any],
    without: int,
    others: str = "",
    otherwise: Sequence[str] = (),
) -> list[str]:
    """Run *kernel* and wrap its results, whose metas stand in *cells*, as ``r0``, ``r1``, …

    :param without: bits of the signatures that somebody else will set.
    :param others: under which condition a number is another than the kernel was prepared for;
        *otherwise* is done where the results look otherwise then.
    """
    given = arrays_of(overload, kernel, arguments, texts)
    cells |= {"number": kernel.number, "run": kernel.run, "blank": blank, "ndarray": np.ndarray}
    names = [f"x{i}" for i in range(len(kernel.looks))]
    results = f"{', '.join(names)}{',' * kernel.several}"
    if kernel.make is None:
        lines = [f"{results} = run({', '.join(given)})"]
    else:
        cells["make"] = kernel.make
        lines = ["x0 = make()", f"run({', '.join(given)}, out=x0)"]
    metas = cells["metas"] if kernel.several else [cells["metas"]]
    wrapping = []
    for i, (look, meta) in enumerate(zip(kernel.looks, metas, strict=True)):
        cells |= {f"dtype{i}": look.dtype, f"strides{i}": look.strides}
        cells |= {f"finish{i}": look.finish, f"sig{i}": meta.sig & ~without}
        if not kernel.trusted and kernel.make is None:
            right = f"x{i}.dtype is dtype{i} and x{i}.strides == strides{i}"
            lines += [
                f"if x{i}.__class__ is not ndarray or not ({right}):",
                f"    x{i} = finish{i}(x{i})",
            ]
        wrapping += [
            f"r{i} = blank()",
            f"r{i}._a = x{i}",
            f"r{i}._sig = sig{i}",
            f"r{i}._shared = r{i}._edge = r{i}._state = None",
        ]
    if not others:
        return [*lines, *wrapping]
    cells["again"] = kernel.again
    every = ", ".join(texts)
    return [
        f"if {others}:",
        f"    other = again(({every},))",
        "    if other is None:",
        *[f"        {line}" for line in otherwise],
        f"    {results} = other({every})",
        *[f"    {x} = finish{i}({x})" for i, x in enumerate(names)],
        "else:",
        *[f"    {line}" for line in lines],
        *wrapping,
    ]


def viewing(
    views: Views, windows: list[Any], base: Any, metas: Any, one: bool
) -> tuple[list[str], dict[str, Any]]:
    """Make views of known geometry on ``base``: ``t``, or the list ``made``.

    :param base: the array of a base of this layout.
    """
    cells = {"alias_of": alias_of, "blank": blank, "ndarray": np.ndarray}
    cells |= {"mark_view": mark_view, "bits": views.bits, "creation": views.creation}
    lines = [
        "a = base._a",
        "shared = base._shared",
        "if shared is None: shared = alias_of(base)",
    ]
    made = [
        "t = blank()",
        "t._a = ndarray(shape, dtype, a, offset, strides)",
        "t._sig = sig",
        "t._shared = shared",
        "t._edge = None",
    ]
    if views.bits is None:
        made.append("t._state = None")
    else:
        lines += [
            "if base._state is None:",
            "    version = shared.value",
            "    state = (base, version, creation) if version or creation else base",
            "else:",
            "    state = None",
        ]
        made += ["t._state = state", "if state is None: mark_view(t, base, bits, creation)"]
    if metas is not None:
        made.append("t._meta = meta")
    if one:
        (window,) = windows
        cells |= dict(zip(_WINDOW, window, strict=True), meta=metas)
        shape, strides, offset, dtype, _ = window
        quick = quick_window(base, np.ndarray(shape, dtype, base, offset, strides))
        if quick is not None:
            made[1] = f"t._a = {quick[0].format('a', 'part')}"
            cells["part"] = quick[1]
        return [*lines, *made], cells
    each = [*_WINDOW, *["meta"] * (metas is not None)]
    cells["windows"] = [(*w, m) for w, m in zip(windows, metas)] if metas else windows
    lines += ["made = []", f"for {', '.join(each)} in windows:"]
    lines += [f"    {line}" for line in [*made, "made.append(t)"]]
    return lines, cells


def quick_window(a: Any, window: Any) -> tuple[str, Any] | None:
    """The method of arrays like *a* that makes their *window*, and its argument.

    numpy makes windows by these in half of the time that ``ndarray`` takes. The text has the array
    and the argument in its two places; None where no method makes that very window.
    """
    shape, strides, rest = window.shape, window.strides, a.shape[1:]
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
            if made.shape == shape and made.strides == strides and address(made) == address(window):
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


def arrays_of(
    overload: Overload, kernel: Kernel, arguments: tuple[Any, ...], texts: Sequence[str]
) -> Sequence[str]:
    """The texts of what *kernel* takes, of the *texts* of all arguments."""
    if kernel.positions is None:
        return texts
    numbers = () if kernel.number is None else overload.tensor_positions
    return [_array_of(texts[i], arguments[i], i in numbers) for i in kernel.positions]


def _array_of(text: str, value: Any, number: bool) -> str:
    if isinstance(value, Tensor):
        return f"{text}._a"
    if number and value is not None:
        return f"number({text})"
    if type(value) in (list, tuple) and any(isinstance(v, Tensor) for v in value):
        if any(v is None for v in value):
            return f"[None if t is None else t._a for t in {text}]"
        return f"[t._a for t in {text}]"
    return text


def sharing(texts: Sequence[str]) -> list[str]:
    """Conditions under which ``target`` may lie in the memory of one of the tensors.

    A tensor that was never viewed, saved or changed has its memory for itself.
    """
    both = " or ".join([f"{t}._shared is not None" for t in texts])
    return (
        [*[f"{t} is target" for t in texts], f"shared is not None and ({both})"]
        if texts
        else ["False"]
    )


def meeting(texts: Sequence[str]) -> list[str]:
    """Conditions under which ``target``, whose alias is ``shared``, is only in part an operand."""
    return [
        f"(other := {t}._shared) is not None and {t} is not target and (other is shared "
        f"or shared.known_storage is not None and shared.known_storage is other.known_storage)"
        for t in texts
    ]


def windows_of(
    overload: Overload, arguments: tuple[Any, ...], result: Any, without: int
) -> list[tuple[Any, ...]] | None:
    """Where views lie in the contiguous memory of their base; None where that does not say it."""
    a = arguments[0]._a
    if overload.row.base in _PLACED or not a.size or not a.flags.c_contiguous:
        return None
    start = a.ctypes.data
    found = []
    for t in [result] if isinstance(result, Tensor) else result:
        x = t._a
        offset = x.ctypes.data - start
        if not x.size or t is arguments[0] or not 0 <= offset < a.nbytes:
            return None
        try:
            np.ndarray(x.shape, x.dtype, a, offset, x.strides)
        except ValueError:  # it reaches out of its base, though not of the storage
            return None
        found.append((x.shape, x.strides, offset, x.dtype, t._sig & ~without))
    return found
