"""Why a graph ends before its function does, in words."""

from __future__ import annotations

from typing import Any

__all__ = ["called", "told"]

_VALUES = frozenset(
    "__bool__ __complex__ __contains__ __float__ __index__ __int__ item tolist is_nonzero".split()
)


def called(func: Any, name: str) -> str:
    """What is said of a call that is no node."""
    if name == "__bool__":
        return "Data-dependent branching"
    if name in _VALUES:
        return f"Data-dependent value of a tensor (`{name}`)"
    return f"Call of `{name or func}`"


def told(reason: str) -> str:
    """The whole text for *reason*."""
    if "\n" in reason:
        return reason
    return (
        f"{reason}\n"
        "  Explanation: The calls before it have to run first: what it needs or does cannot be a "
        "node of the graph.\n"
        "  Hint: Move it out of the compiled function, or compile without fullgraph=True.\n"
    )
