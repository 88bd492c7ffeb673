"""What containers are given: positions in them, keys with their values."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from typing import Any

__all__ = ["pairs", "position"]


def position(index: Any, length: int) -> int:
    """*index* counted from the start. Raises torch's IndexError."""
    index = operator.index(index)
    if not -length <= index < length:
        raise IndexError(f"index {index} is out of range")
    return index % length


def pairs(kind: str, wrong: str, given: Any) -> Iterator[tuple[Any, Any]]:
    """Keys and values of what ``update`` was given: a mapping, or pairs.

    :param kind: the class as the messages on elements call it.
    :param wrong: the same for the message on the whole, which torch spells differently.
    """
    if not isinstance(given, Iterable):
        raise TypeError(
            f"{wrong}.update should be called with an iterable of key/value pairs, but got "
            + type(given).__name__
        )
    if hasattr(given, "items"):
        yield from given.items()
        return
    for i, pair in enumerate(given):
        what = f"{kind} update sequence element #{i}"
        if not isinstance(pair, Iterable):
            raise TypeError(f"{what} should be Iterable; is{type(pair).__name__}")
        sized: Any = pair
        if len(sized) != 2:
            raise ValueError(f"{what} has length {len(sized)}; 2 is required")
        yield sized[0], sized[1]
