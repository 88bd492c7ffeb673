"""Rules for sizes that are symbols, of operators whose rows have one that needs numbers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from mindtorch_storage.layout import infer_size, wrap_dim

from ..aten.symbolic_numbers import SymBool, SymFloat, SymInt, sym_max, sym_min
from ..core.results import Out, ViewOf

__all__ = [
    "RULES_OF_DATA",
    "RULES_OF_SYMBOLS",
    "SYMBOLIC",
    "broadcast",
    "depends_on_data",
    "hint_of",
    "holds",
]

SYMBOLIC = (SymInt, SymFloat, SymBool)


def hint_of(number: Any) -> Any:
    """A number as it is, and the value that a symbol has in this run, or could have."""
    return number.node.representative() if isinstance(number, SYMBOLIC) else number


def depends_on_data(number: Any) -> bool:
    """Whether a number has no value in this run."""
    return isinstance(number, SYMBOLIC) and number.node.depends_on_data()


def holds(condition: Any) -> None:
    """Take a condition on sizes for granted: by a guard, or a check in each run.

    Raises RuntimeError where it never holds.
    """
    if isinstance(condition, SymBool):
        condition = condition.node.expect_true()
    if not condition:
        raise RuntimeError("sizes that an operator needs to be equal never are")


def broadcast(shapes: Sequence[Sequence[Any]]) -> tuple[Any, ...]:
    """The shape that *shapes* have together, of which it is known that they do."""
    rank = max(map(len, shapes), default=0)
    found: list[Any] = [1] * rank
    for shape in shapes:
        for d in reversed(range(rank - len(shape), rank)):
            size = shape[d - rank + len(shape)]
            if hint_of(size) == 1 and bool(size == 1):
                continue
            if hint_of(found[d]) == 1 and not depends_on_data(found[d]):
                found[d] = size
            elif found[d] is not size:
                holds(found[d] == size)
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
            holds(old == wanted)
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
                holds(sizes[i] == size)
    return Out(tuple(sizes), None)


def _stack(tensors: Any, dim: int) -> Out:
    first = tensors[0].shape
    for part in tensors[1:]:
        for a, b in zip(first, part.shape, strict=True):
            holds(a is b or a == b)
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


def _select_by_data(self: Any, dim: int, index: Any) -> ViewOf:
    """Where the part lies depends on whether the index counts from the front."""
    if not self.shape:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    d = wrap_dim(dim, len(self.shape))
    sizes, strides = list(self.shape), list(self.stride())
    size, step = sizes.pop(d), strides.pop(d)
    if _surely(index >= size) or _surely(index < -size):
        raise IndexError(
            f"select(): index {index} out of range for tensor of size {list(self.shape)} "
            f"at dimension {d}"
        )
    if _surely(index >= 0):
        offset = self.storage_offset() + index * step
    elif _surely(index < 0):
        offset = self.storage_offset() + (index + size) * step
    else:
        offset = index.node.shape_env.create_unbacked_symint()
    return ViewOf(tuple(sizes), tuple(strides), offset)


def _surely(condition: Any) -> bool:
    """Whether a condition is known to hold."""
    return condition.node.guard_or_false() if isinstance(condition, SymBool) else bool(condition)


def _place(size: Any, index: Any) -> Any:
    """Where an end of a slice lies; None where that is not known."""
    if _surely(index >= 0) and _surely(index <= size):
        return index
    if _surely(index < 0) and _surely(index >= -size):
        return index + size
    if _surely(index < -size):
        return 0
    if _surely(index > size):
        return size
    if _surely(index >= 0):
        return sym_min(index, size)
    return sym_max(index + size, 0) if _surely(index < 0) else None


def _slice_by_data(self: Any, dim: int, start: Any, end: Any, step: Any) -> ViewOf:
    """A slice whose ends are not known has a size of its own."""
    if not self.shape:
        raise RuntimeError("slice() cannot be applied to a 0-dim tensor.")
    d = wrap_dim(dim, len(self.shape))
    if step <= 0:
        raise RuntimeError("slice step must be positive")
    sizes, strides = list(self.shape), list(self.stride())
    low = 0 if start is None else _place(sizes[d], start)
    whole = end is None or isinstance(end, int) and end == sys.maxsize
    high = sizes[d] if whole else _place(sizes[d], end)
    env = next(n for n in (start, end, sizes[d]) if depends_on_data(n)).node.shape_env
    if low is None or high is None:
        size = env.create_unbacked_symint()
        holds(size >= 0)
        holds(size <= sizes[d])
    elif _surely(high >= low):
        size = (high - low + step - 1) // step
    elif _surely(low >= high):
        size = 0
    else:
        size = (sym_max(high - low, 0) + step - 1) // step
    if low is None:
        offset = env.create_unbacked_symint()
        holds(offset >= 0)
    else:
        offset = self.storage_offset() + low * strides[d]
    sizes[d], strides[d] = size, strides[d] * step
    return ViewOf(tuple(sizes), tuple(strides), offset)


def _view_by_data(self: Any, size: Any) -> Out:
    """A view of as many elements, which is checked in each run."""
    numel, known, inferred = self.numel(), 1, None
    for i, number in enumerate(size):
        if isinstance(number, int) and number == -1:
            inferred = i
        else:
            known = known * number
    sizes = list(size)
    if inferred is None:
        holds(numel == known)
    else:
        holds(numel % known == 0)
        sizes[inferred] = numel // known
    return Out(tuple(sizes), None)


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

#: The same where sizes depend on data.
RULES_OF_DATA: dict[str, Callable[..., Any]] = {
    "select.int": _select_by_data,
    "slice.Tensor": _slice_by_data,
    "view": _view_by_data,
    "_unsafe_view": _view_by_data,
}
