"""``torch.utils._sympy.symbol``: what the names of symbols begin with.

A program that makes symbols has sympy, which is imported then.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto
from importlib import import_module
from typing import Any

__all__ = ["SymT", "free_symbol_is_type", "make_symbol", "prefix_str", "symbol_is_type"]


class SymT(Enum):
    """What a symbol stands for."""

    SIZE = auto()
    FLOAT = auto()
    UNBACKED_INT = auto()
    UNBACKED_FLOAT = auto()
    TMP = auto()
    INDIRECT = auto()
    PRECOMPUTED_SIZE = auto()
    INDEX = auto()
    R0_INDEX = auto()
    R1_INDEX = auto()
    TEMPLATE_INDEX = auto()
    XBLOCK = auto()
    YBLOCK = auto()
    ZBLOCK = auto()
    VIEW = auto()
    HALIDE = auto()


#: The beginning of a symbol's name: none is the beginning of another.
prefix_str = {
    SymT.SIZE: "s",
    SymT.UNBACKED_INT: "u",
    SymT.FLOAT: "zf",
    SymT.UNBACKED_FLOAT: "zuf",
    SymT.TMP: "tmp",
    SymT.PRECOMPUTED_SIZE: "ps",
    SymT.INDEX: "i",
    SymT.R0_INDEX: "r0_",
    SymT.R1_INDEX: "r1_",
    SymT.TEMPLATE_INDEX: "idx",
    SymT.XBLOCK: "x",
    SymT.YBLOCK: "y",
    SymT.ZBLOCK: "z",
    SymT.INDIRECT: "indirect",
    SymT.VIEW: "view",
    SymT.HALIDE: "h",
}


def make_symbol(prefix: SymT, idx: int, **kwargs: Any) -> Any:
    """The symbol of a kind and a number; *kwargs* are what sympy assumes of it."""
    return import_module("sympy").Symbol(f"{prefix_str[prefix]}{idx}", **kwargs)


def symbol_is_type(sym: Any, prefix: SymT | Iterable[SymT]) -> bool:
    """Whether a symbol's name, in small letters, says that it is of a kind, or of one of several.

    Raises AssertionError for what is no symbol.
    """
    if not isinstance(sym, import_module("sympy").Symbol):
        raise AssertionError("expected sympy.Symbol")
    kinds = (prefix,) if isinstance(prefix, SymT) else prefix
    return bool(sym.name.lower().startswith(tuple(prefix_str[kind] for kind in kinds)))


def free_symbol_is_type(e: Any, prefix: SymT | Iterable[SymT]) -> bool:
    """Whether a symbol in an expression is of a kind, or of one of several."""
    kinds = prefix if isinstance(prefix, SymT) else tuple(prefix)
    return any(symbol_is_type(symbol, kinds) for symbol in e.free_symbols)
