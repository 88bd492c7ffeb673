"""Calls without tensors, past the argument parser: ``zeros(2, 3)``, ``rand(8, dtype=…)``.

What the parser makes of numbers, sizes, dtypes and devices depends on nothing else, and programs
repeat themselves. So its answer is remembered by the values. Shortcuts, which know calls that begin
with a tensor by the types of their arguments, do not do here: one size more is another number of
arguments, yet the same argument.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from mindtorch_storage import Device, DType

from ..call_arguments import default_backend
from ..calls import signature
from ..constants import layout, memory_format
from ..key_sets import grad_state, tls_state
from ..signature import BACKENDS
from ..size import Size
from ..tensor import Tensor
from .overload import OUT, Overload
from .shortcuts import PARSER

__all__ = ["PlainCalls"]

#: So many calls of one combination of types are remembered.
_MOST: Final = 256
#: What a value of each type adds to the key. 0.0 equals -0.0, and a tuple one of other types.
_PARTS: Final = {
    **dict.fromkeys((int, bool, type(None), DType, Device, layout, memory_format), "v{0}"),
    float: "v{0} or repr(v{0})",
    **dict.fromkeys((tuple, Size), "*map(type, v{0}), v{0}"),
}
_CALL: Final = """\
def call({names}):
    try:
        found = calls.get(({parts}))
    except TypeError:  # something in a tuple is not hashable
        return PARSER
    if found is None:
        return PARSER
    api, sig, anywhere, bound = found
    if anywhere:
        sig |= default_backend()
    return api[sig | grad_state() | tls_state()](*bound)

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
        made = None
        if types and types[0] in (list, tuple) and all(t in _PARTS for t in types[1:]):
            if self._takes_list():
                made = Listed(types[1:])
        elif types and all(t in _PARTS for t in types):
            if not any(signature.deprecated for signature in self._parser.signatures):  # which warn
                made = Known(types)
        self[key] = made
        return made

    def _takes_list(self) -> bool:
        """Whether all overloads begin with a list of tensors."""
        return all(
            o.schema.arguments and str(o.schema.arguments[0].type) == "List[Tensor]"
            for o in self._group
        ) and not any(signature.deprecated for signature in self._parser.signatures)


class Known:
    """The calls with arguments of certain types."""

    __slots__ = ("_calls", "_key", "call")

    _TEXT = _CALL

    #: Takes the arguments and makes the call; ``PARSER`` if it is not known.
    call: Callable[..., Any]

    def __init__(self, types: list[type]) -> None:
        self._calls: dict[Any, Any] = {}
        # The module's name: who looks for the user's line sees that this is not it.
        names: dict[str, Any] = {"__name__": __name__, "calls": self._calls, "PARSER": PARSER}
        names |= {"grad_state": grad_state, "tls_state": tls_state}
        names["default_backend"] = default_backend
        names["Tensor"] = Tensor
        text = self._TEXT.format(
            names=", ".join([f"v{i}" for i in range(len(types))]),
            parts="".join([_PARTS[t].format(i) + ", " for i, t in enumerate(types)]),
        )
        exec(compile(text, "<plain calls>", "exec"), names)
        self.call, self._key = names["call"], names["key"]

    def learn(self, values: tuple[Any, ...], overload: Overload, bound: tuple[Any, ...]) -> None:
        """Remember that the parser made *bound* of *values*."""
        n = overload.arity
        if overload.kind == OUT or overload.list_positions or overload.pack is not None:
            return
        if any(bound[n:]) or overload.pin_position >= 0 and bound[overload.pin_position]:
            return  # something is to be done with the result
        if any(type(item) is not int for v in values if isinstance(v, tuple) for item in v):
            return
        sig = signature(overload, bound)
        anywhere = overload.device_position < 0 or bound[overload.device_position] is None
        if anywhere:
            sig &= ~BACKENDS
        if len(self._calls) >= _MOST:
            self._calls.clear()
        self._calls[self._key(*values)] = overload.api, sig, anywhere, bound[:n]


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
        if any(isinstance(value, Tensor) for value in bound[1:]):
            return
        if len(self._calls) >= _MOST:
            self._calls.clear()
        self._calls[self._key(*values)] = overload.api, type(bound[0]), bound[1:]
