"""``torch._C._linalg``: the functions of op rows for linear algebra."""

from __future__ import annotations

from typing import Any

from ..aten.register import LINALG_FUNCTIONS
from ..core.submodules import computed as _computed
from ._functions import op_function

#: Ops that have a function here, of which their rows do not tell.
_OPS = frozenset("_linalg_eigvals linalg__powsum".split())
_of_row, __dir__ = _computed(__name__, LINALG_FUNCTIONS, LINALG_FUNCTIONS.get)


def __getattr__(name: str) -> Any:
    return op_function(name) if name in _OPS else _of_row(name)
