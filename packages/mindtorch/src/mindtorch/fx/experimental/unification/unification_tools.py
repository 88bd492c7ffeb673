"""Dictionaries made of dictionaries; none changes what it is given."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Any

from .multipledispatch.utils import groupby as _groupby

__all__ = [
    "assoc", "assoc_in", "dissoc", "get_in", "itemfilter", "itemmap", "keyfilter", "keymap",
    "merge", "merge_with", "update_in", "valfilter", "valmap",
]  # fmt: skip

Dict = Mapping[Any, Any]


def _factory(of: str, kwargs: dict[str, Any]) -> Callable[[], Any]:
    """What makes the result. Raises TypeError for keywords that *of* does not have."""
    made: Callable[[], Any] = kwargs.pop("factory", dict)
    for name in kwargs:
        raise TypeError(f"{of}() got an unexpected keyword argument '{name}'")
    return made


def _listed(dicts: tuple[Any, ...]) -> Iterable[Dict]:
    """The dictionaries, which may be given as one list of them."""
    if len(dicts) == 1 and not isinstance(dicts[0], Mapping):
        return list(dicts[0])
    return dicts


def _filled(factory: Callable[[], Any], items: Iterable[Any]) -> Any:
    made = factory()
    made.update(items)
    return made


def merge(*dicts: Any, **kwargs: Any) -> Any:
    """One dictionary of several; of equal keys the last holds."""
    factory = _factory("merge", kwargs)
    return _filled(factory, ((k, v) for each in _listed(dicts) for k, v in each.items()))


def merge_with(func: Callable[..., Any], *dicts: Any, **kwargs: Any) -> Any:
    """One dictionary of several; *func* gets the list of all values of a key."""
    factory = _factory("merge_with", kwargs)
    values: dict[Any, list[Any]] = {}
    for k, v in ((k, v) for each in _listed(dicts) for k, v in each.items()):
        values.setdefault(k, []).append(v)
    return _filled(factory, ((k, func(v)) for k, v in values.items()))


def valmap(func: Callable[[Any], Any], d: Dict, factory: Any = dict) -> Any:
    """*func* of every value."""
    return _filled(factory, zip(d.keys(), map(func, d.values()), strict=True))


def keymap(func: Callable[[Any], Any], d: Dict, factory: Any = dict) -> Any:
    """*func* of every key."""
    return _filled(factory, zip(map(func, d.keys()), d.values(), strict=True))


def itemmap(func: Callable[[Any], Any], d: Dict, factory: Any = dict) -> Any:
    """*func* of every pair of key and value."""
    return _filled(factory, map(func, d.items()))


def valfilter(predicate: Callable[[Any], bool], d: Dict, factory: Any = dict) -> Any:
    """The pairs of whose value *predicate* is true."""
    return itemfilter(lambda item: predicate(item[1]), d, factory)


def keyfilter(predicate: Callable[[Any], bool], d: Dict, factory: Any = dict) -> Any:
    """The pairs of whose key *predicate* is true."""
    return itemfilter(lambda item: predicate(item[0]), d, factory)


def itemfilter(predicate: Callable[[Any], bool], d: Dict, factory: Any = dict) -> Any:
    """The pairs of which *predicate* is true."""
    return _filled(factory, filter(predicate, d.items()))


def assoc(d: Dict, key: Any, value: Any, factory: Any = dict) -> Any:
    """*d* with one value more, or another."""
    return _filled(factory, [*d.items(), (key, value)])


def dissoc(d: Dict, *keys: Any, **kwargs: Any) -> Any:
    """*d* without some keys, which it need not have."""
    return keyfilter(lambda key: key not in keys, d, _factory("dissoc", kwargs))


def assoc_in(d: Dict, keys: Any, value: Any, factory: Any = dict) -> Any:
    """*d*, a dictionary of dictionaries, with another value at the end of a path."""
    return update_in(d, keys, lambda _: value, value, factory)


def update_in(
    d: Dict, keys: Any, func: Callable[..., Any], default: Any = None, factory: Any = dict
) -> Any:
    """*d*, a dictionary of dictionaries, with *func* of the value at the end of a path.

    :param default: the value where the path does not exist; dictionaries are made for it.
    """
    key, *rest = keys
    if not rest:
        return assoc(d, key, func(d.get(key, default)), factory)
    below = d[key] if key in d else factory()
    return assoc(d, key, update_in(below, rest, func, default, factory), factory)


def get_in(keys: Iterable[Any], coll: Any, default: Any = None, no_default: bool = False) -> Any:
    """The value at the end of a path through dictionaries and lists.

    :param default: what comes where there is none. Raises KeyError or IndexError with *no_default*.
    """
    missing = () if no_default else (KeyError, IndexError, TypeError)
    try:
        return reduce(operator.getitem, keys, coll)
    except missing:
        return default


def getter(index: Any) -> Callable[[Any], Any]:
    """What reads an item, or a tuple of those that a list names."""
    if not isinstance(index, list):
        return operator.itemgetter(index)
    if len(index) == 1:
        return lambda x: (x[index[0]],)
    return operator.itemgetter(*index) if index else lambda x: ()


def groupby(key: Any, seq: Iterable[Any]) -> dict[Any, list[Any]]:
    """The elements of *seq* by what *key* says of them: a function, or what to read of them."""
    return dict(_groupby(key if callable(key) else getter(key), seq))


def first(seq: Iterable[Any]) -> Any:
    """The first element."""
    return next(iter(seq))
