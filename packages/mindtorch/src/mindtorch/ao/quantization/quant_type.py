"""``torch.ao.quantization.quant_type``: kinds of quantization."""

from __future__ import annotations

import enum

from ...core.unavailable import offer_listed

__all__ = ["QuantType"]


class QuantType(enum.IntEnum):
    """When scales are found, and of what."""

    DYNAMIC = 0
    STATIC = 1
    QAT = 2
    WEIGHT_ONLY = 3


offer_listed(globals())
