"""The check that a custom op returns memory of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..tensor import Tensor

__all__ = ["shares_memory"]


def _tensors(values: Iterable[Any]) -> Iterator[Tensor]:
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            for inner in value:
                if isinstance(inner, Tensor):
                    yield inner


def _same(a: Tensor, b: Tensor) -> bool:
    """Whether two tensors lie in one storage."""
    if a is b:
        return True
    one, two = a._shared, b._shared
    if one is None or two is None:
        return False  # never shared with anybody
    return one is two or (one.storage is not None and one.storage is two.storage)


def shares_memory(args: tuple[Any, ...], kwargs: dict[str, Any], result: Any) -> bool:
    """Whether a result lies in the memory of an argument or of another result."""
    results = result if isinstance(result, tuple) else (result,)
    if not kwargs and len(results) == 1 and isinstance(result, Tensor):
        # The usual case, without generators.
        two = result._shared
        for a in args:
            if isinstance(a, Tensor):
                if a is result or (two is not None and a._shared is not None and _same(a, result)):
                    return True
            elif isinstance(a, (list, tuple)) and any(_same(t, result) for t in _tensors(a)):
                return True
        return False
    seen = [*_tensors(args), *_tensors(kwargs.values())]
    for out in _tensors(results):
        if any(_same(t, out) for t in seen):
            return True
        seen.append(out)
    return False
