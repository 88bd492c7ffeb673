"""The kinds of a name's arguments: what a call may depend on.

From the signatures of a name follows the kind of each argument by its place and by its name (see
the table in :mod:`.entrance_text`). The kinds say what of an argument stands in the key of a call,
what decides which overload is meant, and which values a known call takes as they come.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from ..core import signature as S
from ..core.key_sets import grad_state, tls_state
from ..core.signature import STALE
from ..tensor import Tensor
from ..tensor.defaults import default_device
from ..tensor.interning import meta_of
from .code import function
from .entrance_text import SEQUENCES, is_plain, key_text, pattern_text

__all__ = ["INT64", "MISSING", "TENSORS", "ArgumentKinds", "has_tensors"]


class _Missing:
    """In place of an argument that was not given."""

    #: Its own, so that keys and patterns need not ask whether a tensor was given.
    _meta_: Any
    _sig_: Any

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = _Missing()
_Missing._meta_ = _Missing._sig_ = MISSING
#: Numbers of which what stands in a table takes any; not bool, of which there are two.
_NUMBERS: Final = frozenset(S.NUMBER_SIG) - {bool}
#: What is hardly ever given by keyword, where it has no default: it costs no place in a key then.
_BY_PLACE: Final = frozenset(("tensor", "mixed", "list"))
#: The least and the largest number of int64; the parser refuses others, or makes another type of
#: them.
INT64: Final = -(1 << 63), (1 << 63) - 1
_TENSORS: Final = frozenset(("tensor", "maybe", "mixed", "either", "several"))
_LISTS: Final = frozenset(("list", "several"))
_INT: Final = frozenset((int,))
_NUMERIC: Final = frozenset(("number", "mixed"))
#: Classes whose instances are looked up by their metas wherever something else may stand.
TENSORS: Final[set[type]] = {Tensor}
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
        return "loose" if kinds & _TENSORS else "value"
    if kinds & {"tensor", "maybe"}:
        return "mixed" if kinds <= {"tensor", "maybe", "number"} else "either"
    return "sizes" if "sizes" in kinds else "value"


class ArgumentKinds:
    """The kinds of the arguments of a name.

    :ivar places: of the positional ones; a *method*'s first is its object.
    :ivar names: the keywords, and ``of_names`` their kinds.
    :ivar rest: whether all further positional arguments are one value.
    """

    __slots__ = ("_by_place_or_name", "_device", "_fixed", "names", "of_names", "places", "rest")

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
        self._device = "default_device()" if "device" in keywords else ""
        #: The arguments of which the value decides what is called.
        self._fixed: set[Any] = set()

    def of(self, place_or_name: Any) -> str:
        """The kind of the argument at a place or of a name."""
        return self._by_place_or_name.get(place_or_name, "value")

    def take(self, n: int, kwargs: Mapping[str, Any]) -> bool:
        """Whether the entrance has parameters for *n* positional arguments and these keywords."""
        whole = n <= len(self.places) or self.rest
        return whole and self._by_place_or_name.keys() >= kwargs.keys()

    @property
    def device(self) -> str:
        """What says where a call runs that does not say it itself, if that may matter."""
        return self._device

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

    def texts(self) -> dict[Any, str]:
        """The parameter of the entrance for each place and name."""
        shift = len(self.places)
        found: dict[Any, str] = {i: f"p{i}" for i in range(shift)}
        return {**found, **{name: f"k{i}" for i, name in enumerate(self.names)}}

    def key_maker(self) -> Callable[..., Any]:
        """A function from the parameters of the entrance to their key.

        It raises an error where they have none, and may give what has no hash.
        """
        text = key_text(self.places, self.of_names, rest=self.rest, more=self._device)
        made: Callable[..., Any] = function(text, _CELLS)
        return made

    def pattern_maker(self) -> Callable[..., Any]:
        """A function from the parameters of the entrance to all that decides what is called.

        It raises an error where they say it each time.
        """
        names = self.texts()
        fixed = {names[at] for at in self._fixed if at in names}
        if self._fixed - names.keys():
            fixed.add("rest")
        text = pattern_text(self.places, self.of_names, fixed, rest=self.rest, more=self._device)
        made: Callable[..., Any] = function(text, _CELLS)
        return made

    def pattern(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The same of arguments as they were written, some of which have no parameter."""
        found: list[Any] = []
        for at, value in (*enumerate(args), *kwargs.items()):
            found += [at, _element(value, "fixed" if at in self._fixed else self.of(at))]
        if self._device:
            found.append(default_device())
        return tuple(found)

    def fix(self, place_or_name: Any) -> None:
        """From now on the value of an argument is a part of patterns."""
        self._fixed.add(place_or_name)

    def hands_on(self, place_or_name: Any, value: Any) -> bool:
        """Whether what is made of a pattern takes any value of the type of *value*.

        What stands in the table does so of numbers and objects; ints and sizes stand in the key.
        """
        kind = self.of(place_or_name)
        if _is_object(value, kind) or kind in _NUMERIC and type(value) in _NUMBERS:
            return True
        return place_or_name not in self._fixed and _is_sized(value)

    def keyed(self, place_or_name: Any, value: Any) -> bool:
        """Whether *value*, which is handed on, stands in the key: of objects only the type does."""
        kind = self.of(place_or_name)
        return kind not in _NUMERIC and not _is_object(value, kind)


class Unplain(Exception):
    """An argument that says only by itself what it means."""


def _is_object(value: Any, kind: str) -> bool:
    """Whether *value* is one that calls take as it comes: a storage, a generator."""
    return kind == "object" or kind == "loose" and not is_plain(value)


def _is_sized(value: Any) -> bool:
    """Whether *value* is an int, or ints."""
    t = type(value)
    return t is int or t in SEQUENCES and all(type(v) is int for v in value)


def _element(value: Any, kind: str) -> Any:
    """What a pattern has of an argument."""
    t = type(value)
    if t is int and kind != "fixed":
        if not INT64[0] <= value <= INT64[1]:
            raise Unplain  # what is made of it is each time another
        return t
    if t is bool:
        return t, value
    if value is MISSING:
        return value
    if isinstance(value, Tensor):
        if kind not in _TENSORS and kind != "loose":
            raise Unplain
        return value._sig_
    if _is_object(value, kind):
        return t
    if t in SEQUENCES:
        return _sequence(value, t, kind)
    if kind in _NUMERIC and t in _NUMBERS:
        return t
    if not is_plain(value):
        raise Unplain
    return t, repr(value) if t is float or t is complex else value


def _sequence(value: Any, t: type, kind: str) -> Any:
    """The same of a list, a tuple or a size."""
    inside = {*map(type, value)}
    if inside <= _INT and kind not in _LISTS:
        if kind == "fixed":
            return t, tuple(value)
        if value and not INT64[0] <= min(value) <= max(value) <= INT64[1]:
            raise Unplain
        return (int,) * len(value) if kind == "rest" else (t, len(value))
    if kind == "rest" and inside.issubset(SEQUENCES):  # sizes, given as one
        return tuple([_sequence(v, type(v), "sizes") for v in value])
    if has_tensors(value):
        if kind not in _LISTS or not all([v is None or isinstance(v, Tensor) for v in value]):
            raise Unplain
        return (t, *[None if v is None else v._sig_ for v in value])
    if kind == "rest":
        return tuple([_element(v, "sizes") for v in value])
    if kind in _LISTS or not is_plain(value):
        raise Unplain
    return (t, *map(type, value)), tuple(value)


def _meta_in_key(value: Any) -> Any:
    """The meta of a tensor; raises an error where there is none."""
    found = getattr(value, "_meta_", STALE)
    if found is STALE:
        found = meta_of(value)
        if found is None:
            raise KeyError
    return found


def _plain(value: Any) -> Any:
    """*value*; the type of a storage or a generator."""
    return value if value is MISSING or is_plain(value) else type(value)


def _listed(rest: tuple[Any, ...]) -> tuple[Any, ...]:
    """Further arguments as they stand in a key."""
    return (tuple(rest[0]), *rest[1:]) if rest and type(rest[0]) is list else rest


def has_tensors(values: Sequence[Any]) -> bool:
    """Whether there are tensors among *values*."""
    return any([isinstance(v, Tensor) for v in values])


#: What the texts of keys and patterns name.
_CELLS: Final[dict[str, Any]] = {
    "MISSING": MISSING,
    "TENSORS": TENSORS,
    "Tensor": Tensor,
    "default_device": default_device,
    "element": _element,
    "grad_state": grad_state,
    "listed": _listed,
    "meta": _meta_in_key,
    "plain": _plain,
    "tls_state": tls_state,
}
