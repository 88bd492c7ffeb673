"""``torch._inductor.decomposition``: what stands for an op in a graph that is to be compiled.

Libraries put their own ops into the table. No graph is compiled here; ``make_fx`` takes the table
as ``decomposition_table``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .._decomp import decomposition_table
from .._decomp import register_decomposition as _register
from .._ops import OpOverload

__all__ = ["decompositions", "register_decomposition", "select_decomp_table"]

_Function = TypeVar("_Function", bound=Callable[..., Any])
#: Op -> the function that stands for it; at first what stands for ops in any trace.
decompositions: dict[Any, Callable[..., Any]] = dict(decomposition_table)


def register_decomposition(ops: Any) -> Callable[[_Function], _Function]:
    """Let the decorated function stand for *ops*, an op or a list of ops; a later one counts."""
    for op in ops if isinstance(ops, (list, tuple)) else [ops]:
        for one in [op] if isinstance(op, OpOverload) else [getattr(op, n) for n in op.overloads()]:
            decompositions.pop(one, None)
    return _register(ops, decompositions)


def select_decomp_table() -> dict[Any, Callable[..., Any]]:
    """The table that counts at present."""
    return decompositions
