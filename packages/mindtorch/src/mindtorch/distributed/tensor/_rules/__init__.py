"""Sharding rules; importing a module registers those in it."""

from __future__ import annotations

from . import (
    attention,
    batches,
    elements,
    families,
    indices,
    losses,
    matrices,
    normalization,
    split_classes,
)

__all__ = [
    "attention",
    "batches",
    "elements",
    "families",
    "indices",
    "losses",
    "matrices",
    "normalization",
    "split_classes",
]
