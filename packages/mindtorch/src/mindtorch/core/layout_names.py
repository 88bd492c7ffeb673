"""What error texts call layouts."""

from __future__ import annotations

from typing import Any

from . import constants

__all__ = ["layout_name", "short_name"]

_NAMES = {
    constants.strided: "Strided",
    constants.sparse_coo: "Sparse",
    constants.sparse_csr: "SparseCsr",
    constants.sparse_csc: "SparseCsc",
    constants.sparse_bsr: "SparseBsr",
    constants.sparse_bsc: "SparseBsc",
}


def layout_name(layout: Any) -> str:
    """C++'s name of a layout: ``SparseCsr``."""
    return _NAMES[layout]


def short_name(layout: Any) -> str:
    """``csr`` of ``torch.sparse_csr``."""
    return repr(layout).rpartition("_")[2]
