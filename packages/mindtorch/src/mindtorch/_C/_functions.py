"""``torch._C._nn`` and ``torch._C._VariableFunctions``: the functions that come from op rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ops.register import FUNCTIONS
from ..ops.row import ROWS


class _Functions:
    """The functions that come from op rows, those of one of torch's ``python_module``s."""

    __slots__ = ("_module", "_name")

    def __init__(self, name: str, module: str) -> None:
        self._name, self._module = name, module

    def __getattr__(self, name: str) -> Callable[..., Any]:
        found = FUNCTIONS.get(name)
        if found is None or self._module not in _modules_of(name):
            raise AttributeError(f"module '{self._name}' has no attribute '{name}'")
        return found

    def __dir__(self) -> list[str]:
        return sorted(n for n in FUNCTIONS if self._module in _modules_of(n))

    def __repr__(self) -> str:
        return f"<built-in module {self._name}>"


def _modules_of(name: str) -> set[str]:
    """The python_modules of the rows that make function *name*, its in-place form included."""
    if not _MODULES:
        for row in ROWS.values():
            if row.module and row.base.endswith(("_backward", "_forward")):
                continue  # torch has no Python functions for these
            _MODULES.setdefault(row.base, set()).add(row.module)
            if row.inplace:
                _MODULES.setdefault(f"{row.base}_", set()).add(row.module)
    return _MODULES.get(name, set())


_MODULES: dict[str, set[str]] = {}
_nn = _Functions("torch._C._nn", "nn")
_VariableFunctions = _Functions("torch._C._VariableFunctions", "")
