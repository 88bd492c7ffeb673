"""Rules for sizes that are symbols, of operators whose rows have one that needs numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mindtorch_storage.layout import infer_size

from ..aten.symbolic_numbers import SymBool, SymFloat, SymInt
from ..core.results import Out, ViewOf

__all__ = ["RULES_OF_SYMBOLS", "SYMBOLIC", "broadcast", "hint_of"]

SYMBOLIC = (SymInt, SymFloat, SymBool)


def hint_of(number: Any) -> Any:
    """A number as it is, and the value that a symbol has in this run."""
    return number.node.require_hint() if isinstance(number, SYMBOLIC) else number


def broadcast(shapes: Sequence[Sequence[Any]]) -> tuple[Any, ...]:
    """The shape that *shapes* have together, of which it is known that they do."""
    rank = max(map(len, shapes), default=0)
    found: list[Any] = [1] * rank
    for shape in shapes:
        for d in reversed(range(rank - len(shape), rank)):
            size = shape[d - rank + len(shape)]
            if hint_of(size) == 1 and bool(size == 1):
                continue
            if hint_of(found[d]) == 1:
                found[d] = size
            elif found[d] is not size:
                bool(found[d] == size)  # from now on
    return tuple(found)


def _expand(self: Any, size: Any, implicit: bool = False) -> ViewOf:
    more = len(size) - len(self.shape)
    sizes, strides = [], []
    for d, wanted in enumerate(size):
        old = self.shape[d - more] if d >= more else 1
        step = self.stride()[d - more] if d >= more else 0
        if isinstance(wanted, int) and wanted == -1 or wanted is old:
            wanted = old
        elif isinstance(old, int) and old == 1:
            step = 0 if not (isinstance(wanted, int) and wanted == 1) else step
        else:
            bool(old == wanted)
        sizes.append(wanted)
        strides.append(step)
    return ViewOf(tuple(sizes), tuple(strides))


def _cat(tensors: Any, dim: int) -> Out:
    parts = [
        t for t in tensors if not (t.ndim == 1 and isinstance(t.shape[0], int) and not t.shape[0])
    ]
    if not parts:
        return Out((0,), None)
    d = dim % parts[0].ndim
    sizes = list(parts[0].shape)
    for part in parts[1:]:
        for i, size in enumerate(part.shape):
            if i == d:
                sizes[i] = sizes[i] + size
            elif sizes[i] is not size:
                bool(sizes[i] == size)
    return Out(tuple(sizes), None)


def _stack(tensors: Any, dim: int) -> Out:
    first = tensors[0].shape
    for part in tensors[1:]:
        for a, b in zip(first, part.shape, strict=True):
            bool(a is b or a == b)
    d = dim % (len(first) + 1)
    return Out((*first[:d], len(tensors), *first[d:]), None)


def _arange(start: Any, end: Any, step: Any, *rest: Any) -> Out:
    if isinstance(step, int) and step == 1:
        return Out((end - start,), None)
    return Out(((end - start + step - 1) // step,), None)


def _view(self: Any, size: Any) -> Out:
    return Out(infer_size(size, self.numel()), None)


def _index(self: Any, indices: Any) -> Out:
    """Sizes of indices that are no masks, where they stand: at the first one, or in front."""
    shape, places = list(self.shape), [i for i, t in enumerate(indices) if t is not None]
    chosen = broadcast([indices[i].shape for i in places])
    kept = [size for i, size in enumerate(shape) if i not in places]
    together = places == list(range(places[0], places[-1] + 1))
    at = places[0] if together else 0
    return Out((*kept[:at], *chosen, *kept[at:]), None)


RULES_OF_SYMBOLS: dict[str, Callable[..., Any]] = {
    "arange": lambda end, *rest: _arange(0, end, 1),
    "arange.start": lambda start, end, *rest: _arange(start, end, 1),
    "arange.start_step": _arange,
    "cat": _cat,
    "expand": _expand,
    "index.Tensor": _index,
    "stack": _stack,
    "view": _view,
    "_unsafe_view": _view,
}
