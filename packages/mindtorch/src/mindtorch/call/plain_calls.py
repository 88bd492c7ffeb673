"""Calls without tensors, past the argument parser: ``zeros(2, 3)``, ``rand(8, dtype=…)``.

What the parser makes of numbers, sizes, dtypes and devices depends on nothing else, and programs
repeat themselves. So its answer is remembered by the values. Shortcuts, which know calls that begin
with a tensor by the types of their arguments, do not do here: one size more is another number of
arguments, yet the same argument. A number that the op takes as it is (the one of ``full``) has no
part in that: calls that differ in it alone are one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from mindtorch_storage import Device, DType

from ..core.constants import layout, memory_format
from ..core.key_sets import grad_state, tls_state
from ..core.signature import BACKENDS
from ..core.size import Size
from ..tensor import Tensor
from .arguments import default_backend
from .dispatch_entry import signature
from .overload import OUT, Overload
from .parse_cache import PARSER

__all__ = ["PlainCalls"]

#: So many calls of one combination of types are remembered.
_MOST: Final = 256
#: What a value of each type adds to the key. 0.0 equals -0.0, and a tuple one of other types.
_PARTS: Final = {
    **dict.fromkeys((int, bool, str, type(None), DType, Device, layout, memory_format), "v{0}"),
    float: "v{0} or repr(v{0})",
    **dict.fromkeys((tuple, Size, list), "*map(type, v{0}), tuple(v{0})"),
}
#: Numbers that the parser hands on as they are, with the condition for that.
_HANDED_ON: Final = {float: "True", int: f"{-(1 << 63)} <= v{{0}} < {1 << 64}"}
_CALL: Final = """\
def call({names}):
    try:
        found = calls.get(({parts})) if {condition} else None
    except TypeError:  # something in a sequence is not hashable
        return PARSER
    if found is None:
        return PARSER
    api, sig, anywhere, bound = found
    if anywhere:
        sig |= default_backend()
    return api[sig | grad_state() | tls_state()]({arguments})

def key({names}):
    return ({parts})
"""
#: The same behind a list of tensors, which has no part in the key.
_LISTED: Final = """\
def call(tensors, {names}):
    try:
        found = calls.get(({parts}))
    except TypeError:
        return PARSER
    if found is None or not tensors:
        return PARSER
    api, kind, rest = found
    sig = grad_state() | tls_state()
    for t in tensors:
        if not isinstance(t, Tensor):
            return PARSER
        sig |= t._sig
    return api[sig](tensors if type(tensors) is kind else kind(tensors), *rest)

def key(tensors, {names}):
    return ({parts})
"""


class PlainCalls(dict[tuple[Any, ...], "Known | None"]):
    """Types of the arguments (by keyword: the names, then the types) → the calls known of them.

    None where calls of these types are the parser's.
    """

    __slots__ = ("_group", "_parser")

    def __init__(self, parser: Any, group: list[Overload]) -> None:
        self._parser = parser
        self._group = group

    def __missing__(self, key: tuple[Any, ...]) -> Known | None:
        types = [part for part in key if not isinstance(part, str)]
        keywords = [part for part in key if isinstance(part, str)]
        made: Known | None = None
        if types and not any(signature.deprecated for signature in self._parser.signatures):
            if types[0] in (list, tuple) and self._takes_list():
                if all(t in _PARTS for t in types[1:]):
                    made = Listed(types[1:], keywords)
            elif all(t in _PARTS for t in types):
                made = Known(types, keywords)
        self[key] = made
        return made

    def _takes_list(self) -> bool:
        """Whether all overloads begin with a list of tensors."""
        return all(
            o.schema.arguments and str(o.schema.arguments[0].type) == "List[Tensor]"
            for o in self._group
        )


class Known:
    """The calls with arguments of certain types."""

    __slots__ = ("_calls", "_key", "_keywords", "_overload", "_types", "call")

    _TEXT = _CALL

    #: Takes the arguments and makes the call; ``PARSER`` if it is not known.
    call: Callable[..., Any]

    def __init__(self, types: list[type], keywords: list[str]) -> None:
        self._calls: dict[Any, Any] = {}
        self._types, self._keywords = types, keywords
        #: What these types mean; the functions are made for it.
        self._overload: Overload | None = None
        self.call = _unknown

    def _means(self, overload: Overload, handed_on: dict[int, int] | None = None) -> bool:
        """Whether calls of these types are *overload*; the first says so.

        *handed_on* says which arguments, by their place, are which of the overload's.
        """
        if self._overload is not None:
            return self._overload is overload
        self._overload = overload
        at = handed_on or {}
        kept = [(i, t) for i, t in enumerate(self._types) if i not in at]
        conditions = [_HANDED_ON[self._types[i]].format(i) for i in at]
        arguments = [f"bound[{k}]" for k in range(overload.arity)]
        for i, k in at.items():
            arguments[k] = f"v{i}"
        # The module's name: who looks for the user's line sees that this is not it.
        names: dict[str, Any] = {"__name__": __name__, "calls": self._calls, "PARSER": PARSER}
        names |= {"grad_state": grad_state, "tls_state": tls_state}
        names["default_backend"] = default_backend
        names["Tensor"] = Tensor
        text = self._TEXT.format(
            names=", ".join([f"v{i}" for i in range(len(self._types))]),
            parts="".join([_PARTS[t].format(i) + ", " for i, t in kept]),
            condition=" and ".join(conditions) or "True",
            arguments=", ".join(arguments) if at else "*bound",
        )
        exec(compile(text, "<plain calls>", "exec"), names)
        self.call, self._key = names["call"], names["key"]
        return True

    def _handed_on(self, overload: Overload) -> dict[int, int]:
        """Which arguments are numbers that the op takes as they are: place here -> place there."""
        names, positional = overload.names, len(self._types) - len(self._keywords)
        if positional and self._types[0] is int and not _is_number(overload, 0):
            positional = 0  # sizes one by one
        at = {i: i for i in range(positional) if _is_number(overload, i)}
        for i, name in enumerate(self._keywords, len(self._types) - len(self._keywords)):
            if name in names and _is_number(overload, names.index(name)):
                at[i] = names.index(name)
        return {i: k for i, k in at.items() if self._types[i] in _HANDED_ON}

    def learn(self, values: tuple[Any, ...], overload: Overload, bound: tuple[Any, ...]) -> None:
        """Remember that the parser made *bound* of *values*."""
        n = overload.arity
        if overload.kind == OUT or overload.list_positions or overload.pack is not None:
            return
        if any(bound[n:]) or overload.pin_position >= 0 and bound[overload.pin_position]:
            return  # something is to be done with the result
        if any(type(v) is not int for each in values if type(each) in _SEQUENCES for v in each):
            return
        if not self._means(overload, self._handed_on(overload)):
            return
        sig = signature(overload, bound)
        anywhere = overload.device_position < 0 or bound[overload.device_position] is None
        if anywhere:
            sig &= ~BACKENDS
        if len(self._calls) >= _MOST:
            self._calls.clear()
        self._calls[self._key(*values)] = overload.api, sig, anywhere, bound[:n]


#: Whose items decide what is called.
_SEQUENCES: Final = (tuple, Size, list)


def _unknown(*values: Any) -> Any:
    return PARSER


def _is_number(overload: Overload, position: int) -> bool:
    """Whether that argument of *overload* is a number of any type."""
    arguments = overload.schema.arguments
    return position < len(arguments) and str(arguments[position].type) == "number"


class Listed(Known):
    """The calls whose first argument is a list of tensors, by the types of the others."""

    __slots__ = ()

    _TEXT = _LISTED

    def learn(self, values: tuple[Any, ...], overload: Overload, bound: tuple[Any, ...]) -> None:
        """Remember that the parser made *bound* of *values*."""
        if overload.kind == OUT or overload.pack is not None or len(bound) != overload.arity:
            return
        if overload.list_positions != (0,) or overload.device_position >= 0:
            return
        if not all(isinstance(t, Tensor) for t in values[0]):
            return
        if any(isinstance(value, Tensor) for value in bound[1:]) or not self._means(overload):
            return
        if len(self._calls) >= _MOST:
            self._calls.clear()
        self._calls[self._key(*values)] = overload.api, type(bound[0]), bound[1:]
