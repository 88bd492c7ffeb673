"""``torch._C._linalg``: the functions of op rows for linear algebra."""

from __future__ import annotations

from typing import Any

from ..aten.register import LINALG_FUNCTIONS
from ..core.submodules import computed as _computed
from ._functions import declared_function

_of_row, __dir__ = _computed(__name__, LINALG_FUNCTIONS, LINALG_FUNCTIONS.get)


def __getattr__(name: str) -> Any:
    return declared_function(name, "linalg") or _of_row(name)
