"""``torch._higher_order_ops``: control flow as ops, which runs as Python's here."""

from __future__ import annotations

from typing import Any

from ..core.unavailable import COMPILER, offer
from .associative_scan import associative_scan
from .cond import cond
from .map import map
from .scan import scan
from .while_loop import while_loop

__all__ = ["associative_scan", "cond", "map", "scan", "while_loop"]
offer(
    globals(),
    COMPILER,
    "auto_functionalized auto_functionalized_v2 flex_attention flex_attention_backward "
    "invoke_subgraph out_dtype strict_mode wrap_with_set_grad_enabled",
)


def __dir__() -> list[str]:
    return sorted(__all__)
