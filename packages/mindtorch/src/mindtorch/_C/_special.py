"""``torch._C._special``: the functions of op rows for special functions."""

from __future__ import annotations

from ..aten.register import SPECIAL_FUNCTIONS
from ..core.submodules import computed as _computed

__getattr__, __dir__ = _computed(__name__, SPECIAL_FUNCTIONS, SPECIAL_FUNCTIONS.get)
