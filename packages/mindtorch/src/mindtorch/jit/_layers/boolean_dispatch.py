"""Functions that are one of two, by a truth among their arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["dispatched"]


def dispatched(
    name: str, argument: str, index: int, if_true: Callable[..., Any], if_false: Callable[..., Any]
) -> Callable[..., Any]:
    """A function that is *if_true* where the argument is True."""

    def fn(*args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("it is compiled, not called")

    fn.__name__ = name
    facts = {"arg_name": argument, "index": index, "default": False}
    fn.script_dispatch_ = {**facts, "if_true": if_true, "if_false": if_false}  # type: ignore[attr-defined]  # a mark
    fn.__module__ = if_true.__module__
    return fn
