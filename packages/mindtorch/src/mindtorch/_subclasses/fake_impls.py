"""``torch._subclasses.fake_impls``: which operators say what their results look like."""

from __future__ import annotations

from typing import Any

from mindtorch_storage.device import CUDA

from .._C import _dispatch_has_computed_kernel_for_dispatch_key
from .._ops import ops
from ..core.constants import contiguous_format

__all__ = ["has_meta", "is_builtin", "laid_out"]

#: Which results of an operator all libraries but CUDA's lay out by columns. Plain meta tensors, of
#: which no device is known, are taken for CUDA's. Source: torch _meta_registrations.py.
_BY_COLUMNS = {"aten::_linalg_svd": 2, "aten::linalg_eig": 1}


def is_builtin(op: Any) -> bool:
    """Whether an operator is torch's own."""
    return op.namespace in ("aten", "prims", "prim")


def has_meta(func: Any) -> bool:
    """Whether an operator runs on the meta device."""
    return _dispatch_has_computed_kernel_for_dispatch_key(func.name(), "Meta")


def laid_out(func: Any, result: Any, device: Any) -> Any:
    """The results of an operator on meta tensors, laid out as the library of *device* would."""
    place = _BY_COLUMNS.get(func.name())
    if place is None or device.type == CUDA or result[place].dim() < 2:
        return result
    rows = result[place]
    columns = ops.aten.empty_like.default(rows.mT, memory_format=contiguous_format).mT
    return (*result[:place], columns, *result[place + 1 :])
