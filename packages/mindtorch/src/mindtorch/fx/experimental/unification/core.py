"""Equations solved: what variables have to be, so that two values are equal."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from .dispatch import dispatch
from .unification_tools import assoc
from .utils import transitive_get as walk
from .variable import isvar

__all__ = ["reify", "unify"]

Solution = dict[Any, Any]


@dispatch(Iterator, dict)
def _reify(t: Any, s: Solution) -> Any:
    return map(partial(reify, s=s), t)


@_reify.register(tuple, dict)
def _reify_tuple(t: Any, s: Solution) -> Any:
    return tuple(reify(iter(t), s))


@_reify.register(list, dict)
def _reify_list(t: Any, s: Solution) -> Any:
    return list(reify(iter(t), s))


@_reify.register(dict, dict)
def _reify_dict(d: Any, s: Solution) -> Any:
    return {key: reify(value, s) for key, value in d.items()}


@_reify.register(slice, dict)
def _reify_slice(o: Any, s: Solution) -> Any:
    return slice(*reify((o.start, o.stop, o.step), s))


@_reify.register(object, dict)
def _reify_object(o: Any, s: Solution) -> Any:
    return o


def reify(e: Any, s: Solution) -> Any:
    """*e* with the variables replaced by their values in *s*."""
    value = walk(e, s) if isvar(e) else e
    return value if isvar(value) else _reify(value, s)


_SEQUENCES = (tuple, list, Iterator)


@dispatch(_SEQUENCES, _SEQUENCES, dict)
def _unify(u: Any, v: Any, s: Solution) -> Any:
    if len(u) != len(v):
        return False
    found: Any = s
    for left, right in zip(u, v, strict=True):
        found = unify(left, right, found)
        if found is False:
            break
    return found


@_unify.register(slice, slice, dict)
def _unify_slices(u: Any, v: Any, s: Solution) -> Any:
    return unify((u.start, u.stop, u.step), (v.start, v.stop, v.step), s)


@dispatch(object, object, dict)
def unify(u: Any, v: Any, s: Solution) -> Any:
    """The values of variables with which *u* and *v* are equal, those in *s* among them.

    False where there are none. Raises NotImplementedError for values that are not equal and have
    no parts to compare.
    """
    left, right = walk(u, s), walk(v, s)
    if left == right:
        return s
    for variable, value in ((left, right), (right, left)):
        if isvar(variable):
            return assoc(s, variable, value)
    return _unify(left, right, s)


@unify.register(object, object)
def _unify_alone(u: Any, v: Any) -> Any:
    return unify(u, v, {})
