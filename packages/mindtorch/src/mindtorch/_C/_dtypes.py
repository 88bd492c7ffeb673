"""The dtypes that there are."""

from __future__ import annotations

from typing import Any

from ..aten import torch
from ..core.dtype_codes import NAMES

__all__ = ["_get_all_dtypes"]


def _get_all_dtypes() -> list[Any]:
    """The dtypes of tensors, without those of quantized ones."""
    names = (*NAMES, "float8_e8m0fnu", "float4_e2m1fn_x2")
    return [getattr(torch, name) for name in names if not name.startswith(("qint", "quint"))]
