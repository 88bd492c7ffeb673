"""``torch.export.decomp_utils``: the table of what operators come to."""

from __future__ import annotations

from .._decomp.core_aten import CustomDecompTable

__all__ = ["CustomDecompTable"]
