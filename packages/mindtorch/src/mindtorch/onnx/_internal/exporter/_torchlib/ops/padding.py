"""More of a tensor at its edges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..._building import Builder, Value
from ..._registration import TRANSLATIONS, translates

_MODES = {"constant": "constant", "reflect": "reflect", "replicate": "edge", "circular": "wrap"}
_NUMBERED = ("reflect", "replicate", "circular", "constant")


def padded(g: Builder, self: Value, pad: Sequence[Any], mode: str, value: Any = None) -> Value:
    """*self* with more at its edges. torch lists the last dimension first.

    :param value: what is put there in the mode ``constant``.
    """
    rank, count = self.rank, len(pad) // 2
    before: list[Any] = [0] * rank
    after: list[Any] = [0] * rank
    for i in range(count):
        before[rank - 1 - i], after[rank - 1 - i] = pad[2 * i], pad[2 * i + 1]
    found = _cut(g, self, before, after)
    before, after = ([p if isinstance(p, Value) else max(p, 0) for p in e] for e in (before, after))
    if all(isinstance(p, int) and p == 0 for p in [*before, *after]):
        return found
    if mode == "circular" and g.version < 19:
        return _circular(g, found, before, after)
    filler = None
    if mode == "constant" and value:
        filler = g.value(value, self.dtype)
    return g.op("Pad", found, g.ints([*before, *after]), filler, mode=_MODES[mode])


def _cut(g: Builder, self: Value, before: Sequence[Any], after: Sequence[Any]) -> Value:
    """Without what negative numbers take away."""
    found = self
    for dim, (front, back) in enumerate(zip(before, after, strict=True)):
        if isinstance(front, Value) or isinstance(back, Value):
            continue
        if front < 0 or back < 0:
            found = g.slice(found, dim, max(-front, 0), back if back < 0 else 2**63 - 1)
    return found


def _circular(g: Builder, self: Value, before: Sequence[int], after: Sequence[int]) -> Value:
    found = self
    for dim, (front, back) in enumerate(zip(before, after, strict=True)):
        parts = [found]
        if front:
            parts.insert(0, g.slice(found, dim, -front, 2**63 - 1))
        if back:
            parts.append(g.slice(found, dim, 0, back))
        found = g.op("Concat", *parts, axis=dim) if len(parts) > 1 else found
    return found


@translates("constant_pad_nd")
def constant_pad_nd(g: Builder, self: Value, pad: Sequence[Any], value: Any = 0) -> Value:
    return padded(g, self, pad, "constant", value)


@translates("pad")
def pad(
    g: Builder, self: Value, pad: Sequence[Any], mode: str = "constant", value: Any = None
) -> Value:
    return padded(g, self, pad, mode, value)


@translates("_pad_enum")
def pad_enum(g: Builder, self: Value, pad: Sequence[Any], mode: int, value: Any = None) -> Value:
    return padded(g, self, pad, _NUMBERED[mode], value)


@translates("_pad_circular")
def pad_circular(g: Builder, self: Value, pad: Sequence[Any]) -> Value:
    return padded(g, self, pad, "circular")


def _of_mode(mode: str) -> Any:
    def translate(g: Builder, self: Value, padding: Sequence[Any]) -> Value:
        return padded(g, self, padding, mode)

    return translate


for _rank in (1, 2, 3):
    TRANSLATIONS[f"reflection_pad{_rank}d"] = _of_mode("reflect")
    TRANSLATIONS[f"replication_pad{_rank}d"] = _of_mode("replicate")
