"""The check that a custom op returns memory of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..tensor import Tensor
from ..tensor.array_memory import same_storage

__all__ = ["shares_memory"]


def _tensors(values: Iterable[Any]) -> Iterator[Tensor]:
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            for inner in value:
                if isinstance(inner, Tensor):
                    yield inner


def shares_memory(args: tuple[Any, ...], kwargs: dict[str, Any], result: Any) -> bool:
    """Whether a result lies in the memory of an argument or of another result."""
    results = result if isinstance(result, tuple) else (result,)
    if not kwargs and len(results) == 1 and isinstance(result, Tensor):
        # The usual case, without generators.
        two = result._shared_
        for a in args:
            if isinstance(a, Tensor):
                if a is result or two is not None and same_storage(a, result):
                    return True
            elif isinstance(a, (list, tuple)) and any(same_storage(t, result) for t in _tensors(a)):
                return True
        return False
    seen = [*_tensors(args), *_tensors(kwargs.values())]
    for out in _tensors(results):
        if any(same_storage(t, out) for t in seen):
            return True
        seen.append(out)
    return False
