"""``torch._VF``: functions of ``torch`` under the name that its modules call them by."""

from __future__ import annotations

from typing import Any

from mindtorch._C._functions import _VariableFunctions


def __getattr__(name: str) -> Any:
    return getattr(_VariableFunctions, name)
