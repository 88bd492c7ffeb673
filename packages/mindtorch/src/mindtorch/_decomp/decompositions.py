"""``torch._decomp.decompositions``: operators written in those that a backend must know.

Which operators come out, and in which order, follows torch's own functions. Arithmetic in half
precision is done in float32 and rounded at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .activations import ACTIVATIONS
from .arithmetic import ARITHMETIC
from .factories import FACTORIES
from .losses import LOSSES
from .reductions import REDUCTIONS
from .shapes import SHAPES

__all__ = ["core_operators"]


def core_operators() -> dict[Any, Callable[..., Any]]:
    """A table of the operators that are written in others here."""
    return SHAPES | FACTORIES | ARITHMETIC | REDUCTIONS | ACTIVATIONS | LOSSES
