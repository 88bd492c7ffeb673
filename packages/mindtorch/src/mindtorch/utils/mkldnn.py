"""Modules over oneDNN's layout of tensors, which numpy does not have."""

from __future__ import annotations

from typing import Any, NoReturn

from ..aten.torch import float32
from ..core.unavailable import offer_listed

__all__ = ["to_mkldnn"]


def to_mkldnn(module: Any, dtype: Any = float32) -> NoReturn:
    """Refuse, as a build of torch without MKL-DNN does."""
    raise RuntimeError("MKL-DNN build is disabled")


offer_listed(globals())
