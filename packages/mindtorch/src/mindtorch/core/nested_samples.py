"""Nested tensors, which are made above the operators: of a list of samples."""

from __future__ import annotations

from .late_bound import LateBound

__all__ = ["strided_from_list"]

strided_from_list = LateBound("strided_from_list")
