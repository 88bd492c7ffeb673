"""Small functions about dictionaries and values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .multipledispatch.utils import raises
from .multipledispatch.utils import reverse_dict as _reverse_dict

__all__ = ["freeze", "hashable", "raises", "reverse_dict", "transitive_get", "xfail"]


def hashable(x: object) -> bool:
    """Whether *x* can be a key."""
    return not raises(TypeError, lambda: hash(x))


def transitive_get(key: Any, d: Mapping[Any, Any]) -> Any:
    """The value of *key*, and its value, and so on, up to one that is no key."""
    while hashable(key):
        value = d.get(key, key)
        if value is key:
            break
        key = value
    return key


def reverse_dict(d: Mapping[Any, Iterable[Any]]) -> dict[Any, tuple[Any, ...]]:
    """The keys by the values that they have."""
    return dict(_reverse_dict(d))


def xfail(func: Callable[[], object]) -> None:
    """Call a function that may raise."""
    raises(Exception, func)


def freeze(d: Any) -> Any:
    """*d* as something that can be a key, as far as it is made of containers."""
    if not isinstance(d, (dict, list, set, tuple)):
        return d
    parts = map(freeze, d.items() if isinstance(d, dict) else d)
    return tuple(parts) if isinstance(d, (list, tuple)) else frozenset(parts)
