"""Rules for sizes that are symbols, of operators whose rows have one that needs numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_storage.layout import infer_size

from ..core.results import Out, ViewOf

__all__ = ["RULES_OF_SYMBOLS"]


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


RULES_OF_SYMBOLS: dict[str, Callable[..., Any]] = {
    "arange": lambda end, *rest: _arange(0, end, 1),
    "arange.start": lambda start, end, *rest: _arange(start, end, 1),
    "arange.start_step": _arange,
    "cat": _cat,
    "expand": _expand,
    "stack": _stack,
    "view": _view,
    "_unsafe_view": _view,
}
