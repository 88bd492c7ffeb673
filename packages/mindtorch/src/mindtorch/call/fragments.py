"""The texts that calls of known layouts are made of, and what backends say of such calls.

A backend puts what it knows on the calls that it builds (``prepare``, ``target``, ``views``, …);
``call.known_call`` asks for it and joins these texts to functions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

import numpy as np

from ..core import signature as S
from ..tensor import Tensor, blank
from ..tensor.array_memory import address, owner_of, place_of, storage_of
from ..tensor.tensor_impl import ApartAlias, add_viewer, alias_of
from ..tensor.view_marks import mark_step, mark_view
from . import code
from .overload import Overload

__all__ = [
    "Around",
    "Below",
    "Form",
    "Kernel",
    "Launching",
    "Look",
    "Target",
    "Views",
    "arrays_of",
    "call_text",
    "elsewhere",
    "meeting",
    "quick_window",
    "running",
    "sharing",
    "telling",
    "viewing",
    "window_text",
]


#: Up to so many tensors of a list are named one by one.
_FEW: Final = 4


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
    #: The parameters that are handed on, and whose values the key of a call has.
    keyed: Sequence[str] = ()
    #: Of a view: the parameter that only says which of the parts along the first dimension it is.
    place: str = ""


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
    #: Where kernels do not run at once on the host: from the kernel and the metas of the results
    #: to what launches it on arrays and gives tensors; of an op in place, on the target's, too.
    launch: Callable[[Kernel, Any], Callable[..., Any] | Launching] | None = None
    #: Whether that is given the aliases of the tensors, before the arrays.
    aliases: bool = False


class Launching(NamedTuple):
    """What launches a kernel, as lines of the call.

    :ivar lines: from the texts of arrays to the lines that give ``r0``, a tensor; of an op in place
        from the target's array and the others to lines that give nothing.
    :ivar cells: what the lines name.
    """

    lines: Callable[[Sequence[str]], list[str]]
    cells: dict[str, Any]

    def written(self, given: Sequence[str], cells: dict[str, Any]) -> list[str]:
        """The lines for what is *given*, whose *cells* are put beside others."""
        cells |= self.cells
        return self.lines(given)

    def call(self, *parameters: str, result: str = "r0") -> Callable[..., Any]:
        """The function of these arrays, which gives *result*."""
        cells = dict(self.cells)
        return call_text(parameters, [*self.lines(parameters), f"return {result}"], cells)


class Target(NamedTuple):
    """How ``out=`` of one layout is written, where it needs no new shape."""

    #: Gives the result, of all arguments of the overload.
    run: Callable[..., Any]
    #: What writes it at once, of the arrays of the tensors and of the target.
    ufunc: Any
    #: Whether it serves all numbers in place of those that are no operands.
    any_scalar: bool
    #: Where kernels do not run at once on the host: what is launched on arrays in place of these.
    kernel: Kernel | None = None


class Views(NamedTuple):
    """Stands on a call that only makes windows on the memory of its first argument."""

    #: What the results' signatures say of views; None where they do not know their base.
    bits: int | None
    #: How the views were made, where in-place ops on them are forbidden.
    creation: str
    #: What makes the view again, where strides do not say all of it.
    step: Callable[[Any], Any] | None = None
    #: Whether the results are no views: they lie there, and count changes themselves.
    apart: bool = False


class Below(NamedTuple):
    """The lines of a call of one layout around which others are put."""

    lines: Sequence[str]
    #: The text of what it gives, and what it gave for the arguments that the lines were made for.
    result: str
    example: Any
    cells: dict[str, Any]
    #: Whether the results are tensors of this very call, with all that their metas say.
    wrapped: bool


class Around(NamedTuple):
    """Stands on a call that does something around another one, ``inner``.

    ``lines`` is given arguments of one layout, their texts and what is below; it answers with
    the lines of the whole, whose result is ``result``, and what these name. None where calls of
    that layout go the general way.
    """

    inner: Callable[..., Any]
    lines: Callable[
        [tuple[Any, ...], Sequence[str], Below], tuple[list[str], dict[str, Any]] | None
    ]


def telling(call: Callable[..., Any], **facts: Any) -> Callable[..., Any]:
    """*call*, on which stands what known calls ask of it: ``prepare``, ``views``, ``around``, …"""
    for name, fact in facts.items():
        setattr(call, name, fact)
    return call


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
    others: str = "",
    otherwise: Sequence[str] = (),
) -> list[str]:
    """Run *kernel* and wrap its results, whose metas stand in *cells*, as ``r0``, ``r1``, …

    :param others: under which condition a number is another than the kernel was prepared for;
        *otherwise* is done where the results look otherwise then.
    """
    given = arrays_of(overload, kernel, arguments, texts)
    cells |= {"number": kernel.number, "run": kernel.run, "blank": blank, "ndarray": np.ndarray}
    if kernel.launch is not None:
        launching = kernel.launch(kernel, cells["metas"])
        general = [f"if {others}:", *[f"    {line}" for line in otherwise]] if others else []
        if isinstance(launching, Launching):
            return [*general, *launching.written(given, cells)]
        cells["run"] = launching
        tensors = "".join([f"r{i}, " for i in range(len(kernel.looks))])
        if kernel.aliases:
            places = [i for i in kernel.positions or () if isinstance(arguments[i], Tensor)]
            given = [f"({''.join([f'{texts[i]}._shared, ' for i in places])})", *given]
        launch = f"{tensors if kernel.several else 'r0'} = run({', '.join(given)})"
        return [*general, launch]
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
        cells |= {f"finish{i}": look.finish, f"sig{i}": meta.sig, f"meta{i}": meta}
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
            f"r{i}._meta = meta{i}",
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


def elsewhere(tensors: Sequence[tuple[str, Any]], cells: dict[str, Any]) -> str:
    """The condition that tensors of the looks of *tensors* lie elsewhere in their storages.

    Or in storages of other sizes. Empty where there is no memory to look at.

    :param tensors: the tensors, each behind its text.
    """
    tests = []
    for i, (text, t) in enumerate(tensors):
        if t._sig & (S.META | S.MEMORYLESS) or storage_of(t)._owner is None:
            return ""
        a, owner = t._a, owner_of(t._a)
        dense = a.transpose(_in_order(a)).flags.c_contiguous
        if a.size and dense and a.nbytes == owner.nbytes:  # it is all of the memory
            cells |= {"ndarray": np.ndarray, f"nbytes{i}": a.nbytes}
            tests.append(
                f"(memory := {text}._a.base) is not None and not (memory.__class__ is ndarray "
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
    a, one = arguments[0]._a, isinstance(result, Tensor)
    if not a.size:
        return None
    cells = {"alias_of": alias_of, "blank": blank, "ndarray": np.ndarray}
    cells["add_viewer"] = add_viewer
    cells |= {"mark_view": mark_view, "bits": views.bits, "creation": views.creation}
    lines = [
        "a = base._a",
        "shared = base._shared",
        "if shared is None: shared = alias_of(base)",
    ]
    made = ["t = blank()", "t._sig = sig", "t._shared = shared", "t._edge = None"]
    made.append("if shared.viewers is not None: add_viewer(shared, t)")
    if views.apart:
        cells |= {"ApartAlias": ApartAlias, "new": object.__new__}
        lines.append("memory = shared.memory if shared.__class__ is ApartAlias else shared")
        made += ["t._shared = own = new(ApartAlias)", "own.memory = memory", "own.value = 0"]
        made.append("own.touched = False")
    if views.bits is None:
        made.append("t._state = None")
    elif views.step is not None:
        cells |= {"mark_step": mark_step, "step": views.step}
        made += ["t._state = None", "mark_step(t, base, bits, step)"]
    else:
        lines += [
            "if base._state is None:",
            "    changes = shared.value",
            "    state = (base, changes, creation) if changes or creation else base",
            "else:",
            "    state = None",
        ]
        made += ["t._state = state", "if state is None: mark_view(t, base, bits, creation)"]
    made.append("t._meta = meta")
    if one:
        text, more = window_text(arguments[0], result._a, place, placed)
        if not text or result is arguments[0]:
            return None
        cells |= {**more, "sig": result._sig, "meta": metas}
        return [*lines, made[0], f"t._a = {text}", *made[1:]], cells
    order = _order_of_parts(a, result)
    if order is not None:
        cells |= {"sig": result[0]._sig, "meta": metas[0], "order": order}
        same = order == tuple(range(a.ndim))
        lines += ["made = []", f"for part in {'a' if same else 'a.transpose(order)'}:"]
        made.insert(1, "t._a = part")
    else:
        windows = [_window(a, t._a) for t in result]
        if None in windows:
            return None
        pairs = zip(windows, result, metas, strict=True)
        cells["windows"] = [(*window, t._sig, m) for window, t, m in pairs if window]
        lines += ["made = []", "for shape, strides, offset, dtype, sig, meta in windows:"]
        made.insert(1, "t._a = ndarray(shape, dtype, a, offset, strides)")
    return [*lines, *[f"    {line}" for line in [*made, "made.append(t)"]]], cells


def window_text(
    base: Any, x: Any, place: str = "", placed: bool = False
) -> tuple[str, dict[str, Any]]:
    """The text of the array *x*, a window on that of *base*; empty where no way leads there."""
    if not x.size:
        return "", {}
    if place:
        return (f"a[{place}]" if x.ndim else f"a[{place}, ...]"), {}
    quick = quick_window(base._a, x)
    if quick is not None:
        return quick[0].format("a", "part"), {"part": quick[1]}
    a = base._a
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
    first = made[0]._a
    if a.ndim < 2 or first.ndim != a.ndim - 1 or first.dtype is not a.dtype or not first.size:
        return None
    for dim in range(a.ndim):
        order = (dim, *range(dim), *range(dim + 1, a.ndim))
        parts = list(a.transpose(order)) if a.shape[dim] == len(made) else []
        if parts and all(_is_same(x, t._a) for x, t in zip(parts, made, strict=True)):
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
        if len(value) <= _FEW:
            members = [_array_of(f"{text}[{i}]", v, number) for i, v in enumerate(value)]
            return f"[{', '.join(members)}]"
        if any(v is None for v in value):
            return f"[None if t is None else t._a for t in {text}]"
        return f"[t._a for t in {text}]"
    return text


def sharing(texts: Sequence[str], aliased: bool = False) -> list[str]:
    """Conditions under which ``target`` may lie in the memory of one of the tensors.

    A tensor that was never viewed, saved or changed has its memory for itself.

    :param aliased: all tensors have aliases, which say nothing of that: they are compared.
    """
    if not texts:
        return ["False"]
    known = meeting(texts) if aliased else [f"{t}._shared is not None" for t in texts]
    return [*[f"{t} is target" for t in texts], f"shared is not None and ({' or '.join(known)})"]


def meeting(texts: Sequence[str]) -> list[str]:
    """Conditions under which ``target``, whose alias is ``shared``, is only in part an operand."""
    return [
        f"(other := {t}._shared) is not None and {t} is not target and (other is shared "
        f"or shared.known_storage is not None and shared.known_storage is other.known_storage)"
        for t in texts
    ]
