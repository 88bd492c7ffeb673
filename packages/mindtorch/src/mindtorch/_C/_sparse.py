"""``torch._C._sparse``: the functions of op rows for sparse tensors."""

from __future__ import annotations

from ..aten.register import SPARSE_FUNCTIONS
from ..core.submodules import computed as _computed

__getattr__, __dir__ = _computed(__name__, SPARSE_FUNCTIONS, SPARSE_FUNCTIONS.get)
