"""``torch._VF``: functions of ``torch`` under the name that its modules call them by."""

from __future__ import annotations

from typing import Any

import mindtorch as torch


def __getattr__(name: str) -> Any:
    return getattr(torch._C._VariableFunctions, name)
