"""``torch._functorch.compilers``: compilers that compile nothing; the others refuse."""

from __future__ import annotations

from typing import Any

from ..core.unavailable import offer_listed
from .aot_autograd import make_boxed_compiler

__all__ = ["nop", "print_compile"]


@make_boxed_compiler
def nop(fx_g: Any, _: Any) -> Any:
    """Give back the graph as it is."""
    return fx_g


@make_boxed_compiler
def print_compile(fx_g: Any, _: Any) -> Any:
    """Print the code of the graph and give it back."""
    print(fx_g.code)
    return fx_g


offer_listed(globals())
