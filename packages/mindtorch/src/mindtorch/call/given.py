"""The arguments that a call was given, and where those of an overload come from them, as text.

A call that was parsed once stands for all of its pattern: same signatures, same types. What differs
between two such calls has to come from what is given (``p0``, ``rest[1]``, ``k0``: parameters of
the function that serves them), and the rest is looked at in each call or a constant.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mindtorch_dispatch.argument_parser import Place

from ..core.size import Size
from ..tensor import Tensor
from .argument_kinds import INT64, ArgumentKinds, has_tensors
from .entrance_text import SEQUENCES, check, handed_on, same

__all__ = ["Given", "Unserved"]


class Unserved(Exception):
    """Calls of this pattern are parsed each time: what is made of an argument cannot be said."""


class Given:
    """See the module.

    :ivar whole: whether functions have the parameters of the entrance; else those of this call.
    :ivar parameters: of the functions that serve such calls.
    :ivar cells: what texts name.
    :ivar conditions: under which a call is another than this one, though it has its pattern.
    :ivar keyed: what is handed on, and whose value the key of a call has: places and names.
    """

    def __init__(
        self, kinds: ArgumentKinds, shift: int, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> None:
        self._kinds, self._shift, self._count = kinds, shift, len(args)
        self._values: dict[Any, Any] = {**dict(enumerate(args)), **kwargs}
        self.whole = kinds.take(len(args), kwargs)
        self.parameters, self.names = (
            self._of_entrance() if self.whole else self._of_call(list(kwargs))
        )
        self.cells: dict[str, Any] = {"same": same, "Size": Size, "NONE": {}}
        self.conditions: list[str] = []
        self.keyed: list[Any] = []
        for at, value in self._values.items():
            if not _holds_tensors(value):
                self._look_at(at, value)

    def _of_entrance(self) -> tuple[list[str], dict[Any, str]]:
        """The parameters of the entrance, and the text of what is at each place and name."""
        kinds = self._kinds
        parameters = [f"p{i}" for i in range(len(kinds.places))]
        names: dict[Any, str] = dict(enumerate(parameters))
        if kinds.rest:
            parameters.append("rest")
            names |= {i: f"rest[{i - self._shift}]" for i in range(self._shift, self._count)}
        keywords = {name: f"k{i}" for i, name in enumerate(kinds.names)}
        return [*parameters, *keywords.values()], names | keywords

    def _of_call(self, keywords: list[str]) -> tuple[list[str], dict[Any, str]]:
        """The same where the entrance has no parameters for these arguments: one for each."""
        positional = {i: f"p{i}" for i in range(self._count)}
        named = {name: f"k{i}" for i, name in enumerate(keywords)}
        return [*positional.values(), *named.values()], {**positional, **named}

    def _look_at(self, at: Any, value: Any) -> None:
        """Whether an argument is handed on, or has to be the same in each call."""
        name, kinds = self.names[at], self._kinds
        if not kinds.hands_on(at, value):
            self.conditions += check(name, value, f"s{len(self.conditions)}", self.cells)
        elif kinds.keyed(at, value):
            self.keyed.append(at)
        elif isinstance(value, int):
            self.conditions.append(f"not {INT64[0]} <= {name} <= {INT64[1]}")

    def text_of(self, number: int, place: Place, value: Any) -> str:
        """The text of the overload's argument *number*, a *value* that came from a *place*.

        Raises Unserved where it cannot be said.
        """
        if place.kind == "all":
            handed = [n for n in range(self._shift, self._count) if n in self.keyed]
            if handed:
                return self._of_all(handed, value)
        at = self._at(place)
        was = self._values.get(at) if place.kind not in ("default", "all") else None
        if place.kind == "part":
            if value is not was[place.at]:
                raise Unserved
            return f"{self.names[at]}[{place.at}]"
        if _holds_tensors(was):
            return self._of_tensors(at, was, value)
        if was is not None and self._kinds.hands_on(at, was):
            return self._handed_on(at, was, value)
        self.cells[f"c{number}"] = value
        return f"c{number}"

    def _at(self, place: Place) -> Any:
        """What *place* is among the arguments of the function."""
        match place.kind:
            case "self":
                return 0
            case "positional":
                return place.at + self._shift
            case "part":
                return "out"
        return place.at

    def _of_all(self, handed: list[int], value: Any) -> str:
        """All positional arguments as one sequence: sizes."""
        if len(handed) < self._count - self._shift:
            raise Unserved
        every = "".join([f"{self.names[n]}, " for n in handed])
        return f"{type(value).__name__}(({every}))"

    def _of_tensors(self, at: Any, was: Any, value: Any) -> str:
        """A tensor, or a sequence with tensors, which may have become another sequence of them."""
        name = self.names[at]
        if value is was:
            return name
        if type(value) not in (list, tuple) or list(map(id, value)) != list(map(id, was)):
            raise Unserved
        return name if type(value) is type(was) else f"{type(value).__name__}({name})"

    def _handed_on(self, at: Any, was: Any, value: Any) -> str:
        text = handed_on(value, was, self.names[at])
        if text is None:
            if at in self.keyed:  # what is made of it is another for each value
                self._kinds.fix(at)
            raise Unserved
        return text

    def missed(self) -> str:
        """The text of the call that begins anew where a condition holds."""
        if not self.whole:
            return f"miss({', '.join(self.parameters)})"
        own, keys = ([p for p in self.parameters if p[0] == letter] for letter in "pk")
        rest = "rest" if self._kinds.rest else "()"
        return f"miss({_tuple(own)}, {rest}, {_tuple(keys)}, NONE)"


def _tuple(names: list[str]) -> str:
    return f"({', '.join(names)}{',' * bool(names)})"


def _holds_tensors(value: Any) -> bool:
    """Whether *value* is a tensor, or a sequence with tensors in it."""
    return isinstance(value, Tensor) or type(value) in SEQUENCES and has_tensors(value)
