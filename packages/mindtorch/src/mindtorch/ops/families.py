"""Imports every module that defines rows. A new family is one more name here."""

from __future__ import annotations

from . import (  # noqa: F401
    activation,
    binary,
    comparison,
    complex_parts,
    copying,
    cumulative,
    factory,
    indexing,
    joining,
    masking,
    movement,
    reduction,
    scatter,
    sorting,
    split,
    statistics,
    ternary,
    triangular,
    unary,
    view,
)
