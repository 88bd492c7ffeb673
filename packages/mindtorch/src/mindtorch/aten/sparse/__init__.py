"""Sparse tensors: the ops that only they have, and their kernels of ops that all tensors have.

A package of the family that is loaded with the first sparse tensor (``call.lazy_registration``).
Kernels are registered at ``SparseCPU`` and ``SparseCsrCPU``, see :mod:`.parts`; products are those
of scipy, all else is numpy's. The decision is ``docs/decisions/033-sparse-tensors.md``.
"""

from __future__ import annotations

from . import (
    coalescing,
    construction,
    conversion,
    copies,
    diagonals,
    gradients,
    invariants,
    masks,
    members,
    pointwise,
    products,
    reduced_products,
    reductions,
    resizing,
    sampled_products,
    shapes,
)

__all__: list[str] = []
