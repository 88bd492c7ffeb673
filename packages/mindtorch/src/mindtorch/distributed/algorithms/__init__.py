"""Algorithms for training with several processes."""

from __future__ import annotations

from .join import Join

__all__ = ["Join"]
