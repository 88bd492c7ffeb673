"""Memory that overlaps itself may not be written."""

from __future__ import annotations

from typing import Any

from .. import signature as S


def refuse_overlap(target: Any) -> None:
    """torch aten/src/ATen/MemoryOverlap.cpp, assert_no_internal_overlap."""
    if target._sig & S.STRIDED:
        a = target._a
        for n, s in zip(a.shape, a.strides, strict=True):
            if s == 0 and n > 1:
                raise RuntimeError(
                    "unsupported operation: more than one element of the written-to tensor refers "
                    "to a single memory location. Please clone() the tensor before performing the "
                    "operation."
                )
