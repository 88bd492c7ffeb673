"""Imports every module that defines rows. A new family is one more name here."""

from __future__ import annotations

from . import (  # noqa: F401
    activation,
    alias,  # noqa: E402, F401  (after the ops it names)
    binary,
    comparison,
    complex_parts,
    contraction,
    convolution,
    copying,
    cumulative,
    embedding,
    factory,
    indexing,
    joining,
    loss,
    masking,
    matmul,
    movement,
    normalization,
    padding,
    pooling,
    randomness,
    reduction,
    sampling,
    scatter,
    softmax,
    sorting,
    split,
    statistics,
    ternary,
    triangular,
    unary,
    view,
)
