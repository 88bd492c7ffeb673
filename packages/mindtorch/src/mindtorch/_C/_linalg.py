"""``torch._C._linalg``: the functions of op rows for linear algebra."""

from __future__ import annotations

from ..aten.register import LINALG_FUNCTIONS
from ..core.submodules import computed as _computed

__getattr__, __dir__ = _computed(__name__, LINALG_FUNCTIONS, LINALG_FUNCTIONS.get)
