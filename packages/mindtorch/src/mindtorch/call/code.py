"""Functions made of text, of which each is compiled once at most.

Whoever writes a function out gives the text and *cells*: what the text names outside itself. All
that differs between two calls of one shape (a kernel, a signature, a default) belongs into a cell,
so that ops share texts. What a text makes is then a closure, which takes a microsecond or two;
compiling takes 50 to 200. The texts that common calls need stand in ``code_shapes``, a module
that a program writes (``hatch run shapes``), and are compiled when the package is installed.

A text is the body of a function and ends with what it returns::

    function("def call(a, b):\\n    return run(a._a_, b._a_)\\nreturn call", {"run": np.add})
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from textwrap import indent
from types import FunctionType
from typing import Any, Final
from zlib import adler32, crc32

from ..core.source_code import run_source
from . import code_shapes

__all__ = ["digest", "function", "maker_text", "renamed", "texts"]

#: Text -> what makes its function, and the cells that it wants in this order.
_makers: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {}
#: The frames of these functions are this module's, wherever the text was compiled.
_SPACE: Final = {"__name__": __name__}
#: Blanks in place of what is no letter of a word; a regular expression takes longer to make.
_BETWEEN_WORDS: Final = {i: " " for i in range(128) if not (chr(i).isalnum() or chr(i) == "_")}


def function(text: str, cells: Mapping[str, Any]) -> Any:
    """What *text* returns; the names in it that are *cells* are bound to their values.

    Cells that the text does not name are left out.
    """
    found = _makers.get(text)
    if found is None:
        found = _makers[text] = _maker(text, cells)
    make, names = found
    return make(*[cells[name] for name in names])


def _maker(text: str, cells: Mapping[str, Any]) -> tuple[Callable[..., Any], tuple[str, ...]]:
    make: Callable[..., Any] | None = code_shapes.MAKERS.get(digest(text))
    if make is None:
        space: dict[str, Any] = dict(_SPACE)
        run_source(maker_text("make", text, cells), space, "<mindtorch.call.code>")
        make = space["make"]
    code = make.__code__
    return make, code.co_varnames[: code.co_argcount]


def maker_text(name: str, text: str, cells: Mapping[str, Any]) -> str:
    """The function *name* that takes the cells that *text* names, and returns what it does."""
    named = sorted(cells.keys() & text.translate(_BETWEEN_WORDS).split())
    return f"def {name}({', '.join(named)}):\n{indent(text, '    ')}\n"


def renamed(function: FunctionType, name: str, variables: Mapping[str, str]) -> FunctionType:
    """*function* by another *name*, some of whose variables have other names."""
    code = function.__code__
    places = tuple([variables.get(v, v) for v in code.co_varnames])
    code = code.replace(co_varnames=places, co_name=name, co_qualname=name)
    return FunctionType(
        code, function.__globals__, name, function.__defaults__, function.__closure__
    )


def digest(text: str) -> int:
    """64 bits by which a text is found."""
    data = text.encode()
    return crc32(data) << 32 | adler32(data)


def texts() -> dict[str, tuple[str, ...]]:
    """The texts of which functions were made so far, with the cells that each names."""
    return {text: names for text, (_, names) in _makers.items()}
