"""Hooks of mixed precision."""

from __future__ import annotations

from .default_hooks import allreduce_hook

__all__ = ["allreduce_hook"]
