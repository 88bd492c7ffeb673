"""``torch.onnx._internal.exporter._decomp``: which operators are taken apart first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...._decomp.core_aten import CustomDecompTable
from ._registration import TRANSLATIONS

__all__ = ["create_onnx_friendly_decomposition_table"]


def create_onnx_friendly_decomposition_table(kept: Iterable[Any] = ()) -> dict[Any, Any]:
    """The table of all decompositions, without those of operators that have a translation.

    :param kept: further operators that stay whole.
    """
    table = CustomDecompTable()
    whole = set(kept)
    for op in list(table):
        namespace, _, name = op.name().partition("::")
        if op in whole or (namespace == "aten" and name in TRANSLATIONS):
            del table[op]
    return table
