"""What is known of the results of calls of one layout: their metas, and numpy's strides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..tensor import Tensor
from ..tensor.interning import meta_of
from .fragments import Kernel

__all__ = ["are_as_promised", "are_empty", "marks", "metas_of"]


def metas_of(result: Any) -> Any:
    """The meta of a result, or of each of several; None where one has none."""
    if isinstance(result, Tensor):
        return meta_of(result)
    several = isinstance(result, (tuple, list)) and result
    metas = [meta_of(t) if isinstance(t, Tensor) else None for t in several or (None,)]
    return None if None in metas else metas


def each(result: Any) -> Sequence[Any]:
    return (result,) if isinstance(result, Tensor) else result


def are_empty(result: Any) -> bool:
    """Whether one of the results has no element."""
    return any(0 in t._a_.shape for t in each(result))


def are_as_promised(result: Any, kernel: Kernel) -> bool:
    """Whether results without elements have the strides that they will have each time.

    numpy gives arrays of nothing strides of several kinds.
    """
    pairs = zip(each(result), kernel.looks, strict=True)
    return all(0 not in t._a_.shape or t._a_.strides == look.strides for t, look in pairs)


def marks(result: str, one: bool) -> list[str]:
    """Give results their metas."""
    mark = [f"for t, m in zip({result}, metas):", "    t._meta_ = m"]
    return [f"{result}._meta_ = metas"] if one else mark
