"""Values as texts, as C++ writes them: a float that is whole ends in a dot, strings are bare.

Source: torch aten/src/ATen/core/ivalue.cpp (``operator<<``), register_special_ops.
"""

from __future__ import annotations

import math
import re
from enum import Enum
from typing import Any

from ..tensor import Tensor

__all__ = ["float_text", "formatted", "percent_formatted", "text"]


def text(value: Any) -> str:
    """*value* as ``str()`` of a script writes it; tensors as Python does."""
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, float):
        return float_text(value)
    if isinstance(value, complex):
        sign = "-" if math.copysign(1, value.imag) < 0 else "+"
        return f"{float_text(value.real)}{sign}{float_text(abs(value.imag))}j"
    if isinstance(value, list):
        return "[" + ", ".join(map(text, value)) + "]"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(text, value)) + ("," if len(value) == 1 else "") + ")"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{text(k)}: {text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, Tensor):
        return repr(value)
    return str(value)


def float_text(value: float) -> str:
    """*value* with 17 digits; one that is whole ends in a dot."""
    if not math.isfinite(value):
        return str(value)
    digits = f"{value:.17g}"
    return digits if re.search(r"[.e]", digits) else digits + "."


def formatted(template: str, *values: Any) -> str:
    """*template* with a value for each ``{}``. Raises RuntimeError if there are too few."""
    parts = template.split("{}")
    if len(values) < len(parts) - 1:
        raise RuntimeError(f"Too few arguments for format string: {template}")
    given = iter(values)
    return parts[0] + "".join(text(next(given)) + part for part in parts[1:])


def percent_formatted(template: str, values: Any) -> str:
    """*template* with a value for each ``%s``, ``%d`` and their like."""
    values = values if isinstance(values, tuple) else (values,)
    given = iter(values)

    def one(match: re.Match[str]) -> str:
        kind = match[1]
        if kind == "%":
            return "%"
        value = next(given)
        return text(value) if kind == "s" else f"%{kind}" % value

    return re.sub(r"%(.)", one, template)
