"""The gradient formulas of a row, and what each of them needs saved.

That is read off a formula's own code: ``lambda g, c: g * c.other`` names ``other``, so ``other``
is saved, and only if the argument that the formula is for requires grad.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

from ..core.operators import ops
from ..tensor.tensor_meta import FACTS


class Formula:
    """One entry of a row's ``grad``: which arguments, which function, what it needs saved.

    :ivar needs: every attribute name in its code.
    :ivar placed: those of which it asks the storage offset.
    :ivar whole: those whose value is used for more than its shape, dtype or device.
    """

    __slots__ = ("arguments", "function", "needs", "placed", "whole")

    def __init__(self, key: str, function: Callable[..., Any]) -> None:
        self.arguments = tuple(a.strip() for a in key.split(","))
        self.function = function
        pairs = list(_attributes(function.__code__))
        self.needs = frozenset(name for name, _ in pairs)
        self.whole = frozenset(name for name, then in pairs if then not in FACTS)
        self.placed = frozenset(name for name, then in pairs if then == "storage_offset")


def forgotten(g: Any, c: Any) -> Any:
    return ops.zeros_like(g)


def _attributes(code: CodeType) -> Iterator[tuple[str, str]]:
    """Each attribute that *code* reads, with the attribute read from that (``""``: none)."""

    instructions = [
        i for i in dis.get_instructions(code) if i.opname not in ("CACHE", "PRECALL", "NOP")
    ]
    for this, after in zip(instructions, [*instructions[1:], None], strict=True):
        if this.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            follows = after is not None and after.opname in ("LOAD_ATTR", "LOAD_METHOD")
            yield this.argval, after.argval if follows and after is not None else ""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _attributes(constant)


def zeros(g: Any, c: Any) -> Any:
    """The formula of an argument that the result does not depend on smoothly."""
    return ops.zeros_like(g)
