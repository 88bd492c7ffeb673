"""Which of two signatures is the narrower, and which are ambiguous."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .variadic import isvariadic

__all__ = [
    "AmbiguityWarning", "ambiguities", "ambiguous", "consistent", "edge", "ordering",
    "super_signature", "supercedes",
]  # fmt: skip

Signature = tuple[Any, ...]


class AmbiguityWarning(Warning):
    """Arguments may fit two signatures, of which none is narrower."""


def _stretched(signature: Signature, length: int) -> Signature | None:
    """A signature of *length*, its variadic end as often as needed; None where it has none."""
    if not signature or not isvariadic(signature[-1]):
        return None
    return signature + signature[-1:] * (length - len(signature))


def supercedes(a: Signature, b: Signature) -> bool:
    """Whether *a* is as narrow as *b*: all arguments that fit it fit *b*."""
    if len(a) < len(b):
        return not a and len(b) == 1 and isvariadic(b[0])
    wide = b if len(a) == len(b) else _stretched(b, len(a))
    return wide is not None and all(map(issubclass, a, wide))


def consistent(a: Signature, b: Signature) -> bool:
    """Whether some arguments may fit both."""
    if not (a and b):
        return all(map(isvariadic, (a or b)[:1]))
    short, long = sorted((a, b), key=len)
    wide = short if len(a) == len(b) else _stretched(short, len(long))
    return wide is not None and all(
        issubclass(x, y) or issubclass(y, x) for x, y in zip(long, wide, strict=True)
    )


def ambiguous(a: Signature, b: Signature) -> bool:
    """Whether some arguments may fit both, and none of the two is narrower."""
    return consistent(a, b) and not (supercedes(a, b) or supercedes(b, a))


def ambiguities(signatures: Iterable[Signature]) -> set[tuple[Signature, Signature]]:
    """The pairs of ambiguous signatures, but those that another signature decides."""
    known = [tuple(each) for each in signatures]
    found = set()
    for a, b in itertools.product(known, repeat=2):
        if hash(a) < hash(b) and ambiguous(a, b):
            decided = any(supercedes(c, a) and supercedes(c, b) for c in known)
            if not decided:
                found.add((a, b))
    return found


def super_signature(signatures: Sequence[Signature]) -> list[type]:
    """The signature that decides between *signatures*: the narrowest type at each place."""
    if len({len(each) for each in signatures}) != 1:
        raise AssertionError("All signatures must have the same length")
    return [max(types, key=_depth) for types in zip(*signatures, strict=True)]


def _depth(kind: type) -> int:
    """How many classes *kind* comes from."""
    return len(type.mro(kind))


def edge(a: Signature, b: Signature, tie_breaker: Callable[[Signature], int] = hash) -> bool:
    """Whether *a* is to be tried before *b*; *tie_breaker* decides where neither is narrower."""
    if not supercedes(a, b):
        return False
    return not supercedes(b, a) or tie_breaker(a) > tie_breaker(b)


def ordering(signatures: Iterable[Signature]) -> list[Signature]:
    """The signatures in an order in which the narrower come first."""
    known = [tuple(each) for each in signatures]
    return in_order(known, edge)


def in_order(known: list[Any], before: Callable[[Any, Any], bool]) -> list[Any]:
    """The elements of *known*, each after those that *before* says stand before it.

    Of those that may come next, one that stands before none comes first, and the last given.
    """
    waiting = {each: {other for other in known if before(other, each)} for each in known}
    first = set().union(*waiting.values())
    ordered: list[Any] = []
    ready = sorted((each for each in waiting if not waiting[each]), key=lambda e: e not in first)
    while ready:
        at = ready.pop()
        ordered.append(at)
        for each, needed in waiting.items():
            if at in needed:
                needed.remove(at)
                if not needed:
                    ready.append(each)
    if len(ordered) != len(waiting):
        raise ValueError("Input has cycles")
    return ordered
