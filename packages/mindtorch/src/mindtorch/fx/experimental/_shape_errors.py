"""What goes wrong with symbols of sizes."""

from __future__ import annotations

import dis
import os
import sys
from typing import Any

from ...core.tracebacks import users_frame

__all__ = [
    "ConstraintViolationError",
    "GuardOnDataDependentSymNode",
    "asked_by_assert",
    "data_dependent_error",
]


#: What follows a jump that is not taken where an assertion fails.
_OF_ASSERTS = ("LOAD_ASSERTION_ERROR", "LOAD_COMMON_CONSTANT")
_OURS = os.path.dirname(os.path.abspath(sys.modules[__name__.partition(".")[0]].__file__ or ""))


class GuardOnDataDependentSymNode(RuntimeError):
    """A decision would depend on data that is not there."""

    def __init__(self, cond: Any, *args: Any) -> None:
        super().__init__(*args)
        self.cond = cond


class ConstraintViolationError(RuntimeError):
    """A size is another than was promised."""


def data_dependent_error(shape_env: Any, expr: Any) -> GuardOnDataDependentSymNode:
    """The error of a decision that depends on data."""
    symbols = sorted(expr.free_symbols, key=lambda s: s.name)
    what, advice = "Could not extract specialized integer from data-dependent expression", ""
    if getattr(expr, "is_Relational", False) or getattr(expr, "is_Boolean", False):
        what = "Could not guard on data-dependent expression"
        advice = (
            "consider using data-dependent friendly APIs such as guard_or_false, guard_or_true and "
            "statically_known_true."
        )
    sizes = ", ".join(str(s) for s in symbols if s in shape_env.size_like)
    told = (
        f"{what} {expr} (unhinted: {expr}).  (Size-like symbols: {sizes or 'none'})\n\n"
        f"{advice}\n"
        f"Caused by: ({_place_in_program()})\n"
        'For more information, run with TORCH_LOGS="dynamic"\n'
        "For extended logs when we create symbols, also add "
        f'TORCHDYNAMO_EXTENDED_DEBUG_CREATE_SYMBOL="{",".join(map(str, symbols))}"\n'
        "If you suspect the guard was triggered from C++, add TORCHDYNAMO_EXTENDED_DEBUG_CPP=1\n"
        "For more debugging help, see https://docs.google.com/document/d/"
        "1HSuTTVvYH1pTew89Rtpeu84Ht3nQEFTYhAX3Ypa_xJs/edit?usp=sharing\n"
        "\nFor C++ stack trace, run with TORCHDYNAMO_EXTENDED_DEBUG_CPP=1"
    )
    return GuardOnDataDependentSymNode(expr, told)


def asked_by_assert() -> bool:
    """Whether the program asks for a truth in an ``assert``."""
    frame = users_frame(sys._getframe(1))
    if frame is None:
        return False
    following = (
        found.opname
        for found in dis.get_instructions(frame.f_code)
        if found.offset >= frame.f_lasti
    )
    asking = ("COPY", "TO_BOOL", "POP_JUMP")
    return next((n for n in following if not n.startswith(asking)), "") in _OF_ASSERTS


def _place_in_program() -> str:
    """The line of the program that asked; its file is named from where ours begin to differ."""
    frame = users_frame(sys._getframe(1))
    if frame is None:
        return ""
    file = frame.f_code.co_filename
    try:
        file = file[len(os.path.commonpath([file, _OURS])) + 1 :]
    except ValueError:  # on another drive, or no path
        pass
    return f"{file}:{frame.f_lineno} in {frame.f_code.co_name}"
