"""What goes wrong with symbols of sizes."""

from __future__ import annotations

from typing import Any

__all__ = ["ConstraintViolationError", "GuardOnDataDependentSymNode", "data_dependent_error"]


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
    if getattr(expr, "is_Relational", False) or getattr(expr, "is_Boolean", False):
        what = f"Could not guard on data-dependent expression {expr} (unhinted: {expr})."
    else:
        what = f"Could not extract specialized integer from data-dependent expression {expr}"
        what += f" (unhinted: {expr})."
    sizes = ", ".join(str(s) for s in symbols if s in shape_env.size_like)
    told = (
        f"{what}  (Size-like symbols: {sizes or 'none'})\n\n"
        'For more information, run with TORCH_LOGS="dynamic"\n'
        "For extended logs when we create symbols, also add "
        f'TORCHDYNAMO_EXTENDED_DEBUG_CREATE_SYMBOL="{",".join(map(str, symbols))}"\n'
        "If you suspect the guard was triggered from C++, add TORCHDYNAMO_EXTENDED_DEBUG_CPP=1\n"
        "For more debugging help, see https://docs.google.com/document/d/"
        "1HSuTTVvYH1pTew89Rtpeu84Ht3nQEFTYhAX3Ypa_xJs/edit?usp=sharing\n"
        "\nFor C++ stack trace, run with TORCHDYNAMO_EXTENDED_DEBUG_CPP=1"
    )
    return GuardOnDataDependentSymNode(expr, told)
