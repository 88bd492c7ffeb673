"""``torch._higher_order_ops``: control flow as ops, which runs as Python's here."""

from __future__ import annotations

from typing import Any

from ..core.unavailable import COMPILER, offer
from ._invoke_quant import InvokeQuant, invoke_quant, invoke_quant_packed
from .associative_scan import associative_scan
from .base_hop import BaseHOP
from .cond import cond
from .flex_attention import flex_attention, flex_attention_backward
from .inline_asm_elementwise import inline_asm_elementwise
from .invoke_subgraph import invoke_subgraph
from .local_map import local_map_hop
from .map import map
from .out_dtype import out_dtype
from .scan import scan
from .while_loop import while_loop
from .while_loop import while_loop_stack_output_op as while_loop_stack_output
from .wrap import wrap as _wrap
from .wrap import wrap_with_set_grad_enabled

__all__ = [
    "BaseHOP",
    "InvokeQuant",
    "associative_scan",
    "cond",
    "flex_attention",
    "flex_attention_backward",
    "inline_asm_elementwise",
    "invoke_quant",
    "invoke_quant_packed",
    "invoke_subgraph",
    "local_map_hop",
    "map",
    "out_dtype",
    "scan",
    "while_loop",
    "while_loop_stack_output",
    "wrap_with_set_grad_enabled",
]
offer(
    globals(),
    COMPILER,
    "auto_functionalized auto_functionalized_v2 strict_mode",
)


def __dir__() -> list[str]:
    return sorted(__all__)
