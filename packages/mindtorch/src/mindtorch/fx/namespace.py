"""Names of a graph: every value has one that no other has and that Python lets it have."""

from __future__ import annotations

import builtins
import keyword
import re
from typing import Any

__all__ = ["Namespace", "snake_case"]

_ILLEGAL = re.compile("[^0-9a-zA-Z_]+")
_NUMBERED = re.compile(r"(.*)_(\d+)$")
#: Names of what generated code uses itself.
_TAKEN = frozenset(("inf", "nan", "NoneType", "torch", "device", "fx_pytree", "pytree"))


def snake_case(text: str) -> str:
    """``AddBackward`` -> ``add_backward``."""
    out: list[str] = []
    for i, ch in enumerate(text):
        if ch.isupper() and i and not text[i - 1].isupper() and text[i - 1] != "_":
            out.append("_")
        out.append(ch.lower())
    return "".join(out)


class Namespace:
    """Makes names; the same candidate gets ``_1``, ``_2``, …"""

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._counts: dict[str, int] = {}
        self._names: dict[Any, str] = {}

    def create_name(self, candidate: str, obj: Any = None) -> str:
        """A name like *candidate* for *obj*."""
        if obj is not None and obj in self._names:
            return self._names[obj]
        candidate = _ILLEGAL.sub("_", candidate) or "_unnamed"
        if candidate[0].isdigit():
            candidate = f"_{candidate}"
        numbered = _NUMBERED.match(candidate)
        base, number = (candidate, None) if numbered is None else (numbered[1], int(numbered[2]))
        name = candidate
        if number is None:
            number = self._counts.get(base, 0)
        while name in self._used or _illegal(name):
            number += 1
            name = f"{base}_{number}"
        self._used.add(name)
        self._counts[base] = max(number, self._counts.get(base, 0))
        if obj is not None:
            self._names[obj] = name
        return name


def _illegal(name: str) -> bool:
    return name in keyword.kwlist or name in builtins.__dict__ or name in _TAKEN
