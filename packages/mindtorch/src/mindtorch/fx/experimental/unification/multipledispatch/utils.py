"""Small functions about tuples, dictionaries and names of types."""

from __future__ import annotations

import itertools
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

__all__ = ["expand_tuples", "groupby", "raises", "reverse_dict", "typename"]


def raises(err: type[BaseException], lamda: Callable[[], object]) -> bool:
    """Whether a call raises *err*; other errors go on."""
    try:
        lamda()
    except err:
        return True
    return False


def expand_tuples(L: Sequence[Any]) -> list[tuple[Any, ...]]:
    """All ways to take one of each tuple in *L*."""
    choices = [each if isinstance(each, tuple) else (each,) for each in L]
    return list(itertools.product(*choices))


def reverse_dict(d: Mapping[Any, Iterable[Any]]) -> OrderedDict[Any, tuple[Any, ...]]:
    """The keys by the values that they have: ``{a: (1, 2)}`` -> ``{1: (a,), 2: (a,)}``."""
    made: OrderedDict[Any, tuple[Any, ...]] = OrderedDict()
    for key, values in d.items():
        for value in values:
            made[value] = (*made.get(value, ()), key)
    return made


def groupby(func: Callable[[Any], Any], seq: Iterable[Any]) -> OrderedDict[Any, list[Any]]:
    """The elements of *seq* by what *func* says of them."""
    made: OrderedDict[Any, list[Any]] = OrderedDict()
    for each in seq:
        made.setdefault(func(each), []).append(each)
    return made


def typename(type: Any) -> str:
    """The name of a type, or those of several in parentheses."""
    if hasattr(type, "__name__"):
        return str(type.__name__)
    return typename(*type) if len(type) == 1 else f"({', '.join(map(typename, type))})"
