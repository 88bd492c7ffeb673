"""``torch.Tag``: what an op's definition may say of it."""

from __future__ import annotations

from enum import Enum, EnumMeta
from typing import Any

from .pickling import pickled_by_our_name

__all__ = ["Tag"]


@pickled_by_our_name
class _Named(EnumMeta):
    """Of an enumeration that says it lives in torch."""


class Tag(Enum, metaclass=_Named):
    """A fact about an op. Numbers are torch's."""

    core = 0
    cudagraph_unsafe = 1
    data_dependent_output = 2
    dynamic_output_shape = 3
    flexible_layout = 4
    generated = 5
    inplace = 6
    inplace_view = 7
    maybe_aliasing_or_mutating = 8
    needs_contiguous_strides = 9
    needs_exact_strides = 10
    needs_fixed_stride_order = 11
    nondeterministic_bitwise = 12
    nondeterministic_seeded = 13
    out = 14
    out_variant = 15
    pointwise = 16
    pt2_compliant_tag = 17
    reduction = 18
    view_copy = 19

    def __int__(self) -> int:
        return int(self.value)

    def __index__(self) -> int:
        return int(self.value)

    def __hash__(self) -> int:
        return int(self.value)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return Tag, (self.value,)


Tag.__module__ = "torch"
