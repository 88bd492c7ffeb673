"""``torch._higher_order_ops.invoke_subgraph``: a part of a program that is compiled once.

Nothing is compiled here: the part runs as what it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_dispatch import DispatchKey

from .._library.higher_order_operator import HigherOrderOperator
from ..aten import torch

__all__ = ["invoke_subgraph", "invoke_subgraph_placeholder", "mark_compile_region"]

_Function = Callable[..., Any]


class InvokeSubgraphHOP(HigherOrderOperator):
    """``torch.ops.higher_order.invoke_subgraph``: ``subgraph(*operands)``."""

    def __init__(self) -> None:
        super().__init__("invoke_subgraph", cacheable=True)

    def __call__(self, subgraph: _Function, identifier: str | None, *operands: Any) -> Any:
        """Call *subgraph*, which *identifier* names."""
        if identifier is not None and not isinstance(identifier, str):
            raise AssertionError(f"identifier must be None or a string, got {type(identifier)}")
        allowed = (torch.Tensor, int, torch.SymInt, torch.Generator)
        if not all(o is None or isinstance(o, allowed) for o in operands):
            raise AssertionError(
                "invoke_subgraph operands must be a list of tensors/ints/SymInts/Generator, got "
                f"{operands}"
            )
        return super().__call__(subgraph, identifier, *operands)


invoke_subgraph = InvokeSubgraphHOP()


@invoke_subgraph.py_impl(DispatchKey.CompositeImplicitAutograd)
def _run(subgraph: _Function, identifier: str | None, *operands: Any) -> Any:
    return subgraph(*operands)


def invoke_subgraph_placeholder(func: _Function, *args: Any, **kwargs: Any) -> Any:
    """Call *func*."""
    return func(*args, **kwargs)


def mark_compile_region(
    fn: _Function | None = None,
    options: Any = None,
    max_reuse_entries: int = 8,
    reuse_hash_fn: _Function | None = None,
) -> Any:
    """Say of a function that it is to be compiled once; without *fn* a decorator.

    The options are kept on the function; nothing is compiled here.
    """

    def wrap(func: Any) -> _Function:
        def inner(*args: Any, **kwargs: Any) -> Any:
            innermost = func
            while hasattr(innermost, "__marked_compile_region_fn__"):
                innermost = innermost.__marked_compile_region_fn__
            return invoke_subgraph_placeholder(innermost, *args, **kwargs)

        vars(inner)["__marked_compile_region_fn__"] = func
        func.__marked_compile_region_config__ = options
        func.__marked_compile_region_max_reuse_entries__ = max_reuse_entries
        func.__marked_compile_region_reuse_hash_fn__ = reuse_hash_fn
        return inner

    return wrap(fn) if fn else wrap
