"""``torch._segment_reduce``: the name of ``segment_reduce`` under which libraries ask for it."""

from __future__ import annotations

from .register import FUNCTIONS

_segment_reduce = FUNCTIONS["segment_reduce"]
