"""The texts that calls of known layouts are made of, and what backends say of such calls.

A backend puts what it knows on the calls that it builds (``prepare``, ``target``, ``views``, …);
``call.known_call`` asks for it and joins these texts to functions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from ..tensor import Tensor, blank
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
    "divided",
    "meeting",
    "running",
    "sharing",
    "telling",
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
            given = [f"({''.join([f'{texts[i]}._shared_, ' for i in places])})", *given]
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
            f"r{i}._a_ = x{i}",
            f"r{i}._sig_ = sig{i}",
            f"r{i}._meta_ = meta{i}",
            f"r{i}._shared_ = r{i}._edge_ = r{i}._state_ = None",
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
        return f"{text}._a_"
    if number and value is not None:
        return f"number({text})"
    if type(value) in (list, tuple) and any(isinstance(v, Tensor) for v in value):
        if len(value) <= _FEW:
            members = [_array_of(f"{text}[{i}]", v, number) for i, v in enumerate(value)]
            return f"[{', '.join(members)}]"
        if any(v is None for v in value):
            return f"[None if t is None else t._a_ for t in {text}]"
        return f"[t._a_ for t in {text}]"
    return text


def sharing(texts: Sequence[str], aliased: bool = False) -> list[str]:
    """Conditions under which ``target`` may lie in the memory of one of the tensors.

    A tensor that was never viewed, saved or changed has its memory for itself.

    :param aliased: all tensors have aliases, which say nothing of that: they are compared.
    """
    if not texts:
        return ["False"]
    known = meeting(texts) if aliased else [f"{t}._shared_ is not None" for t in texts]
    return [*[f"{t} is target" for t in texts], f"shared is not None and ({' or '.join(known)})"]


def meeting(texts: Sequence[str]) -> list[str]:
    """Conditions under which ``target``, whose alias is ``shared``, is only in part an operand."""
    return [
        f"(other := {t}._shared_) is not None and {t} is not target and (other is shared "
        f"or shared.known_storage is not None and shared.known_storage is other.known_storage)"
        for t in texts
    ]


def divided(texts: Sequence[str], arguments: Sequence[Any]) -> list[str]:
    """Conditions under which arguments that were one tensor are several."""
    first: dict[int, str] = {}
    tensors = [(t, id(v)) for t, v in zip(texts, arguments, strict=True) if isinstance(v, Tensor)]
    pairs = [(text, first.setdefault(number, text)) for text, number in tensors]
    return [f"{text} is not {other}" for text, other in pairs if text != other]
