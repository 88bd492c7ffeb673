"""One value or several: the tuples of sizes that layers and functions take."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from typing import Any

__all__ = ["_list_with_default", "_ntuple", "_pair", "_quadruple", "_single", "_triple"]


def _ntuple(n: int, name: str = "parse") -> Any:
    """A function that makes a tuple of *n* out of one value, and of an iterable its own tuple."""

    def parse(x: Any) -> Any:
        return tuple(x) if isinstance(x, Iterable) else tuple(repeat(x, n))

    parse.__name__ = name
    return parse


_single, _pair = _ntuple(1, "_single"), _ntuple(2, "_pair")
_triple, _quadruple = _ntuple(3, "_triple"), _ntuple(4, "_quadruple")


def _list_with_default(out_size: Any, defaults: Any) -> list[int]:
    """*out_size*, with the last of *defaults* where it says None."""
    if isinstance(out_size, int):
        return out_size  # type: ignore[return-value]  # as torch does
    if len(defaults) <= len(out_size):
        raise ValueError(f"Input dimension should be at least {len(out_size) + 1}")
    tail = defaults[-len(out_size) :]
    return [own if v is None else v for v, own in zip(out_size, tail, strict=True)]


for _one in (_ntuple, _list_with_default):
    _one.__module__ = "mindtorch.nn.modules.utils"  # where torch has them
