"""What a misspelt name may have meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from mindtorch_dispatch import DispatchKey, key_name, parse_key


class CallError(ValueError):
    """The op, the key or the call does not exist; the text says what does."""


def did_you_mean(names: Iterable[str]) -> str:
    """``; did you mean a or b?``, empty without names."""
    found = list(names)
    return f"; did you mean {' or '.join(found)}?" if found else ""


def near(name: str, names: Iterable[str], cutoff: float = 0.6) -> str:
    """The same for those of *names* that look like *name*, whatever the case."""
    by_lower = {n.lower(): n for n in names}
    found = get_close_matches(name.lower(), by_lower, 2, cutoff)
    return did_you_mean(by_lower[n] for n in found)


def key_named(name: str) -> DispatchKey:
    """The dispatch key *name*, in any case. Raises :class:`CallError` with similar names."""
    names = {key_name(k) for k in DispatchKey} | set(DispatchKey.__members__)
    by_lower = {n.lower(): n for n in names}
    found = by_lower.get(name.lower())
    if found is None:
        raise CallError(f"no dispatch key is called {name}{near(name, names)}")
    return parse_key(found)
