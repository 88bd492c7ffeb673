"""``torch._functorch.aot_autograd``: compiling of gradients, which refuses, and its conventions."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..core.unavailable import offer_listed

__all__ = ["make_boxed_compiler", "make_boxed_func"]


def make_boxed_func(f: Callable[..., Any]) -> Callable[[list[Any]], Any]:
    """*f* as a function of one list of its arguments."""

    def boxed(args: list[Any]) -> Any:
        return f(*args)

    boxed._boxed_call = True  # type: ignore[attr-defined]  # whoever calls it asks for this
    return boxed


def make_boxed_compiler(compiler: Callable[..., Any]) -> Callable[..., Any]:
    """*compiler*, whose results take one list of their arguments."""

    @functools.wraps(compiler)
    def compile_boxed(fx_g: Any, inps: Any) -> Any:
        return make_boxed_func(compiler(fx_g, inps))

    return compile_boxed


offer_listed(globals())
