"""The kinds of a name's arguments: what a call may depend on.

From the signatures of a name follows the kind of each argument by its place and by its name (see
the table in :mod:`.entrance_text`). The kinds say what of an argument stands in the key of a call,
what decides which overload is meant, and which values a known call takes as they come.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ..core import signature as S
from ..tensor import Tensor
from ..tensor.defaults import default_device
from ..tensor.interning import meta_of
from .entrance_text import SEQUENCES, is_plain

__all__ = ["INT64", "MISSING", "ArgumentKinds", "has_tensors"]


class _Missing:
    """In place of an argument that was not given."""

    #: Its own, so that the key of a call need not ask whether a tensor was given.
    _meta: Any

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = _Missing()
_Missing._meta = MISSING
#: Numbers of which what stands in a table takes any; not bool, of which there are two.
_NUMBERS: Final = frozenset(S.NUMBER_SIG) - {bool}
#: What is hardly ever given by keyword, where it has no default: it costs no place in a key then.
_BY_PLACE: Final = frozenset(("tensor", "mixed", "list"))
#: The least and the largest number of int64; the parser refuses others, or makes another type of
#: them.
INT64: Final = -(1 << 63), (1 << 63) - 1
_TENSORS: Final = frozenset(("tensor", "maybe", "mixed", "either", "several"))
_LISTS: Final = frozenset(("list", "several"))
#: The kind of a parameter by its type in a signature; all others are values.
_KINDS: Final = {
    "Tensor": "tensor",
    "Tensor[]": "list",
    "Tensor?[]": "list",
    "Scalar": "number",
    "int[]": "sizes",
    "SymInt[]": "sizes",
    "float[]": "sizes",
    "Generator": "object",
    "Storage": "object",
    "Stream": "object",
    "object": "object",
}


def _joined(kinds: set[str]) -> str:
    """The kind of a parameter that has these kinds in the signatures of a name."""
    if len(kinds) == 1:
        return next(iter(kinds))
    if "mixed" in kinds:
        kinds = kinds - {"mixed"} | {"tensor", "number"}
    if kinds == {"tensor", "maybe"}:
        return "maybe"
    if "list" in kinds and kinds <= {"list", "tensor", "maybe"}:
        return "several"
    if "list" in kinds or "object" in kinds:
        return "value"
    if kinds & {"tensor", "maybe"}:
        return "mixed" if kinds <= {"tensor", "maybe", "number"} else "either"
    return "sizes" if "sizes" in kinds else "value"


class ArgumentKinds:
    """The kinds of the arguments of a name.

    :ivar places: of the positional ones; a *method*'s first is its object.
    :ivar names: the keywords, and ``of_names`` their kinds.
    :ivar rest: whether all further positional arguments are one value.
    :ivar placed: whether where a call runs may depend on the default device.
    """

    __slots__ = ("_by_place_or_name", "names", "of_names", "placed", "places", "rest")

    def __init__(self, signatures: Sequence[Any], *, method: bool, operator: bool) -> None:
        positional: list[set[str]] = []
        keywords: dict[str, set[str]] = {}
        self.rest = False
        for s in signatures:
            if s.deprecated:
                continue
            for i, p in enumerate(s.parameters):
                kind = _KINDS.get(p.kind, "value")
                if kind == "tensor" and p.allow_none:
                    kind = "maybe"
                if kind == "tensor" and p.numbers_as_tensors:
                    kind = "mixed"
                if not p.keyword_only:
                    if i == len(positional):
                        positional.append(set())
                    positional[i].add(kind)
                    lone = s.max_positional == 1 and p.kind in ("int[]", "SymInt[]")
                    self.rest = self.rest or lone and not p.size
                if p.keyword_only or p.optional or kind not in _BY_PLACE:
                    keywords.setdefault(p.name, set()).add(kind)
        if self.rest:
            positional = []
        if operator:
            self.rest, positional, keywords = False, positional[:1], {}
        self.places = ["tensor"] * method + [_joined(kinds) for kinds in positional]
        self.names = list(keywords)
        self.of_names = [_joined(kinds) for kinds in keywords.values()]
        #: The kinds of arguments by their place and by their name.
        self._by_place_or_name: dict[Any, str] = {
            **dict(enumerate(self.places)),
            **dict(zip(self.names, self.of_names, strict=True)),
        }
        self.placed = "device" in keywords

    def of(self, place_or_name: Any) -> str:
        """The kind of the argument at a place or of a name."""
        return self._by_place_or_name.get(place_or_name, "value")

    def take(self, n: int, kwargs: Mapping[str, Any]) -> bool:
        """Whether the entrance has parameters for *n* positional arguments and these keywords."""
        whole = n <= len(self.places) or self.rest
        return whole and self._by_place_or_name.keys() >= kwargs.keys()

    def parts(
        self, given: tuple[Any, ...], rest: tuple[Any, ...], named: tuple[Any, ...]
    ) -> tuple[Any, ...]:
        """The arguments of what stands in the table of an entrance."""
        return (*given, rest, *named) if self.rest else (*given, *named)

    def written(
        self,
        given: tuple[Any, ...],
        rest: tuple[Any, ...],
        named: tuple[Any, ...],
        more: dict[str, Any],
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments as the caller wrote them."""
        args = (*[value for value in given if value is not MISSING], *rest)
        kwargs = {
            name: value
            for name, value in zip(self.names, named, strict=True)
            if value is not MISSING
        }
        return args, {**kwargs, **more}

    def pattern(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """All of the arguments that decides what is called; None where they say it each time."""
        kinds, n = self.places, len(self.places)
        try:
            found = [_element(v, kinds[i] if i < n else "value") for i, v in enumerate(args)]
            for name, value in kwargs.items():
                found.append(name)
                found.append(_element(value, self.of(name)))
        except _UnplainError:
            return None
        if self.placed:
            found.append(default_device())
        return tuple(found)

    def key(self, parts: tuple[Any, ...], state: int) -> Any:
        """The key under which the entrance looks for these arguments; None: it does not."""
        found: list[Any] = []
        kinds = (*self.places, *["rest"] * self.rest, *self.of_names)
        for kind, value in zip(kinds, parts, strict=True):
            if isinstance(value, Tensor):
                found.append(meta_of(value) if kind in _TENSORS else None)
            elif kind in _LISTS and type(value) in SEQUENCES:
                metas = [t if t is None else _meta_in_key(t) for t in value]
                found.append(None if S.STALE in metas else tuple(metas))
            else:
                found.append(_other_part(kind, value))
                continue
            if found[-1] is None:
                return None
        found.append(state)
        if self.placed:
            found.append(default_device())
        key = tuple(found) if len(found) > 1 else found[0]
        try:
            hash(key)
        except TypeError:  # a list where numbers are wanted one by one
            return None
        return key

    def hands_on(self, place_or_name: Any, value: Any) -> bool:
        """Whether what stands in the table takes any value of the type of *value*."""
        kind = self.of(place_or_name)
        return kind == "object" or kind in ("number", "mixed") and type(value) in _NUMBERS


class _UnplainError(Exception):
    """An argument that says only by itself what it means."""


def _element(value: Any, kind: str) -> Any:
    """What a pattern has of an argument."""
    if isinstance(value, Tensor):
        return value._sig
    t = type(value)
    if t in SEQUENCES:
        if has_tensors(value):
            if not all(v is None or isinstance(v, Tensor) for v in value):
                raise _UnplainError
            return (t, *[None if v is None else v._sig for v in value])
        if kind in _LISTS or not is_plain(value):
            raise _UnplainError
        return (t, *map(type, value)), tuple(value)
    if kind == "object" or kind in ("number", "mixed") and t in _NUMBERS:
        if t is int and not INT64[0] <= value <= INT64[1]:
            raise _UnplainError  # what is made of it is each time another
        return t
    if not is_plain(value):
        raise _UnplainError
    return t, repr(value) if t is float or t is complex else value


def _meta_in_key(value: Any) -> Any:
    """The meta of an item of a list; ``STALE`` where it has none."""
    return isinstance(value, Tensor) and meta_of(value) or S.STALE


def has_tensors(values: Sequence[Any]) -> bool:
    """Whether there are tensors among *values*."""
    return any(isinstance(v, Tensor) for v in values)


def _other_part(kind: str, value: Any) -> Any:
    """What the key of an entrance has of a value that is neither a tensor nor a list of them."""
    if kind == "object" or kind in ("number", "mixed") and type(value) is not bool:
        return value.__class__
    if kind == "rest" and value and type(value[0]) is list:
        return (tuple(value[0]), *value[1:])
    return tuple(value) if kind == "sizes" and type(value) is list else value
