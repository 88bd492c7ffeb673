"""The limits of dtypes."""

from __future__ import annotations

from typing import Any

from ..aten import torch
from . import _dtypes


def finfo(dtyp: Any) -> Any:
    """The limits of a floating-point dtype."""
    return torch.finfo(_dtypes.dtype(dtyp).torch_dtype)


def iinfo(dtyp: Any) -> Any:
    """The limits of an integer dtype."""
    return torch.iinfo(_dtypes.dtype(dtyp).torch_dtype)
