"""Calls past the argument parser, for arguments of types that it has seen before.

Which overload a call means, and where each argument goes, depends on the types of the arguments
alone, as long as these are a tensor first and then tensors and plain numbers. So the parser is
asked once for each combination of types, with values that can be told apart in its answer; of where
they turn up a small function is made that puts the values of later calls in the same places.

Tensors are a little less plain: one without dimensions may stand for a number. The parser is asked
with several kinds of them, and no shortcut is made where the answers differ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, Final

import numpy as np

from ..core import signature as S
from ..core.key_sets import grad_state, tls_state
from ..core.size import Size
from ..tensor import Tensor
from ..tensor.construction import wrap
from .overload import OUT, Overload

#: What a shortcut answers where the parser has to look at the values after all.
PARSER: Final = object()
#: What int64 holds; the parser refuses a number beyond it.
_RANGE: Final = f"{-(1 << 63)} <= {{}} <= {(1 << 63) - 1}"
_SEQUENCES: Final = (tuple, list, Size)
#: Two values of each type that the parser only looks at the type of.
_SAMPLES: Final[dict[type, Callable[[int], tuple[Any, Any]]]] = {
    int: lambda i: (1_000_003 + i, 2_000_003 + i),
    float: lambda i: (0.5 + i, 1000.5 + i),
    bool: lambda i: (True, False),
    type(None): lambda i: (None, None),
    **{
        kind: lambda i, kind=kind: (kind(_numbers(i, 2)), kind(_numbers(i + 50, 3)))
        for kind in _SEQUENCES
    },
}
#: How many numbers the samples of a sequence have: the parser must take them all alike.
_LENGTHS: Final = (1, 2, 3, 5)
#: Sequences are looked at each time: whole numbers alone, that int64 holds.
_SIZES: Final = (
    f"v{{0}} and {{{{*map(type, v{{0}})}}}} == INT and {-(1 << 63)} <= min(v{{0}}) and "
    f"max(v{{0}}) <= {(1 << 63) - 1}"
)
#: Tensors of the kinds that a parser tells apart.
_TENSORS: Final = (np.ones((2, 2)), np.ones(()), np.ones((), np.int64), np.ones((), np.bool_))
#: Ops of more take so long that the parser is little beside them, and to learn them takes longer.
_MOST_TENSORS: Final = 3
_CONSTANTS: Final = (bool, int, float, str, type(None))


def _numbers(i: int, length: int) -> tuple[int, ...]:
    return tuple([3_000_003 + 100 * i + k for k in range(length)])


class Shortcuts(dict[tuple[Any, ...], Any]):
    """Types of the arguments after the first tensor (by keyword: the names, then the types) → call.

    A call takes the first tensor and the tuple of the other values. None where the parser is
    needed. A combination is looked at when it is met the second time.
    """

    __slots__ = ("_group", "_method", "_parser", "_seen")

    def __init__(self, parser: Any, group: list[Overload], *, method: bool) -> None:
        self._parser = parser
        self._group = group
        self._method = method
        self._seen: set[tuple[Any, ...]] = set()

    def __missing__(self, key: tuple[Any, ...]) -> Any:
        # A mode would see what the parser asks of 0-d tensors, and a pipeline would be flushed.
        if key not in self._seen or tls_state():
            self._seen.add(key)
            return None
        made = self[key] = self._learn(key)
        return made

    def _learn(self, key: tuple[Any, ...]) -> Callable[..., Any] | None:
        found = self.places(key)
        if found is None:
            return None
        which, parts = found
        return _compiled(self._group[which], _types(key), parts)

    def places(self, key: tuple[Any, ...]) -> tuple[int, list[Any]] | None:
        """The overload that calls of *key* mean, and what stands at each of its arguments.

        ``"first"``, an expression of the other values ``v0``, ``v1``, …, or (in a 1-tuple) a
        constant. None where that does not depend on types alone, or the parser refuses them.
        """
        names = [part for part in key if isinstance(part, str)]
        types = _types(key)
        if any(t not in _SAMPLES and not issubclass(t, Tensor) for t in types):
            return None
        parser = self._parser.before_deprecated()
        if not parser.signatures:
            return None

        def ask(first: Tensor, values: Sequence[Any]) -> tuple[int, tuple[Any, ...]]:
            n = len(values) - len(names)
            keywords = dict(zip(names, values[n:], strict=True))
            if self._method:
                return parser.parse(tuple(values[:n]), keywords, first)
            return parser.parse((first, *values[:n]), keywords)

        try:
            return _places(ask, types)
        except (TypeError, RuntimeError, ValueError):
            return None


def _types(key: tuple[Any, ...]) -> list[type]:
    return [part for part in key if not isinstance(part, str)]


def _places(ask: Callable[..., Any], types: list[type]) -> tuple[int, list[Any]] | None:
    """The overload, and for each of its arguments an expression or (in a 1-tuple) a constant."""
    at = [i for i, t in enumerate(types) if t not in _SAMPLES]  # tensors among the values
    if len(at) > _MOST_TENSORS:
        return None
    values: list[Any] = [_SAMPLES[t](i)[0] if t in _SAMPLES else None for i, t in enumerate(types)]
    found: tuple[int, list[Any]] | None = None
    for arrays in product(_TENSORS, repeat=1 + len(at)):
        first, *others = [wrap(array) for array in arrays]
        for i, tensor in zip(at, others, strict=True):
            values[i] = tensor
        which, bound = ask(first, values)
        parts: list[Any] = [(value,) for value in bound]
        for p, value in enumerate(bound):
            if value is first:
                parts[p] = "first"
            for i in at:
                if value is values[i]:
                    parts[p] = f"v{i}"
        known = (which, [part for part in parts if isinstance(part, str)])
        if found is None:
            found = which, parts
            if not _trace(ask, first, values, types, bound, parts):
                return None
            seen = known
        elif known != seen:
            return None
    assert found is not None
    constants = [part[0] for part in found[1] if isinstance(part, tuple)]
    if found[1].count("first") != 1 or not all(
        isinstance(c, _CONSTANTS) or _is_plain(c) for c in constants
    ):
        return None
    return found


def _is_plain(value: Any) -> bool:
    return type(value) is tuple and all(type(item) in _CONSTANTS for item in value)


def _trace(
    ask: Callable[..., Any],
    first: Tensor,
    values: list[Any],
    types: list[type],
    bound: tuple[Any, ...],
    parts: list[Any],
) -> bool:
    """Note in *parts* where each number went; whether that is plain for all of them."""
    for i, t in enumerate(types):
        if t not in _SAMPLES or t is type(None):
            continue
        if t in _SEQUENCES:
            found = _place_of_sizes(ask, first, values, i)
            if found is None:
                return False
            p, kind = found
            parts[p] = f"v{i}" if kind is t else f"tuple(v{i})"
            continue
        one, two = _SAMPLES[t](i)
        other = list(values)
        other[i] = two
        _, changed = ask(first, other)
        moved = [p for p in range(len(bound)) if not _same(bound[p], changed[p])]
        if len(moved) != 1:
            return False
        p = moved[0]
        if _same(bound[p], one) and _same(changed[p], two):
            parts[p] = f"v{i}"
        elif _same(bound[p], (one,)) and _same(changed[p], (two,)):
            parts[p] = f"(v{i},)"
        elif type(bound[p]) is tuple and bound[p] == tuple(values[: len(bound[p])]):
            parts[p] = f"({', '.join(f'v{k}' for k in range(len(bound[p])))})"
        else:
            return False
    return True


def _place_of_sizes(
    ask: Callable[..., Any], first: Tensor, values: list[Any], i: int
) -> tuple[int, type] | None:
    """Where the sequence ``values[i]`` goes, however long it is, and as which type."""
    which, bound = ask(first, values)
    places = set()
    for length in _LENGTHS:
        other = list(values)
        other[i] = type(values[i])(_numbers(i + 50, length))
        chosen, changed = ask(first, other)
        moved = [p for p in range(len(bound)) if not _same(bound[p], changed[p])]
        if chosen != which or len(moved) != 1 or changed[moved[0]] != tuple(other[i]):
            return None
        places.add((moved[0], type(changed[moved[0]])))
    return places.pop() if len(places) == 1 else None


def _same(a: Any, b: Any) -> bool:
    """Whether two parsed values are one: of one type, too."""
    if a is b:
        return True
    if type(a) is not type(b) or isinstance(a, Tensor):
        return False
    if type(a) is tuple:
        return len(a) == len(b) and all(map(_same, a, b))
    return bool(a == b)


def _compiled(
    overload: Overload, types: list[type], parts: list[Any]
) -> Callable[[Tensor, tuple[Any, ...]], Any] | None:
    overload.analyse()
    # What follows the arguments is ``requires_grad`` of a factory.
    extras, parts = parts[overload.arity :], parts[: overload.arity]
    if overload.kind == OUT and extras or any(isinstance(p, str) or p[0] for p in extras):
        return None
    given = (*overload.list_positions, overload.device_position, overload.pin_position)
    if any(p >= 0 and (isinstance(parts[p], str) or parts[p][0]) for p in given):
        return None  # a list of tensors, a device
    number_sig = 0
    joined = []
    for p in overload.tensor_positions:
        part = parts[p]
        if part == "first":
            joined.append("first._sig")
        elif isinstance(part, str):
            t = types[int(part[1:])]
            if issubclass(t, Tensor):
                joined.append(f"{part}._sig")
            else:
                number_sig |= S.NUMBER_SIG[t]
        elif part[0] is not None:
            return None
    if "first._sig" not in joined:
        return None
    # The module's name: who looks for the user's line sees that this is not it.
    names = {"__name__": __name__, "api": overload.api, "pack": overload.pack, "PARSER": PARSER}
    names["INT"] = {int}
    names |= {"grad_state": grad_state, "tls_state": tls_state}
    lines = ["def call(first, values):"]
    if types:
        lines.append(f"    {', '.join(f'v{i}' for i in range(len(types)))}, = values")
    checks = [_RANGE.format(f"v{i}") for i, t in enumerate(types) if t is int]
    checks += [_SIZES.format(i) for i, t in enumerate(types) if t in _SEQUENCES]
    if checks:
        lines.append(f"    if not ({' and '.join(checks)}):\n        return PARSER")
    for p, part in enumerate(parts):
        if not isinstance(part, str):
            names[f"c{p}"] = part[0]
    listed = ", ".join(part if isinstance(part, str) else f"c{p}" for p, part in enumerate(parts))
    sig = " | ".join(
        [*joined, *([str(number_sig)] if number_sig else []), "grad_state()", "tls_state()"]
    )
    result = f"api[{sig}]({listed})"
    lines.append(f"    return {result if overload.pack is None else f'pack({result})'}")
    exec(compile("\n".join(lines), f"<shortcut of {overload.name}>", "exec"), names)
    return names["call"]
